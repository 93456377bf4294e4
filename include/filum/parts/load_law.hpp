/// What a load is: of time alone, or of the motion of the point it acts on, with derivatives for the Newton matrix.
/// Theory: docs/theory/bodies.md, sec. 5.
#pragma once

#include <filum/mechanics/switches.hpp>
#include <filum/parts/dual.hpp>

#include <Eigen/Core>

#include <functional>
#include <span>
#include <utility>

namespace filum::parts {

/// What a load may see of its point. S is double, or a dual number where derivatives are wanted.
template <class S>
struct BasicPointMotion {
  double t = 0;
  double s = 0, s2 = 0;                     ///< arc length of a beam, or both coordinates of a shell; 0 on bodies
  Eigen::Matrix<S, 3, 1> position;          ///< in space
  Eigen::Matrix<S, 3, 3> rotation;          ///< from body to space
  Eigen::Matrix<S, 3, 1> velocity;          ///< of the point, in space
  Eigen::Matrix<S, 3, 1> angular_velocity;  ///< in the body frame
};
using PointMotion = BasicPointMotion<double>;

/// On a body force and moment, on a beam both per length. In space or in the body frame, see LoadFrame.
template <class S>
struct BasicLoadValue {
  Eigen::Matrix<S, 3, 1> force = Eigen::Matrix<S, 3, 1>::Zero(), moment = Eigen::Matrix<S, 3, 1>::Zero();
};
using LoadValue = BasicLoadValue<double>;

/// Rows: force, then moment, in the frame the load is given in. Rotations are varied as R exp(δ).
struct LoadDerivatives {
  using Block = Eigen::Matrix<double, 6, 3>;
  Block by_position = Block::Zero(), by_rotation = Block::Zero(), by_velocity = Block::Zero(),
        by_angular_velocity = Block::Zero();
};

/// What a law looks at besides time and arc length. What is left out is taken for constant.
struct Dependence {
  bool position = false, rotation = false, velocity = false, angular_velocity = false;
  static constexpr Dependence all() { return {true, true, true, true}; }
  bool any() const { return position || rotation || velocity || angular_velocity; }
  bool on_velocities() const { return velocity || angular_velocity; }
};

enum class LoadFrame { space, body };

class LoadLaw {
 public:
  using Value = std::function<LoadValue(const PointMotion&)>;
  using Derivative = std::function<LoadDerivatives(const PointMotion&)>;
  /// At many points, which costs little more than at one. What works on them may allocate.
  using Values = std::function<void(std::span<const PointMotion>, std::span<LoadValue>)>;

  LoadLaw() = default;
  static LoadLaw constant(const LoadValue& value);
  static LoadLaw of_time(std::function<LoadValue(double t)> value);
  static LoadLaw of_time(std::function<LoadValue(double s, double t)> value);
  /// Derivatives by central differences of the law, not of the system.
  static LoadLaw of_motion(Value value, Dependence sees = Dependence::all());
  /// Derivatives by the given formula.
  static LoadLaw of_motion(Value value, Derivative derivatives, Dependence sees);
  /// Of a law that is evaluated at many points at once; derivatives by central differences at all of them.
  static LoadLaw of_many(Values values, Dependence sees);
  /// Exact derivatives by dual numbers: f takes a BasicPointMotion<S> of any scalar S and returns a BasicLoadValue<S>.
  template <class F>
  static LoadLaw differentiable(F f, Dependence sees = Dependence::all());

  /// Lists the decisions that the law takes at a motion, (EV.1); of a law that sees no motion they depend on t, s and
  /// s2.
  using Switches = std::function<void(const PointMotion&, mechanics::SwitchList&)>;
  LoadLaw& set_switches(Switches switches) { return switches_ = std::move(switches), *this; }
  mechanics::Switching switching() const {
    if (!switches_) return mechanics::Switching::none;
    return sees_.any() ? mechanics::Switching::of_motion : mechanics::Switching::of_time;
  }
  void add_switches(const PointMotion& motion, mechanics::SwitchList& out) const {
    if (switches_) switches_(motion, out);
  }

  explicit operator bool() const { return bool(value_); }
  const Dependence& sees() const { return sees_; }
  LoadValue value(const PointMotion& motion) const { return value_(motion); }
  /// Zero where the law does not look.
  LoadDerivatives derivatives(const PointMotion& motion) const {
    return derivatives_ ? derivatives_(motion) : LoadDerivatives{};
  }
  bool takes_many() const { return bool(values_); }
  /// The same at many points.
  void values(std::span<const PointMotion> motions, std::span<LoadValue> out) const;
  void derivatives(std::span<const PointMotion> motions, std::span<LoadDerivatives> out) const;

 private:
  LoadLaw(Value value, Derivative derivatives, Dependence sees)
      : value_(std::move(value)), derivatives_(std::move(derivatives)), sees_(sees) {}

  Value value_;
  Derivative derivatives_;
  Values values_;
  Switches switches_;
  Dependence sees_;
};

namespace detail {
/// All twelve variables: position, rotation, velocity, angular velocity; those that are not seen stay constants.
using LoadDual = Dual<12>;
BasicPointMotion<LoadDual> with_partials(const PointMotion& motion, const Dependence& sees);
LoadDerivatives partials(const BasicLoadValue<LoadDual>& value);
}  // namespace detail

template <class F>
LoadLaw LoadLaw::differentiable(F f, Dependence sees) {
  const auto derivatives = [f, sees](const PointMotion& m) {
    return detail::partials(f(detail::with_partials(m, sees)));
  };
  return {[f](const PointMotion& m) -> LoadValue { return f(m); }, sees.any() ? Derivative(derivatives) : Derivative(),
          sees};
}

}  // namespace filum::parts
