/// Locating and crossing switches. Theory: docs/theory/events.md.
#include "switch_watch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace filum::integrate {
namespace {

using mechanics::Switch;
using mechanics::Switching;

constexpr int looks = 8;                 ///< at times within a step
constexpr double bracket = 1e-11;        ///< (EV.3) of the step
constexpr double smallest_trial = 1e-9;  ///< of the step: shorter ones are part of the crossing
constexpr int most_trials = 100, most_secants = 40;

bool differs(const Switch& reference, double now) { return now < reference.low || now >= reference.high; }

}  // namespace

SwitchWatch::SwitchWatch(const System& system, Integrator& method, std::span<const EventFunction> events)
    : system_(system),
      method_(method),
      events_(events),
      index_1_(system, method.selected()),
      momentum_(VectorXd::Zero(system.size_v())),
      rate_(VectorXd::Zero(system.size_rows())),
      impulse_(rate_) {
  for (const auto& part : system.parts())
    if (const auto* switching = dynamic_cast<const mechanics::SwitchingPart*>(part.get())) {
      if (switching->switching() == Switching::of_time) time_parts_.push_back(switching);
      if (switching->switching() == Switching::of_motion) motion_parts_.push_back(switching);
    }
}

void SwitchWatch::evaluate_time(double t, const State& x, SwitchList& out) const {
  out.clear();
  for (const mechanics::SwitchingPart* part : time_parts_) part->add_switches(t, x.q, x.v, out);
}

void SwitchWatch::evaluate(State& x, SwitchList& out) {
  evaluate_time(x.t, x, out);
  for (const mechanics::SwitchingPart* part : motion_parts_) part->add_switches(x.t, x.q, x.v, out);
  first_event_law_ = out.laws() + 1;
  bool complete = false;
  for (const EventFunction& event : events_) {
    if (event.needs_multipliers && !complete) this->complete(x), complete = true;
    const double g = event.value(x);
    out.begin_law();
    Switch sign{.value = g};
    (g < 0 ? sign.high : sign.low) = 0;
    out.add(sign);
  }
}

/// Whether a change of this law is one: event functions have a direction.
bool SwitchWatch::counts(int law, const Switch& reference) const {
  if (law < first_event_law_ || events_.empty()) return true;
  const Direction direction = events_[static_cast<std::size_t>(law - first_event_law_)].direction;
  return direction == Direction::both || (direction == Direction::rising) == (reference.high == 0);
}

bool SwitchWatch::compare(const SwitchList& now) {
  differences_.clear();
  const auto &r = reference_.entries(), &n = now.entries();
  for (std::size_t i = 0, j = 0; i < r.size();) {
    const int law = r[i].law;
    while (j < n.size() && n[j].law < law) ++j;
    while (i < r.size() && r[i].law == law && j < n.size() && n[j].law == law && !differs(r[i], n[j].value)) ++i, ++j;
    if (i < r.size() && r[i].law == law) {
      if (j < n.size() && n[j].law == law && counts(law, r[i])) differences_.push_back({i, j});
      while (i < r.size() && r[i].law == law) ++i;
    }
  }
  return !differences_.empty();
}

std::optional<SwitchWatch::TimeSwitch> SwitchWatch::ahead(const State& x, double to) {
  evaluate_time(x.t, x, reference_);
  first_event_law_ = std::numeric_limits<int>::max();
  const auto differs_at = [&](double t) {
    evaluate_time(t, x, now_);
    return compare(now_);
  };
  double a = x.t, b = to;
  int k = 1;
  for (; k <= looks; ++k, a = b) {
    b = k == looks ? to : x.t + (to - x.t) * k / looks;
    if (differs_at(b)) break;
  }
  if (k > looks) return {};
  for (double half = a + 0.5 * (b - a); a < half && half < b; half = a + 0.5 * (b - a))
    (differs_at(half) ? b : a) = half;
  differs_at(b);
  const bool jumps = std::any_of(differences_.begin(), differences_.end(),
                                 [&](const Difference& d) { return reference_.entries()[d.reference].jumps; });
  // Stages compute their times with rounding errors of their own.
  return TimeSwitch{a - 8 * std::numeric_limits<double>::epsilon() * std::max(std::abs(x.t), std::abs(a)), b, jumps};
}

void SwitchWatch::remember(State& x) {
  evaluate(x, reference_);
  before_ = x;
  method_.save(memory_);
}

void SwitchWatch::put_back(State& x) {
  x = before_;
  method_.restore(memory_);
}

bool SwitchWatch::has_switched(State& x) {
  evaluate(x, at_b_);
  return compare(at_b_);
}

