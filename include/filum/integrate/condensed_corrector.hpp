/// The implicit equations of one step that generalized-alpha and BLieDF share. Theory:
/// docs/theory/generalized_alpha.md, sec. 2 and 3.
#pragma once

#include <filum/integrate/integrator.hpp>
#include <filum/integrate/memory_stream.hpp>
#include <filum/mechanics/mass_matrix.hpp>

namespace filum::integrate {

/// index_3 enforces Φ = 0 alone; stabilized_index_2 also enforces the hidden constraint C v + rate = 0.
enum class Formulation { stabilized_index_2, index_3 };

/// `simplified` leaves out stiffness, damping and the curvature of constraints, h²KT, hD and hZ: cheap, and good for
/// small steps and non-stiff systems only. `kept` stays with an exact matrix over many steps, until convergence
/// slows down, (GA.15b). `automatic` tries the simplified one first and switches to exact ones for a while where that
/// converges slowly, (GA.15a), kept as long as that pays where nodes are coupled, (GA.15c). `paper_000` iterates with
/// the simplified one as the program behind that paper does, (GA.15d), for comparison.
enum class NewtonMatrix { automatic, exact, simplified, kept, paper_000 };

struct CorrectorOptions {
  Formulation formulation = Formulation::stabilized_index_2;
  NewtonMatrix matrix = NewtonMatrix::automatic;
  NewtonOptions newton = {};
};

/// (GA.4) v = σ p + v_part, h v̇ = κ p + ha_part.
struct AffineVelocity {
  double sigma, kappa;
  const VectorXd &v_part, &ha_part;
};

/// Finds the increment Δq, hλ and η of a method whose new velocity and acceleration are affine in p = Δq + Cᵀ(qₙ) η.
/// Remembers v̇, λ and η of the last accepted step.
class CondensedCorrector {
 public:
  /// For holonomic systems.
  CondensedCorrector(const System& system, const RowSelection& rows, const CorrectorOptions& options);

  /// Begins with the acceleration and multipliers of the initial state.
  void start(const VectorXd& a, const VectorXd& lambda);
  /// Factors the exact matrix once, so that a later step that needs it finds its memory allocated.
  void prepare(const State& x, double h, double sigma, double kappa);
  /// Looks for x(t + h), Newton starting from Δq = guess. Nothing is remembered of it before `accept`.
  StepReport solve(const State& x, double h, const AffineVelocity& velocity, const VectorXd& guess);
  /// What the last `solve` has found. Δq stays until the next one.
  const VectorXd& new_velocity() const { return v_; }
  const VectorXd& new_acceleration() const { return a_new_; }
  const VectorXd& increment() const { return increment_; }
  /// (GA.21) Takes the stiff part out of the acceleration u of x: u ← H⁻¹κM u, with the same C u.
  void smooth(const State& x, double h, double sigma, double kappa, VectorXd& u);
  /// (SC.4) The error e of the last `solve` as the stiffness leaves it: e ← H⁻¹κM e, tangential to the constraints.
  void filter(VectorXd& e);
  /// x(t) → x(t + h) with what the last `solve` has found.
  void accept(State& x);

  bool is_stabilized() const { return stabilized_; }
  bool is_index_3() const { return !stabilized_ && system_.size_lambda() > 0; }
  const VectorXd& acceleration() const { return a_; }
  const VectorXd& eta() const { return eta_; }

  void complete(State& x) const;
  void save(MemoryWriter& memory) const;
  void restore(MemoryReader& memory);

 private:
  /// What is given during one Newton iteration.
  struct Equations {
    CondensedCorrector& c;
    const State& x;
    double h;
    AffineVelocity velocity;
    bool placed = false;  ///< linearize has just evaluated the iterate
    bool exact = true;    ///< the kind of matrix to be used
    linalg::FactorReport linearize(const VectorXd& unknowns);
    bool correction(const VectorXd& unknowns, VectorXd& change);
    bool residual_is_rounding() const;
    bool correction_is_rounding();
    void place(const VectorXd& unknowns);
    void solve_decoupled();
    void assemble_nodes();
    void assemble_curvature();
    linalg::Structure structure() const {
      return (exact && c.system_.couples()) || c.system_.has_singular_mass() ? linalg::Structure::coupled
                                                                             : linalg::Structure::separable;
    }
  };

  /// Everything a matrix was made of, so that it can be made again.
  struct Place {
    bool valid = false;
    int steps = 0, iterations = 0;  ///< so far with this matrix
    double h = 0, sigma = 0, kappa = 0;
    State from;  ///< t and q where the step began
    VectorXd unknowns, v_part, ha_part;
  };
  /// How the last `solve` went, for `accept`.
  struct Trial {
    double h = 0, kappa = 0;
    int matrices = 0, iterations = 0;  ///< of the last Newton solve
    bool tried_simplified = false;
    bool exact = false;  ///< the kind of matrix that led to the solution
  };
  NewtonReport iterate_as_paper_000(Equations& equations);
  bool keeps() const;
  bool kept_fits(double h) const;
  void remake_kept_matrix();
  void choose_matrix();
  void keep_matrix();

  const System& system_;
  const RowSelection selected_;
  const CorrectorOptions options_;
  const bool stabilized_;
  const int blocks_;
  linalg::Newton newton_;
  linalg::KktSolver dynamics_, projection_;
  linalg::NodeMatrix H_;
  mechanics::MassMatrix M_;
  linalg::RowMatrix rows_;                                      ///< C at the iterate
  linalg::RowMatrix rows_tangent_;                              ///< C T at the place of the Newton matrix
  linalg::RowMatrix rows_curvature_;                            ///< hZT/σ there
  linalg::RowMatrix rows_old_;                                  ///< C at the beginning of the step
  VectorXd unknowns_, first_guess_;                             ///< Δq, hλ and η
  VectorXd correction_, q_before_;                              ///< paper_000: the last correction, q before it
  VectorXd q_, v_, ha_, increment_, h_lambda_, eta_trial_, p_;  ///< the iterate
  VectorXd force_, inertia_, a_trial_, rate_, q_shifted_;
  VectorXd residual_, position_, velocity_;         ///< of (GA.5) to (GA.7), as right-hand sides
  VectorXd change_, h_lambda_change_, eta_change_;  ///< of Δq (of p in between), hλ and η
  VectorXd curvature_change_;                       ///< hZT/σ times the first change
  VectorXd a_, lambda_, eta_;                       ///< of the last accepted step
  VectorXd a_new_;                                  ///< of the last solve
  Trial trial_;
  int patience_ = 0;     ///< steps until the simplified matrix is tried again
  Place kept_, latest_;  ///< of the matrix in use, and of the last exact one made
  bool loaded_ = false;  ///< the solvers hold the matrix of kept_
};

}  // namespace filum::integrate
