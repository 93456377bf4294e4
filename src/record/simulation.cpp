/// A run: steps, frames, checkpoints, summary. User document: docs/guide/results.md.
#include "checkpoint_policy.hpp"
#include "failure.hpp"
#include "frame_clock.hpp"
#include "result_folder.hpp"
#include "stopwatch.hpp"
#include "summary_of.hpp"

#include <filum/config/problem.hpp>
#include <filum/record/checkpoint.hpp>
#include <filum/record/facts_json.hpp>
#include <filum/record/fingerprint.hpp>
#include <filum/record/interpolate.hpp>
#include <filum/record/replace_file.hpp>
#include <filum/record/report.hpp>
#include <filum/record/simulate.hpp>

#include <cmath>
#include <limits>
#include <optional>
#include <sstream>

namespace filum::record {
namespace {

using config::refuse_input;
using mechanics::State;
using std::filesystem::path;

std::string text(double value) {
  std::ostringstream out;
  out.precision(9);
  out << value;
  return out.str();
}

/// With the interval between frames filled in.
SimulateOptions completed(SimulateOptions o, const integrate::MethodOptions& method) {
  if (!(o.end > o.start)) throw std::invalid_argument("the end of a run must come after its start");
  if (o.output_every <= 0) o.output_every = default_output_interval(o, integrate::capabilities(method).adaptive);
  return o;
}

std::vector<model::SettingsTable> settings_of(const SimulateOptions& o) {
  return {{"time", {{"start", text(o.start)}, {"end", text(o.end)}, {"step", text(o.step)}, {"output_every", o.every_step ? "step" : text(o.output_every)}}}};
}

class Simulation {
 public:
  Simulation(model::Model& model, const integrate::MethodOptions& method, const SimulateOptions& options)
      : options_(completed(options, method)),
        method_options_(method),
        model_(model.build(options.start)),
        method_(integrate::make_integrator(method, model_.system(), model_.rows())),
        run_options_{.end = options_.end,
                     .step = options_.step,
                     .grid = options_.grid,
                     .seed = options_.seed,
                     .output_every = options_.every_step ? 0 : options_.output_every},
        interpolator_(model_.system(), model_.rows()),
        x_(model_.start()),
        before_(model_.start()),
        clock_(options_, 1),
        policy_(options_.checkpoint_every) {
    if (const std::string reason = integrate::objection(model_.system(), *method_, run_options_); !reason.empty()) throw std::invalid_argument(reason);
    layout_ = model_.layout(method_->stabilization());
    layout_.selected = model_.rows();
    layout_.attributes.emplace_back("method", std::string(method_->name()));
    layout_.attributes.emplace_back("filum", version());
    model::Facts& facts = layout_.facts;
    facts.method = std::string(method_->name());
    facts.is_adaptive = method_->capabilities().adaptive;
    facts.step = options_.step;
    facts.settings = options_.settings.empty() ? settings_of(options_) : options_.settings;
    fingerprint_ = fingerprint(options_.source.empty() ? facts_text(facts) : options_.source);
    outline_ = {layout_.poses, layout_.rows};
  }

  const std::string& fingerprint_of_input() const { return fingerprint_; }

  void begin() {
    watch_.begin_output();
    recorder_.emplace(model_.system(), std::move(layout_), RecorderOptions{options_.folder, options_.vtk, options_.keep});
    recorder_->record(x_, {});
    watch_.end_output();
  }

  void restore(const Checkpoint& c) {
    if (c.state.q.size() != x_.q.size() || c.state.v.size() != x_.v.size())
      refuse_input(checkpoint_path().string(), "the checkpoint belongs to another system");
    x_ = before_ = c.state;
    method_->restore(c.memory);
    statistics_ = c.statistics;
    since_frame_ = {static_cast<long>(c.newton_at_frame), static_cast<long>(c.rejected_at_frame), c.error_since_frame};
    clock_.go_to(static_cast<long>(c.next_frame));
    watch_.set(c.seconds_integration, c.seconds_output, c.seconds_cpu);
    recorder_.emplace(model_.system(), std::move(layout_), RecorderOptions{options_.folder, options_.vtk, options_.keep}, c.amount, c.extremes);
    last_recorded_ = c.state.t;
    resumed_ = true;
  }

