/// A run: steps, frames, checkpoints, summary. User document: docs/guide/results.md.
#pragma once

#include "checkpoint_policy.hpp"
#include "frame_recording.hpp"
#include "run_threads.hpp"
#include "stopwatch.hpp"
#include "summary_of.hpp"

#include <filum/model/run_checks.hpp>

namespace filum::record {

/// Made before anything is touched on the disk; then `begin` or `restore`, then `run`. The caller has locked the
/// folder.
class Simulation {
 public:
  /// Without a method the program chooses. Throws what `simulate` throws for models and methods that cannot be run.
  Simulation(model::Model& model, const std::optional<integrate::MethodOptions>& method,
             const SimulateOptions& options);

  const SimulateOptions& options() const { return options_; }
  /// Of the scenario, or of the model if there is none.
  const std::string& fingerprint_of_input() const { return fingerprint_; }
  void begin();
  /// Throws config::InputError when checkpoint and files are not those of this run.
  void restore(const Checkpoint& c);
  /// Writes the table of sensors of a complete run again, from its result file.
  void rewrite_table() const;
  Run run();

 private:
  std::filesystem::path checkpoint_path() const { return options_.folder / "checkpoint.h5"; }
  bool observe(State& x, const integrate::StepReport& report, const integrate::RunStatistics& s);
  const std::string& event_name(int event) const;
  bool is_at_limit(const State& x);
  bool look_around();
  bool is_interrupted_between_attempts();
  const integrate::MethodOptions& method_options() const { return choice_.methods[changes_.size()]; }
  bool wants_another_method(State& x, const integrate::RunStatistics& s);
  void refuse_blow_up() const;
  void make_method();
  void change_method();
  void integrate();
  void check(const Checkpoint& c) const;
  Checkpoint checkpoint() const;
  void show_progress() const;
  void give_up_writing(Run& result) const;
  void finish(Run& result);
  void complete_files(const Run& result, std::vector<NewFile>& files);
  void fill_summary(Run& result) const;

  const model::BuiltModel model_;
  State x_;  ///< after the last step
  const bool chooses_;
  const model::Choice choice_;   ///< one method, if the caller has chosen it
  std::vector<double> changes_;  ///< times at which the next method of the choice took over
  const SimulateOptions options_;
  RunThreads threads_;
  std::unique_ptr<integrate::Integrator> method_;
  integrate::RunOptions run_options_;
  model::Layout layout_;  ///< until the recorder takes it
  StateOutline outline_;
  std::string fingerprint_;
  FrameRecording frames_;
  CheckpointPolicy policy_;
  Stopwatch watch_;
  integrate::RunStatistics statistics_;
  model::Limits limits_;
  long tried_step_ = -1;  ///< that attempts have failed at, since when, and when progress was shown last
  double tried_since_ = 0, shown_ = 0;
  std::string limit_;  ///< why the run cannot go on
  std::vector<std::string> remarks_;
  bool resumed_ = false, interrupted_ = false, changes_method_ = false, is_over_ = false;
};

}  // namespace filum::record
