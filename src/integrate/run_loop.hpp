/// The state of one run: takes steps, cuts them where they fail or forces switch, counts, and hands over to the
/// observer. Theory: docs/theory/integrators.md, sec. 2.
#pragma once

#include "singularity_watch.hpp"
#include "switch_watch.hpp"

#include <filum/integrate/run.hpp>

#include <optional>

namespace filum::integrate {

class RunLoop {
 public:
  RunLoop(const System& system, Integrator& method, State& x, const RunOptions& options, const Observer& observer,
          const RunStatistics* resume);

  RunStatistics statistics;

  /// Steps to `target`, grid point number `index`, in several steps when one fails and the method may vary its steps,
  /// or when forces switch. `next` is the step of the grid after that. False when the run is to end.
  bool reach(long index, double target, double h, double next);
  /// Steps to the end with an adaptive method.
  void adapt();

 private:
  /// One step and where it ended. No step (size 0), only a crossing, when a switch lies at its very beginning.
  struct Attempt {
    double step, end;
    StepReport report = {};
    std::optional<Crossing> crossing = {};
  };

  /// From t towards the output that is aimed at.
  double adaptive_step(double t) const;
  /// One step of an adaptive method, shorter ones until one is accepted, or across a switch. False when the run is to
  /// end.
  bool adaptive_attempt();
  /// After a step that failed: makes the next one shorter, or crosses the switch that it failed at.
  bool shorten(const Attempt& failed, double target);

  /// A step of size `step` to `end`, or to the first switch on the way.
  Attempt attempt(double step, double end);
  /// One accepted step to x.t + h; false when the observer wants to stop. `exact_end` overrides the sum x.t + h; `next`
  /// is the step that will be tried after it.
  bool accept(double exact_end, double h, double next, const StepReport& report);
  void count(const StepReport& report);
  /// False when the run was interrupted.
  bool reject(const StepReport& report);
  [[noreturn]] void stop(double h, const StepReport& report) const;

  /// (EV.5) After a step that failed: the size of one that ends just before a switch of the motion, 0 when that is too
  /// short to be one; nothing when no switch is in sight.
  std::optional<double> switch_before(double step);
  Crossing crossing_here() const;
  /// Shortens a step to the first switch of time alone.
  void look_ahead(Attempt& a);
  /// To the other side of a switch; a rest that is shorter than a rounding error of the step is part of it. `on_grid`
  /// is told whether that is the target, `next` says which step comes after it. False when the run is to end.
  template <class OnGrid, class Next>
  bool cross(Crossing crossing, double target, double step, const OnGrid& on_grid, const Next& next);
  /// Counts a switch that was crossed and the events that belong to it.
  void note(const Crossing& crossing);
  /// Once: that steps cannot end at switches of time or motion.
  void warn(const char* of);

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

}  // namespace filum::integrate
