/// What a file says, a model says, and back: options of all kinds, and loads that see the motion. User document:
/// docs/guide/scenarios.md.
#include "scenario/built.hpp"
#include "scenario/texts.hpp"

#include <filum/model/beam.hpp>
#include <filum/model/body.hpp>
#include <filum/model/joint.hpp>
#include <filum/model/load.hpp>
#include <filum/testing/part_checks.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace filum::scenario {
namespace {

using test::Built;
using test::parse;
using testing::HasSubstr;

/// Everything that the older scenarios do not say.
const std::string rich = R"toml(schema = 1
title = "rich"
gravity = [0, 0, -9.81]
[parameters]
k = 100
[time]
end = 0.01
step = 1e-4
[integrator]
method = "generalized-alpha"
[[body]]
mass = 2
inertia = [1, 2, 2.5]
position = [0, 0, 3]
velocity = [1, 0, 0]
shape = { cylinder = [0.1, 0.1, 0.3] }
color = "#cc4400"
[[mass]]
mass = 0.5
position = [3, 0, 0]
[[beam]]
name = "rod"
arc = { from = [0, 1, 0], tangent = [1, 0, 0], inward = [0, 0, 1], radius = 2, angle = 1 }
segments = 4
held = ["shear1", "shear2", "torsion"]
mass_per_length = "1 + s"
inertia_per_length = [["0.01", 0, 0.001], [0, 0.02, 0], [0.001, 0, 0.03]]
mass_center = [0.02, 0, 0]
stiffness = [[100, 3, 0, 0, 0, 0], [3, 110, 0, 0, 0, 0], [0, 0, 80, 0, 0, 5], [0, 0, 0, 1e4, 0, 0], [0, 0, 0, 0, 1e4, 0], [0, 0, 5, 0, 0, "1e4*(1 + s)"]]
damping = { time = 1e-3 }
color = "#0044cc"
[[beam]]
name = "coil"
helix = { center = [5, 0, 0], from = [6, 0, 0], rise = 0.5, turns = 1 }
segments = 12
section = { shape = "ring", radius = 0.02, inner_radius = 0.01, E = 1e6, nu = 0.3, rho = 1000 }
[[joint]]
type = "fixed"
connects = ["ground", "rod:start"]
[[spring]]
connects = ["mass-1", "rod:end"]
force = "k*(length - 1)^3 + 2*rate"
[[load]]
on = "body-1"
force = ["-0.3*vx*sqrt(vx^2 + vy^2 + vz^2)", "sin(x)*y", "z < 2 ? 1e3*(2 - z) : 0"]
moment = ["-wx", "-2*wy", "wz*vx"]
[[load]]
on = "rod@0.7"
force = ["-vx", 0, "x*t"]
[[load]]
on = "rod"
rule = "segment-mean"
force = [0, 0, "-vz*(1 + s)"]
[[load]]
on = "coil"
rule = "integrated"
frame = "body"
force = [0, "s", 0]
[[load]]
on = "rod"
damping = 0.2
)toml";

TEST(RoundTrip, OfEverythingAFileCanSayIsExact) {
  const std::string once = to_toml(parse(rich)), twice = to_toml(parse(once));
  EXPECT_EQ(once, twice);
  EXPECT_THAT(once, HasSubstr("held = [\"torsion\", \"shear1\", \"shear2\"]"));
  EXPECT_THAT(once, HasSubstr("force = \"k*(length - 1)^3 + 2*rate\""));
  EXPECT_THAT(once, HasSubstr("shape = { cylinder = [0.1, 0.1, 0.3] }"));
}

TEST(RoundTrip, GivesTheSameBits) {
  const Built a(parse(rich)), b(parse(to_toml(parse(rich))));
  EXPECT_EQ(a.run().q, b.run().q);
}

