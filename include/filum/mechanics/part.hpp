/// What a system is made of: the contract between parts (beams, joints, springs, loads) and everybody who evaluates
/// them. Theory: docs/theory/mechanics.md, sec. 3.
#pragma once

#include <filum/linalg/block_matrix.hpp>
#include <filum/mechanics/configuration_space.hpp>

#include <span>
#include <string>

namespace filum::mechanics {

class System;
using linalg::NodeMatrix;
using linalg::RowMatrix;

enum class ConstraintKind { holonomic, nonholonomic };

/// Where parts announce what they couple, before any evaluation. Returned handles are numbers that stay valid.
class PartPattern {
 public:
  virtual ~PartPattern() = default;
  /// The part's forces on any of these nodes depend on the configurations or velocities of all of them.
  virtual void couple(std::span<const int> nodes) = 0;
  /// Adds `rows` scalar constraints between `nodes`. Returns an id to be passed to System::constraint_place.
  virtual int add_constraint(ConstraintKind kind, int rows, std::span<const int> nodes) = 0;
};

/// Where the rows of one constraint ended up. Holonomic rows come first, then nonholonomic ones.
struct ConstraintPlace {
  int first_row;     ///< in Φ (holonomic), in rates, curvature and multipliers
  int value_offset;  ///< in RowMatrix::data(): rows × dim blocks, one per node, in the order they were announced
};

/// A part evaluates many like elements in one call. All evaluations are const and thread-safe; t, q and v are the
/// whole system's. Forces are covectors of the derivative vector v: power is f·v. A part has only what it overrides.
///
/// Signs (notation.md): M v̇ = v̂ᵀMv + f − Cᵀλ, C = (DΦ; B).
class Part {
 public:
  virtual ~Part() = default;

  /// What error messages and reports call it.
  virtual std::string name() const = 0;
  virtual void declare(PartPattern& pattern) = 0;
  /// Called once when the system is complete; offsets may be looked up and kept.
  virtual void bind(const System&) {}

  virtual bool has_forces() const { return false; }
  virtual bool forces_depend_on_velocity() const { return false; }
  /// f += this part's forces.
  virtual void add_forces(double /*t*/, const VectorXd& /*q*/, const VectorXd& /*v*/, VectorXd& /*f*/) const {}
  /// Energy whose negative derivative is the conservative share of add_forces.
  virtual double potential_energy(double /*t*/, const VectorXd& /*q*/) const { return 0; }
  /// H += scale_q D_q f + scale_v ∂f/∂v. Returns false when the part has no formula; it is differenced then.
  virtual bool add_force_derivatives(double /*t*/, const VectorXd& /*q*/, const VectorXd& /*v*/, double /*scale_q*/,
                                     double /*scale_v*/, NodeMatrix& /*H*/) const {
    return false;
  }

  virtual bool has_constraints() const { return false; }
  /// Whether Φ depends on time.
  virtual bool is_rheonomic() const { return false; }
  /// phi = Φ(t, q) on this part's holonomic rows.
  virtual void constraint(double /*t*/, const VectorXd& /*q*/, VectorXd& /*phi*/) const {}
  /// C = (DΦ; B)(t, q) on this part's rows, all entries written.
  virtual void constraint_rows(double /*t*/, const VectorXd& /*q*/, RowMatrix& /*C*/) const {}
  /// rate = ∂Φ/∂t (0 for scleronomic rows): the velocity constraint is C v + rate = 0.
  virtual void constraint_rate(double /*t*/, const VectorXd& /*q*/, VectorXd& /*rate*/) const {}
  /// gamma = d/dt(C v + rate) − C v̇, all of it: D²Φ(v, v) + 2 (∂C/∂t) v + ∂²Φ/∂t².
  virtual void curvature(double /*t*/, const VectorXd& /*q*/, const VectorXd& /*v*/, VectorXd& /*gamma*/) const {}
  /// H += scale D_q(Cᵀ(q) λ). Returns false when the part has no formula.
  virtual bool add_constraint_force_derivatives(double /*t*/, const VectorXd& /*q*/, const VectorXd& /*lambda*/, double /*scale*/,
                                                NodeMatrix& /*H*/) const {
    return false;
  }
  /// What is wrong, or about to go wrong, with this part at q, for messages of a run that stopped; empty when nothing is.
  virtual std::string diagnosis(const VectorXd& /*q*/) const { return {}; }
  /// What a row means, for messages: constraint id as announced (counted from 0 within the part), row within it.
  virtual std::string row_name(int constraint, int row) const;
};

}  // namespace filum::mechanics
