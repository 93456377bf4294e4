/// The loop over time. Theory: docs/theory/integrators.md, sec. 2.
#include "possible.hpp"
#include "singularity_watch.hpp"
#include "switch_watch.hpp"

#include <filum/integrate/first_step.hpp>
#include <filum/integrate/method.hpp>
#include <filum/integrate/run.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
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

/// Times that are closer than this are the same.
double rounding(const RunOptions& options) {
  return 1e-9 * (options.step > 0 ? std::min(options.step, options.output_every) : options.output_every);
}

/// Output number n, or the end where that comes first or is meant: 3 · 0.3 is a little less than 0.9.
double output_time(const RunOptions& options, double start, double n) {
  const double output = start + n * options.output_every;
  return options.output_every > 0 && output < options.end - rounding(options) ? output : options.end;
}

bool has_switches(const System& system) {
  return std::any_of(system.parts().begin(), system.parts().end(), [](const auto& part) {
    const auto* switching = dynamic_cast<const mechanics::SwitchingPart*>(part.get());
    return switching && switching->switching() != mechanics::Switching::none;
  });
}

/// The state of one run: counts, cuts and hands over to the observer.
class Loop {
 public:
  Loop(const System& system, Integrator& method, State& x, const RunOptions& options, const Observer& observer,
       const RunStatistics* resume)
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

  RunStatistics statistics;