  Run run() {
    Run result;
    policy_.begin();
    watch_.begin_run();
    try {
      const auto observer = [this](State& x, const integrate::StepReport& report, const integrate::RunStatistics& s) {
        since_frame_.error = std::max(since_frame_.error, report.error);
        return observe(x, s);
      };
      statistics_ = integrate::run(model_.system(), *method_, x_, run_options_, observer, resumed_ ? &statistics_ : nullptr);
      if (interrupted_) {
        result.outcome = Outcome::interrupted;
        result.message = "interrupted at t = " + text(x_.t);
        if (!options_.folder.empty()) result.message += "; `filum resume " + options_.folder.string() + "` continues";
      }
    } catch (const integrate::IntegrationStopped& failure) {
      result.outcome = Outcome::stopped;
      result.message = describe_failure(model_, method_options_, options_, x_, failure);
    } catch (const integrate::StartFailed& error) {
      result.outcome = Outcome::stopped;
      result.message = std::string(method_->name()) + " stopped at t = " + text(x_.t) + ": " + error.what();
    }
    watch_.end_run();
    finish(result);
    return result;
  }

 private:
  /// Counts when the last frame was recorded.
  struct SinceFrame {
    long newton = 0, rejected = 0;
    double error = 0;
  };

  path checkpoint_path() const { return options_.folder / "checkpoint.h5"; }

  bool observe(State& x, const integrate::RunStatistics& s) {
    statistics_ = s;
    step_ = x.t - before_.t;
    if (clock_.due(x.t)) record_due_frames(x);
    before_.t = x.t;
    before_.q = x.q;
    before_.v = x.v;
    if (options_.observer && !options_.observer(x)) return false;
    return policy_.is_quiet() || look_around(x);
  }

  void record_due_frames(State& x) {
    watch_.begin_output();
    while (const auto frame = clock_.due(x.t)) {
      const bool exact = clock_.hits(*frame, x.t);
      if (exact) method_->complete(x);
      record_frame(exact ? x : interpolator_.at(*frame, before_, x));
      clock_.advance(*frame);
      if (options_.every_step) break;
    }
    watch_.end_output();
  }

  void record_frame(const State& x) {
    recorder_->record(x, {.size = step_,
                          .newton = static_cast<double>(statistics_.newton_iterations - since_frame_.newton),
                          .rejected = static_cast<double>(statistics_.rejected - since_frame_.rejected),
                          .error = since_frame_.error});
    since_frame_ = {statistics_.newton_iterations, statistics_.rejected, 0};
    last_recorded_ = x.t;
  }

  /// Checkpoints, progress and interruption: not after every step, but some fifty times a second.
  bool look_around(const State& x) {
    if (!statistics_.grid.is_whole) {  // a step in pieces is finished first
      policy_.look_again();
      return true;
    }
    const CheckpointPolicy::Due due = policy_.look();
    if (due.checkpoint && !options_.folder.empty()) {
      watch_.begin_output();
      save_checkpoint();
      watch_.end_output();
    }
    if (due.progress && options_.progress)
      options_.progress({options_.start, x.t, options_.end, step_,
                         static_cast<double>(statistics_.newton_iterations) / std::max(1.0, static_cast<double>(statistics_.accepted)), watch_.since_start()});
    interrupted_ = options_.interrupt && options_.interrupt->load();
    return !interrupted_;
  }

  /// Frames first: a checkpoint never knows more frames than the result file has.
  void save_checkpoint() {
    recorder_->flush();
    Checkpoint c;
    c.version = version();
    c.scenario = fingerprint_;
    c.method = std::string(method_->name());
    c.state = x_;
    method_->save(c.memory);
    c.statistics = statistics_;
    c.amount = recorder_->amount();
    c.extremes = recorder_->extremes();
    c.newton_at_frame = static_cast<double>(since_frame_.newton);
    c.rejected_at_frame = static_cast<double>(since_frame_.rejected);
    c.error_since_frame = since_frame_.error;
    c.next_frame = static_cast<double>(clock_.next());
    c.seconds_integration = watch_.integration();
    c.seconds_output = watch_.output();
    c.seconds_cpu = watch_.cpu();
    record::save_checkpoint(checkpoint_path(), c);
  }

