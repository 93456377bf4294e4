/// Runs that do not wait for the disk one by one. User document: docs/guide/studies.md, "Running".
#pragma once

#include <filum/record/durability.hpp>

#include <filesystem>
#include <vector>

namespace filum::study {

/// While it exists, runs in the folder of cases may leave their results to the system. In the end it waits for the disk
/// once; until then a mark in the folder says that they could be lost with the machine.
class UnsyncedRuns {
 public:
  explicit UnsyncedRuns(const std::filesystem::path& cases);
  ~UnsyncedRuns();
  UnsyncedRuns(const UnsyncedRuns&) = delete;
  UnsyncedRuns& operator=(const UnsyncedRuns&) = delete;

  /// Quick, unless the system does not tell one start of the machine from another.
  record::Durability durability() const;

 private:
  std::filesystem::path cases_;
  std::vector<std::filesystem::path> marks_;  ///< its own, and those of processes that are gone
};

/// Where an earlier start of the machine has left such a mark, no run counts as finished any more: each is resumed from
/// its checkpoint, or starts again if its results are damaged.
void reopen_lost_runs(const std::filesystem::path& cases);

}  // namespace filum::study
