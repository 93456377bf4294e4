/// A model from its start to the end of a run, in memory and in files, and its continuation. User document:
/// docs/guide/cpp.md.
#pragma once

#include <filum/integrate/method.hpp>
#include <filum/integrate/run.hpp>
#include <filum/model/choice.hpp>
#include <filum/model/model.hpp>
#include <filum/record/durability.hpp>
#include <filum/record/run.hpp>

#include <atomic>
#include <concepts>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace filum::record {

struct Progress {
  double start = 0, time = 0, end = 0;
  double step = 0;
  double newton_per_step = 0;
  double seconds = 0;    ///< since the run began
  bool is_over = false;  ///< no more steps: results are completed
};

/// Called after every accepted step with the state as it is there (a and lambda belong to it only when `complete` is
/// asked for); false ends the run. Made from any callable of a state that returns a bool or nothing.
class StepObserver {
 public:
  StepObserver() = default;
  template <class F>
  requires std::invocable<F&, const mechanics::State&> StepObserver(F f)  // NOLINT: an observer is any callable
      : call_([f = std::move(f)](const mechanics::State& x) mutable {
          if constexpr (std::is_void_v<std::invoke_result_t<F&, const mechanics::State&>>) {
            f(x);
            return true;
          } else {
            return static_cast<bool>(f(x));
          }
        }) {}
  explicit operator bool() const { return bool(call_); }
  bool operator()(const mechanics::State& x) const { return call_(x); }

 private:
  std::function<bool(const mechanics::State&)> call_;
};

/// Where a run begins: with the initial values of the model, or at rest in the equilibrium that the loads of the start
/// hold near them.
enum class StartFrom { initial, equilibrium };

struct SimulateOptions {
  double start = 0, end = 1;
  double step = 1e-3;       ///< fixed step, largest step of a random grid, first step of an adaptive method
  double accuracy = 1e-3;   ///< relative to the size of the model, where the program chooses the method
  double output_every = 0;  ///< time between frames; 0: about 500 frames
  bool every_step = false;  ///< a frame after every step instead
  integrate::Grid grid = integrate::Grid::fixed;
  std::uint64_t seed = 1;  ///< of the random grid
  StartFrom start_from = StartFrom::initial;
  double regularize = 0;  ///< as analysis::EquilibriumOptions, for a start from equilibrium
  StepObserver observer = {};
  std::vector<integrate::EventFunction> events = {};  ///< besides those of the model, such as model::Stop
  bool keep = true;                                   ///< series in memory
  int threads =
      0;  ///< that share the loops of a step, with the same numbers; 0: one for a small model, cores for large

  std::filesystem::path folder = {};            ///< where files go; empty: none are written
  bool force = false;                           ///< existing results are replaced
  std::filesystem::path input = {};             ///< the file that the model came from: never removed
  bool report = true;                           ///< report.html, where its template is found
  bool vtk = false;                             ///< frames for ParaView
  double checkpoint_every = 30;                 ///< seconds of wall time
  Durability durability = Durability::lasting;  ///< of the results of a run that has ended

  const std::atomic<bool>* interrupt = nullptr;        ///< set by another thread: the run ends after the step
  std::function<void(const Progress&)> progress = {};  ///< called some ten times a second

  std::string source = {};                          ///< scenario.toml of the folder, when the model came from a file
  std::vector<model::SettingsTable> settings = {};  ///< shown on the report page; default: those of this struct
};

/// Runs a model. Throws ModelError for a model that cannot be built, std::invalid_argument when the method cannot treat
/// it, NoEquilibrium when there is none to start from, config::InputError when the folder cannot be used, FileTrouble
/// when results cannot be written.
Run simulate(model::Model& model, const integrate::MethodOptions& method, const SimulateOptions& options);

/// The same with a method and steps that the program chooses, and changes when their steps are limited by stability
/// (model::choose_method). The first step is options.step, unless that is 0.
Run simulate(model::Model& model, const SimulateOptions& options);

/// Continues the run in options.folder from its checkpoint, bit for bit. Model, method and options must be those of the
/// run.
Run resume(model::Model& model, const integrate::MethodOptions& method, const SimulateOptions& options);
Run resume(model::Model& model, const SimulateOptions& options);

/// The time between frames for these options; about 500 frames by default.
double default_output_interval(const SimulateOptions& options, bool adaptive);

/// The names of all files a run may write.
const std::vector<std::string>& result_files();
/// Removes the results of a run, and nothing that filum did not write.
void remove_results(const std::filesystem::path& folder);

/// Version of the library, as written into files.
std::string version();

}  // namespace filum::record
