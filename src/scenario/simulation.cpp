/// Runs of scenarios. User document: docs/guide/results.md.
#include "schema.hpp"

#include <filum/analysis/fastest_rates.hpp>
#include <filum/mechanics/acceleration_solver.hpp>
#include <filum/scenario/read.hpp>
#include <filum/scenario/simulation.hpp>

#include <cmath>
#include <numbers>
#include <sstream>

namespace filum::scenario {
namespace {

using std::filesystem::path;

/// Calls f, with messages of the library at the keys of the file.
template <class F>
decltype(auto) at_keys(const Scenario& s, F&& f) {
  try {
    return f();
  } catch (const model::ModelError& error) {
    throw s.located(error);
  } catch (const std::invalid_argument& error) {  // a method that cannot treat the model
    throw config::InputError({s.problem("integrator.method", error.what())});
  }
}

record::SimulateOptions complete(const Scenario& s, const SimulationOptions& options, std::string source) {
  record::SimulateOptions o = s.simulate_options();
  o.folder = options.folder;
  o.force = options.force;
  o.report = options.report;
  o.interrupt = options.interrupt;
  o.progress = options.progress;
  o.source = std::move(source);
  return o;
}

void describe_method(std::ostringstream& out, const Scenario& s, const model::BuiltModel& m) {
  const Time& t = s.time;
  const bool adaptive = integrate::capabilities(s.method).adaptive;
  mechanics::AccelerationSolver solver(m.system(), m.rows());
  solver.factorize(m.start().t, m.start().q);
  const long steps = std::lround(std::ceil((t.end - t.start) / t.step));
  out << "method\n  " << integrate::name(s.method) << (adaptive ? ", adaptive, first step " : ", step ") << t.step << ", from " << t.start << " to " << t.end << ": "
      << (adaptive ? std::string("as many steps as it needs") : "about " + std::to_string(steps) + (steps == 1 ? " step" : " steps"))
      << "\n  linear solver: " << solver.method() << "\n";
  const analysis::FastestRates rates = analysis::fastest_rates(m.system(), m.start(), m.rows());
  if (rates.frequency > 0)
    out << "  fastest vibration: " << rates.frequency << " rad per time, period " << 2 * std::numbers::pi / rates.frequency << "\n";
  if (rates.damping > 0) out << "  fastest decay: " << rates.damping << " per time\n";
  // A limit beyond the length of the run means nothing.
  const auto limit = [&](const char* who, const integrate::MethodOptions& method) {
    const double step = analysis::largest_stable_step(method, rates);
    if (step < t.end - t.start) out << "  " << who << " need steps below about " << step << "\n";
  };
  limit("rattlie and shakelie", integrate::RattlieOptions{});
  limit("half-explicit-rk and munthe-kaas-rk", integrate::HalfExplicitOptions{});
  if (!adaptive && t.step > analysis::largest_stable_step(s.method, rates))
    out << "  the step " << t.step << " is TOO LARGE for " << integrate::name(s.method) << "\n";
}

}  // namespace

const model::BuiltModel& build(Scenario& s) {
  return at_keys(s, [&]() -> const model::BuiltModel& { return s.model.build(s.time.start); });
}

record::Run simulate(Scenario s, const SimulationOptions& options) {
  if (const auto objection = integrate::objection(s.complete_method(), build(s).system()))
    throw config::InputError({s.problem(key_of_option(objection->option), objection->text)});
  return at_keys(s, [&] { return record::simulate(s.model, s.complete_method(), complete(s, options, to_toml(s))); });
}

record::Run resume(const SimulationOptions& options) {
  const path file = options.folder / "scenario.toml";
  const auto text = config::input_text(file.string());
  if (!text) config::refuse_input(options.folder.string(), "there is no run to resume: scenario.toml is missing");
  Scenario s = parse_scenario(*text, file.string());
  return at_keys(s, [&] { return record::resume(s.model, s.complete_method(), complete(s, options, *text)); });
}

std::string describe(Scenario& s) {
  const model::BuiltModel& m = build(s);
  std::ostringstream out;
  out.precision(9);
  out << m.description();
  describe_method(out, s, m);
  if (!m.remarks().empty()) out << "remarks\n";
  for (const std::string& remark : m.remarks()) out << "  " << remark << "\n";
  return out.str();
}

}  // namespace filum::scenario
