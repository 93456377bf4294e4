/// Defaults that depend on other values. User document: docs/guide/scenarios.md.
#include "check_scenario.hpp"

#include <algorithm>
#include <cmath>

namespace filum::scenario {

void fill_defaults(Scenario& scenario) {
  Integrator& m = scenario.integrator;
  if (!m.order) m.order = m.method == Method::munthe_kaas_rk ? 4 : 5;
  if (!m.atol) m.atol = m.method == Method::rattlie ? 1e-6 : 1e-8;
  if (!m.rtol) m.rtol = 1e-6;
  Time& t = scenario.time;
  if (!t.output_every.every_step && t.output_every.value == 0) {
    constexpr double frames = 500;
    const double length = t.end - t.start, steps = std::max(1.0, std::ceil(length / t.step - 1e-9));
    // Frames that need no interpolation, and cut no step of a random grid below step/4.
    t.output_every.value = !m.adaptive ? std::max(1.0, std::round(steps / frames)) * (length / steps) : length / frames;
  }
  for (std::size_t i = 0; i < scenario.loads.size(); ++i)
    if (scenario.loads[i].name.empty()) scenario.loads[i].name = "load" + std::to_string(i);
  for (std::size_t i = 0; i < scenario.springs.size(); ++i)
    if (scenario.springs[i].name.empty()) scenario.springs[i].name = "spring" + std::to_string(i);
}

}  // namespace filum::scenario
