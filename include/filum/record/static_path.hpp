/// Equilibria of a model along a path of loads or times, in memory and in files. User document: docs/guide/statics.md.
#pragma once

#include <filum/analysis/static_path.hpp>
#include <filum/model/model.hpp>
#include <filum/record/run.hpp>

#include <atomic>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace filum::record {

struct StaticOptions {
  analysis::PathOptions path = {};  ///< paths in time begin at `at`
  double start = 0;                 ///< time at which the initial values of the model are meant
  double at = 0;                    ///< time at which loads and drives are taken
  bool keep = true;                 ///< series in memory
  int threads = 0;                  ///< as SimulateOptions

  std::filesystem::path folder = {};  ///< where files go; empty: none are written
  bool force = false;                 ///< existing results are replaced
  std::filesystem::path input = {};   ///< the file that is being run: never removed
  bool report = true;                 ///< report.html, where its template is found
  bool vtk = false;                   ///< frames for ParaView

  const std::atomic<bool>* interrupt = nullptr;      ///< set by another thread: the path ends after the step
  std::function<void(double factor)> progress = {};  ///< called at every point

  std::string source = {};                          ///< scenario.toml of the folder, when the model came from a file
  std::vector<model::SettingsTable> settings = {};  ///< shown on the report page
};

/// Follows a path. Frames are its points; "factor" stands beside "time", Run::summary.path says how it went. Throws as
/// `simulate`.
Run follow_path(model::Model& model, const StaticOptions& options = {});

class NoEquilibrium : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The state at rest, v = a = 0, that the loads of the start hold in equilibrium. Throws NoEquilibrium with what
/// happened and what to try.
mechanics::State equilibrium_of(const model::BuiltModel& model, double regularize = 0);
/// The same as the start of a motion: velocities and accelerations such as drives have them.
mechanics::State static_start(const model::BuiltModel& model, double regularize = 0);

/// "rod (3 translations and 3 rotations)": what can move freely, in words.
std::string free_motion_text(const model::BuiltModel& model, const mechanics::State& x, const Eigen::MatrixXd& motions);

}  // namespace filum::record
