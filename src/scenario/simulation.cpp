/// A run from scenario to result files. User document: docs/guide/results.md.
#include "failure.hpp"
#include "frame_clock.hpp"
#include "result_folder.hpp"

#include <filum/record/checkpoint.hpp>
#include <filum/record/interpolate.hpp>
#include <filum/scenario/method.hpp>
#include <filum/scenario/read.hpp>
#include <filum/scenario/simulation.hpp>
#include <filum/scenario/words.hpp>

#include <chrono>
#include <cmath>
#include <ctime>
#include <fstream>
#include <optional>
#include <sstream>

namespace filum::scenario {
namespace {

using Clock = std::chrono::steady_clock;
using std::filesystem::path;

double seconds_since(Clock::time_point t) { return std::chrono::duration<double>(Clock::now() - t).count(); }

/// Of this thread: other runs and the writing of results beside it do not count.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Methods that cannot treat a system say so when they are made, or when they are asked.
std::unique_ptr<integrate::Integrator> checked_integrator(const Scenario& scenario, const System& system) {
  try {
    auto method = make_integrator(scenario, system);
    const std::string reason = integrate::objection(system, *method, run_options(scenario));
    if (reason.empty()) return method;
    throw std::invalid_argument(reason);
  } catch (const std::invalid_argument& error) {
    throw ScenarioError({scenario.problem("integrator.method", error.what())});
  }
}

class Simulation {
 public:
  Simulation(const Scenario& scenario, const SimulationOptions& options, std::string resolved)
      : scenario_(scenario),
        options_(options),
        scenario_fingerprint_(record::fingerprint(resolved)),
        model_(build_model(scenario)),
        method_(checked_integrator(scenario, *model_.system)),
        run_options_(run_options(scenario)),
        interpolator_(*model_.system),
        x_(model_.start),
        before_(model_.start),
        clock_(scenario.time, 1) {
    layout_ = layout_of(scenario_, model_, method_->stabilization());
    layout_.attributes.push_back({"filum", version()});
  }

  void begin() {
    output_begins();
    recorder_.emplace(*model_.system, std::move(layout_), options_.folder, scenario_.output.vtk);
    recorder_->record(x_, {});
    output_ends();
  }

  void restore(const record::Checkpoint& c) {
    if (c.state.q.size() != x_.q.size() || c.state.v.size() != x_.v.size())
      refuse_input(checkpoint_path().string(), "the checkpoint belongs to another system");
    x_ = before_ = c.state;
    method_->restore(c.memory);
    statistics_ = c.statistics;
    newton_at_frame_ = static_cast<long>(c.newton_at_frame);
    rejected_at_frame_ = static_cast<long>(c.rejected_at_frame);
    error_since_frame_ = c.error_since_frame;
    clock_ = FrameClock(scenario_.time, static_cast<long>(c.next_frame));
    seconds_integration_ = c.seconds_integration;
    seconds_output_ = c.seconds_output;
    seconds_cpu_ = c.seconds_cpu;
    recorder_.emplace(*model_.system, std::move(layout_), options_.folder, scenario_.output.vtk, c.amount, c.extremes);
    last_recorded_ = c.state.t;
    resumed_ = true;
  }

  SimulationResult run() {
    SimulationResult result;
    started_ = last_checkpoint_ = last_progress_ = Clock::now();
    checkpoint_after_ = std::min(1.0, scenario_.output.checkpoint_every);  // the first one soon
    output_before_ = seconds_output_;
    processor_started_ = processor_seconds();
    is_running_ = true;
    try {
      const auto observer = [this](State& x, const integrate::StepReport& report, const integrate::RunStatistics& s) {
        error_since_frame_ = std::max(error_since_frame_, report.error);
        return observe(x, s);
      };
      statistics_ =
          integrate::run(*model_.system, *method_, x_, run_options_, observer, resumed_ ? &statistics_ : nullptr);
      if (interrupted_) {
        result.outcome = Outcome::interrupted;
        result.message =
            "interrupted at t = " + text(x_.t) + "; `filum resume " + options_.folder.string() + "` continues";
      }
    } catch (const integrate::IntegrationStopped& failure) {
      result.outcome = Outcome::stopped;
      result.message = describe_failure(scenario_, model_, x_, failure);
    } catch (const record::FileTrouble&) {
      throw;
    } catch (const std::runtime_error& error) {  // a method that cannot find its starting values
      result.outcome = Outcome::stopped;
      result.message = word_of(scenario_.integrator.method) + " stopped at t = " + text(x_.t) + ": " + error.what();
    }
    seconds_integration_ = integration_seconds();
    seconds_cpu_ += processor_seconds() - processor_started_;
    is_running_ = false;
    finish(result);
    return result;
  }

 private:
  static std::string text(double value) {
    std::ostringstream out;
    out.precision(9);
    out << value;
    return out.str();
  }
  path checkpoint_path() const { return options_.folder / "checkpoint.h5"; }

