/// When frames are due. User document: docs/guide/results.md, "Frames".
#pragma once

#include <filum/record/simulate.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace filum::record {

/// Frames at start + n · interval and at the end. A step that comes within rounding of a frame has hit it.
class FrameClock {
 public:
  FrameClock(const SimulateOptions& time, long next) : time_(&time), next_(next) {}
  long next() const { return next_; }
  void go_to(long next) { next_ = next; }
  /// The next frame time that is not after t; nothing when there is none. With every step a frame, t itself.
  std::optional<double> due(double t) const {
    if (time_->every_step) return t;
    double frame = time_->start + static_cast<double>(next_) * time_->output_every;
    if (frame > time_->end - near(time_->end)) frame = time_->end;  // 3 · 0.3 is a little less than 0.9
    return frame <= t + near(t) && !past_end_ ? std::optional(frame) : std::nullopt;
  }
  bool hits(double frame, double t) const { return std::abs(frame - t) <= near(t); }
  void advance(double frame) {
    ++next_;
    past_end_ = frame >= time_->end;
  }

 private:
  double near(double t) const {
    const double smallest = time_->step > 0 ? std::min(time_->step, time_->output_every) : time_->output_every;
    return 1e-9 * smallest + 4e-16 * std::abs(t);
  }
  const SimulateOptions* time_;
  long next_;
  bool past_end_ = false;
};

}  // namespace filum::record
