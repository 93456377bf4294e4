/// Where the time of a run goes: stepping, output, processor. User document: docs/guide/results.md.
#pragma once

#include <chrono>
#include <ctime>

namespace filum::record {

/// Wall time of the stepping loop without output, of output, and processor time of the loop.
class Stopwatch {
 public:
  using Clock = std::chrono::steady_clock;

  static double since(Clock::time_point t) { return std::chrono::duration<double>(Clock::now() - t).count(); }

  void set(double integration, double output, double cpu) { integration_ = integration, output_ = output, cpu_ = cpu; }
  void begin_run() {
    started_ = Clock::now();
    output_before_ = output_;
    cpu_started_ = processor_seconds();
    is_running_ = true;
  }
  void end_run() {
    integration_ = integration();
    cpu_ += processor_seconds() - cpu_started_;
    is_running_ = false;
  }
  void begin_output() {
    output_started_ = Clock::now();
    if (is_running_) cpu_ += processor_seconds() - cpu_started_;
  }
  void end_output() {
    output_ += since(output_started_);
    cpu_started_ = processor_seconds();
  }

  double integration() const {
    return is_running_ ? integration_ + since(started_) - (output_ - output_before_) : integration_;
  }
  double output() const { return output_; }
  double cpu() const { return cpu_; }
  double since_start() const { return since(started_); }

 private:
  /// Of this thread: other runs and the writing of results beside it do not count.
  static double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  }

  double integration_ = 0, output_ = 0, output_before_ = 0, cpu_ = 0, cpu_started_ = 0;
  bool is_running_ = false;
  Clock::time_point started_, output_started_;
};

}  // namespace filum::record
