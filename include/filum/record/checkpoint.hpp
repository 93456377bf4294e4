/// The exact state of a run, from which it continues bit for bit. User document: docs/guide/results.md, "Resuming".
#pragma once

#include <filum/integrate/run.hpp>
#include <filum/record/recorder.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace filum::record {

struct Checkpoint {
  std::string version;   ///< of the program that wrote it: another one may round differently
  std::string scenario;  ///< fingerprint of the resolved scenario
  std::string method;
  State state;
  std::vector<double> memory;  ///< of the integrator
  integrate::RunStatistics statistics;
  RecordedAmount amount;
  Extremes extremes;
  double newton_at_frame = 0, rejected_at_frame = 0;  ///< counts when the last frame was recorded
  double error_since_frame = 0;                       ///< largest estimate since then
  double next_frame = 0;                              ///< number of the frame that comes next
  double seconds_integration = 0, seconds_output = 0, seconds_cpu = 0;
};

/// Replaces the file in one go: whatever happens, either the old or the new checkpoint is there. Throws FileTrouble.
void save_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);
/// Throws FileTrouble when the file is missing, damaged, or of a format this program does not know.
Checkpoint load_checkpoint(const std::filesystem::path& path);

}  // namespace filum::record