/// The first zero of the straight lines between margins at a and at b, (EV.3).
double SwitchWatch::guess(double a, double b, double weight_a, double weight_b) const {
  double first = b;
  for (const Difference& d : differences_) {
    const Switch& decision = reference_.entries()[d.reference];
    const double at_a = weight_a * decision.margin(at_a_.entries()[d.reference].value);
    const double at_b = -weight_b * decision.margin(at_b_.entries()[d.now].value);
    const double share = at_a / (at_a + at_b);
    if (share >= 0 && share <= 1) first = std::min(first, a + share * (b - a));
  }
  return first;
}

std::optional<Crossing> SwitchWatch::locate(State& x, double& h, StepReport& report) {
  if (!has_switched(x)) return {};
  at_a_ = reference_;
  const double tolerance = std::max(bracket * h, 8 * std::numeric_limits<double>::epsilon() * std::abs(before_.t));
  double a = 0, b = h, at = h, weight_a = 1, weight_b = 1;
  int side = 0;
  for (int k = 0; k < most_trials && b - a > tolerance; ++k) {
    const double secant = k < most_secants ? guess(a, b, weight_a, weight_b) : 0.5 * (a + b);
    double trial = std::clamp(secant, a + 0.4 * tolerance, b - 0.4 * tolerance);
    if (trial < smallest_trial * h) {  // too short for a step; is the switch in there?
      if (a > 0 || b <= smallest_trial * h * 1.001) break;
      trial = smallest_trial * h;
    }
    put_back(x);
    const StepReport tried = method_.step(x, trial);
    report.newton_iterations += tried.newton_iterations;
    report.matrices += tried.matrices;
    at = trial;
    if (!tried.accepted()) {
      put_back(x);
      report.trouble = tried.trouble;
      report.newton = tried.newton;
      return {};
    }
    evaluate(x, now_);
    if (compare(now_)) {
      b = trial;
      std::swap(at_b_, now_);
      weight_a = side == 1 ? 0.5 * weight_a : 1;
      weight_b = 1;
      side = 1;
    } else {
      a = trial;
      std::swap(at_a_, now_);
      weight_b = side == -1 ? 0.5 * weight_b : 1;
      weight_a = 1;
      side = -1;
      compare(at_b_);
    }
  }
  Crossing crossing{.width = b - a, .to = before_.t + b};
  compare(at_b_);
  crossing.jumps = std::any_of(differences_.begin(), differences_.end(),
                               [&](const Difference& d) { return reference_.entries()[d.reference].jumps; });
  if (at != a) {
    put_back(x);
    if (a > 0) {
      const StepReport again = method_.step(x, a);  // the same as when it was tried
      report.newton_iterations += again.newton_iterations;
      report.matrices += again.matrices;
    }
  }
  h = a;
  return crossing;
}

void SwitchWatch::complete(State& x) {
  if (index_1_.solve(x).ok && x.a.allFinite()) return;
  x.a.setZero();
  x.lambda.setZero();
}

void SwitchWatch::collect_events() {
  fired_.clear();
  for (const Difference& d : differences_)
    if (const int law = reference_.entries()[d.reference].law; law >= first_event_law_)
      fired_.push_back(law - first_event_law_);
}

void SwitchWatch::continue_straight(double time, State& x) const {
  x.t = before_.t + time;
  x.v = before_.v + 0.5 * time * before_.a;
  system_.space().advance(before_.q, time, x.v, x.q);
  x.v = before_.v + time * before_.a;
}

std::optional<double> SwitchWatch::predict(State& x, double h) {
  complete(x);
  evaluate(x, reference_);
  before_ = x;
  const auto differs_after = [&](double time) {
    continue_straight(time, x);
    evaluate(x, now_);
    return compare(now_);
  };
  double a = 0, b = h;
  int k = 1;
  for (; k <= looks; ++k, a = b)
    if (b = h * k / looks; differs_after(b)) break;
  if (k <= looks)
    while (b - a > 1e-12 * h) (differs_after(0.5 * (a + b)) ? b : a) = 0.5 * (a + b);
  x = before_;
  return k <= looks ? std::optional(a) : std::nullopt;
}

bool SwitchWatch::cross(State& x, const Crossing& c, double most) {
  complete(x);
  evaluate(x, reference_);
  before_ = x;
  double width = c.width;
  for (double to = c.to;; width *= 4, to = before_.t + width) {
    continue_straight(width, x);
    x.t = to;
    evaluate(x, now_);
    if (compare(now_)) break;
    if (4 * width > most) {
      x = before_;
      return false;
    }
  }
  collect_events();
  if (system_.is_rheonomic() && index_1_.factorize(x.t, x.q).ok) {
    system_.mass_times(x.q, x.v, momentum_);
    system_.constraint_rate(x.t, x.q, rate_);
    rate_ = -rate_;
    index_1_.solve_linear(momentum_, rate_, x.v, impulse_);
  }
  for (const int k : fired_)
    if (const auto& change = events_[static_cast<std::size_t>(k)].change) change(x);
  complete(x);
  return true;
}

}  // namespace filum::integrate