TEST(RoundTrip, OfAModelMadeInCpp) {
  Scenario s = parse(test::pendulum);
  s.model = model::Model({.title = "made"});
  const auto body = s.model.add(model::Body{.name = "b", .mass = 1, .inertia = Eigen::Matrix3d::Identity()});
  s.model.add(model::Joint{.type = model::JointType::spherical, .second = body, .at = Eigen::Vector3d(1, 0, 0)});
  s.model.add(model::Load{.on = body, .force = {0, 0, 2}});
  const Scenario again = parse(to_toml(s));
  EXPECT_EQ(again.model.size(), 3);
  EXPECT_EQ(test::options_of<model::Joint>(again, "joint-1").at->x(), 1);
  s.model.add(model::Load{.name = "late", .on = body, .force = [](double t) { return Eigen::Vector3d(t, 0, 0); }});
  try {
    to_toml(s);
    FAIL();
  } catch (const config::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("load.late.force: a C++ function cannot be written to a file"));
  }
}

TEST(MotionLoads, OfFormulasHaveExactDerivatives) {
  const Built m(parse(rich));
  EXPECT_TRUE(m.system.forces_depend_on_velocity());
  mechanics::State x = m.run();
  x.v += checks::random_vector(m.system.size_v(), 7, 0.3);
  const auto report = checks::check_force_derivatives(m.system, x, 1e-7);
  EXPECT_TRUE(report.ok) << report.text.substr(report.text.size() > 400 ? report.text.size() - 400 : 0);
}

TEST(MotionLoads, DragSlowsABallAsItShould) {
  // v̇ = −c v/m along one axis.
  const Built m(parse(R"(schema = 1
[time]
end = 1
step = 1e-3
[[body]]
name = "ball"
mass = 2
inertia = [1, 1, 1]
velocity = [3, 0, 0]
[[load]]
on = "ball"
force = ["-0.5*vx", "-0.5*vy", "-0.5*vz"]
)"));
  EXPECT_NEAR(m.measure("ball", "velocity", m.run())[0], 3 * std::exp(-0.25), 1e-7);
}

TEST(MotionLoads, MassDampingIsTheSameForABodyAndABeam) {
  const std::string head = "schema = 1\n[time]\nend = 1\nstep = 1e-3\n";
  const Built beam(parse(head + R"([[beam]]
name = "rod"
from = [0, 0, 0]
to = [1, 0, 0]
segments = 4
section = { shape = "circle", radius = 0.05, E = 1e6, nu = 0.3, rho = 1000 }
velocity = [0, 0, 2]
[[load]]
on = "rod"
damping = 0.7
)"));
  const mechanics::State x = beam.run();
  EXPECT_NEAR(x.v[5], 2 * std::exp(-0.7), 1e-6);  // along the tangent: no strain
}

TEST(Scenario, RefusesVariablesWhereTheyMeanNothing) {
  EXPECT_THAT(test::complaints(test::pendulum + "[[load]]\non = \"bar\"\nforce = [\"length\", 0, 0]\n"),
              HasSubstr("unknown name 'length'"));
  EXPECT_THAT(test::complaints(test::pendulum, {"body.bar.mass=vx"}), HasSubstr("this value cannot depend on it"));
}

TEST(Sensors, AtTheEndOfABeamSeeTheMomentThere) {
  // A clamped rod with a force at its end, held still by damping: M(0) = F L, and −10 % with the value of the first
  // segment.
  const Built m(parse(R"(schema = 1
[time]
end = 2
step = 1e-2
[integrator]
method = "generalized-alpha"
rho_infinity = 0.5
[[beam]]
name = "rod"
from = [0, 0, 0]
to = [1, 0, 0]
segments = 5
section = { shape = "circle", radius = 0.05, E = 1e9, nu = 0.3, rho = 1000 }
damping = { time = 2e-3 }
[[joint]]
type = "fixed"
connects = ["ground", "rod:start"]
[[load]]
on = "rod:end"
force = [0, 1, 0]
)"));
  const Eigen::VectorXd moment = m.model.measure(m.scenario.model.find("rod").start(), "moment", m.run());
  EXPECT_NEAR(moment.norm(), 1, 2e-4);
}

}  // namespace
}  // namespace filum::scenario
