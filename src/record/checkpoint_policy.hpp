/// When a run pauses between steps for checkpoints, progress and interruption. User document:
/// docs/guide/results.md, "Resuming".
#pragma once

#include <algorithm>
#include <chrono>

namespace filum::record {

/// Looks some fifty times a second, whatever a step costs; the first checkpoint comes soon.
class CheckpointPolicy {
 public:
  struct Due {
    bool checkpoint = false, progress = false;
  };

  /// Seconds between checkpoints; 0: one after every step.
  explicit CheckpointPolicy(double every) : every_(every) {}

  void begin() {
    last_look_ = last_checkpoint_ = last_progress_ = Clock::now();
    after_ = std::min(1.0, every_);
  }
  /// Counts a step; true when there is nothing to look at yet.
  bool is_quiet() { return --steps_left_ > 0; }
  void look_again() { steps_left_ = 1; }

  Due look() {
    const auto now = Clock::now();
    const double passed = seconds(now - last_look_);
    last_look_ = now;
    stride_ = every_ == 0     ? 1
              : passed < 0.01 ? std::min(stride_ * 2, 100000)
              : passed > 0.03 ? std::max(stride_ / 2, 1)
                              : stride_;
    steps_left_ = stride_;
    Due due{.checkpoint = seconds(now - last_checkpoint_) >= after_, .progress = seconds(now - last_progress_) >= 0.1};
    if (due.checkpoint) last_checkpoint_ = now, after_ = every_;
    if (due.progress) last_progress_ = now;
    return due;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static double seconds(Clock::duration d) { return std::chrono::duration<double>(d).count(); }

  double every_, after_ = 0;
  int stride_ = 1, steps_left_ = 1;
  Clock::time_point last_look_, last_checkpoint_, last_progress_;
};

}  // namespace filum::record
