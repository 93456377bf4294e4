/// Steps that are taken, cut and counted. Theory: docs/theory/integrators.md, sec. 2.
#include "run_loop.hpp"

#include "possible.hpp"
#include "run_grid.hpp"

#include <filum/integrate/method.hpp>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace filum::integrate {
namespace {

/// What parts say about the place where the step was going, or else about where it began.
std::vector<std::string> diagnoses(const System& system, const State& x, double h) {
  VectorXd ahead(system.size_q());
  system.space().advance(x.q, h, x.v, ahead);
  std::vector<std::string> all;
  for (const auto& part : system.parts()) {
    std::string said = part->diagnosis(ahead);
    if (said.empty()) said = part->diagnosis(x.q);
    if (!said.empty()) all.push_back(std::move(said));
  }
  return all;
}

bool has_switches(const System& system) {
  return std::any_of(system.parts().begin(), system.parts().end(), [](const auto& part) {
    const auto* switching = dynamic_cast<const mechanics::SwitchingPart*>(part.get());
    return switching && switching->switching() != mechanics::Switching::none;
  });
}

constexpr auto off_grid = [](bool) {};

}  // namespace

RunLoop::RunLoop(const System& system, Integrator& method, State& x, const RunOptions& options,
                 const Observer& observer, const RunStatistics* resume)
    : system_(system),
      method_(method),
      x_(x),
      options_(options),
      observer_(observer),
      can_vary_(method.capabilities().variable_steps) {
  if (options.watch_singularity) watch_.emplace(system, method.selected());
  if (!options.events.empty() || (options.follow_switches && has_switches(system)))
    switches_.emplace(system, method, options.events);
  if (resume) {
    statistics = *resume;
    for (std::size_t k = 0; k < options.events.size() && k < statistics.events.size(); ++k)
      if (options.events[k].restore) options.events[k].restore(statistics.events[k].count);
    return;
  }
  statistics.grid.origin = x.t;
  statistics.events.resize(options.events.size());
  if (watch_) statistics.watch = watch_->start(x);
}

// ---- grids ----

bool RunLoop::reach(long index, double target, double h, double next) {
  const double smallest = h * std::ldexp(1.0, -options_.smallest_cut);
  double cut = h;
  bool whole = true;
  const auto on_grid = [&](bool is_there) {
    statistics.grid.is_whole = is_there;
    if (is_there) statistics.grid.index = index;
  };
  while (x_.t < target) {
    const bool last = whole || target - x_.t <= cut * (1 + 1e-12);
    const double step = whole ? h : (last ? target - x_.t : cut);
    const Attempt a = attempt(step, last ? target : x_.t + step);
    if (!a.report.accepted()) {
      if (!reject(a.report)) return false;
      whole = false;
      const auto before = can_vary_ ? switch_before(a.step) : std::nullopt;
      cut = before ? *before : 0.5 * a.step;
      if (!can_vary_ || (cut < smallest && !before)) stop(a.step, a.report);
      if (cut > 0) continue;
      if (!cross(crossing_here(), target, h, off_grid, [&] { return h; })) return false;
      cut = h;
      continue;
    }
    const bool done = last && !a.crossing;
    on_grid(done);
    cut = std::min(h, 2 * cut);
    if (a.step > 0 && !accept(a.end, a.step, done ? next : std::min(cut, target - a.end), a.report)) return false;
    if (!a.crossing) continue;
    whole = false;
    if (!cross(*a.crossing, target, h, on_grid, [&] { return x_.t < target ? std::min(h, target - x_.t) : next; }))
      return false;
  }
  return true;
}

void RunLoop::adapt() {
  while (x_.t < options_.end)
    if (!adaptive_attempt()) return;
}

double RunLoop::adaptive_step(double t) const {
  const double h = statistics.grid.next_step;
  const double left = output_time(options_, statistics.grid.origin, static_cast<double>(statistics.grid.index)) - t;
  if (left <= h * (1 + 1e-10)) return left;
  return std::min(h, left > 2 * h ? h : 0.5 * left);  // no tiny last step
}

