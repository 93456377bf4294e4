/// What a system is made of: the contract between parts (beams, joints, springs, loads) and the code that evaluates
/// them. Theory: docs/theory/mechanics.md, sec. 3. How to write one: docs/how-to-add-a-part.md.
#pragma once

#include <filum/linalg/block_matrix.hpp>
#include <filum/mechanics/configuration_space.hpp>

#include <string>

namespace filum::mechanics {

using linalg::NodeMatrix;
using linalg::RowMatrix;
/// Outputs of parts and systems: a vector, or memory owned elsewhere.
using VectorRef = Eigen::Ref<VectorXd>;

class Declaration;
class SystemBuilder;

/// A part evaluates many like elements in one call. Everything it does is announced in `declare`, and only what was
/// announced is called. All evaluations are const and thread-safe; t, q and v are the whole system's. Forces are
/// covectors of the derivative vector v: power is f·v.
///
/// Signs (notation.md): M v̇ = v̂ᵀMv + f − Cᵀλ, C = (DΦ; B).
class Part {
 public:
  Part() = default;
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;
  virtual ~Part() = default;

  /// What error messages and reports call it.
  virtual std::string name() const = 0;
  /// Announces all forces and constraints and keeps the handles. Called twice by SystemBuilder::build: handles of the
  /// first call are provisional, those of the second are final. Both calls must announce the same.
  virtual void declare(Declaration& declaration) = 0;
  /// It calls no functions of a user. Then any thread may evaluate it, beside other parts. All others are evaluated by
  /// the thread that steps, in an order that never changes.
  virtual bool is_self_contained() const { return false; }

  // Forces -----------------------------------------------------------------------------------------------------------
  /// f += this part's forces, on announced nodes.
  virtual void add_forces(double t, const VectorXd& q, const VectorXd& v, VectorRef f) const;
  /// Energy whose negative derivative is the conservative share of add_forces.
  virtual double potential_energy(double /*t*/, const VectorXd& /*q*/) const { return 0; }
  /// H += scale_q D_q f + scale_v ∂f/∂v, in the blocks of announced forces. Not called when differences were announced.
  virtual void add_force_derivatives(double t, const VectorXd& q, const VectorXd& v, double scale_q, double scale_v,
                                     NodeMatrix& H) const;

  // Constraints ------------------------------------------------------------------------------------------------------
  /// phi = Φ(t, q) on this part's holonomic rows.
  virtual void constraint(double t, const VectorXd& q, VectorRef phi) const;
  /// C = (DΦ; B)(t, q) on this part's rows, all entries written.
  virtual void constraint_jacobian(double t, const VectorXd& q, RowMatrix& C) const;
  /// rate = ∂Φ/∂t on this part's rows that were announced with `time`: the velocity constraint is C v + rate = 0. Other
  /// rows have the rate 0 and need not be written.
  virtual void constraint_rate(double t, const VectorXd& q, VectorRef rate) const;
  /// gamma = d/dt(C v + rate) − C v̇, all of it: D²Φ(v, v) + 2 (∂C/∂t) v + ∂²Φ/∂t².
  virtual void curvature(double t, const VectorXd& q, const VectorXd& v, VectorRef gamma) const;
  /// H += scale D_q(Cᵀ(q) λ). Not called when differences were announced.
  virtual void add_constraint_force_derivatives(double t, const VectorXd& q, const VectorXd& lambda, double scale,
                                                NodeMatrix& H) const;

  // Messages ---------------------------------------------------------------------------------------------------------
  /// What is wrong, or about to go wrong, with this part at q, for messages of a run that stopped; empty when nothing
  /// is.
  virtual std::string diagnosis(const VectorXd& /*q*/) const { return {}; }
  /// What a row means: the constraint in the order of announcement (from 0, within the part), the row within it.
  virtual std::string row_name(int constraint, int row) const;

 private:
  friend class SystemBuilder;
  bool in_system_ = false;  ///< handles of a part belong to one system
};

}  // namespace filum::mechanics