  /// Wall time of the loop without output.
  double integration_seconds() const {
    return seconds_integration_ + seconds_since(started_) - (seconds_output_ - output_before_);
  }
  void output_begins() {
    output_started_ = Clock::now();
    if (is_running_) seconds_cpu_ += processor_seconds() - processor_started_;
  }
  void output_ends() {
    seconds_output_ += seconds_since(output_started_);
    processor_started_ = processor_seconds();
  }

  bool observe(State& x, const integrate::RunStatistics& s) {
    statistics_ = s;
    step_ = x.t - before_.t;
    if (clock_.due(x.t)) record_due_frames(x);
    before_.t = x.t;
    before_.q = x.q;
    before_.v = x.v;
    if (--steps_until_look_ > 0) return true;
    return look_at_the_clock(x);
  }

  void record_due_frames(State& x) {
    output_begins();
    while (const auto frame = clock_.due(x.t)) {
      const bool exact = clock_.hits(*frame, x.t);
      if (exact) method_->complete(x);
      record_frame(exact ? x : interpolator_.at(*frame, before_, x));
      clock_.advance(*frame);
      if (scenario_.time.output_every.every_step) break;
    }
    output_ends();
  }

  void record_frame(const State& x) {
    recorder_->record(x, {.size = step_,
                          .newton = static_cast<double>(statistics_.newton_iterations - newton_at_frame_),
                          .rejected = static_cast<double>(statistics_.rejected - rejected_at_frame_),
                          .error = error_since_frame_});
    error_since_frame_ = 0;
    newton_at_frame_ = statistics_.newton_iterations;
    rejected_at_frame_ = statistics_.rejected;
    last_recorded_ = x.t;
  }

  /// Checkpoints, progress and interruption: not after every step, but some fifty times a second.
  bool look_at_the_clock(State& x) {
    const auto now = Clock::now();
    const double passed = std::chrono::duration<double>(now - last_look_).count();
    last_look_ = now;
    look_every_ = passed < 0.01   ? std::min(look_every_ * 2, 100000)
                  : passed > 0.03 ? std::max(look_every_ / 2, 1)
                                  : look_every_;
    if (scenario_.output.checkpoint_every == 0) look_every_ = 1;
    steps_until_look_ = look_every_;
    if (!statistics_.grid.is_whole) {  // a step in pieces is finished first
      steps_until_look_ = 1;
      return true;
    }
    if (std::chrono::duration<double>(now - last_checkpoint_).count() >= checkpoint_after_) {
      output_begins();
      save_checkpoint();
      output_ends();
      last_checkpoint_ = Clock::now();
      checkpoint_after_ = scenario_.output.checkpoint_every;
    }
    if (options_.progress && std::chrono::duration<double>(now - last_progress_).count() >= 0.1) {
      last_progress_ = now;
      options_.progress({scenario_.time.start, x.t, scenario_.time.end, step_,
                         static_cast<double>(statistics_.newton_iterations) /
                             std::max(1.0, static_cast<double>(statistics_.accepted)),
                         seconds_since(started_)});
    }
    interrupted_ = options_.interrupt && options_.interrupt->load();
    return !interrupted_;
  }

  /// Frames first: a checkpoint never knows more frames than the result file has.
  void save_checkpoint() {
    recorder_->flush();
    record::Checkpoint c;
    c.version = version();
    c.scenario = scenario_fingerprint_;
    c.method = word_of(scenario_.integrator.method);
    c.state = x_;
    method_->save(c.memory);
    c.statistics = statistics_;
    c.amount = recorder_->amount();
    c.extremes = recorder_->extremes();
    c.newton_at_frame = static_cast<double>(newton_at_frame_);
    c.rejected_at_frame = static_cast<double>(rejected_at_frame_);
    c.error_since_frame = error_since_frame_;
    c.next_frame = static_cast<double>(clock_.next());
    c.seconds_integration = is_running_ ? integration_seconds() : seconds_integration_;
    c.seconds_output = seconds_output_;
    c.seconds_cpu = seconds_cpu_;
    record::save_checkpoint(checkpoint_path(), c);
  }

  void finish(SimulationResult& result) {
    output_begins();
    if (result.outcome != Outcome::stopped) save_checkpoint();
    if (statistics_.accepted > 0) method_->complete(x_);
    if (result.outcome != Outcome::done && x_.t > last_recorded_) record_frame(x_);
    recorder_->close();
    output_ends();
    fill_summary(result);
    record::write_summary(options_.folder / "summary.json", result.summary);
  }

