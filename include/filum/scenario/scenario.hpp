/// A scenario: a model with the time, the method and the output that a file asks for. User document:
/// docs/guide/scenarios.md.
#pragma once

#include <filum/config/formula.hpp>
#include <filum/config/problem.hpp>
#include <filum/integrate/method.hpp>
#include <filum/model/model.hpp>
#include <filum/record/simulate.hpp>
#include <filum/record/static_path.hpp>

#include <map>
#include <optional>
#include <string>

namespace filum::scenario {

/// Time between frames. Neither given: about 500 frames.
struct OutputInterval {
  double value = 0;
  bool every_step = false;
};

struct Time {
  double start = 0;
  double end = 0;
  double step = 0;                      ///< 0: the program chooses
  std::optional<double> accuracy = {};  ///< where the program chooses the method
  OutputInterval output_every;
  integrate::Grid grid = integrate::Grid::fixed;
  int seed = 1;
  record::StartFrom start_from = record::StartFrom::initial;
};

/// [static]
struct Statics {
  analysis::PathKind path = analysis::PathKind::load;
  double to = 1;         ///< last load factor
  double at = 0;         ///< time at which loads are taken, of paths over a factor
  bool critical = true;  ///< locate limit points and bifurcations
  int branch = 0;        ///< as analysis::PathOptions
  double regularize = 0;
  int max_steps = 1000;
  double max_step = 0.5;  ///< largest motion of a step: radians, or sizes of the model
};

struct Output {
  bool vtk = false;
  double checkpoint_every = 30;  ///< seconds of wall time
};

/// Formulas without variables are evaluated; everything else is as the library takes it.
struct Scenario {
  int schema = 1;
  config::Symbols symbols = {};  ///< [parameters] and [functions]
  Time time = {};
  bool chooses = false;  ///< method = "auto": the program does, and `method` means nothing
  integrate::MethodOptions method = {};
  linalg::NewtonOptions newton = {};  ///< of implicit methods
  Output output = {};
  Statics statics = {};
  model::Model model = model::Model();

  config::Places places = {};                     ///< of the keys, for messages
  std::map<std::string, std::string> paths = {};  ///< of objects, by kind and name: "beam rod" stands at "beam.rod"

  /// An error at a key, such as "beam.spaghetti.segments".
  config::Problem problem(const std::string& key, const std::string& message) const {
    return {places.find(key), key, message};
  }
  /// What a model says about its objects, at the keys they came from.
  config::InputError located(const model::ModelError& error) const;

  /// Whether the method chooses its steps.
  bool is_adaptive() const { return chooses || integrate::capabilities(method).adaptive; }
  /// The method with the options of [newton].
  integrate::MethodOptions complete_method() const;
  /// As record::simulate wants it, the interval between frames filled in.
  record::SimulateOptions simulate_options() const;
  /// As record::follow_path wants it.
  record::StaticOptions static_options() const;
};

}  // namespace filum::scenario
