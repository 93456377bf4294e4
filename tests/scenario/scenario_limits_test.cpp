/// Scenarios that must be refused, bounded or stopped, and what is said about it. User document:
/// docs/guide/error-messages.md.
#include "scenario/built.hpp"
#include "scenario/texts.hpp"

#include <filum/scenario/builtin.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace filum::scenario {
namespace {

using test::cantilever;
using test::complaints;
using test::parse;
using test::pendulum;
using test::replaced;
using testing::HasSubstr;
using testing::StartsWith;

/// What `filum check` says.
std::string refusal_to_describe(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    Scenario s = parse(text, overrides);
    describe(s);
    return {};
  } catch (const config::InputError& error) {
    return error.what();
  }
}

TEST(Names, ThatAreEmptyAreRefusedAtTheName) {
  EXPECT_THAT(complaints(replaced(pendulum, "name = \"bar\"", "name = \"\"")),
              StartsWith("test.toml:10:8: body.0.name: expected a name, found ''"));
}

TEST(Names, ThatWereMadeUpAreNamedWhenTheyAreInTheWay) {
  EXPECT_THAT(complaints(pendulum + "[[load]]\non = \"bar\"\n[[load]]\nname = \"load-1\"\non = \"bar\"\n"),
              HasSubstr("'load-1' is taken: it was generated for an earlier load without a name"));
  const Scenario s = parse(pendulum + "[[load]]\nname = \"load-2\"\non = \"bar\"\n[[load]]\non = \"bar\"\n");
  EXPECT_EQ(to_toml(parse(to_toml(s))), to_toml(s));
}

TEST(Times, ThatRoundingSwallowsAreRefused) {
  EXPECT_THAT(complaints(pendulum, {"time.end=5e-324"}), HasSubstr("time.end: expected a time at least"));
  EXPECT_THAT(complaints(pendulum, {"time.start=1e20", "time.end=1.001e20", "time.step=1e6"}),
              HasSubstr("time.step: expected a step of at least 2e+07"));
  EXPECT_EQ(complaints(pendulum, {"time.end=1000", "time.step=1e-9"}), "");
  EXPECT_THAT(complaints(replaced(pendulum, "step = 0.01", ""), {"time.end=5e-324", "integrator.method=auto"}),
              HasSubstr("time.end: expected a time at least"))
      << "the program chooses the step";
}

TEST(Frames, AreNotMoreThanADiskHolds) {
  EXPECT_THAT(complaints(pendulum, {"time.output_every=1e-9"}), HasSubstr("1.6e+08 frames; at most 1e8"));
  EXPECT_THAT(complaints(pendulum, {"time.output_every=1e-6"}), HasSubstr("every step would have 1e+04 frames"));
  EXPECT_EQ(complaints(pendulum, {"time.output_every=1e-4"}), "");
}

TEST(Frames, OfARunShorterThanItsStepAreThoseOfTheRun) {
  const Scenario s = parse(pendulum, {"time.step=1e12"});
  EXPECT_EQ(to_toml(parse(to_toml(s))), to_toml(s));
  EXPECT_EQ(complaints(pendulum, {"time.step=0.01", "time.output_every=1e-5"}), "") << "a thousand, but for rounding";
}

TEST(Loads, AndJointsNeedNodes) {
  const auto on = [](const std::string& table, const std::string& partner) {
    return complaints(pendulum + "[[" + table + "]]\n" + partner);
  };
  EXPECT_THAT(on("load", "on = \"hinge\"\nforce = [1, 0, 0]\n"), HasSubstr("a load cannot be attached to a joint"));
  EXPECT_THAT(on("load", "on = \"system\"\nforce = [1, 0, 0]\n"),
              HasSubstr("load.0.on: a load cannot be attached to the whole system"));
  EXPECT_THAT(on("joint", "type = \"spherical\"\nconnects = [\"hinge\", \"bar\"]\nat = [0, 0, 0]\n"),
              HasSubstr("a joint cannot be attached to a joint"));
  EXPECT_THAT(on("spring", "connects = [\"bar\", \"hinge\"]\nstiffness = 1\n"),
              HasSubstr("a spring cannot be attached to a joint"));
  EXPECT_EQ(on("spring", "joint = \"hinge\"\nstiffness = 1\n"), "") << "this one turns with it";
}