  void finish(Run& result) {
    watch_.begin_output();
    const bool has_folder = !options_.folder.empty();
    if (has_folder && result.outcome != Outcome::stopped) save_checkpoint();
    if (statistics_.accepted > 0) method_->complete(x_);
    if (result.outcome != Outcome::done && x_.t > last_recorded_) record_frame(x_);
    recorder_->close();
    watch_.end_output();
    result.all = recorder_->take_series();
    result.final = x_;
    fill_summary(result);
    if (!has_folder) return;
    write_summary(options_.folder / "summary.json", result.summary);
    if (const path page = report_template(); options_.report && !page.empty()) write_report(options_.folder / "report.html", page, {options_.folder});
  }

  void fill_summary(Run& result) const {
    static constexpr const char* words[] = {"done", "stopped", "interrupted"};
    Summary& s = result.summary;
    s.version = version();
    s.title = model_.title();
    s.status = words[static_cast<int>(result.outcome)];
    s.message = result.message;
    s.method = std::string(method_->name());
    s.statistics = statistics_;
    s.seconds_integration = watch_.integration();
    s.seconds_output = watch_.output();
    s.seconds_cpu = watch_.cpu();
    s.velocities = model_.system().size_v();
    s.constraints = model_.system().size_rows();
    s.extremes = recorder_->extremes();
    summarize_state(outline_, model_.system(), x_, s);
  }

  const SimulateOptions options_;
  const integrate::MethodOptions method_options_;
  const model::BuiltModel model_;
  std::unique_ptr<integrate::Integrator> method_;
  integrate::RunOptions run_options_;
  Interpolator interpolator_;
  model::Layout layout_;  ///< until the recorder takes it
  StateOutline outline_;
  std::string fingerprint_;
  std::optional<Recorder> recorder_;
  State x_, before_;  ///< after and before the last step
  FrameClock clock_;
  CheckpointPolicy policy_;
  Stopwatch watch_;
  integrate::RunStatistics statistics_;
  SinceFrame since_frame_;
  double step_ = 0, last_recorded_ = -std::numeric_limits<double>::infinity();
  bool resumed_ = false, interrupted_ = false;
};

}  // namespace

double default_output_interval(const SimulateOptions& o, bool adaptive) {
  constexpr double frames = 500;
  const double length = o.end - o.start, steps = std::max(1.0, std::ceil(length / o.step - 1e-9));
  // Frames that need no interpolation, and cut no step of a random grid below step/4.
  return adaptive ? length / frames : std::max(1.0, std::round(steps / frames)) * (length / steps);
}

Run simulate(model::Model& model, const integrate::MethodOptions& method, const SimulateOptions& options) {
  Simulation simulation(model, method, options);  // before anything is touched on disk
  if (!options.folder.empty()) {
    prepare_folder(options.folder, options.force);
    if (!options.source.empty()) replace_file(options.folder / "scenario.toml", options.source, "the scenario");
  }
  simulation.begin();
  return simulation.run();
}

Run resume(model::Model& model, const integrate::MethodOptions& method, const SimulateOptions& options) {
  const path file = options.folder / "checkpoint.h5";
  Checkpoint checkpoint;
  try {
    checkpoint = load_checkpoint(file);
  } catch (const FileTrouble& error) {
    refuse_input("", std::string(error.what()) + "; start the run anew");
  }
  if (checkpoint.version != version())
    refuse_input(file.string(), "the checkpoint is from filum " + checkpoint.version + ", this is " + version() +
                                    ": it would not continue with the same numbers. Resume with that version, or start the run anew");
  Simulation simulation(model, method, options);
  if (checkpoint.scenario != simulation.fingerprint_of_input())
    refuse_input(file.string(), std::string(options.source.empty() ? "the model" : "scenario.toml") + " has been changed since the checkpoint; undo the change, or start the run anew");
  if (checkpoint.state.t >= options.end && std::filesystem::exists(options.folder / "summary.json")) {
    Run done;
    done.message = "the run is complete already";
    done.final = checkpoint.state;
    return done;
  }
  simulation.restore(checkpoint);
  return simulation.run();
}

}  // namespace filum::record
