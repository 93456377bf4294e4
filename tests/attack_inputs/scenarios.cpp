/// Mutated scenarios, and built-in ones with every method and group: what is accepted can be written, read back and
/// run, twice with the same bits.
#include "campaigns.hpp"

#include <filum/scenario/builtin.hpp>
#include <filum/scenario/read.hpp>
#include <filum/scenario/simulation.hpp>

#include <cstring>

namespace filum::attack {
namespace {

using scenario::Scenario;

/// Larger ones are left to their own tests.
constexpr int most_nodes = 200;

bool is_small(const Scenario& s) {
  int nodes = 0;
  for (int k = 0; k < s.model.size() && nodes <= most_nodes; ++k) nodes += s.model.object(k).expected_nodes();
  return nodes <= most_nodes;
}

/// The end of a few steps; where the program chooses them, of a thousandth of the run, but not more than a hundred.
record::Run a_few_steps(Scenario s) {
  constexpr int most = 100;
  const double few = s.time.step > 0 ? 3 * s.time.step : (s.time.end - s.time.start) / 1000;
  s.time.end = std::min(s.time.end, s.time.start + few);
  s.time.output_every = {};
  int steps = 0;
  return scenario::simulate(s, {.folder = {}, .observer = [&](const mechanics::State&) { return ++steps < most; }});
}

bool same_bits(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())) == 0;
}

void judge(const std::string& text, const std::vector<config::Override>& overrides, Attempt& attempt) {
  const auto read = [&] { return scenario::parse_scenario(text, "attack.toml", overrides); };
  std::string written;
  try {
    const Scenario s = read();
    written = scenario::to_toml(s);
    if (!is_small(s)) return;
  } catch (const config::InputError& error) {
    attempt.failure = objection_to_message(error.what(), true);
    return;
  }
  try {
    if (scenario::to_toml(scenario::parse_scenario(written, "written.toml")) != written)
      attempt.failure = "what was written reads back as something else";
  } catch (const config::InputError& error) {
    attempt.failure = std::string("what was written cannot be read: ") + error.what();
  }
  if (!attempt.failure.empty()) return;
  try {
    Scenario s = read();
    scenario::describe(s);
  } catch (const config::InputError& error) {
    attempt.failure = objection_to_message(error.what(), true);
    return;
  }
  attempt.is_accepted = true;
  try {
    const record::Run a = a_few_steps(read()), b = a_few_steps(scenario::parse_scenario(written, "written.toml"));
    if (a.outcome != b.outcome || !same_bits(a.final.q, b.final.q) || !same_bits(a.final.v, b.final.v))
      attempt.failure = "two runs differ";
    else if (a.outcome == record::Outcome::stopped)
      attempt.failure = objection_to_message(a.message, false);
  } catch (const config::InputError& error) {
    attempt.failure = std::string("check accepts what run refuses: ") + error.what();
  }
}

const std::vector<std::string>& methods() {
  static const std::vector<std::string> all{"{method=\"rattlie\"}",
                                            "{method=\"rattlie\", multipliers=\"interpolated\"}",
                                            "{method=\"rattlie\", adaptive=true}",
                                            "{method=\"shakelie\"}",
                                            "{method=\"generalized-alpha\"}",
                                            "{method=\"generalized-alpha\", formulation=\"index-3\"}",
                                            "{method=\"bliedf\"}",
                                            "{method=\"generalized-alpha\", adaptive=true}",
                                            "{method=\"bliedf\", steps=1, formulation=\"index-3\"}",
                                            "{method=\"bliedf\", adaptive=true}",
                                            "{method=\"radau\"}",
                                            "{method=\"radau\", adaptive=true}",
                                            "{method=\"half-explicit-rk\"}",
                                            "{method=\"half-explicit-rk\", order=3}",
                                            "{method=\"half-explicit-rk\", adaptive=true}",
                                            "{method=\"munthe-kaas-rk\"}"};
  return all;
}

const std::vector<std::string>& groups() {
  static const std::vector<std::string> all{"", "SO3xR3", "S3xR3", "SE3", "S3sdR3", "UDQ", "auto"};
  return all;
}

}  // namespace

Campaign scenario_campaign() {
  return {"scenarios", "mutated scenarios are refused with a place, or written, read back and run",
          [](std::size_t, Draw& draw, Attempt& attempt, const std::function<void()>& written) {
            attempt.input = mutated(std::string(draw.of(scenario::builtin_scenarios()).text), draw);
            written();
            judge(attempt.input, {}, attempt);
          }};
}

Campaign combination_campaign() {
  const std::size_t scenarios = scenario::builtin_scenarios().size();
  return {"combinations", "every built-in scenario with every method, group and grid",
          [scenarios](std::size_t number, Draw&, Attempt& attempt, const std::function<void()>& written) {
            // Neighbours in number differ in everything, so that the first few are a fair sample.
            const auto& s = scenario::builtin_scenarios()[number % scenarios];
            std::size_t rest = number / scenarios;
            const std::string& method = methods()[(rest + number) % methods().size()];
            rest /= methods().size();
            const std::string& group = groups()[(rest + number) % groups().size()];
            const bool is_random = (rest / groups().size() + number) % 2 == 1;
            std::vector<config::Override> overrides{"integrator=" + method};
            if (is_random) overrides.emplace_back("time.grid=random");
            const std::string text(s.text);
            if (!group.empty() && text.find("[[body]]") != std::string::npos)
              overrides.push_back("body.0.group=" + group);
            if (!group.empty() && text.find("[[beam]]") != std::string::npos)
              overrides.push_back("beam.0.group=" + group);
            for (const auto& o : overrides) attempt.input += "#set " + o + "\n";
            attempt.input += text;
            written();
            judge(text, overrides, attempt);
          },
          scenarios * methods().size() * groups().size() * 2};
}

}  // namespace filum::attack
