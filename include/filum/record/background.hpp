/// One thread that works off tasks in order while the integration goes on. User document: docs/guide/results.md.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace filum::record {

/// At most one task is under way; `post` waits for the one before. What a task throws, the next call of post or wait
/// throws. After `wait` everything a task did is visible to the caller, and nothing runs.
class Background {
 public:
  Background();
  ~Background();
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  void post(std::function<void()> task);
  void wait();

 private:
  void work();
  void wait_until_idle(std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> task_;
  std::exception_ptr failure_;
  bool busy_ = false, ends_ = false;
  std::thread thread_;  ///< last: it uses everything above
};

}  // namespace filum::record