  void fill_summary(SimulationResult& result) const {
    static constexpr const char* words[] = {"done", "stopped", "interrupted"};
    record::Summary& s = result.summary;
    s.version = version();
    s.title = scenario_.title;
    s.status = words[static_cast<int>(result.outcome)];
    s.message = result.message;
    s.method = word_of(scenario_.integrator.method);
    s.statistics = statistics_;
    s.seconds_integration = seconds_integration_;
    s.seconds_output = seconds_output_;
    s.seconds_cpu = seconds_cpu_;
    s.velocities = model_.system->size_v();
    s.constraints = model_.system->size_rows();
    s.time = x_.t;
    s.extremes = recorder_->extremes();
    for (const parts::RigidBody& b : model_.bodies)
      s.objects.emplace_back(
          b.initial.name, object_summary(b.node, 1, [&](int) { return std::pair(b.position(x_), b.orientation(x_)); }));
    for (std::size_t i = 0; i < model_.beams.size(); ++i) {
      const parts::Beam& b = *model_.beams[i];
      s.objects.emplace_back(scenario_.beams[i].name, object_summary(b.first_node(), b.nodes(), [&](int k) {
                               return std::pair(b.position(x_, k), b.orientation(x_, k));
                             }));
      const auto& rows = model_.beam_rows[i];
      if (rows.empty()) continue;
      const std::size_t held = rows.size() / static_cast<std::size_t>(b.segments());
      std::vector<std::vector<double>> list;
      for (std::size_t k = 0; k < rows.size(); k += held) {
        list.emplace_back();
        for (std::size_t j = 0; j < held; ++j) list.back().push_back(x_.lambda[rows[k + j]]);
      }
      s.segment_multipliers.emplace_back(scenario_.beams[i].name, std::move(list));
    }
    for (const ModelJoint& j : model_.joints) {
      std::vector<double> values;
      for (const int r : j.rows) values.push_back(x_.lambda[r]);
      if (!values.empty()) s.joint_multipliers.emplace_back(j.name, std::move(values));
    }
  }

  template <class Pose>
  record::ObjectSummary object_summary(int first_node, int nodes, const Pose& pose) const {
    const auto& space = model_.system->space();
    const auto list = [](const auto& v) { return std::vector<double>(v.data(), v.data() + v.size()); };
    record::ObjectSummary o;
    for (int k = 0; k < nodes; ++k) {
      const auto place = pose(k);
      const int at = space.v_offset(first_node + k), dim = lie::dim(space.group(first_node + k));
      o.position.push_back(list(place.first));
      o.orientation.push_back(list(place.second));
      o.velocity.push_back(list(mechanics::VectorXd(x_.v.segment(at, dim))));
      o.acceleration.push_back(list(mechanics::VectorXd(x_.a.segment(at, dim))));
    }
    return o;
  }

  const Scenario& scenario_;
  const SimulationOptions& options_;
  std::string scenario_fingerprint_;
  Model model_;
  std::unique_ptr<integrate::Integrator> method_;
  integrate::RunOptions run_options_;
  record::Interpolator interpolator_;
  record::Layout layout_;  ///< until the recorder takes it
  std::optional<record::Recorder> recorder_;
  State x_, before_;  ///< after and before the last step
  FrameClock clock_;
  integrate::RunStatistics statistics_;
  double step_ = 0, last_recorded_ = -std::numeric_limits<double>::infinity();
  long newton_at_frame_ = 0, rejected_at_frame_ = 0;
  double error_since_frame_ = 0;
  bool resumed_ = false, interrupted_ = false, is_running_ = false;
  int look_every_ = 1, steps_until_look_ = 1;
  double seconds_integration_ = 0, seconds_output_ = 0, output_before_ = 0, checkpoint_after_ = 0;
  double seconds_cpu_ = 0, processor_started_ = 0;
  Clock::time_point started_, output_started_, last_checkpoint_, last_progress_, last_look_ = Clock::now();
};

}  // namespace

SimulationResult simulate(const Scenario& scenario, const SimulationOptions& options) {
  const std::string resolved = to_toml(scenario);
  Simulation simulation(scenario, options, resolved);  // before anything is touched on disk
  prepare_folder(options.folder, options.force);
  write_text(options.folder / "scenario.toml", resolved);
  simulation.begin();
  return simulation.run();
}

SimulationResult resume(const SimulationOptions& options) {
  const path file = options.folder / "scenario.toml";
  if (!std::filesystem::is_regular_file(file))
    refuse_input(options.folder.string(), "there is no run to resume: scenario.toml is missing");
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  record::Checkpoint checkpoint;
  try {
    checkpoint = record::load_checkpoint(options.folder / "checkpoint.h5");
  } catch (const record::FileTrouble& error) {
    refuse_input("", std::string(error.what()) + "; start the run anew with `filum run " + file.string() + "`");
  }
  const std::string checkpoint_name = (options.folder / "checkpoint.h5").string();
  if (checkpoint.version != version())
    refuse_input(
        checkpoint_name,
        "the checkpoint is from filum " + checkpoint.version + ", this is " + version() +
            ": it would not continue with the same numbers. Resume with that version, or start anew with `filum run " +
            file.string() + "`");
  if (checkpoint.scenario != record::fingerprint(text.str()))
    refuse_input(
        checkpoint_name,
        "scenario.toml has been changed since the checkpoint; undo the change, or start anew with `filum run " +
            file.string() + "`");
  const Scenario scenario = parse_scenario(text.str(), file.string());
  if (checkpoint.state.t >= scenario.time.end && std::filesystem::exists(options.folder / "summary.json"))
    return {.outcome = Outcome::done, .message = "the run is complete already", .summary = {}};
  Simulation simulation(scenario, options, text.str());
  simulation.restore(checkpoint);
  return simulation.run();
}

}  // namespace filum::scenario
