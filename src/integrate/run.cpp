/// The loop over time. Theory: docs/theory/integrators.md, sec. 2.
#include "possible.hpp"
#include "run_grid.hpp"
#include "run_loop.hpp"

#include <filum/integrate/first_step.hpp>
#include <filum/integrate/method.hpp>
#include <filum/integrate/run.hpp>

#include <cmath>
#include <random>

namespace filum::integrate {

std::string objection(const System& system, const Integrator& method, const RunOptions& options) {
  const Capabilities can = method.capabilities();
  if (std::string reason = objection(system, method.name(), can); !reason.empty()) return reason;
  if (options.grid == Grid::random && !can.variable_steps)
    return std::string(method.name()) + " needs a constant step; a random grid is possible with " +
           methods_with(&Capabilities::variable_steps);
  if (can.adaptive ? !(options.step >= 0) : !(options.step > 0)) return "the step must be positive";
  return {};
}

namespace {

void run_adaptive(RunLoop& loop, const System& system, Integrator& method, State& x, const RunOptions& options,
                  bool is_new) {
  GridPosition& grid = loop.statistics.grid;
  if (is_new) {
    grid.index = 1;
    grid.next_step = options.step > 0
                         ? options.step
                         : first_step(system, method.selected(), x, *method.step_control(), options.end - x.t);
    method.start(x, grid.next_step);
  }
  loop.adapt();
}

void run_random(RunLoop& loop, Integrator& method, State& x, const RunOptions& options, bool is_new) {
  const GridPosition& grid = loop.statistics.grid;
  if (is_new) method.start(x, options.step);
  std::mt19937_64 random(options.seed);
  random.discard(static_cast<unsigned long long>(grid.index));
  // 53 random bits, the same on every platform: std::uniform_real_distribution is not.
  const auto draw = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  for (double drawn = draw(); x.t < options.end;) {
    const double target = next_output(options, grid.origin, x.t), left = target - x.t;
    const double h = random_step(options.step, drawn, left), end = h == left ? target : x.t + h;
    drawn = draw();
    const double next =
        end < options.end ? random_step(options.step, drawn, next_output(options, grid.origin, end) - end) : h;
    if (!loop.reach(grid.index + 1, end, h, next)) return;
  }
}

/// A fixed grid ends exactly at `end`: the step is shortened a little where it does not divide the interval.
void run_fixed(RunLoop& loop, Integrator& method, State& x, const RunOptions& options, bool is_new) {
  const GridPosition& grid = loop.statistics.grid;
  const double length = options.end - grid.origin;
  const long steps = std::max(1L, static_cast<long>(std::ceil(length / options.step - 1e-9)));
  const double h = std::abs(static_cast<double>(steps) * options.step - length) <= 1e-9 * length
                       ? options.step
                       : length / static_cast<double>(steps);
  if (is_new) method.start(x, h);
  for (long n = grid.index + 1; n <= steps; ++n)
    if (!loop.reach(n, n == steps ? options.end : grid.origin + static_cast<double>(n) * h, h, h)) return;
}

}  // namespace

RunStatistics run(const System& system, Integrator& method, State& x, const RunOptions& options,
                  const Observer& observer, const RunStatistics* resume) {
  if (const std::string reason = objection(system, method, options); !reason.empty())
    throw std::invalid_argument(reason);
  RunLoop loop(system, method, x, options, observer, resume);
  if (!(options.end > x.t) || loop.statistics.stopped_by >= 0) return loop.statistics;
  if (method.capabilities().adaptive)
    run_adaptive(loop, system, method, x, options, !resume);
  else if (options.grid == Grid::random)
    run_random(loop, method, x, options, !resume);
  else
    run_fixed(loop, method, x, options, !resume);
  return loop.statistics;
}

}  // namespace filum::integrate