TEST(Orientations, TakeAxesOfAnyLength) {
  const auto turned = [](const std::string& axis) {
    return to_toml(parse(pendulum, {"body.bar.orientation={axis=[" + axis + ", 0, 0], angle=1}"}));
  };
  EXPECT_EQ(turned("1e308"), turned("1"));
  EXPECT_EQ(turned("1e-200"), turned("1"));
}

TEST(Drives, MustNotJump) {
  const std::string driven = pendulum + "[[joint]]\nname = \"motor\"\ntype = \"drive\"\njoint = \"hinge\"\nangle = ";
  EXPECT_THAT(refusal_to_describe(driven + "\"t < 0.1 ? 0 : 1\"\n"),
              HasSubstr("joint.motor.angle: the prescribed motion jumps from 0 to 1 at t = 0.1"));
  EXPECT_THAT(refusal_to_describe(driven + "\"t < 0.1 ? 0 : sqrt(0.11 - t)\"\n"), HasSubstr("joint.motor.angle"));
  EXPECT_EQ(refusal_to_describe(driven + "\"t < 0.1 ? 0 : 2*pi\"\n"), "") << "a whole turn is the same position";
  EXPECT_EQ(refusal_to_describe(driven + "\"t < 0.1 ? 0 : t - 0.1\"\n"), "") << "a kink is no jump";
  EXPECT_EQ(refusal_to_describe(driven + "\"50*(1 - cos(100*t))\"\n"), "");
  EXPECT_EQ(refusal_to_describe(driven + "\"2*pi + 1e-14*t\"\n"), "") << "steps of the last digit are no jumps";
}

TEST(Drives, BeginAsDrawn) {
  const std::string joint = pendulum + "[[joint]]\nname = \"motor\"\ntype = \"drive\"\n";
  const auto of_hinge = [&](const std::string& angle) {
    return refusal_to_describe(joint + "joint = \"hinge\"\nangle = \"" + angle + "\"\n");
  };
  EXPECT_THAT(of_hinge("0.3 + t^2"),
              HasSubstr("joint.motor.angle: at the start, t = 0, the angle is 0.3; it is measured"));
  EXPECT_EQ(of_hinge("2*pi + t^2"), "") << "a whole turn is the same position";
  EXPECT_EQ(of_hinge("1e-4 + t^2"), "") << "this is corrected";
  const std::string free_bar = replaced(joint, "type = \"revolute\"", "type = \"spherical\"");
  const std::string motion =
      replaced(replaced(free_bar, "axis = [0, 1, 0]\n", ""), "quantity = \"angle\"", "quantity = \"force\"");
  const auto of_bar = [&](const std::string& keys) {
    return refusal_to_describe(motion + "connects = [\"ground\", \"bar\"]\n" + keys);
  };
  EXPECT_THAT(
      of_bar("position = [0, 0, 0]\n"),
      HasSubstr("joint.motor.position: at the start, t = 0, the drive puts the point at (0, 0, 0), but it is drawn at "
                "(0.5, 0, 0)"));
  EXPECT_THAT(of_bar("rotation = [0, \"0.2 + t^2\", 0]\n"),
              HasSubstr("joint.motor.rotation: at the start, t = 0, the rotation is (0, 0.2, 0)"));
  EXPECT_EQ(of_bar("rotation = [0, \"t^2\", 0]\n"), "");
}

TEST(RollingDisks, StandOnThePlane) {
  const std::string text(find_builtin("rolling-disk")->text);
  EXPECT_THAT(
      refusal_to_describe(text, {"body.disk.position.2=1"}),
      HasSubstr("joint.table.connects: the center of the disk is at the height 1, but the disk touches the plane "
                "at 0.965926"));
}

TEST(Sensors, MeasureWhatTheirJointHas) {
  const auto on = [](const char* quantity) {
    return replaced(pendulum, "quantity = \"angle\"", std::string("quantity = \"") + quantity + "\"");
  };
  EXPECT_THAT(complaints(on("displacement")), HasSubstr("'displacement' cannot be measured on a joint"));
  EXPECT_EQ(complaints(on("length")), "");
}

