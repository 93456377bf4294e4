/// The equations of the stages of one Radau step and their Newton iteration. Theory: docs/theory/radau.md, sec. 1
/// and 2.
#pragma once

#include <filum/integrate/integrator.hpp>
#include <filum/integrate/memory_stream.hpp>
#include <filum/integrate/radau_tableau.hpp>
#include <filum/linalg/complex_kkt_solver.hpp>
#include <filum/mechanics/mass_matrix.hpp>

#include <array>

namespace filum::integrate {

/// One vector per stage.
using StageVectors = std::array<VectorXd, RadauTableau::stages>;

/// What a step looks for: ξᵢ/h, Vᵢ, hΛᵢ and η.
struct StageValues {
  StageVectors p, V, h_lambda;
  VectorXd eta;
};

/// Finds the stages of a step of size h from x: (RA.4) to (RA.7). Remembers the matrix of the last accepted step as
/// long as it is good enough.
class RadauStages {
 public:
  RadauStages(const System& system, const RowSelection& rows, const NewtonOptions& newton);

  /// Nothing that was remembered holds any more. Factors the matrix once, so that later steps find their memory
  /// allocated.
  void start(const State& x, double h, const VectorXd& lambda);
  /// Newton's method from `values`, which hold the result afterwards. Nothing is remembered of it before `accept`.
  StepReport solve(const State& x, double h, StageValues& values);
  void accept();

  /// (RA.16) The last `solve` converged so slowly that a larger step would fail.
  bool is_hard() const { return matrices_ > 1 || iterations_ > 10; }

  /// v̇ at stage i of the last `solve`.
  void acceleration(int i, VectorXd& a) const;
  const VectorXd& end() const { return Q_.back(); }
  /// (RA.18) With the real matrix of the last `solve`: p and V become what the linearised equations make of residuals
  /// p of (RA.4) and V of v̇, tangential to the constraints.
  void filter(VectorXd& p, VectorXd& V);

  void save(MemoryWriter& memory) const;
  void restore(MemoryReader& memory);

 private:
  static constexpr int stages = RadauTableau::stages;
  struct Equations {
    RadauStages& s;
    linalg::FactorReport linearize(const VectorXd& unknowns) { return s.linearize(unknowns); }
    bool correction(const VectorXd& unknowns, VectorXd& change) { return s.correction(unknowns, change); }
    bool residual_is_rounding() const { return s.residual_is_rounding(); }
    bool correction_is_rounding() { return s.correction_is_rounding(); }
  };
  /// All that a matrix is made of, so that it can be made again.
  struct Place {
    bool valid = false;
    double h = 0;
    State from;  ///< t, q and v where the step began
    VectorXd unknowns;
  };

  void place(const VectorXd& unknowns);
  bool residuals();
  linalg::FactorReport linearize(const VectorXd& unknowns);
  void assemble(double t, const VectorXd& a);
  void combine_matrices(double mass, double damping, double stiffness, linalg::NodeMatrix& H) const;
  bool correction(const VectorXd& unknowns, VectorXd& change);
  void solve_real(VectorXd& p, VectorXd& V, VectorXd& lambda);
  void solve_complex();
  void project();
  bool residual_is_rounding() const;
  bool correction_is_rounding();
  void set_step(const State& from, double h);
  void pack(const StageValues& from, VectorXd& to) const;
  void unpack(const VectorXd& from, StageValues& to) const;
  linalg::Structure structure() const {
    return system_.couples() || system_.has_singular_mass() ? linalg::Structure::coupled : linalg::Structure::separable;
  }

  const System& system_;
  const RowSelection selected_;
  const int blocks_, holonomic_blocks_;
  linalg::Newton newton_;
  linalg::KktSolver real_, projection_;
  linalg::ComplexKktSolver complex_;
  mechanics::MassMatrix M_;
  linalg::NodeMatrix D_, K_, H_, H_im_;             ///< damping and stiffness times tangent at the place of the matrix
  linalg::RowMatrix rows_, rows_start_, rows_end_;  ///< at an iterate, at the beginning, C T at the end
  double t_ = 0, h_ = 0;                            ///< of the step
  VectorXd q_, v_;                                  ///< where it begins
  VectorXd unknowns_;
  StageValues y_;                                  ///< the iterate
  StageVectors Q_;                                 ///< its positions
  StageVectors residual_p_, residual_V_, hidden_;  ///< of (RA.4), (RA.5), (RA.7), as right-hand sides
  VectorXd position_;                              ///< of (RA.6)
  StageValues hat_, change_;                       ///< residuals and changes in the basis of (RA.9), and the changes
  linalg::ComplexPair<VectorXd> right_V_, right_lambda_;
  VectorXd normal_, force_, inertia_, work_, rate_;
  double force_size_ = 0;  ///< largest term of (RA.5)
  Place kept_, latest_;    ///< of the matrix in use, and of the last one made
  bool loaded_ = false;    ///< the factors are those of kept_
  int matrices_ = 0, iterations_ = 0;
};

}  // namespace filum::integrate
