/// A run: steps, frames, checkpoints, summary. User document: docs/guide/results.md.
#include "simulation.hpp"

#include "failure.hpp"
#include "patience.hpp"
#include "sensor_table.hpp"

#include <filum/analysis/fastest_rates.hpp>
#include <filum/config/fingerprint.hpp>
#include <filum/config/problem.hpp>
#include <filum/record/facts_json.hpp>
#include <filum/record/report.hpp>
#include <filum/record/static_path.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <sstream>

namespace filum::record {
namespace {

using config::refuse_input;
using std::filesystem::path;

std::string text(double value) {
  std::ostringstream out;
  out.precision(9);
  out << value;
  return out.str();
}

const SimulateOptions& checked(const SimulateOptions& o) {
  if (!(o.end > o.start)) throw std::invalid_argument("the end of a run must come after its start");
  return o;
}

/// With the first step and the interval between frames filled in.
SimulateOptions completed(SimulateOptions o, const model::Choice& choice) {
  o.step = choice.step;
  if (o.output_every <= 0)
    o.output_every = default_output_interval(o, integrate::capabilities(choice.methods.front()).adaptive);
  return o;
}

model::Choice choice_of(const model::BuiltModel& model, const State& x,
                        const std::optional<integrate::MethodOptions>& method, const SimulateOptions& o) {
  if (method) return {.methods = {*method}, .step = o.step, .accuracy = 0, .reason = {}};
  return model::choose_method(model, x, {.end = o.end, .step = o.step, .accuracy = o.accuracy});
}

std::vector<model::SettingsTable> settings_of(const SimulateOptions& o) {
  return {{"time",
           {{"start", text(o.start)},
            {"end", text(o.end)},
            {"step", text(o.step)},
            {"output_every", o.every_step ? "step" : text(o.output_every)}}}};
}

}  // namespace

Simulation::Simulation(model::Model& model, const std::optional<integrate::MethodOptions>& method,
                       const SimulateOptions& options)
    : model_(model.build(checked(options).start, options.start_from == StartFrom::equilibrium
                                                     ? model::StartVelocities::fitted
                                                     : model::StartVelocities::given)),
      x_(options.start_from == StartFrom::equilibrium ? static_start(model_, options.regularize) : model_.start()),
      chooses_(!method),
      choice_(choice_of(model_, x_, method, options)),
      options_(completed(options, choice_)),
      threads_(options.threads, model_.system()),
      method_(integrate::make_integrator(method_options(), model_.system(), model_.rows())),
      run_options_{
          .end = options_.end, .step = options_.step, .grid = options_.grid, .seed = options_.seed, .output_every = 0},
      frames_(model_, *method_, options_, x_),
      policy_(options_.checkpoint_every),
      limits_(model_.system(), x_, model_.objects()) {
  if (options_.progress) frames_.do_meanwhile([this] { show_progress(); });
  run_options_.events = model::events(model_.system(), model_.objects(), x_);
  run_options_.events.insert(run_options_.events.end(), options_.events.begin(), options_.events.end());
  run_options_.interrupted = [this] { return is_interrupted_between_attempts(); };
  run_options_.warn = [this](const std::string& remark) { remarks_.push_back(remark); };
  model::check_times(model_.objects(), options_.start, options_.end);
  if (const std::string reason = integrate::objection(model_.system(), *method_, run_options_); !reason.empty())
    throw std::invalid_argument(reason);
  refuse_blow_up();
  layout_ = model_.layout(method_->stabilization());
  layout_.selected = model_.rows();
  model::Facts& facts = layout_.facts;
  facts.method = std::string(method_->name());
  facts.is_adaptive = method_->capabilities().adaptive;
  facts.step = options_.step;
  facts.settings = options_.settings.empty() ? settings_of(options_) : options_.settings;
  fingerprint_ = config::fingerprint(options_.source.empty() ? facts_text(facts) : options_.source);
  layout_.attributes.emplace_back("method", std::string(method_->name()));
  layout_.attributes.emplace_back("filum", version());
  layout_.attributes.emplace_back("scenario", fingerprint_);
  outline_ = {layout_.poses, layout_.rows};
}

void Simulation::refuse_blow_up() const {
  if (!analysis::can_blow_up(method_options())) return;
  const std::string reason =
      analysis::blow_up(method_options(), analysis::fastest_rates(model_.system(), x_, model_.rows()), options_.step,
                        options_.end - options_.start);
  if (!reason.empty()) throw std::invalid_argument(reason);
}

void Simulation::begin() {
  watch_.begin_output();
  frames_.begin(std::move(layout_));
  watch_.end_output();
}

/// Whether these can be the numbers of this run: a file may say anything.
void Simulation::check(const Checkpoint& c) const {
  const auto refuse = [&](const std::string& what) { refuse_input(checkpoint_path().string(), what); };
  if (c.state.q.size() != x_.q.size() || c.state.v.size() != x_.v.size() || c.state.a.size() != x_.a.size() ||
      c.state.lambda.size() != x_.lambda.size() || c.changes.size() >= choice_.methods.size() ||
      c.method != integrate::name(choice_.methods[c.changes.size()]) ||
      c.statistics.events.size() != run_options_.events.size())
    refuse("the checkpoint belongs to another system");
  const double slack = 1e-9 * (options_.end - options_.start);
  // A step is cut into at most four pieces by a random grid, and halved a few times.
  const double most_steps =
      std::ldexp(4 * ((options_.end - options_.start) / options_.step + 2), run_options_.smallest_cut);
  const bool is_possible =
      c.state.t >= options_.start && c.state.t <= options_.end + slack &&
      (method_->capabilities().adaptive || static_cast<double>(c.statistics.grid.index) <= most_steps);
  if (!is_possible) refuse("the checkpoint is of a time or step that this run does not have; start the run again");
}

void Simulation::restore(const Checkpoint& c) {
  check(c);
  x_ = c.state;
  changes_ = c.changes;
  if (!changes_.empty()) make_method();
  try {
    method_->restore(c.memory);
  } catch (const std::invalid_argument& error) {
    refuse_input(checkpoint_path().string(), error.what());
  }
  statistics_ = c.statistics;
  watch_.set(c.seconds_integration, c.seconds_output, c.seconds_cpu);
  frames_.restore(std::move(layout_), c);
  resumed_ = true;
}

void Simulation::rewrite_table() const {
  if (layout_.sensors.empty()) return;
  const Hdf5File result(options_.folder / "result.h5", Hdf5File::Mode::read);
  const SensorTable table(options_.folder, layout_.sensors, result, result.shape("time")[0]);
}

Run Simulation::run() {
  const linalg::TeamInUse use(threads_.team());
  Run result;
  policy_.begin();
  watch_.begin_run();
  if (options_.progress) options_.progress({options_.start, x_.t, options_.end, options_.step, 0, 0});
  try {
    integrate();
    if (!limit_.empty()) {
      result.outcome = Outcome::stopped;
      result.message = std::string(method_->name()) + " stopped at t = " + text(x_.t) + ": " + limit_ +
                       "\n  try: an earlier end of the run, or another start";
    } else if (statistics_.stopped_by >= 0) {
      result.message = "ended at t = " + text(x_.t) + ": " + event_name(statistics_.stopped_by);
    } else if (interrupted_) {
      result.outcome = Outcome::interrupted;
      result.message = "interrupted at t = " + text(x_.t);
      if (!options_.folder.empty()) result.message += "; `filum resume " + options_.folder.string() + "` continues";
    }
  } catch (const WritingStopped&) {
    give_up_writing(result);
  } catch (const integrate::IntegrationStopped& failure) {
    result.outcome = Outcome::stopped;
    result.message = describe_failure(model_, method_options(), options_, x_, failure);
  } catch (const integrate::StartFailed& error) {
    result.outcome = Outcome::stopped;
    result.message = std::string(method_->name()) + " stopped at t = " + text(x_.t) + ": " + error.what();
  }
  watch_.end_run();
  is_over_ = true;
  if (options_.progress) show_progress();
  finish(result);
  return result;
}

void Simulation::give_up_writing(Run& result) const {
  std::error_code error;
  const bool can_go_on = std::filesystem::exists(checkpoint_path(), error);
  result.outcome = Outcome::interrupted;
  result.is_written = false;
  result.message = "interrupted at t = " + text(x_.t) + ", before all results were written; " +
                   (can_go_on ? "`filum resume " + options_.folder.string() + "` continues from the last checkpoint"
                              : "start the run again");
}

/// All methods of the choice, as long as there is a reason to go on to the next.
void Simulation::integrate() {
  const auto observer = [this](State& x, const integrate::StepReport& report, const integrate::RunStatistics& s) {
    return observe(x, report, s);
  };
  for (;; change_method()) {
    changes_method_ = false;
    const integrate::Capabilities can = method_->capabilities();
    const bool steps_freely = options_.every_step || (can.adaptive && can.cubic_between);
    run_options_.output_every = steps_freely ? 0 : options_.output_every;
    try {
      const integrate::RunStatistics so_far =
          integrate::run(model_.system(), *method_, x_, run_options_, observer, resumed_ ? &statistics_ : nullptr);
      interrupted_ = interrupted_ || so_far.interrupted;
      if (so_far.interrupted) return;  // what has failed will be tried again
      statistics_ = so_far;
      if (!changes_method_) return;
    } catch (const integrate::IntegrationStopped& failure) {
      const bool is_numerical = failure.report.trouble != integrate::StepTrouble::singular_position &&
                                failure.report.trouble != integrate::StepTrouble::redundancy_lost;
      if (!is_numerical || changes_.size() + 1 >= choice_.methods.size()) throw;
    }
  }
}

void Simulation::make_method() {
  method_ = integrate::make_integrator(method_options(), model_.system(), model_.rows());
  frames_.set_method(*method_);
}

void Simulation::change_method() {
  method_->complete(x_);
  changes_.push_back(x_.t);
  make_method();
  double& h = statistics_.grid.next_step;
  if (!(h > 0)) h = options_.step;
  statistics_.grid.index = std::max(1L, statistics_.grid.index);
  if (!(statistics_.accepted > 0)) statistics_.grid.origin = x_.t;
  statistics_.events.resize(run_options_.events.size());
  method_->start(x_, h);
  resumed_ = true;
}

/// (CH.4) Looked at every so many steps, counted from the start: the same ones in a resumed run.
bool Simulation::wants_another_method(State& x, const integrate::RunStatistics& s) {
  constexpr long soon = 16, often = 256;
  const bool looks = s.accepted % often == 0 || (s.accepted >= soon && std::has_single_bit(std::uint64_t(s.accepted)));
  if (!chooses_ || changes_.size() + 1 >= choice_.methods.size() || !looks) return false;
  method_->complete(x);
  return model::is_limited_by_stability(model_, x, method_options(), s.grid.next_step);
}

const std::string& Simulation::event_name(int event) const {
  return run_options_.events[static_cast<std::size_t>(event)].name;
}

bool Simulation::observe(State& x, const integrate::StepReport& report, const integrate::RunStatistics& s) {
  statistics_ = s;
  if (report.crossing) {
    frames_.cross(x);
    return policy_.is_quiet() || look_around();
  }
  frames_.see_error(report.error);
  if (frames_.is_due(x.t)) {
    watch_.begin_output();
    frames_.record_due(x, s);
    watch_.end_output();
  }
  frames_.step_is_done(x);
  if (is_at_limit(x)) return false;
  if (options_.observer && !options_.observer(x)) return false;
  changes_method_ = wants_another_method(x, s);
  if (changes_method_) return false;
  return policy_.is_quiet() || look_around();
}

/// Whether an object cannot describe where the next step would lead.
bool Simulation::is_at_limit(const State& x) {
  if (x.t < options_.end) limit_ = limits_.reached(x, frames_.step());
  return !limit_.empty();
}

/// Checkpoints, progress and interruption: not after every step, but some fifty times a second.
bool Simulation::look_around() {
  if (!statistics_.grid.is_whole) {  // a step in pieces is finished first
    policy_.look_again();
    return true;
  }
  const CheckpointPolicy::Due due = policy_.look();
  if (due.checkpoint && !options_.folder.empty()) {
    watch_.begin_output();
    frames_.sync();
    save_checkpoint(checkpoint_path(), checkpoint());
    watch_.end_output();
  }
  if (due.progress && options_.progress) show_progress();
  interrupted_ = options_.interrupt && options_.interrupt->load();
  return !interrupted_;
}

/// Attempts at one step may be many, and each may take long. Until they have taken a while, an interruption waits for
/// the end of the step, from which a run can go on.
bool Simulation::is_interrupted_between_attempts() {
  constexpr double a_while = 0.3, often = 0.1;
  const double now = watch_.since_start();
  if (tried_step_ != statistics_.accepted) tried_step_ = statistics_.accepted, tried_since_ = shown_ = now;
  if (options_.progress && now - shown_ > often) shown_ = now, show_progress();
  return now - tried_since_ > a_while && options_.interrupt && options_.interrupt->load();
}

void Simulation::show_progress() const {
  options_.progress(
      {options_.start, x_.t, options_.end, frames_.step(),
       static_cast<double>(statistics_.newton_iterations) / std::max(1.0, static_cast<double>(statistics_.accepted)),
       watch_.since_start(), is_over_});
}

Checkpoint Simulation::checkpoint() const {
  Checkpoint c;
  c.frames = frames_.memory();
  c.version = version();
  c.scenario = fingerprint_;
  c.method = std::string(method_->name());
  c.changes = changes_;
  c.state = x_;
  method_->save(c.memory);
  c.statistics = statistics_;
  c.seconds_integration = watch_.integration();
  c.seconds_output = watch_.output();
  c.seconds_cpu = watch_.cpu();
  return c;
}

void Simulation::finish(Run& result) {
  watch_.begin_output();
  const bool has_folder = !options_.folder.empty();
  std::vector<NewFile> files;
  try {
    if (result.is_written) complete_files(result, files);
  } catch (const WritingStopped&) {
    give_up_writing(result);
  }
  watch_.end_output();
  result.all = frames_.take_series();
  result.facts = frames_.layout().facts;
  result.arrays = frames_.layout().arrays;
  result.final = x_;
  fill_summary(result);
  if (!has_folder || !result.is_written) return;
  files.push_back(summary_file(options_.folder / "summary.json", result.summary));
  replace_files(files, options_.durability);  // where they are to last, all frames are on the disk by now
  if (const path page = report_template(); options_.report && !page.empty())
    write_report(options_.folder / "report.html", page, {options_.folder});
}

/// Of the result file; the others are listed, to be put in place after it.
void Simulation::complete_files(const Run& result, std::vector<NewFile>& files) {
  // A step in pieces, or the first one, is no place to go on from.
  const bool can_go_on = !interrupted_ || (statistics_.grid.is_whole && statistics_.accepted > 0);
  if (!options_.folder.empty() && result.outcome != Outcome::stopped && can_go_on)
    files.push_back(checkpoint_file(checkpoint_path(), checkpoint()));
  if (statistics_.accepted > 0) method_->complete(x_);
  if (result.outcome != Outcome::done || statistics_.stopped_by >= 0) frames_.record_last(x_, statistics_);
  frames_.close();
}

void Simulation::fill_summary(Run& result) const {
  summarize_run(model_, outline_, watch_, result);
  Summary& s = result.summary;
  s.method = std::string(method_->name());
  s.statistics = statistics_;
  s.threads = threads_.count();
  s.remarks = remarks_;
  if (std::string remark = method_->remark(); !remark.empty()) s.remarks.push_back(std::move(remark));
  if (chooses_) {
    s.choice = {.reason = choice_.reason, .accuracy = choice_.accuracy, .changes = {}};
    for (std::size_t k = 0; k < changes_.size(); ++k)
      s.choice->changes.push_back({changes_[k], std::string(integrate::name(choice_.methods[k + 1]))});
  }
  if (statistics_.stopped_by >= 0) s.ended_by = event_name(statistics_.stopped_by);
  s.frames = frames_.recorded();
  s.extremes = frames_.extremes();
}

}  // namespace filum::record