TEST(Start, ThatIsNotFiniteIsBlamedOnAnObject) {
  EXPECT_THAT(refusal_to_describe(
                  pendulum + "[[body]]\nname = \"fast\"\nmass = 1\ninertia = [1, 1, 1]\nvelocity = [1e200, 0, 0]\n"),
              HasSubstr("the energy at the start is not a finite number: kinetic inf"));
  EXPECT_THAT(refusal_to_describe(pendulum + "[[load]]\non = \"bar\"\nforce = [\"1/t\", 0, 0]\n"),
              HasSubstr("a force at the start is not finite: load load-1: the formula '1/t' is not a number"));
  EXPECT_THAT(
      refusal_to_describe(pendulum + "[[spring]]\nconnects = [\"ground\", \"bar\"]\npoints = [[0.5, 0, 0], [0, 0, 0]]\n"
                                     "stiffness = 10\nlength = 1\n"),
      HasSubstr("first at body bar: "));
}

TEST(Beams, HaveNoTwoNodesAtOnePlace) {
  const std::string shape =
      "initial = { positions = [[0,0,0], [0,0,0], [0,0,2]], orientations = [[1,0,0,0], [1,0,0,0], "
      "[1,0,0,0]] }\nnodes = [0, 1, 2]\n";
  const std::string text =
      replaced(replaced(cantilever, "from = [0, 0, 0]\nto = [\"L\", 0, 0]\n", shape), "segments = 4\n", "");
  EXPECT_THAT(refusal_to_describe(text), HasSubstr("nodes 0 and 1 are at the same place"));
}

TEST(Disks, ThatFallFlatStopTheRun) {
  Scenario s = parse(R"(schema = 1
gravity = [0, 0, -9.81]
[time]
end = 5
step = 0.01
[[body]]
name = "b"
mass = 1
inertia = [0.25, 0.25, 0.5]
position = [0, 0, 0.9987502603949663]
orientation = { axis = [1, 0, 0], angle = "pi/2 - 0.05" }
[[joint]]
name = "j"
type = "rolling-disk"
connects = ["ground", "b"]
radius = 1
)");
  const record::Run run = simulate(s, {.folder = {}});
  EXPECT_EQ(run.outcome, record::Outcome::stopped);
  EXPECT_THAT(run.message, HasSubstr("joint j: the disk falls flat"));
  EXPECT_GT(run.final.q[6], 0) << "above the plane";
}

TEST(Checks, RefuseWhatRunsWouldRefuse) {
  EXPECT_THAT(refusal_to_describe(pendulum, {"integrator={method = \"shakelie\"}", "time.grid=random"}),
              HasSubstr("shakelie"));
}

TEST(Joints, ByTheHundredOnOneBodyAreNoProblem) {
  std::string text = pendulum;
  for (int k = 0; k < 100; ++k)
    text += "[[joint]]\ntype = \"revolute\"\nconnects = [\"ground\", \"bar\"]\nat = [0, 0, 0]\naxis = [0, 1, 0]\n";
  Scenario s = parse(text);
  const std::string said = describe(s);
  EXPECT_THAT(said, HasSubstr("redundant, left out: 480 more"));
  for (int k = 0; k < 100; ++k)
    text += "[[joint]]\ntype = \"revolute\"\nconnects = [\"ground\", \"bar\"]\nat = [0, 0, 0]\naxis = [0, 1, 0]\n";
  EXPECT_THAT(refusal_to_describe(text), HasSubstr("body bar has 1005 equations of joints; at most 1000"));
}

TEST(Mistakes, ByTheThousandAreCounted) {
  std::string text = pendulum;
  for (int k = 0; k < 5000; ++k) text += "[[load]]\non = \"nobody" + std::to_string(k) + "\"\nforce = [1, 0, 0]\n";
  const std::string said = complaints(text);
  EXPECT_THAT(said, HasSubstr("... and 4980 more"));
  EXPECT_LT(said.size(), 10000U);
}

}  // namespace
}  // namespace filum::scenario
