/// The one loop over time: fixed, random and adaptive grids, retries, statistics. Theory: docs/theory/integrators.md,
/// sec. 2.
#pragma once

#include <filum/integrate/event.hpp>
#include <filum/integrate/integrator.hpp>

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace filum::integrate {

enum class Grid { fixed, random };

struct RunOptions {
  double end = 1;
  double step = 1e-3;  ///< fixed step, largest step of a random grid, first step of an adaptive method (0: it chooses)
  Grid grid = Grid::fixed;
  std::uint64_t seed = 1;   ///< of the random grid: steps drawn from [step/4, step], (I.3)
  double output_every = 0;  ///< adaptive methods and random grids hit the multiples of it exactly; 0: they step freely
  bool watch_singularity = true;  ///< stop before closed loops of constraints become singular
  int smallest_cut = 10;          ///< a failing step is halved at most this often
  bool follow_switches = true;    ///< end steps where forces and drives switch, sec. 4
  std::vector<EventFunction> events = {};
  std::function<bool()> interrupted = {};  ///< asked after an attempt that failed: true ends the run where it is
  std::function<void(const std::string&)> warn = {};  ///< called once for a switch at which no step can end
};

/// Where a run stands: with state and memory of the method, all that is needed to continue with the same bits.
struct GridPosition {
  double origin = 0;     ///< time at which the grid begins
  long index = 0;        ///< grid steps done; adaptive methods: the output that is aimed at, counted from 1
  double next_step = 0;  ///< adaptive methods
  bool is_whole = true;  ///< false between the pieces of a grid step that was cut: no place to resume from
};

/// Memory of the watch for singular configurations, (I.1).
struct WatchMemory {
  double distance = 1, highest = 1;  ///< of the closest row when last looked at, and the largest of these
  double time = 0;                   ///< of the last look
  int wait = 1, planned = 1;         ///< steps until the next look, and how many that were
};

/// Memory of the watch for switches, events.md sec. 4.
struct SwitchMemory {
  long crossed = 0;  ///< switches at which a step ended
  int in_a_row = 0;  ///< of steps that ended at a switch
  long rest = 0;     ///< steps for which switches of the motion are left alone because they follow each other too fast
};

struct RunStatistics {
  long accepted = 0, rejected = 0;
  long newton_iterations = 0, matrices = 0;
  int max_newton_per_step = 0;
  double smallest_step = 0, largest_step = 0;
  GridPosition grid;
  WatchMemory watch;
  SwitchMemory switches;
  std::vector<EventCount> events = {};  ///< of RunOptions::events
  int stopped_by = -1;                  ///< the event function that has ended the run
  bool interrupted = false;             ///< between two attempts at a step
};

/// Called after every accepted step, and once more on the other side of a switch (StepReport::crossing); may call
/// Integrator::complete on the state. Return false to end the run early.
using Observer = std::function<bool(State& state, const StepReport& report, const RunStatistics& so_far)>;

/// Where and why a run could not continue.
struct Stop {
  std::string method;
  State state;      ///< the last good one, which is also the one that was passed to `run`
  double step = 0;  ///< that failed, beginning there
  StepReport report;
  std::vector<std::string> diagnoses;  ///< what parts have to say: Part::diagnosis
};

/// What went wrong in a step, in one line.
std::string describe(const System& system, const StepReport& report);
/// "rattlie stopped at t = 0.5 with step 0.001: ...": what happened, where, and the diagnoses of the parts.
std::string describe(const System& system, const Stop& stop);

/// The loop has given up.
class IntegrationStopped : public std::runtime_error, public Stop {
 public:
  IntegrationStopped(const System& system, Stop why)
      : std::runtime_error(describe(system, why)), Stop(std::move(why)) {}
};

/// Advances x from x.t to options.end, observing every accepted step. x must be consistent. Calls Integrator::start,
/// unless the run is to continue where `resume` was observed, with the method's memory restored. Throws
/// std::invalid_argument when the method cannot treat the system or the grid, StartFailed when it finds no starting
/// values, and IntegrationStopped when a step fails for good.
RunStatistics run(const System& system, Integrator& method, State& x, const RunOptions& options,
                  const Observer& observer = {}, const RunStatistics* resume = nullptr);

/// Why this method cannot treat this system on this grid, and which ones can; empty when it can.
std::string objection(const System& system, const Integrator& method, const RunOptions& options);

}  // namespace filum::integrate
