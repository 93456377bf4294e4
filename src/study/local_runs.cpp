/// Runs of this process, each in a thread that waits for it. User document: docs/guide/studies.md, "Many machines".
#include "local_runs.hpp"

namespace filum::study {

LocalRuns::LocalRuns(std::filesystem::path program, const std::atomic<bool>& stop) {
  options_.isolated = true;
  options_.program = std::move(program);
  options_.interrupt = &stop;
}

void LocalRuns::start(int number, Run run, const std::filesystem::path& cases) {
  ExecuteOptions options = options_;
  options.cases = cases;
  threads_[number] = std::jthread([this, number, run = std::move(run), options = std::move(options)] {
    execute_run(run, options);
    const RunState state = inspect(run, options.cases).state;
    const std::lock_guard lock(guard_);
    finished_.push_back({number, state});
  });
}

std::vector<LocalRuns::Finished> LocalRuns::collected() {
  std::vector<Finished> result;
  {
    const std::lock_guard lock(guard_);
    result.swap(finished_);
  }
  for (const Finished& f : result) threads_.erase(f.number);
  return result;
}

}  // namespace filum::study
