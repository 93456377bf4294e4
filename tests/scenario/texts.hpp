/// Small scenarios for tests.
#pragma once

#include <filum/scenario/read.hpp>

#include <string>

namespace filum::test {

/// A hinged bar, 16 steps.
inline const std::string pendulum = R"(schema = 1
title = "test"
gravity = [0, 0, -9.81]
[time]
end = 0.16
step = 0.01
[integrator]
method = "rattlie"
[[body]]
name = "bar"
mass = 1
inertia = [0.001, 0.0834, 0.0834]
position = [0.5, 0, 0]
[[joint]]
name = "hinge"
type = "revolute"
connects = ["ground", "bar"]
at = [0, 0, 0]
axis = [0, 1, 0]
[[sensor]]
name = "angle"
on = "hinge"
quantity = "angle"
)";

/// A clamped Kirchhoff rod of length 2 in four segments.
inline const std::string cantilever = R"(schema = 1
gravity = [0, 0, -9.81]
[parameters]
L = 2
[time]
end = 0.1
step = 0.01
[integrator]
method = "generalized-alpha"
[[beam]]
name = "rod"
from = [0, 0, 0]
to = ["L", 0, 0]
segments = 4
mass_per_length = 1
inertia_per_length = [0.01, 0.01, 0.02]
stiffness = { bending = [100, 100], torsion = 80, shear = [1e4, 1e4], axial = 1e4 }
[[joint]]
name = "clamp"
type = "fixed"
connects = ["ground", "rod:start"]
)";

inline scenario::Scenario parse(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return scenario::parse_scenario(text, "test.toml", overrides);
}

/// All messages, one per line; empty when the text is fine.
inline std::string complaints(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    parse(text, overrides);
    return {};
  } catch (const config::InputError& error) {
    return error.what();
  }
}

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  return at == std::string::npos ? throw std::logic_error("'" + from + "' is not in the text")
                                 : text.replace(at, from.size(), to);
}

}  // namespace filum::test
