/// Scenarios that have become systems, and what is in them.
#pragma once

#include <filum/integrate/run.hpp>
#include <filum/parts/beam.hpp>
#include <filum/scenario/read.hpp>
#include <filum/scenario/simulation.hpp>

#include <string>
#include <vector>

namespace filum::test {

using mechanics::State;

/// The model of a scenario, built; keeps what it refers to.
struct Built {
  explicit Built(scenario::Scenario s)
      : scenario(std::move(s)), model(scenario::build(scenario)), system(model.system()), start(model.start()) {
    for (const auto& part : system.parts())
      if (const auto* beam = dynamic_cast<const parts::Beam*>(part.get())) beams.push_back(beam);
  }

  /// What a sensor on an object would measure.
  Eigen::VectorXd measure(const std::string& object, const std::string& quantity, const State& x) const {
    return model.measure(scenario.model.find(object), quantity, x);
  }
  Eigen::Vector3d position(const std::string& object, const State& x) const {
    return model.position(scenario.model.find(object), x);
  }
  std::unique_ptr<integrate::Integrator> method() const {
    return integrate::make_integrator(scenario.complete_method(), system, model.rows());
  }
  integrate::RunOptions run_options() const {
    const record::SimulateOptions o = scenario.simulate_options();
    return {.end = o.end,
            .step = o.step,
            .grid = o.grid,
            .seed = o.seed,
            .output_every = o.every_step ? 0 : o.output_every};
  }
  /// The end of a run.
  State run() const {
    State x = start;
    integrate::run(system, *method(), x, run_options());
    return x;
  }

  scenario::Scenario scenario;
  model::BuiltModel model;
  const mechanics::System& system;
  const State& start;
  std::vector<const parts::Beam*> beams;
};

/// The options an object of a scenario was made from.
template <class Options>
const Options& options_of(const scenario::Scenario& s, const std::string& name) {
  return dynamic_cast<const model::ObjectOf<Options>&>(s.model.object(s.model.find(name))).options();
}

}  // namespace filum::test
