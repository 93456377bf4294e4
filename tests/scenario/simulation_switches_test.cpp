/// Loads that switch, and runs that end at events, from files. User document: docs/guide/scenarios.md, "Stops".
#include "scenario/result_files.hpp"
#include "scenario/texts.hpp"

#include <filum/scenario/simulation.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace filum::scenario {
namespace {

using test::content;
using test::Folder;
using test::parse;
using testing::HasSubstr;

/// A mass of 2 with no weight, in steps of 0.01.
const std::string mass = R"(schema = 1
[functions]
table = { points = [[0, 0], [0.123, 4], [0.2, 4], [0.321, 0]] }
[time]
end = 1
step = 0.01
[integrator]
method = "rattlie"
[[body]]
name = "block"
mass = 2
inertia = [1, 1, 1]
position = [0, 0, 1]
[[sensor]]
name = "tip"
on = "block"
quantity = "position"
)";

std::string with_force(const std::string& z) {
  return mass + "[[load]]\non = \"block\"\nforce = [0, 0, \"" + z + "\"]\n";
}

record::Run run(const std::string& text, const std::vector<std::string>& overrides = {}) {
  const Folder folder;
  return simulate(parse(text, overrides), {.folder = folder});
}

TEST(Switches, OfALoadDivideTheStepTheyFallIn) {
  const record::Run jump = run(with_force("t < 0.1234 ? 3 : 0"));
  EXPECT_NEAR(jump.final.v[5], 1.5 * 0.1234, 1e-12);
  EXPECT_EQ(jump.summary.statistics.switches.crossed, 1);
  const record::Run pulse = run(with_force("t > 0.5 && t < 0.5001 ? 1e4 : 0"));
  EXPECT_NEAR(pulse.final.v[5], 0.5, 1e-9) << "shorter than a step";
  EXPECT_EQ(pulse.summary.statistics.switches.crossed, 2);
  const record::Run table = run(with_force("table(t)"));
  EXPECT_NEAR(table.final.v[5], 0.5 * 4 * (0.5 * 0.123 + 0.077 + 0.5 * 0.121), 1e-12);
}

TEST(Switches, OfALoadThatSeesTheMotionAreLocated) {
  // Falls from 1 with g = 10 and touches the floor at √0.2.
  const std::string text = test::replaced(with_force("-20 + (z < 0 ? -8e4*z : 0)"), "end = 1", "end = 0.46");
  const record::Run fall = run(text);
  EXPECT_EQ(fall.summary.statistics.switches.crossed, 1);
  const record::Run bounce = run(text, {"time.end=0.8", "time.step=0.0005"});
  EXPECT_EQ(bounce.summary.statistics.switches.crossed, 2);
  const double w = std::sqrt(8e4 / 2), v = std::sqrt(20.0),
               off = std::sqrt(0.2) + (2 * M_PI - 2 * std::atan2(v * w, 10)) / w;
  EXPECT_NEAR(bounce.final.v[5], v - 10 * (0.8 - off), 2e-3);
}

TEST(Stops, EndARunWhereTheConditionBecomesTrue) {
  const Folder folder;
  const record::Run fall =
      simulate(parse(with_force("-20") + "[[stop]]\nname = \"floor\"\nwhen = \"tip.z < 0\"\n"), {.folder = folder});
  EXPECT_EQ(fall.outcome, record::Outcome::done);
  EXPECT_NEAR(fall.final.t, std::sqrt(0.2), 1e-10);
  EXPECT_THAT(content(folder / "summary.json"), HasSubstr("\"ended_by\": \"floor: tip.z < 0\""));
  EXPECT_THAT(fall.message, HasSubstr("ended at t = 0.4472"));
  EXPECT_NEAR(test::series(folder, "time").back(), std::sqrt(0.2), 1e-10) << "the last frame";
  EXPECT_THAT(resume({.folder = folder}).message, HasSubstr("already complete"));
  EXPECT_THAT(content(folder / "scenario.toml"), HasSubstr("when = \"tip.z < 0\""));
}

TEST(Stops, MayCombineConditionsAndLookAtForces) {
  const record::Run both = run(with_force("-20") + "[[stop]]\nwhen = \"tip.z < 0.9 && t > 0.3 || tip.z < -5\"\n");
  EXPECT_NEAR(both.final.t, 0.3, 1e-9);
  // The hinge of a pendulum from rest at the horizontal carries 2.5 g sin φ along the bar.
  const record::Run force = run(test::pendulum +
                                    "[[sensor]]\nname = \"pull\"\non = \"hinge\"\nquantity = \"force\"\n"
                                    "[[stop]]\nwhen = \"pull.x^2 + pull.y^2 + pull.z^2 > 100\"\n",
                                {"time.end=1", "time.step=0.001"});
  EXPECT_LT(force.final.t, 0.5);
  EXPECT_NE(force.summary.ended_by, "");
}

TEST(Stops, ThatMeanNothingAreRefusedAtTheirKeys) {
  const auto refusal = [](const std::string& when) {
    try {
      run(mass + "[[stop]]\nwhen = \"" + when + "\"\n");
      return std::string();
    } catch (const config::InputError& error) {
      return std::string(error.what());
    }
  };
  EXPECT_THAT(refusal("tipp.z < 0"), HasSubstr("tip.z"));
  EXPECT_THAT(refusal("tip.z < 0"), "");
  EXPECT_THAT(refusal("tip.z > 0"), HasSubstr("already holds at the start"));
  EXPECT_THAT(refusal("tip.z <"), HasSubstr("not complete"));
}

TEST(Switches, AndStopsResumeWithTheSameBits) {
  const std::string text =
      with_force("-20 + (z < 0 ? -8e3*z : 0)") + "[[stop]]\nwhen = \"t > 0.08 && tip.z > 0.005\"\n";
  const Folder whole, pieces;
  const std::vector<std::string> overrides{"body.block.position=[0, 0, 0.01]", "time.step=0.005",
                                           "output.checkpoint_every=0"};
  const record::Run once = simulate(parse(text, overrides), {.folder = whole});
  std::atomic<bool> interrupt = true;
  simulate(parse(text, overrides), {.folder = pieces, .interrupt = &interrupt});
  record::Run last;
  for (int k = 0; k < 50 && last.summary.ended_by.empty(); ++k)
    last = resume({.folder = pieces, .interrupt = &interrupt});
  EXPECT_EQ(once.summary.statistics.switches.crossed, 3) << "contact begins and ends, and the stop";
  EXPECT_EQ(last.final.t, once.final.t);
  EXPECT_EQ(last.final.q, once.final.q);
  EXPECT_EQ(last.final.v, once.final.v);
  EXPECT_EQ(last.summary.statistics.switches.crossed, once.summary.statistics.switches.crossed);
}

}  // namespace
}  // namespace filum::scenario
