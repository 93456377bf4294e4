/// Observed orders of convergence. Theory: docs/theory/studies.md, sec. 2.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

namespace filum::study {

/// The slope of log(error) over log(x), and where it was read.
struct OrderFit {
  double order = std::numeric_limits<double>::quiet_NaN();
  double largest_x = 0, smallest_x = 0;  ///< ends of the range that was used
  std::vector<bool> used;                ///< of every point
  std::vector<double> left_out;          ///< x of the points that were not used
  bool straight = true;                  ///< the points that were used lie on a line
  std::string remark;                    ///< "saturated", "too few points", "uneven": nothing when all is well
};

/// (ST.6) Least squares over the longest stretch of points that lies on a line. Coarse points whose error is not below
/// `below`, or does not yet shrink, and fine points where it no longer does, are left out.
OrderFit observed_order(std::span<const double> x, std::span<const double> errors,
                        double below = std::numeric_limits<double>::infinity());

}  // namespace filum::study
