/// The one loop over time: fixed, random and adaptive grids, retries, statistics. Theory: docs/theory/integrators.md, sec. 2.
#pragma once

#include <filum/integrate/integrator.hpp>

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>

namespace filum::integrate {

enum class Grid { fixed, random };

struct RunOptions {
  double end = 1;
  double step = 1e-3;  ///< fixed step, largest step of a random grid, first step of an adaptive method
  Grid grid = Grid::fixed;
  std::uint64_t seed = 1;    ///< of the random grid: steps drawn from [step/4, step], (I.3)
  double output_every = 0;   ///< adaptive methods and random grids hit the multiples of it exactly; 0: they step freely
  bool watch_singularity = true;  ///< stop before closed loops of constraints become singular
  int smallest_cut = 10;     ///< a failing step is halved at most this often
};

/// Where a run stands: with state and memory of the method, all that is needed to continue with the same bits.
struct GridPosition {
  double origin = 0;      ///< time at which the grid begins
  long index = 0;         ///< grid steps done; adaptive methods: the output that is aimed at, counted from 1
  double next_step = 0;   ///< adaptive methods
  bool is_whole = true;   ///< false between the pieces of a grid step that was cut: no place to resume from
};

struct RunStatistics {
  long accepted = 0, rejected = 0;
  long newton_iterations = 0, matrices = 0;
  int max_newton_per_step = 0;
  double smallest_step = 0, largest_step = 0;
  GridPosition grid;
};

/// Called after every accepted step; may call Integrator::complete on the state. Return false to end the run early.
using Observer = std::function<bool(State& state, const StepReport& report, const RunStatistics& so_far)>;

/// The loop has given up. The state passed to `run` is the last good one.
class IntegrationStopped : public std::runtime_error {
 public:
  IntegrationStopped(const std::string& what, double t, double h, const StepReport& last_report)
      : std::runtime_error(what), time(t), step(h), report(last_report) {}
  double time, step;
  StepReport report;
};

/// Advances x from x.t to options.end, observing every accepted step. x must be consistent. Calls Integrator::start,
/// unless the run is to continue where `resume` was observed, with the method's memory restored. Throws std::invalid_argument when the method cannot treat the system or the grid, and
/// IntegrationStopped when a step fails for good.
RunStatistics run(const System& system, Integrator& method, State& x, const RunOptions& options, const Observer& observer = {},
                  const RunStatistics* resume = nullptr);

/// Why this method cannot treat this system on this grid; empty when it can.
std::string objection(const System& system, const Integrator& method, const RunOptions& options);

}  // namespace filum::integrate
