/// The results of a run in memory. User document: docs/guide/cpp.md, "Results".
#pragma once

#include <filum/model/layout.hpp>
#include <filum/record/series.hpp>
#include <filum/record/summary.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace filum::record {

enum class Outcome { done, stopped, interrupted };

/// What simulate returns. Numerical failure is an outcome: everything up to the last good step is here.
struct Run {
  Outcome outcome = Outcome::done;
  std::string message;     ///< why it stopped and what to try
  bool is_written = true;  ///< false: interrupted, and completing its files would have taken too long
  Summary summary;
  mechanics::State final;  ///< complete: accelerations and multipliers belong to it
  std::map<std::string, Series, std::less<>>
      all;                  ///< every series of result.h5 by name; empty when they were not to be kept
  model::Facts facts = {};  ///< what it says about itself, with the series
  std::vector<model::FixedArray> arrays = {};  ///< numbers that do not change

  bool is_done() const { return outcome == Outcome::done; }
  /// "time", "rod/position", "sensors/tip", "energy/total". Throws std::out_of_range with the nearest name.
  const Series& series(std::string_view name) const;
  const std::vector<double>& time() const { return series("time").values; }
};

}  // namespace filum::record
