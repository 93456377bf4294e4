/// Modes of a model about its start or a state of a run, in memory and in files. User document: docs/guide/modes.md.
#pragma once

#include <filum/analysis/modes.hpp>
#include <filum/record/simulate.hpp>
#include <filum/record/static_path.hpp>

#include <complex>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace filum::record {

struct ModesRunOptions {
  analysis::ModesOptions modes = {};
  /// About the state that a run reaches at this time; none: about the start.
  std::optional<double> time = std::nullopt;
  bool at_equilibrium = false;  ///< about the static equilibrium under the loads of the start
  bool matrices = false;        ///< the linearised system is written as well, see write_linear_model
  /// Frequency responses: an input such as "shaker.fz" and a sensor such as "tip.z", or all components of "shaker" and
  /// "tip".
  std::vector<std::pair<std::string, std::string>> responses = {};
  std::vector<double> omegas = {};  ///< where; empty: 400 from a tenth of the slowest to twice the fastest mode found
  /// How a run gets there. Its folder, force, report, source and settings are those of the files that are written here.
  SimulateOptions run = {};
};

/// What a unit of the input that varies with exp(iωt) makes of the output.
struct Response {
  std::string input, output;
  std::vector<std::complex<double>> values;  ///< one for each of ModesRun::omegas
};

struct ModesRun {
  analysis::Modes modes;
  model::BuiltModel model;
  State state = {};  ///< that they are about
  Summary summary = {};
  /// "rod/position" and "rod/rotation": a mode is a frame with three numbers per node, displacements and small
  /// rotations in space; "rod/position_imaginary" and "rod/rotation_imaginary" as well when some shape is complex.
  std::map<std::string, Series, std::less<>> shapes = {};
  std::vector<double> omegas = {};
  std::vector<Response> responses = {};
};

/// With a folder it writes result.h5, summary.json, modes.csv, response.csv and the report page. Throws as simulate
/// does, std::invalid_argument for a response between things that do not exist; NoModes with the reason why there are
/// none, NoState when the run does not get there.
ModesRun find_modes(model::Model& model, const integrate::MethodOptions& method, const ModesRunOptions& options);

/// A state that modes were asked about could not be reached.
class NoState : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace filum::record
