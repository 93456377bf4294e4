/// The frames of a run. User document: docs/guide/results.md, "Frames".
#include "frame_recording.hpp"

namespace filum::record {

FrameRecording::FrameRecording(const model::BuiltModel& model, integrate::Integrator& method,
                               const SimulateOptions& options, const State& start)
    : options_(options),
      system_(model.system()),
      method_(&method),
      rows_(model.rows()),
      clock_(options, 1),
      before_(start) {}

void FrameRecording::begin(model::Layout layout) {
  recorder_.emplace(system_, std::move(layout), recorder_options());
  recorder_->record(before_, {});
  memory_.last = before_.t;
}

void FrameRecording::restore(model::Layout layout, const Checkpoint& c) {
  before_ = c.state;
  if (carries()) method_->complete(before_);
  memory_ = c.frames;
  clock_.go_to(c.frames.next);
  recorder_.emplace(system_, std::move(layout), recorder_options(), c.frames.recorded, c.frames.extremes);
}

void FrameRecording::record_due(State& x, const integrate::RunStatistics& s) {
  step_ = x.t - before_.t;
  const Between between = carries() ? Between::ends : Between::forces;
  while (const auto frame = clock_.due(x.t)) {
    const bool exact = clock_.hits(*frame, x.t);
    if (exact || carries()) method_->complete(x);
    if (!exact && !interpolator_) interpolator_.emplace(system_, rows_);
    record(exact ? x : interpolator_->at(*frame, before_, x, between), s);
    clock_.advance(*frame);
    if (options_.every_step) break;
  }
}

void FrameRecording::record_last(const State& x, const integrate::RunStatistics& s) {
  if (x.t > memory_.last) record(x, s);
}

void FrameRecording::record(const State& x, const integrate::RunStatistics& s) {
  recorder_->record(x, {.size = step_,
                        .newton = static_cast<double>(s.newton_iterations - memory_.newton),
                        .rejected = static_cast<double>(s.rejected - memory_.rejected),
                        .error = memory_.error});
  memory_.newton = s.newton_iterations;
  memory_.rejected = s.rejected;
  memory_.error = 0;
  memory_.last = x.t;
}

void FrameRecording::step_is_done(const State& x) {
  step_ = x.t - before_.t;
  before_.t = x.t;
  before_.q = x.q;
  before_.v = x.v;
  if (carries()) method_->complete(before_);
}

FrameMemory FrameRecording::memory() const {
  FrameMemory memory = memory_;
  memory.recorded = recorder_->frames();
  memory.extremes = recorder_->extremes();
  memory.next = clock_.next();
  return memory;
}

}  // namespace filum::record
