/// The difference of two runs as a number. Theory: docs/theory/studies.md.
#pragma once

#include <filum/study/run_data.hpp>

#include <string>
#include <vector>

namespace filum::study {

/// Errors at the times that both runs have recorded.
struct ErrorSeries {
  std::vector<double> times;
  std::vector<double> l2;            ///< root mean square of all components
  std::vector<double> relative;      ///< Euclidean norm of the difference over that of the reference
  std::vector<double> relative_own;  ///< the same over that of the run
  std::vector<double> largest;       ///< largest component
};

/// Lines of nodes with different grids are compared at the nodes of the coarser one, the finer one being interpolated
/// in its group; velocities linearly, multipliers linearly between the middles of segments. With `points` > 0 both are
/// compared, and interpolated, at so many equidistant points. Throws std::invalid_argument when the runs have nothing
/// to compare.
ErrorSeries compare(const RunData& run, const RunData& reference, const std::string& quantity, int points = 0);

/// The series that a norm is made of, and the norm. Times before `from` do not count.
const std::vector<double>& values_of(const ErrorSeries& errors, Norm norm);
double norm_of(const ErrorSeries& errors, Norm norm, double from);

}  // namespace filum::study
