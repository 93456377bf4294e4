/// Runs of scenarios. User document: docs/guide/results.md.
#include "schema.hpp"

#include <filum/analysis/fastest_rates.hpp>
#include <filum/mechanics/acceleration_solver.hpp>
#include <filum/model/run_checks.hpp>
#include <filum/record/marks.hpp>
#include <filum/scenario/modes.hpp>
#include <filum/scenario/read.hpp>
#include <filum/scenario/simulation.hpp>

#include <unistd.h>

#include <cmath>
#include <numbers>
#include <sstream>

namespace filum::scenario {
namespace {

using std::filesystem::path;

/// Calls f, and attaches messages of the library to the keys of the file.
template <class F>
decltype(auto) at_keys(const Scenario& s, F&& f) {
  try {
    return f();
  } catch (const model::ModelError& error) {
    throw s.located(error);
  } catch (const record::NoEquilibrium& error) {
    throw config::InputError({s.problem("time.start_from", error.what())});
  } catch (const std::invalid_argument& error) {  // a method that cannot treat the model
    throw config::InputError({s.problem("integrator.method", error.what())});
  }
}

record::SimulateOptions complete(const Scenario& s, const SimulationOptions& options, std::string source) {
  record::SimulateOptions o = s.simulate_options();
  o.folder = options.folder;
  o.force = options.force;
  o.input = options.input;
  o.report = options.report;
  o.interrupt = options.interrupt;
  o.progress = options.progress;
  o.keep = options.keep;
  o.threads = options.threads;
  o.observer = options.observer;
  o.durability = options.durability;
  o.source = std::move(source);
  return o;
}

/// scenario.toml, for results in a folder; functions of a program cannot stand in a file.
std::string source_of(const Scenario& s, const SimulationOptions& options) {
  return !options.folder.empty() && can_be_written(s) ? to_toml(s) : std::string();
}

/// Refuses models that do not fit into memory. 10⁵ segments of a beam were measured to need 9.4 kB each.
void refuse_size(const Scenario& s) {
  constexpr double bytes_per_node = 9500;
  double nodes = 0;
  for (int k = 0; k < s.model.size(); ++k) nodes += s.model.object(k).expected_nodes();
  const double there = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  if (!(nodes * bytes_per_node > there)) return;
  std::ostringstream text;
  text.precision(3);
  text << "the model has " << nodes << " nodes and needs about " << nodes * bytes_per_node * 1e-9
       << " GB of memory; this machine has " << there * 1e-9 << " GB";
  throw config::InputError({s.problem("", text.str())});
}

model::Choice choice_of(const Scenario& s, const model::BuiltModel& m) {
  return model::choose_method(m, m.start(),
                              {.end = s.time.end, .step = s.time.step, .accuracy = s.simulate_options().accuracy});
}

/// What `filum check` accepts, `filum run` starts.
void refuse_method(const Scenario& s, const model::BuiltModel& m) {
  if (s.chooses) {
    at_keys(s, [&] { choice_of(s, m); });
    return;
  }
  const integrate::MethodOptions options = s.complete_method();
  if (const auto objection = integrate::objection(options, m.system()))
    throw config::InputError({s.problem(key_of_option(objection->option), objection->text)});
  at_keys(s, [&] {
    const auto method = integrate::make_integrator(options, m.system(), m.rows());
    const integrate::RunOptions run{.end = s.time.end, .step = s.time.step, .grid = s.time.grid};
    if (const std::string reason = integrate::objection(m.system(), *method, run); !reason.empty())
      throw std::invalid_argument(reason);
  });
}

void describe_method(std::ostringstream& out, Scenario s, const model::BuiltModel& m,
                     const analysis::FastestRates& rates) {
  std::string reason;
  if (s.chooses) {
    const model::Choice choice = choice_of(s, m);
    s.method = choice.methods.front();
    s.time.step = choice.step;
    reason = choice.reason;
  }
  const Time& t = s.time;
  const bool adaptive = integrate::capabilities(s.method).adaptive;
  const auto solver_name = [&] {  // gone before the next one needs memory
    mechanics::AccelerationSolver solver(m.system(), m.rows());
    solver.factorize(m.start().t, m.start().q);
    return std::string(solver.method());
  };
  const long steps = std::lround(std::ceil((t.end - t.start) / t.step));
  out << "method\n  " << integrate::name(s.method) << (adaptive ? ", adaptive, first step " : ", step ") << t.step
      << ", from " << t.start << " to " << t.end << ": "
      << (adaptive ? std::string("as many steps as it needs")
                   : "about " + std::to_string(steps) + (steps == 1 ? " step" : " steps"))
      << "\n  linear solver: " << solver_name() << "\n";
  if (!reason.empty()) out << "  chosen: " << reason << "\n";
  if (const auto* options = std::get_if<integrate::GeneralizedAlphaOptions>(&s.method)) {
    const integrate::AlphaParameters p = integrate::parameters_of(*options);
    out << "  parameters: alpha_m = " << p.alpha_m << ", alpha_f = " << p.alpha_f << ", beta = " << p.beta
        << ", gamma = " << p.gamma << ": order " << p.order() << ", fast vibrations are multiplied by "
        << p.spectral_radius() << " per step\n";
  }
  if (rates.frequency > 0)
    out << "  fastest vibration: " << rates.frequency << " rad per time, period "
        << 2 * std::numbers::pi / rates.frequency << "\n";
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

const model::BuiltModel& build(Scenario& s, model::StartVelocities velocities) {
  refuse_size(s);
  return at_keys(s, [&]() -> const model::BuiltModel& { return s.model.build(s.time.start, velocities); });
}

}  // namespace

const model::BuiltModel& build(Scenario& s) {
  return build(s, s.time.start_from == record::StartFrom::equilibrium ? model::StartVelocities::fitted
                                                                      : model::StartVelocities::given);
}

record::Run simulate(Scenario s, const SimulationOptions& options) {
  refuse_method(s, build(s));
  const record::SimulateOptions o = complete(s, options, source_of(s, options));
  return at_keys(
      s, [&] { return s.chooses ? record::simulate(s.model, o) : record::simulate(s.model, s.complete_method(), o); });
}

record::Run follow_path(Scenario s, const SimulationOptions& options) {
  build(s, model::StartVelocities::fitted);
  record::StaticOptions o = s.static_options();
  o.folder = options.folder;
  o.force = options.force;
  o.input = options.input;
  o.report = options.report;
  o.interrupt = options.interrupt;
  o.progress = options.path_progress;
  o.keep = options.keep;
  o.threads = options.threads;
  o.source = source_of(s, options);
  return at_keys(s, [&] { return record::follow_path(s.model, o); });
}

record::Run resume(const SimulationOptions& options) {
  const path file = options.folder / "scenario.toml";
  const auto text = config::input_text(file.string());
  if (!text) config::refuse_input(options.folder.string(), "there is no run to resume: scenario.toml is missing");
  Scenario s = parse_scenario(*text, file.string());
  return at_keys(s, [&] {
    const record::SimulateOptions o = complete(s, options, std::string(record::without_signature(*text)));
    return s.chooses ? record::resume(s.model, o) : record::resume(s.model, s.complete_method(), o);
  });
}

record::ModesRun find_modes(Scenario s, record::ModesRunOptions what, const SimulationOptions& options) {
  const model::BuiltModel& m = what.at_equilibrium ? build(s, model::StartVelocities::fitted) : build(s);
  what.run = complete(s, options, source_of(s, options));
  try {
    if (s.chooses) {
      const model::Choice choice = choice_of(s, m);
      what.run.step = choice.step;
      return record::find_modes(s.model, choice.methods.front(), what);
    }
    return record::find_modes(s.model, s.complete_method(), what);
  } catch (const std::invalid_argument& error) {
    throw config::InputError({{{}, "", error.what()}});
  }
}

std::string describe(Scenario& s) {
  const model::BuiltModel& m = build(s);
  at_keys(s, [&] { model::check_times(m.objects(), s.time.start, s.time.end); });
  refuse_method(s, m);
  const analysis::FastestRates rates = analysis::fastest_rates(m.system(), m.start(), m.rows());
  if (!s.chooses)
    if (const std::string reason = analysis::blow_up(s.method, rates, s.time.step, s.time.end - s.time.start);
        !reason.empty())
      at_keys(s, [&] { throw std::invalid_argument(reason); });
  std::ostringstream out;
  out.precision(6);
  out << m.description();
  describe_method(out, s, m, rates);
  if (!m.remarks().empty()) out << "remarks\n";
  for (const std::string& remark : m.remarks()) out << "  " << remark << "\n";
  return out.str();
}

}  // namespace filum::scenario
