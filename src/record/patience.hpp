/// How long results are still written after Ctrl-C. User document: docs/guide/results.md, "Resuming".
#pragma once

#include <atomic>
#include <ctime>
#include <exception>
#include <thread>

namespace filum::record {

/// Results that were due have not been written: whoever waits has waited long enough. What is on the disk is valid, as
/// after a kill.
class WritingStopped : public std::exception {};

/// Of the thread that writes: that others integrate meanwhile does not count.
class Patience {
 public:
  Patience(const std::atomic<bool>* interrupt, double seconds) : interrupt_(interrupt), seconds_(seconds) {}
  /// To be asked between two pieces of work. Throws WritingStopped when the run was interrupted a while ago.
  void check() {
    if (!interrupt_ || !interrupt_->load(std::memory_order_relaxed)) return;
    const double now = processor_seconds();
    if (thread_ != std::this_thread::get_id()) thread_ = std::this_thread::get_id(), since_ = now;
    if (now - since_ > seconds_) throw WritingStopped();
  }

 private:
  static double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  }

  const std::atomic<bool>* interrupt_;
  double seconds_;
  std::thread::id thread_;  ///< that has noticed first
  double since_ = 0;
};

}  // namespace filum::record
