/// The frames of a run: when they are due, what is written. User document: docs/guide/results.md, "Frames".
#pragma once

#include "frame_clock.hpp"

#include <filum/record/checkpoint.hpp>
#include <filum/record/interpolate.hpp>
#include <filum/record/simulate.hpp>

#include <optional>

namespace filum::record {

class FrameRecording {
 public:
  FrameRecording(const model::BuiltModel& model, integrate::Integrator& method, const SimulateOptions& options,
                 const State& start);

  /// To be called, before frames are recorded, while a run waits for its files.
  void do_meanwhile(std::function<void()> what) { meanwhile_ = std::move(what); }
  /// Records the first frame.
  void begin(model::Layout layout);
  /// Throws config::InputError when the files are not those of the checkpoint.
  void restore(model::Layout layout, const Checkpoint& c);

  void see_error(double error) { memory_.error = std::max(memory_.error, error); }
  bool is_due(double t) const { return clock_.due(t).has_value(); }
  /// Records all frames up to x. The state before the step is known.
  void record_due(State& x, const integrate::RunStatistics& s);
  /// Records x if it comes after the last frame.
  void record_last(const State& x, const integrate::RunStatistics& s);
  /// From now on it is this method that completes states.
  void set_method(integrate::Integrator& method) { method_ = &method; }
  /// To be called after every step.
  void step_is_done(const State& x);
  /// The same instant on the other side of a switch.
  void cross(const State& x) { before_ = x; }
  /// Length of the last step.
  double step() const { return step_; }

  /// What a checkpoint has to know. It must not be written before everything recorded is on the disk: after `sync` or
  /// `close`.
  FrameMemory memory() const;
  void sync() { recorder_->sync(); }
  void close() { recorder_->close(); }
  std::uint64_t recorded() const { return recorder_->frames(); }
  const Extremes& extremes() const { return recorder_->extremes(); }
  const model::Layout& layout() const { return recorder_->layout(); }
  std::map<std::string, Series, std::less<>> take_series() { return recorder_->take_series(); }

 private:
  RecorderOptions recorder_options() const {
    return {.folder = options_.folder,
            .vtk = options_.vtk,
            .keep = options_.keep,
            .durability = options_.durability,
            .interrupt = options_.interrupt,
            .meanwhile = meanwhile_};
  }
  void record(const State& x, const integrate::RunStatistics& s);
  /// Frames lie between steps, with accelerations and multipliers on the line between those of the steps.
  bool carries() const {
    const integrate::Capabilities can = method_->capabilities();
    return can.adaptive && can.cubic_between && can.own_lambda;
  }

  const SimulateOptions& options_;
  const mechanics::System& system_;
  integrate::Integrator* method_;
  const mechanics::RowSelection& rows_;
  std::optional<Interpolator> interpolator_;  ///< where frames are between steps: it has a matrix of its own
  FrameClock clock_;
  std::optional<Recorder> recorder_;
  FrameMemory memory_;  ///< its counts; the recorder has the rest
  State before_;        ///< the last step
  std::function<void()> meanwhile_;
  double step_ = 0;
};

}  // namespace filum::record
