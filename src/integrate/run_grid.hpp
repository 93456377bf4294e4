/// Where steps and outputs of a run lie. Theory: docs/theory/integrators.md, sec. 2.
#pragma once

#include <filum/integrate/run.hpp>

#include <algorithm>
#include <cmath>

namespace filum::integrate {

/// Times that are closer than this are the same.
inline double rounding(const RunOptions& options) {
  return 1e-9 * (options.step > 0 ? std::min(options.step, options.output_every) : options.output_every);
}

/// Output number n, or the end where that comes first or is meant: 3 · 0.3 is a little less than 0.9.
inline double output_time(const RunOptions& options, double start, double n) {
  const double output = start + n * options.output_every;
  return options.output_every > 0 && output < options.end - rounding(options) ? output : options.end;
}

/// The first output after t. It depends on t alone, so that a resumed run finds the same one.
inline double next_output(const RunOptions& options, double start, double t) {
  if (!(options.output_every > 0)) return options.end;
  double n = std::floor((t - start) / options.output_every);
  while (start + n * options.output_every <= t + rounding(options)) ++n;
  return output_time(options, start, n);
}

/// (I.3) A step in [largest/4, largest] after which the time left is 0 or not below largest/4, where that is possible.
inline double random_step(double largest, double draw, double left) {
  const double h = largest * (0.25 + 0.75 * draw), smallest = 0.25 * largest;
  if (left - h >= smallest) return h;
  return left <= h || left < 2 * smallest ? left : 0.5 * left;
}

}  // namespace filum::integrate
