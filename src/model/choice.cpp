/// Choosing a method. Theory: docs/theory/choice.md.
#include <filum/analysis/fastest_rates.hpp>
#include <filum/model/choice.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>
#include <stdexcept>

namespace filum::model {
namespace {

using integrate::MethodOptions;

/// The adaptive form of a method, with tolerances that follow from the accuracy, (CH.2); nothing when it has none.
std::optional<MethodOptions> adaptive(MethodOptions method, double accuracy, const Scales& scales) {
  const double rate = std::min(1.0, 1 / scales.time), unit = std::min(1.0, scales.length) * rate;
  const bool can = std::visit(
      [&](auto& o) {
        if constexpr (requires { o.newton; }) {
          o.newton.rtol = std::min(o.newton.rtol, 1e-3 * accuracy);
          o.newton.atol = std::min(o.newton.atol, 1e-4 * accuracy * unit);
        }
        if constexpr (requires { o.adaptive; }) {
          constexpr bool half_explicit = std::is_same_v<decltype(o), integrate::HalfExplicitOptions&>;
          constexpr bool by_positions = std::is_same_v<decltype(o), integrate::GeneralizedAlphaOptions&> ||
                                        std::is_same_v<decltype(o), integrate::BliedfOptions&>;
          // (CH.2) The half-explicit method bounds errors of a single step.
          const double local = half_explicit ? 0.1 * accuracy : by_positions ? 0.5 * accuracy : accuracy;
          o.adaptive = true;
          o.control.length = scales.length;
          o.control.rtol = local;
          o.control.atol = by_positions ? local : local * rate;  // velocities of the others share it
          return true;
        } else {
          return false;
        }
      },
      method);
  return can ? std::optional(method) : std::nullopt;
}

bool suits(const System& system, const MethodOptions& method) {
  const integrate::Capabilities can = integrate::capabilities(method);
  return (system.size_mu() == 0 || can.nonholonomic) && (!system.has_varying_mass() || can.varying_mass) &&
         (!system.has_singular_mass() || can.singular_mass);
}

std::string rounded(double value) {
  std::ostringstream out;
  out.precision(2);
  out << value;
  return out.str();
}

/// What is known before a method is chosen.
struct Findings {
  Scales scales;
  analysis::FastestRates rates;
  double accurate;  ///< (CH.3) step of a method of order 2 that follows the motion
};

Findings findings(const BuiltModel& model, const State& x, const ChoiceOptions& o) {
  const double duration = o.end - x.t;
  Findings f{scales_of(model, x, duration), analysis::fastest_rates(model.system(), x, model.rows()), 0};
  f.accurate = f.scales.time * std::sqrt(std::min(1.0, 12 * o.accuracy * f.scales.time / duration));
  return f;
}

}  // namespace

// (CH.1) The time in which the motion crosses the model, with its velocity or with its acceleration from rest, or turns
// by one radian.
Scales scales_of(const BuiltModel& model, const State& x, double duration) {
  const auto& space = model.system().space();
  Vector3d low = Vector3d::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (const ObjectPoses& object : model.layout().poses)
    for (int node = 0; node < object.nodes; ++node) {
      const Vector3d at = object.at(x, node).position;
      low = low.cwiseMin(at);
      high = high.cwiseMax(at);
    }
  Scales scales;
  const double size = (high - low).norm(), reach = low.norm();
  scales.length = std::isfinite(size) && size > 0 ? size : std::isfinite(reach) && reach > 0 ? reach : 1.0;
  double spin = 0, speed = 0, acceleration = 0;
  for (int node = 0; node < space.nodes(); ++node) {
    const int first = space.v_offset(node);
    const int end = node + 1 < space.nodes() ? space.v_offset(node + 1) : space.size_v();
    const int turning = space.group(node) > lie::GroupId::R3 ? 3 : 0, moving = end - first - turning;
    spin = std::max({spin, x.v.segment(first, turning).norm(), std::sqrt(x.a.segment(first, turning).norm())});
    speed = std::max(speed, x.v.segment(first + turning, moving).norm());
    acceleration = std::max(acceleration, x.a.segment(first + turning, moving).norm());
  }
  scales.time = duration;
  if (speed > 0) scales.time = std::min(scales.time, scales.length / speed);
  if (acceleration > 0) scales.time = std::min(scales.time, std::sqrt(scales.length / acceleration));
  if (spin > 0) scales.time = std::min(scales.time, 1 / spin);
  return scales;
}

Choice choose_method(const BuiltModel& model, const State& x, const ChoiceOptions& o) {
  const System& system = model.system();
  const Findings f = findings(model, x, o);
  constexpr double high_accuracy = 1e-3, worth = 4;  // (CH.3): an implicit step costs about four explicit ones
  const MethodOptions quick = o.accuracy < high_accuracy ? MethodOptions(integrate::HalfExplicitOptions{})
                                                         : MethodOptions(integrate::RattlieOptions{});
  const double stable = analysis::largest_stable_step(quick, f.rates);
  const bool is_stiff = f.accurate > worth * stable;
  Choice choice{.methods = {}, .step = o.step, .accuracy = o.accuracy, .reason = {}};
  const auto add = [&](const MethodOptions& method) {
    const auto ready = adaptive(method, o.accuracy, f.scales);
    if (ready && suits(system, *ready)) choice.methods.push_back(*ready);
    return ready && suits(system, *ready);
  };
  if (!is_stiff) add(quick);
  const bool has_explicit = !choice.methods.empty();
  constexpr double very_high_accuracy = 1e-5;  // (CH.3)
  if (o.accuracy > very_high_accuracy || !add(integrate::RadauOptions{}))
    add(integrate::GeneralizedAlphaOptions{}) || add(integrate::BliedfOptions{}) || add(integrate::RadauOptions{});
  if (choice.methods.empty()) {
    if (!add(quick) && !add(integrate::RattlieOptions{}) && !add(integrate::HalfExplicitOptions{}))
      throw std::invalid_argument("no adaptive method can handle this model; try: integrator.method and time.step");
    if (is_stiff && (o.end - x.t) / stable > 1e7)
      throw std::invalid_argument("the fastest vibration allows only steps of " + rounded(stable) +
                                  ", and no adaptive implicit method can handle this model; try: an "
                                  "implicit integrator.method with a time.step");
  }
  const MethodOptions& first = choice.methods.front();
  const bool explicit_first =
      !integrate::is_implicit(first) || std::isfinite(integrate::stability_limits(first).frequency);
  std::ostringstream why;
  why.precision(2);
  why << integrate::name(first) << ": ";
  if (system.size_mu() > 0) why << "nonholonomic constraints, ";
  if (system.has_singular_mass()) why << "a mass matrix without inverse, ";
  if (explicit_first && (has_explicit || is_stiff)) {
    if (f.rates.frequency > 0)
      why << "the fastest vibration allows steps of " << stable << ", the motion needs about " << f.accurate;
    else
      why << "nothing vibrates, the motion needs steps of about " << f.accurate;
  } else {
    why << "the model is stiff, the motion allows steps of about " << f.accurate << ", the fastest vibration only "
        << (f.rates.frequency > 0 ? 2 / f.rates.frequency : f.accurate);
  }
  choice.reason = why.str();
  if (!(choice.step > 0)) {
    choice.step = std::min(0.1 * f.accurate, 0.01 * (o.end - x.t));
    if (explicit_first) choice.step = std::min(choice.step, 0.5 * analysis::largest_stable_step(first, f.rates));
  }
  return choice;
}

bool is_limited_by_stability(const BuiltModel& model, const State& x, const MethodOptions& method, double step) {
  const double limit = analysis::largest_stable_step(method, analysis::fastest_rates(model.system(), x, model.rows()));
  return step > 0.4 * limit;
}

}  // namespace filum::model
