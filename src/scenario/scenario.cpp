/// A scenario as the library takes it. User document: docs/guide/scenarios.md.
#include "schema.hpp"

#include <filum/scenario/scenario.hpp>

namespace filum::scenario {
namespace {

template <class T>
model::SettingsTable settings_table(const char* title, T value) {
  config::Writer writer;
  fields(writer, value);
  return {title, writer.entries()};
}

}  // namespace

config::InputError Scenario::located(const model::ModelError& error) const {
  std::vector<config::Problem> problems;
  for (const model::ObjectProblem& p : error.problems()) {
    const auto path = paths.find(p.kind + " " + p.name);
    const std::string key = path == paths.end() ? std::string() : path->second;
    problems.push_back(problem(key.empty() || p.option.empty() ? key : key + "." + p.option, p.message));
  }
  return config::InputError(std::move(problems));
}

integrate::MethodOptions Scenario::complete_method() const {
  integrate::MethodOptions complete = method;
  std::visit(
      [&](auto& options) {
        if constexpr (requires { options.newton; }) options.newton = newton;
      },
      complete);
  return complete;
}

record::SimulateOptions Scenario::simulate_options() const {
  record::SimulateOptions o{.start = time.start,
                            .end = time.end,
                            .step = time.step,
                            .output_every = time.output_every.value,
                            .every_step = time.output_every.every_step,
                            .grid = time.grid,
                            .seed = static_cast<std::uint64_t>(time.seed),
                            .keep = false,
                            .vtk = output.vtk,
                            .checkpoint_every = output.checkpoint_every};
  o.start_from = time.start_from;
  o.accuracy = time.accuracy.value_or(o.accuracy);
  o.regularize = statics.regularize;
  if (o.output_every <= 0) o.output_every = record::default_output_interval(o, is_adaptive());
  Time filled = time;
  filled.output_every.value = o.output_every;
  if (chooses) filled.accuracy = o.accuracy;
  integrate::MethodOptions shown = method;
  bool is_chosen = chooses;
  o.settings = {settings_table("time", filled), settings_table("integrator", MethodTable{&shown, &is_chosen}),
                settings_table("newton", newton), settings_table("output", output)};
  return o;
}

record::StaticOptions Scenario::static_options() const {
  const bool in_time = statics.path == analysis::PathKind::time;
  return {.path = {.kind = statics.path,
                   .to = statics.to,
                   .end = time.end,
                   .critical = statics.critical,
                   .branch = statics.branch,
                   .max_steps = statics.max_steps,
                   .max_step = statics.max_step,
                   .regularize = statics.regularize},
          .start = time.start,
          .at = in_time ? time.start : statics.at,
          .keep = false,
          .vtk = output.vtk,
          .settings = {settings_table("static", statics)}};
}

}  // namespace filum::scenario