bool RunLoop::adaptive_attempt() {
  double& h = statistics.grid.next_step;
  long& output = statistics.grid.index;
  const double target = output_time(options_, statistics.grid.origin, static_cast<double>(output));
  const double step = adaptive_step(x_.t);
  const bool last = step == target - x_.t;
  const Attempt a = attempt(step, last ? target : x_.t + step);
  if (!a.report.accepted()) return shorten(a, target);
  const auto on_grid = [&](bool is_there) {
    statistics.grid.is_whole = true;
    if (is_there && target < options_.end) ++output;
  };
  // A step shortened to hit a time must not shrink the ones after it; behind a switch it may be too long.
  if (!a.crossing) {
    on_grid(last);
    h = last ? std::max(h, a.report.next_step) : a.report.next_step;
    if (x_.t + h == x_.t) {  // accepted, but time no longer passes: the solution has no bounds here
      StepReport report = a.report;
      report.trouble = StepTrouble::error_too_large;
      stop(h, report);
    }
  }
  statistics.grid.is_whole = !a.crossing;
  if (a.step > 0 && !accept(a.end, a.step, a.end < options_.end ? adaptive_step(a.end) : h, a.report)) return false;
  return !a.crossing ||
         cross(*a.crossing, target, step, on_grid, [&] { return x_.t < options_.end ? adaptive_step(x_.t) : h; });
}

bool RunLoop::shorten(const Attempt& failed, double target) {
  double& h = statistics.grid.next_step;
  if (!reject(failed.report)) return false;
  h = failed.report.trouble == StepTrouble::error_too_large ? std::min(failed.report.next_step, 0.9 * failed.step)
                                                            : 0.25 * failed.step;
  if (h <= 1e-13 * std::max(1.0, std::abs(x_.t)) || h < std::ldexp(options_.step, -60))
    stop(failed.step, failed.report);
  const auto before = switch_before(failed.step);
  if (before && *before > 0) h = *before;
  return !(before && *before == 0) ||
         cross(crossing_here(), target, statistics.largest_step, off_grid, [&] { return h; });
}

// ---- steps ----

RunLoop::Attempt RunLoop::attempt(double step, double end) {
  Attempt a{step, end};
  if (switches_ && switches_->follows_time()) look_ahead(a);
  if (a.step <= 0) return a;
  const bool watches = switches_ && switches_->follows_motion() && statistics.switches.rest == 0;
  if (watches) switches_->remember(x_);
  a.report = method_.step(x_, a.step);
  if (!watches || !a.report.accepted()) return a;
  if (!can_vary_ && switches_->has_switched(x_)) return warn("the motion"), a;
  const double whole = a.step;
  if (const auto found = switches_->locate(x_, a.step, a.report)) {
    a.crossing = found;
    a.end = x_.t;
    if (a.step > 0) a.report.next_step = std::max(a.report.next_step, whole);
  }
  return a;
}

bool RunLoop::accept(double exact_end, double h, double next, const StepReport& report) {
  x_.t = exact_end;
  method_.expect_step(next);
  ++statistics.accepted;
  if (statistics.switches.rest > 0) --statistics.switches.rest;
  if (statistics.grid.is_whole) statistics.switches.in_a_row = 0;
  count(report);
  statistics.smallest_step = statistics.accepted == 1 ? h : std::min(statistics.smallest_step, h);
  statistics.largest_step = std::max(statistics.largest_step, h);
  const SingularityWatch::Finding seen = watch_ ? watch_->look(x_, statistics.watch) : SingularityWatch::Finding{};
  const bool stops = seen.trouble == StepTrouble::redundancy_lost ||
                     (seen.trouble == StepTrouble::singular_position && x_.t < options_.end);
  if (stops) statistics.grid.is_whole = false;  // a run that is resumed comes here again and stops again
  const bool goes_on = !observer_ || observer_(x_, report, statistics);
  if (goes_on && stops) {
    StepReport last = report;
    last.trouble = seen.trouble;
    last.newton.factor.suspect_row = seen.row;
    stop(h, last);
  }
  return goes_on;
}