  /// One accepted step to x.t + h; false when the observer wants to stop. `exact_end` overrides the sum x.t + h; `next`
  /// is the step that will be tried after it.
  bool accept(double exact_end, double h, double next, const StepReport& report) {
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

  /// Steps to `target`, grid point number `index`, in several steps when one fails and the method may vary its steps,
  /// or when forces switch. `next` is the step of the grid after that.
  bool reach(long index, double target, double h, double next) {
    const double smallest = h * std::ldexp(1.0, -options_.smallest_cut);
    double cut = h;
    bool whole = true;
    while (x_.t < target) {
      const bool last = whole || target - x_.t <= cut * (1 + 1e-12);
      const double step = whole ? h : (last ? target - x_.t : cut);
      const Attempt a = attempt(step, last ? target : x_.t + step);
      if (!a.report.accepted()) {
        reject(a.report);
        whole = false;
        const auto before = can_vary_ ? switch_before(a.step) : std::nullopt;
        cut = before ? *before : 0.5 * a.step;
        if (!can_vary_ || (cut < smallest && !before)) stop(a.step, a.report);
        if (cut > 0) continue;
        if (!cross(
                crossing_here(), target, h, [](bool) {}, [&] { return h; }))
          return false;
        cut = h;
        continue;
      }
      const bool done = last && !a.crossing;
      statistics.grid.is_whole = done;
      if (done) statistics.grid.index = index;
      cut = std::min(h, 2 * cut);
      if (a.step > 0 && !accept(a.end, a.step, done ? next : std::min(cut, target - a.end), a.report)) return false;
      if (!a.crossing) continue;
      whole = false;
      const auto on_grid = [&](bool is_there) {
        statistics.grid.is_whole = is_there;
        if (is_there) statistics.grid.index = index;
      };
      if (!cross(*a.crossing, target, h, on_grid, [&] { return x_.t < target ? std::min(h, target - x_.t) : next; }))
        return false;
    }
    return true;
  }

  bool adaptive() {
    double& h = statistics.grid.next_step;
    long& output = statistics.grid.index;
    while (x_.t < options_.end) {
      const double target = output_time(options_, statistics.grid.origin, static_cast<double>(output));
      const double step = adaptive_step(x_.t);
      const bool last = step == target - x_.t;
      const Attempt a = attempt(step, last ? target : x_.t + step);
      if (!a.report.accepted()) {
        reject(a.report);
        h = a.report.trouble == StepTrouble::error_too_large ? std::min(a.report.next_step, 0.9 * a.step)
                                                             : 0.25 * a.step;
        if (h <= 1e-13 * std::max(1.0, std::abs(x_.t)) || h < std::ldexp(options_.step, -60)) stop(a.step, a.report);
        const auto before = switch_before(a.step);
        if (before && *before > 0) h = *before;
        if (before && *before == 0 &&
            !cross(
                crossing_here(), target, statistics.largest_step, [](bool) {}, [&] { return h; }))
          return false;
        continue;
      }
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
      if (a.crossing &&
          !cross(*a.crossing, target, step, on_grid, [&] { return x_.t < options_.end ? adaptive_step(x_.t) : h; }))
        return false;
    }
    return true;
  }

 private:
  /// From t towards the output that is aimed at.
  double adaptive_step(double t) const {
    const double h = statistics.grid.next_step;
    const double left = output_time(options_, statistics.grid.origin, static_cast<double>(statistics.grid.index)) - t;
    if (left <= h * (1 + 1e-10)) return left;
    return std::min(h, left > 2 * h ? h : 0.5 * left);  // no tiny last step
  }
  /// One step and where it ended. No step (size 0), only a crossing, when a switch lies at its very beginning.
  struct Attempt {
    double step, end;
    StepReport report = {};
    std::optional<Crossing> crossing = {};
  };

  /// A step of size `step` to `end`, or to the first switch on the way.
  Attempt attempt(double step, double end) {
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

  /// (EV.5) After a step that failed: the size of one that ends just before a switch of the motion, 0 when that is too
  /// short to be one; nothing when no switch is in sight.
  std::optional<double> switch_before(double step) {
    if (!switches_ || !switches_->follows_motion() || statistics.switches.rest > 0) return {};
    const auto time = switches_->predict(x_, step);
    if (!time) return {};
    return *time < 1e-9 * std::max(statistics.largest_step, step) ? 0 : 0.999 * *time;
  }

  Crossing crossing_here() const {
    const double width = 2e-9 * std::max(statistics.largest_step, options_.step);
    return {.width = width, .to = x_.t + width};
  }

  /// Shortens a step to the first switch of time alone.
  void look_ahead(Attempt& a) {
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

  /// To the other side of a switch; a rest that is shorter than a rounding error of the step is part of it. False when
  /// the run is to end.
  template <class OnGrid, class Next>
  bool cross(Crossing crossing, double target, double step, const OnGrid& on_grid, const Next& next) {
    if (crossing.to < target && target - crossing.to < 1e-9 * step) {
      crossing.width += target - crossing.to;
      crossing.to = target;
    }
    SwitchMemory& memory = statistics.switches;
    if (!switches_->cross(x_, crossing, 1e-6 * std::max(step, options_.step))) {
      memory.rest = 1;
      return true;
    }
    on_grid(x_.t >= target);
    ++memory.crossed;
    if (crossing.of_motion && ++memory.in_a_row > 50) memory.in_a_row = 0, memory.rest = 100;
    for (const int k : switches_->events()) {
      EventCount& count = statistics.events[static_cast<std::size_t>(k)];
      ++count.count;
      count.last = x_.t;
      if (options_.events[static_cast<std::size_t>(k)].action == EventAction::stop) statistics.stopped_by = k;
    }
    if (statistics.stopped_by < 0 && x_.t < options_.end) {
      const double h = next();
      method_.restart(x_, h);
      method_.expect_step(h);
    }
    StepReport report;
    report.crossing = true;
    return (!observer_ || observer_(x_, report, statistics)) && statistics.stopped_by < 0;
  }

  void warn(const char* of) {
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

  void count(const StepReport& report) {
    statistics.newton_iterations += report.newton_iterations;
    statistics.matrices += report.matrices;
    statistics.max_newton_per_step = std::max(statistics.max_newton_per_step, report.newton_iterations);
  }
  void reject(const StepReport& report) {
    ++statistics.rejected;
    count(report);
  }
  [[noreturn]] void stop(double h, const StepReport& report) const {
    throw IntegrationStopped(system_, {.method = std::string(method_.name()),
                                       .state = x_,
                                       .step = h,
                                       .report = report,
                                       .diagnoses = diagnoses(system_, x_, h)});
  }

  const System& system_;
  Integrator& method_;
  State& x_;
  const RunOptions& options_;
  const Observer& observer_;
  std::optional<SingularityWatch> watch_;
  std::optional<SwitchWatch> switches_;
  const bool can_vary_;
  bool warned_ = false;
};

/// The first output after t. It depends on t alone, so that a resumed run finds the same one.
double next_output(const RunOptions& options, double start, double t) {
  if (!(options.output_every > 0)) return options.end;
  double n = std::floor((t - start) / options.output_every);
  while (start + n * options.output_every <= t + rounding(options)) ++n;
  return output_time(options, start, n);
}

/// (I.3) A step in [largest/4, largest] after which the time left is 0 or not below largest/4, where that is possible.
double random_step(double largest, double draw, double left) {
  const double h = largest * (0.25 + 0.75 * draw), smallest = 0.25 * largest;
  if (left - h >= smallest) return h;
  return left <= h || left < 2 * smallest ? left : 0.5 * left;
}

}  // namespace

std::string describe(const System& system, const StepReport& report) {
  const int suspect = report.newton.factor.suspect_row;
  const std::string row = suspect >= 0 ? system.row_name(suspect) : "";
  std::ostringstream text;
  switch (report.trouble) {
    case StepTrouble::newton:
      text << "Newton's method "
           << (report.newton.outcome == linalg::NewtonOutcome::diverged ? "diverged" : "did not converge") << " in "
           << report.newton.iterations << (report.newton.iterations == 1 ? " iteration" : " iterations");
      break;
    case StepTrouble::singular_matrix:
      text << "the matrix is singular: the constraints are linearly dependent in this configuration";
      break;
    case StepTrouble::not_finite: text << "a force, a constraint or the solution is not finite"; break;
    case StepTrouble::error_too_large:
      text << "the step has become too small for the tolerance (error " << report.error << ", 1 is allowed)";
      break;
    case StepTrouble::singular_position:
      text << "the mechanism reaches a singular configuration within the next step: there the equation '" << row
           << "' depends on the others, and the motion may branch";
      break;
    case StepTrouble::redundancy_lost:
      text << "the equation '" << row
           << "', which depended on others at the start and was left out, no longer holds: the start was a singular "
              "configuration";
      break;
    case StepTrouble::none: break;
  }
  return text.str();
}

std::string describe(const System& system, const Stop& stop) {
  std::ostringstream text;
  text.precision(9);
  text << stop.method << " stopped at t = " << stop.state.t << " with step " << stop.step << ": "
       << describe(system, stop.report);
  for (const std::string& said : stop.diagnoses) text << "; " << said;
  return text.str();
}

std::string objection(const System& system, const Integrator& method, const RunOptions& options) {
  const Capabilities can = method.capabilities();
  if (std::string reason = objection(system, method.name(), can); !reason.empty()) return reason;
  if (options.grid == Grid::random && !can.variable_steps)
    return std::string(method.name()) + " needs a constant step; a random grid is possible with " +
           methods_with(&Capabilities::variable_steps);
  if (can.adaptive ? !(options.step >= 0) : !(options.step > 0)) return "the step must be positive";
  return {};
}

RunStatistics run(const System& system, Integrator& method, State& x, const RunOptions& options,
                  const Observer& observer, const RunStatistics* resume) {
  if (const std::string reason = objection(system, method, options); !reason.empty())
    throw std::invalid_argument(reason);
  Loop loop(system, method, x, options, observer, resume);
  GridPosition& grid = loop.statistics.grid;
  const double start = grid.origin, length = options.end - start;
  if (!(options.end > x.t) || loop.statistics.stopped_by >= 0) return loop.statistics;

  if (method.capabilities().adaptive) {
    if (!resume) {
      grid.index = 1;
      grid.next_step = options.step > 0
                           ? options.step
                           : first_step(system, method.selected(), x, *method.step_control(), options.end - x.t);
      method.start(x, grid.next_step);
    }
    loop.adaptive();
    return loop.statistics;
  }
  if (options.grid == Grid::random) {
    if (!resume) method.start(x, options.step);
    std::mt19937_64 random(options.seed);
    random.discard(static_cast<unsigned long long>(grid.index));
    // 53 random bits, the same on every platform: std::uniform_real_distribution is not.
    const auto draw = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
    for (double drawn = draw(); x.t < options.end;) {
      const double target = next_output(options, start, x.t), left = target - x.t;
      const double h = random_step(options.step, drawn, left), end = h == left ? target : x.t + h;
      drawn = draw();
      const double next =
          end < options.end ? random_step(options.step, drawn, next_output(options, start, end) - end) : h;
      if (!loop.reach(grid.index + 1, end, h, next)) break;
    }
    return loop.statistics;
  }
  // A fixed grid ends exactly at `end`: the step is shortened a little where it does not divide the interval.
  const long steps = std::max(1L, static_cast<long>(std::ceil(length / options.step - 1e-9)));
  const double h = std::abs(static_cast<double>(steps) * options.step - length) <= 1e-9 * length
                       ? options.step
                       : length / static_cast<double>(steps);
  if (!resume) method.start(x, h);
  for (long n = grid.index + 1; n <= steps; ++n)
    if (!loop.reach(n, n == steps ? options.end : start + static_cast<double>(n) * h, h, h)) break;
  return loop.statistics;
}

}  // namespace filum::integrate
