/// summary.json: the numbers of a run in one page. User document: docs/guide/results.md.
#pragma once

#include <filum/analysis/static_path.hpp>
#include <filum/integrate/run.hpp>
#include <filum/record/recorder.hpp>
#include <filum/record/replace_file.hpp>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace filum::record {

/// The last state of an object: one row per node.
struct ObjectSummary {
  std::vector<std::vector<double>> position, orientation, velocity, acceleration;
};

/// Multipliers of an object: one list per segment, or one list of all.
struct ObjectMultipliers {
  std::string object;
  std::vector<std::vector<double>> values;
  bool is_flat = false;
};

/// The program's choice of a method.
struct ChoiceSummary {
  std::string reason;  ///< of the first method, in one line
  double accuracy = 0;
  struct Change {
    double time;
    std::string method;
  };
  std::vector<Change> changes;  ///< later methods
};

struct Summary {
  std::string version, title, status, method;
  std::string message;                    ///< why a run stopped; left out when there is nothing to say
  std::optional<ChoiceSummary> choice;    ///< where the program chose
  std::string ended_by;                   ///< the event at which it ended; left out when it went to its end
  std::vector<std::string> remarks = {};  ///< notes about how the run went
  integrate::RunStatistics statistics;
  double seconds_integration = 0, seconds_output = 0;
  double seconds_cpu = 0;  ///< processor time of the stepping loop
  int threads = 1;         ///< that shared its loops
  int velocities = 0, constraints = 0;
  std::uint64_t frames = 0;  ///< recorded
  double time = 0;
  std::vector<std::pair<std::string, ObjectSummary>> objects;
  std::vector<ObjectMultipliers> multipliers;
  Extremes extremes;
  std::optional<analysis::StaticPath> path;  ///< of statics
};

/// summary.json as a file to be put in place, while the summary is there.
NewFile summary_file(const std::filesystem::path& path, const Summary& summary);
/// Numbers with 17 significant digits; written beside the old file, then put in its place.
void write_summary(const std::filesystem::path& path, const Summary& summary);
std::string summary_text(const Summary& summary);

}  // namespace filum::record
