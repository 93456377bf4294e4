/// The exact state of a run, from which it continues bit for bit. User document: docs/guide/results.md, "Resuming".
#pragma once

#include <filum/integrate/run.hpp>
#include <filum/record/recorder.hpp>
#include <filum/record/replace_file.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace filum::record {

/// What has been recorded, and what the next frame has to know.
struct FrameMemory {
  std::uint64_t recorded = 0;
  Extremes extremes;
  long newton = 0, rejected = 0;  ///< counts when the last frame was recorded
  double error = 0;               ///< largest estimate since then
  long next = 1;                  ///< number of the frame that comes next
  double last = 0;                ///< time of the last frame
};

struct Checkpoint {
  std::string version;   ///< of the program that wrote it: another one may round differently
  std::string scenario;  ///< fingerprint of the resolved scenario
  std::string method;
  std::vector<double> changes;  ///< times at which a later method of the program's choice took over
  State state;
  std::vector<double> memory;  ///< of the integrator
  integrate::RunStatistics statistics;
  FrameMemory frames;
  double seconds_integration = 0, seconds_output = 0, seconds_cpu = 0;
};

/// The file as a whole, to be put in place.
NewFile checkpoint_file(const std::filesystem::path& path, Checkpoint checkpoint);
/// Replaces the file atomically: whatever happens, either the old or the new checkpoint is there. Throws FileTrouble.
void save_checkpoint(const std::filesystem::path& path, Checkpoint checkpoint);
/// Throws FileTrouble when the file is missing, is damaged in any bit, has a format that this version does not know, or
/// contains impossible numbers.
Checkpoint load_checkpoint(const std::filesystem::path& path);

}  // namespace filum::record