void RunLoop::count(const StepReport& report) {
  statistics.newton_iterations += report.newton_iterations;
  statistics.matrices += report.matrices;
  statistics.max_newton_per_step = std::max(statistics.max_newton_per_step, report.newton_iterations);
}

bool RunLoop::reject(const StepReport& report) {
  ++statistics.rejected;
  count(report);
  statistics.interrupted = options_.interrupted && options_.interrupted();
  return !statistics.interrupted;
}

void RunLoop::stop(double h, const StepReport& report) const {
  throw IntegrationStopped(system_, {.method = std::string(method_.name()),
                                     .state = x_,
                                     .step = h,
                                     .report = report,
                                     .diagnoses = diagnoses(system_, x_, h)});
}

// ---- switches ----

std::optional<double> RunLoop::switch_before(double step) {
  if (!switches_ || !switches_->follows_motion() || statistics.switches.rest > 0) return {};
  const auto time = switches_->predict(x_, step);
  if (!time) return {};
  return *time < 1e-9 * std::max(statistics.largest_step, step) ? 0 : 0.999 * *time;
}

Crossing RunLoop::crossing_here() const {
  const double width = 2e-9 * std::max(statistics.largest_step, options_.step);
  return {.width = width, .to = x_.t + width};
}

void RunLoop::look_ahead(Attempt& a) {
  const auto found = switches_->ahead(x_, a.end);
  if (!found) return;
  const double near = 1e-9 * a.step;
  const bool at_end = found->far > a.end - near, at_start = found->near <= x_.t + near;
  // A grid that hits a kink keeps its order: events.md, sec. 2.
  if (!found->jumps && at_end && !method_.capabilities().adaptive) return;
  if (!can_vary_ && !at_end && !at_start) return warn("time");
  a.end = at_start ? x_.t : found->near;
  a.step = at_start ? 0 : found->near - x_.t;
  a.crossing = Crossing{.width = found->far - a.end, .to = found->far, .jumps = found->jumps, .of_motion = false};
}

template <class OnGrid, class Next>
bool RunLoop::cross(Crossing crossing, double target, double step, const OnGrid& on_grid, const Next& next) {
  if (crossing.to < target && target - crossing.to < 1e-9 * step) {
    crossing.width += target - crossing.to;
    crossing.to = target;
  }
  if (!switches_->cross(x_, crossing, 1e-6 * std::max(step, options_.step))) {
    statistics.switches.rest = 1;
    return true;
  }
  on_grid(x_.t >= target);
  note(crossing);
  if (statistics.stopped_by < 0 && x_.t < options_.end) {
    const double h = next();
    method_.restart(x_, h);
    method_.expect_step(h);
  }
  StepReport report;
  report.crossing = true;
  return (!observer_ || observer_(x_, report, statistics)) && statistics.stopped_by < 0;
}

void RunLoop::note(const Crossing& crossing) {
  SwitchMemory& memory = statistics.switches;
  ++memory.crossed;
  if (crossing.of_motion && ++memory.in_a_row > 50) memory.in_a_row = 0, memory.rest = 100;
  for (const int k : switches_->events()) {
    EventCount& count = statistics.events[static_cast<std::size_t>(k)];
    ++count.count;
    count.last = x_.t;
    if (options_.events[static_cast<std::size_t>(k)].action == EventAction::stop) statistics.stopped_by = k;
  }
}

void RunLoop::warn(const char* of) {
  if (!warned_ && options_.warn) {
    std::ostringstream text;
    text.precision(9);
    text << method_.name() << " cannot end a step where a force switches with " << of << ", near t = " << x_.t
         << ": its order is reduced there; try: a method with variable steps ("
         << methods_with(&Capabilities::variable_steps) << "), or a step that ends there";
    options_.warn(text.str());
  }
  warned_ = true;
}

}  // namespace filum::integrate
