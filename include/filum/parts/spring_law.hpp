/// What a spring does: its tension as a function of length, rate and time. Theory: docs/theory/bodies.md, sec. 3.
#pragma once

#include <filum/mechanics/switches.hpp>
#include <filum/parts/dual.hpp>

#include <functional>
#include <utility>

namespace filum::parts {

/// Tension, positive when the spring pulls back, with its derivatives.
struct SpringForce {
  double tension = 0, by_length = 0, by_rate = 0;
};

/// Springs between points give the distance of their ends and its rate, springs on joints the coordinate from its rest
/// position and its rate.
class SpringLaw {
 public:
  using Value = std::function<double(double length, double rate, double t)>;
  using WithDerivatives = std::function<SpringForce(double length, double rate, double t)>;
  using Potential = std::function<double(double length, double t)>;

  /// Derivatives by central differences of the law.
  static SpringLaw of(Value tension, bool sees_rate = true);
  /// Tension and derivatives by the given formula.
  static SpringLaw with_derivatives(WithDerivatives force, bool sees_rate = true);
  /// Exact derivatives by dual numbers: f(S length, S rate, double t) of any scalar S.
  template <class F>
  static SpringLaw differentiable(F f, bool sees_rate = true) {
    return {[f](double l, double r, double t) -> double { return f(l, r, t); },
            [f](double l, double r, double t) -> SpringForce {
              const Dual<2> force = f(Dual<2>::variable(l, 0), Dual<2>::variable(r, 1), t);
              return {force.value, force.d[0], force.d[1]};
            },
            sees_rate};
  }
  /// The energy whose derivative by the length is the conservative share of the tension. Without it the energy counts
  /// as 0.
  SpringLaw& set_potential(Potential potential) { return potential_ = std::move(potential), *this; }

  /// Lists the decisions that the law takes, (EV.1).
  using Switches = std::function<void(double length, double rate, double t, mechanics::SwitchList&)>;
  SpringLaw& set_switches(Switches switches) { return switches_ = std::move(switches), *this; }
  bool has_switches() const { return bool(switches_); }
  void add_switches(double length, double rate, double t, mechanics::SwitchList& out) const {
    if (switches_) switches_(length, rate, t, out);
  }

  bool sees_rate() const { return sees_rate_; }
  double tension(double length, double rate, double t) const { return value_(length, rate, t); }
  SpringForce force(double length, double rate, double t) const { return derivatives_(length, rate, t); }
  double potential(double length, double t) const { return potential_ ? potential_(length, t) : 0; }

 private:
  SpringLaw(Value value, WithDerivatives derivatives, bool sees_rate)
      : value_(std::move(value)), derivatives_(std::move(derivatives)), sees_rate_(sees_rate) {}

  Value value_;
  WithDerivatives derivatives_;
  Potential potential_;
  Switches switches_;
  bool sees_rate_ = true;
};

}  // namespace filum::parts
