/// One thread that runs tasks in order while the integration goes on. User document: docs/guide/results.md.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace filum::record {

/// The thread is there from the first task on. At most one task is under way; `post` waits for the one before. After a
/// task has thrown, waiting tasks are dropped, and every call of post or wait rethrows. After `wait` everything a task
/// did is visible to the caller, and nothing runs.
class Background {
 public:
  /// `meanwhile` is called a few times a second by whoever waits for long.
  explicit Background(std::function<void()> meanwhile = {});
  ~Background();
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  /// Waits while `most` tasks are waiting or under way.
  void post(std::function<void()> task, std::size_t most = 1);
  void wait();

 private:
  void work();
  void wait_until_below(std::unique_lock<std::mutex>& lock, std::size_t most);

  std::function<void()> meanwhile_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;  ///< the first one is under way
  std::exception_ptr failure_;
  bool ends_ = false;
  std::thread thread_;  ///< last: it uses everything above
};

}  // namespace filum::record
