/// A path of equilibria: points, frames, summary. User document: docs/guide/statics.md.
#include "patience.hpp"
#include "result_folder.hpp"
#include "run_threads.hpp"
#include "stopwatch.hpp"
#include "summary_of.hpp"

#include <filum/record/replace_file.hpp>
#include <filum/record/report.hpp>
#include <filum/record/simulate.hpp>
#include <filum/record/static_path.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace filum::record {
namespace {

using analysis::PathKind;
using analysis::PathOutcome;
using mechanics::State;

State begin_at(const State& start, double t) {
  State x = start;
  x.t = t;
  return x;
}

constexpr const char* path_group = "Path";

/// Paths that never turn are shown over their parameter, others over their length.
model::AxisFacts axis_of(const analysis::PathOptions& o) {
  if (o.kind == PathKind::load && o.to > 0 && o.branch == 0) return {"factor", "load factor"};
  return {"path/length", "length of the path"};
}

class PathRecording {
 public:
  PathRecording(model::Model& model, const StaticOptions& options)
      : options_(options),
        model_(model.build(options.start, model::StartVelocities::fitted)),
        start_(begin_at(model_.start(), options.at)),
        threads_(options.threads, model_.system()) {
    model::Layout layout = model_.layout();
    layout.selected = model_.rows();
    layout.attributes.emplace_back("method", "static");
    layout.attributes.emplace_back("filum", version());
    layout.facts.method = "static";
    layout.facts.settings = options.settings;
    outline_ = {layout.poses, layout.rows};
    if (options.path.kind != PathKind::time) layout.facts.axis = axis_of(options.path);
    scale_loads(layout);
    add_channels(layout);
    layout_ = std::move(layout);
  }

  Run run() {
    const linalg::TeamInUse use(threads_.team());
    const RunFolder folder(options_.folder, options_.force, options_.input, options_.source);
    recorder_.emplace(model_.system(), std::move(layout_),
                      RecorderOptions{.folder = options_.folder,
                                      .vtk = options_.vtk,
                                      .keep = options_.keep,
                                      .interrupt = options_.interrupt,
                                      .meanwhile = [this] { show_progress(); }});
    Run result;
    watch_.begin_run();
    analysis::StaticPath path;
    try {
      path = analysis::follow_path(model_.system(), start_, model_.rows(), options_.path,
                                   [this](const analysis::PathPoint& p) { return see(p); });
      watch_.end_run();
      if (frames_ == 0) record(path.state, {.load_factor = path.factor, .at_rest = true});  // where it failed
      recorder_->close();
    } catch (const WritingStopped&) {
      result.outcome = Outcome::interrupted;
      result.message = "the path was interrupted before its results were written; start it again";
      result.is_written = false;
      return result;
    }
    result.all = recorder_->take_series();
    result.facts = recorder_->layout().facts;
    result.arrays = recorder_->layout().arrays;
    result.outcome = path.is_done()                             ? Outcome::done
                     : path.outcome == PathOutcome::interrupted ? Outcome::interrupted
                                                                : Outcome::stopped;
    result.message = path.message;
    if (path.outcome == PathOutcome::free_motion)
      result.message =
          "no equilibrium: " + free_motion_text(model_, path.state, path.free_motions) +
          " can move freely. Try: hold it with a joint or a spring, or softly with static.regularize = 1e-6";
    if (path.held_motions.cols() > 0)
      path.remarks.push_back(free_motion_text(model_, start_, path.held_motions) +
                             " meets no resistance and changes nothing else; it is held");
    result.final = path.state;
    fill_summary(result, std::move(path));
    if (options_.folder.empty()) return result;
    write_summary(options_.folder / "summary.json", result.summary);
    if (const std::filesystem::path page = report_template(); options_.report && !page.empty())
      write_report(options_.folder / "report.html", page, {options_.folder});
    return result;
  }

 private:
  /// Loads are recorded and drawn as they act.
  void scale_loads(model::Layout& layout) const {
    for (model::Channel& channel : layout.channels)
      if (channel.is_load)
        channel.read = [this, read = channel.read, size = channel.size()](const State& x, double* out) {
          read(x, out);
          for (int k = 0; k < size; ++k) out[k] *= factor_;
        };
  }

