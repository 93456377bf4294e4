/// Statics of scenario files. User document: docs/guide/statics.md.
#include "scenario/result_files.hpp"

#include <filum/scenario/builtin.hpp>
#include <filum/scenario/read.hpp>
#include <filum/scenario/simulation.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace filum::scenario {
namespace {

using testing::HasSubstr;

TEST(StaticScenario, EveryBuiltInScenarioAnswersWithAResultOrAReason) {
  for (const BuiltinScenario& b : builtin_scenarios()) {
    test::Folder folder;
    Scenario s = parse_scenario(b.text, std::string(b.name));
    const record::Run run = follow_path(s, {.folder = folder, .force = true});
    EXPECT_NE(run.outcome, record::Outcome::interrupted) << b.name;
    if (run.is_done())
      EXPECT_TRUE(run.final.q.allFinite()) << b.name;
    else
      EXPECT_FALSE(run.message.empty()) << b.name;
  }
}

/// Sabir and Lock (1972): 2.2 kN on the whole roof. The grid of 4 x 4 cells has 2246 N, see docs/theory/shell.md,
/// sec. 6.
TEST(StaticScenario, TheBucklingPanelIsFollowedThroughBothLimitLoads) {
  for (const BuiltinScenario& b : builtin_scenarios()) {
    if (b.name != "buckling-panel") continue;
    const record::Run run = follow_path(parse_scenario(b.text, "panel", {}, Purpose::analysis), {.keep = true});
    ASSERT_TRUE(run.is_done()) << run.message;
    const auto& critical = run.summary.path->critical;
    ASSERT_EQ(critical.size(), 2u);
    EXPECT_NEAR(4 * 750 * critical[0].factor, 2246, 5);
    EXPECT_LT(critical[1].factor, 0.5 * critical[0].factor);
    EXPECT_EQ(run.summary.path->negative_directions, 0);
    return;
  }
  FAIL() << "there is no such scenario";
}

/// A rope or hose of 1.6 m that hangs between the origin and (1, 0, 0).
std::string hanging(const std::string& rest) {
  return R"(
schema = 1
gravity = [0, 0, -9.81]
[[beam]]
name = "hose"
shape = { hanging = true, from = [0, 0, 0], to = [1, 0, 0], length = 1.6 }
rest = "straight"
segments = 16
section = { shape = "ring", radius = 0.01, inner_radius = 0.007, E = 2e7, nu = 0.45, rho = 1200 }
[[joint]]
name = "wall"
type = "spherical"
connects = ["ground", "hose:start"]
)" + rest;
}

// The robot is under way when the path begins: statics asks for its places alone.
TEST(StaticScenario, AHoseFollowsARobotThatBeginsWithAVelocity) {
  const std::string text = hanging(R"(
[time]
end = 2
[integrator]
method = "generalized-alpha"
[static]
path = "time"
[[joint]]
name = "robot"
type = "drive"
connects = ["ground", "hose:end"]
position = ["1 + sin(pi*t)*0.2", "0.3*t", "0.1*t"]
rotation = [0, 0, "0.5*t"]
)");
  const record::Run run = follow_path(parse_scenario(text, "hose", {}, Purpose::analysis), {.keep = true});
  ASSERT_TRUE(run.is_done()) << run.message;
  EXPECT_EQ(run.final.t, 2);
  EXPECT_EQ(run.summary.path->negative_directions, 0);
  EXPECT_TRUE(run.final.v.isZero(0));
  const auto end = run.series("hose/position").values;
  EXPECT_NEAR(end[end.size() - 3], 1, 1e-10);
  EXPECT_NEAR(end[end.size() - 2], 0.6, 1e-10);
  EXPECT_NEAR(end[end.size() - 1], 0.2, 1e-10);
  EXPECT_THROW(parse_scenario(text, "hose"), config::InputError);  // a run needs a step
}

/// The equilibrium of a beam between two ball joints.
record::Run hung(const std::string& beam) {
  return follow_path(parse_scenario(R"(
schema = 1
gravity = [0, 0, -9.81]
[[joint]]
type = "spherical"
connects = ["ground", "rope:start"]
[[joint]]
type = "spherical"
connects = ["ground", "rope:end"]
[[beam]]
name = "rope"
)" + beam,
                                    "rope", {}, Purpose::analysis),
                     {});
}

// Nothing resists a round rope that rolls about its own axis, and nothing depends on it.
TEST(StaticScenario, ARoundRopeBetweenTwoBallJointsHangs) {
  const record::Run run = hung(R"(
from = [0, 0, 0]
to = [10, 0, 0]
segments = 40
section = { shape = "circle", radius = 0.004, E = 1e11, nu = 0.3, rho = 6000 }
)");
  ASSERT_TRUE(run.is_done()) << run.message;
  EXPECT_EQ(run.summary.path->negative_directions, 0);
  EXPECT_LE(run.summary.path->iterations, 150);
  EXPECT_THAT(run.summary.path->remarks, testing::Contains(HasSubstr("rope (rolling about its own axis)")));
}

// Drawn hanging, but straight at rest: no equilibrium without loads in which the rolling would show.
TEST(StaticScenario, ASoftRopeThatIsDrawnHangingIsStable) {
  for (const std::string modulus : {"1e5", "1e6", "1e7", "1e8"}) {
    const record::Run run = hung(R"(
shape = { hanging = true, from = [0, 0, 0], to = [8, 0, 0], length = 10 }
rest = "straight"
segments = 40
section = { shape = "circle", radius = 0.005, nu = 0.3, rho = 1200, E = )" +
                                 modulus + " }");
    ASSERT_TRUE(run.is_done()) << run.message;
    EXPECT_EQ(run.summary.path->negative_directions, 0) << modulus;
    EXPECT_LE(run.summary.path->iterations, 120) << modulus;
    EXPECT_THAT(run.summary.path->remarks, testing::Contains(HasSubstr("rope (rolling about its own axis)")));
  }
}

// What resists a little is not held: a ribbon that is bent prefers a side.
TEST(StaticScenario, ARibbonDoesNotRoll) {
  const record::Run run = hung(R"(
shape = { hanging = true, from = [0, 0, 0], to = [0.8, 0, 0], length = 1 }
rest = "straight"
segments = 20
section = { shape = "rectangle", width = 0.0099, height = 0.01, E = 1e7, nu = 0.3, rho = 1200 }
)");
  ASSERT_TRUE(run.is_done()) << run.message;
  EXPECT_EQ(run.summary.path->negative_directions, 0);
  EXPECT_THAT(run.summary.path->remarks, testing::Not(testing::Contains(HasSubstr("rolling"))));
}

TEST(StaticScenario, TheTableSurvivesARoundTrip) {
  const std::string text = std::string(find_builtin("roll-up")->text) +
                           "\n[static]\npath = \"arc-length\"\nto = 2.5\nat = 0.5\ncritical = false\nbranch = "
                           "-2\nregularize = 1e-6\nmax_steps = 7\n";
  const Scenario s = parse_scenario(to_toml(parse_scenario(text, "text")), "again");
  EXPECT_EQ(s.statics.path, analysis::PathKind::arc_length);
  EXPECT_EQ(s.statics.to, 2.5);
  EXPECT_EQ(s.statics.at, 0.5);
  EXPECT_FALSE(s.statics.critical);
  EXPECT_EQ(s.statics.branch, -2);
  EXPECT_EQ(s.statics.regularize, 1e-6);
  EXPECT_EQ(s.statics.max_steps, 7);
}

}  // namespace
}  // namespace filum::scenario
