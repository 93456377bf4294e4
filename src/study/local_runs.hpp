/// Runs of this process, each in a thread that waits for it. User document: docs/guide/studies.md, "Many machines".
#pragma once

#include <filum/study/execute.hpp>

#include <map>
#include <mutex>
#include <thread>

namespace filum::study {

/// The caller looks in from time to time, and is free to talk to other ranks in between.
class LocalRuns {
 public:
  LocalRuns(std::filesystem::path program, const std::atomic<bool>& stop);

  void start(int number, Run run, const std::filesystem::path& cases);
  struct Finished {
    int number = 0;
    RunState state = RunState::missing;
  };
  /// Those that have ended since the last call.
  std::vector<Finished> collected();
  bool empty() const { return threads_.empty(); }

 private:
  ExecuteOptions options_;
  std::mutex guard_;
  std::vector<Finished> finished_;
  std::map<int, std::jthread> threads_;  // last: they use the others
};

}  // namespace filum::study