  void add_channels(model::Layout& layout) {
    const auto number = [&](const char* name, const double& value) {
      layout.channels.insert(layout.channels.begin(),
                             {name, {}, [&value](const State&, double* out) { *out = value; }});
    };
    number("factor", factor_);
    number("path/length", length_);
    number("path/negative_directions", negative_);
    number("path/displacement", displacement_);
    layout.facts.plots.push_back(
        {.group = path_group, .title = "Load factor", .label = "factor", .series = "factor", .quantity = "factor"});
    layout.facts.plots.push_back({.group = path_group,
                                  .title = "Largest displacement",
                                  .label = "displacement",
                                  .series = "path/displacement",
                                  .note = "Of any node, from the first point of the path.",
                                  .quantity = "displacement",
                                  .units = {model::unit_of(layout.facts.units, model::dimension::length)}});
    layout.facts.plots.push_back({.group = path_group,
                                  .title = "Negative directions",
                                  .label = "negative directions",
                                  .series = "path/negative_directions",
                                  .note = "0 where the equilibrium is stable.",
                                  .quantity = "number of directions"});
  }

  bool see(const analysis::PathPoint& p) {
    watch_.begin_output();
    length_ += p.step_size;
    negative_ = p.negative_directions;
    record(
        p.x,
        {.size = p.step_size, .newton = static_cast<double>(p.iterations), .load_factor = p.factor, .at_rest = true});
    watch_.end_output();
    show_progress();
    return !options_.interrupt || !options_.interrupt->load();
  }

  void show_progress() const {
    if (options_.progress) options_.progress(factor_);
  }

  void record(const State& x, const StepInfo& step) {
    factor_ = step.load_factor;
    most_newton_ = std::max(most_newton_, static_cast<int>(step.newton));
    displacement_ = 0;
    std::size_t k = 0;
    for (const model::ObjectPoses& poses : outline_.poses)
      for (int i = 0; i < poses.nodes; ++i, ++k) {
        const Eigen::Vector3d at = poses.at(x, i).position;
        if (frames_ == 0) first_.push_back(at);
        displacement_ = std::max(displacement_, (at - first_[k]).norm());
      }
    recorder_->record(x, step);
    ++frames_;
  }

  void fill_summary(Run& result, analysis::StaticPath path) const {
    summarize_run(model_, outline_, watch_, result);
    Summary& s = result.summary;
    s.method = "static";
    s.threads = threads_.count();
    s.statistics.accepted = path.steps;
    s.statistics.rejected = path.rejected;
    s.statistics.newton_iterations = path.iterations;
    s.statistics.max_newton_per_step = most_newton_;
    s.statistics.matrices = path.iterations;
    s.extremes = recorder_->extremes();
    s.path = std::move(path);
  }

  const StaticOptions& options_;
  const model::BuiltModel model_;
  const State start_;
  RunThreads threads_;
  model::Layout layout_;  ///< until the recorder takes it
  StateOutline outline_;
  std::optional<Recorder> recorder_;
  Stopwatch watch_;
  std::vector<Eigen::Vector3d> first_;  ///< positions of all nodes at the first point
  double factor_ = 0, length_ = 0, negative_ = 0, displacement_ = 0;
  int frames_ = 0, most_newton_ = 0;
};

}  // namespace

Run follow_path(model::Model& model, const StaticOptions& options) { return PathRecording(model, options).run(); }

mechanics::State equilibrium_of(const model::BuiltModel& model, double regularize) {
  analysis::Equilibrium e =
      analysis::find_equilibrium(model.system(), model.start(), model.rows(), {.regularize = regularize});
  if (e.outcome == analysis::EquilibriumOutcome::free_motion)
    throw NoEquilibrium("there is no equilibrium to start from: " + free_motion_text(model, e.state, e.free_motions) +
                        " can move freely. Try: a joint or a spring, or static.regularize = 1e-6");
  if (!e.is_found()) throw NoEquilibrium("there is no equilibrium to start from: " + e.message);
  return std::move(e.state);
}

mechanics::State static_start(const model::BuiltModel& model, double regularize) {
  State x = equilibrium_of(model, regularize);
  mechanics::make_consistent(model.system(), x, {.repair_velocity_fully = true});
  return x;
}

}  // namespace filum::record
