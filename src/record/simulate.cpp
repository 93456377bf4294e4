/// Beginning and continuing runs. User document: docs/guide/results.md, "Resuming".
#include "result_folder.hpp"
#include "simulation.hpp"

#include <filum/config/problem.hpp>
#include <filum/record/completion.hpp>
#include <filum/record/folder_lock.hpp>
#include <filum/record/marks.hpp>
#include <filum/record/replace_file.hpp>
#include <filum/record/simulate.hpp>

#include <cmath>

namespace filum::record {
namespace {

using config::refuse_input;
using std::filesystem::path;

Checkpoint loaded(const path& file) {
  try {
    return load_checkpoint(file);
  } catch (const FileTrouble& error) {
    refuse_input("", std::string(error.what()) + "; start the run again");
  }
}

/// Whether a checkpoint can be continued with the same numbers.
void require_same_run(const Checkpoint& c, const Simulation& simulation, const path& file) {
  if (c.version != version())
    refuse_input(file.string(),
                 "the checkpoint is from filum " + c.version + ", this is " + version() +
                     ": it would not continue with the same numbers. Resume with that version, or start the run again");
  if (c.scenario != simulation.fingerprint_of_input())
    refuse_input(file.string(), std::string(simulation.options().source.empty() ? "the model" : "scenario.toml") +
                                    " has been changed since the checkpoint; undo the change, or start the run again");
}

}  // namespace

double default_output_interval(const SimulateOptions& o, bool adaptive) {
  constexpr double frames = 500;
  const double length = o.end - o.start, steps = std::max(1.0, std::ceil(length / o.step - 1e-9));
  // Frames that need no interpolation, and cut no step of a random grid below step/4.
  return adaptive ? length / frames : std::max(1.0, std::round(steps / frames)) * (length / steps);
}

namespace {

/// Without a method: one that the program chooses.
using Wish = std::optional<integrate::MethodOptions>;

Run simulate_with(model::Model& model, const Wish& method, const SimulateOptions& options) {
  Simulation simulation(model, method, options);  // before anything is touched on disk
  const RunFolder folder(options.folder, options.force, options.input, options.source);
  simulation.begin();
  return simulation.run();
}

Run resume_with(model::Model& model, const Wish& method, const SimulateOptions& options) {
  const FolderLock lock(options.folder);
  const path file = options.folder / "checkpoint.h5";
  const Checkpoint checkpoint = loaded(file);
  Simulation simulation(model, method, options);
  require_same_run(checkpoint, simulation, file);
  clean_up(options.folder);
  const bool ended = checkpoint.state.t >= options.end || checkpoint.statistics.stopped_by >= 0;
  if (ended && completion_of(options.folder).status == "done") {
    simulation.rewrite_table();
    Run done;
    done.message = "the run is already complete";
    done.final = checkpoint.state;
    return done;
  }
  simulation.restore(checkpoint);
  return simulation.run();
}

}  // namespace

Run simulate(model::Model& model, const integrate::MethodOptions& method, const SimulateOptions& options) {
  return simulate_with(model, method, options);
}
Run simulate(model::Model& model, const SimulateOptions& options) { return simulate_with(model, {}, options); }
Run resume(model::Model& model, const integrate::MethodOptions& method, const SimulateOptions& options) {
  return resume_with(model, method, options);
}
Run resume(model::Model& model, const SimulateOptions& options) { return resume_with(model, {}, options); }

}  // namespace filum::record
