/// Runs that say `end` and nothing else. Theory: docs/theory/choice.md.
#include "scenario/result_files.hpp"
#include "scenario/texts.hpp"

#include <filum/scenario/builtin.hpp>
#include <filum/scenario/simulation.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace filum::scenario {
namespace {

using test::content;
using test::Folder;
using test::parse;
using test::replaced;
using testing::HasSubstr;

const std::string nothing_said =
    replaced(replaced(test::pendulum, "step = 0.01\n", ""), "[integrator]\nmethod = \"rattlie\"\n", "");

TEST(Choice, ARunNeedsAnEndAndNothingElse) {
  const Folder folder;
  const Scenario s = parse(nothing_said, {"time.end=1"});
  EXPECT_TRUE(s.chooses);
  const record::Run run = simulate(s, {.folder = folder});
  ASSERT_EQ(run.outcome, record::Outcome::done);
  EXPECT_EQ(run.final.t, 1);
  EXPECT_EQ(run.summary.method, "rattlie");
  EXPECT_THAT(content(folder / "summary.json"), HasSubstr("\"choice\": {"));
  EXPECT_THAT(content(folder / "scenario.toml"), HasSubstr("method = \"auto\""));
}

TEST(Choice, WhatIsWrittenRunsAgainWithTheSameNumbers) {
  const Folder first, second;
  const record::Run once = simulate(parse(nothing_said), {.folder = first});
  const record::Run again = simulate(parse(content(first / "scenario.toml")), {.folder = second});
  EXPECT_EQ(once.final.q, again.final.q);
}

TEST(Choice, AStepOrAMethodIsTakenAsItIsSaid) {
  EXPECT_FALSE(parse(test::pendulum).chooses);
  EXPECT_FALSE(parse(replaced(test::pendulum, "[integrator]\nmethod = \"rattlie\"\n", "")).chooses);
  EXPECT_TRUE(parse(test::pendulum, {"integrator={method=\"auto\"}"}).chooses);
  EXPECT_THAT(test::complaints(replaced(test::pendulum, "step = 0.01\n", "")),
              HasSubstr("time.step: this key is missing"));
  EXPECT_THAT(test::complaints(test::pendulum, {"time.accuracy=1e-3"}), HasSubstr("time.accuracy: needs"));
}

// The error is that of the position of the bar, whose length is 1, against one step of a thousand.
TEST(Choice, TheErrorIsBelowTheAccuracyAskedFor) {
  const Folder fine;
  const record::Run exact =
      simulate(parse(test::pendulum, {"integrator={method=\"half-explicit-rk\"}", "time.end=1", "time.step=0.0005"}),
               {.folder = fine});
  for (const char* accuracy : {"1e-2", "1e-3", "1e-4", "1e-6"}) {
    const Folder folder;
    const record::Run run =
        simulate(parse(nothing_said, {"time.end=1", std::string("time.accuracy=") + accuracy}), {.folder = folder});
    EXPECT_LT((run.final.q - exact.final.q).norm(), std::stod(accuracy)) << accuracy;
  }
}

// (CH.4) The start looks soft, because accelerations are small and damping does not count: RATTLie begins, its steps
// are soon as long as stability allows, and generalized-alpha goes on.
TEST(Choice, IsRevisedWhenStabilityLimitsTheSteps) {
  const Folder folder;
  const Scenario s = parse_scenario(find_builtin("roll-up")->text, "roll-up",
                                    {"time.end=4", "integrator={method=\"auto\"}", "time.accuracy=1e-2"});
  const record::Run run = simulate(s, {.folder = folder});
  ASSERT_EQ(run.outcome, record::Outcome::done);
  EXPECT_THAT(run.summary.choice->reason, HasSubstr("rattlie: "));
  ASSERT_EQ(run.summary.choice->changes.size(), 1u);
  EXPECT_EQ(run.summary.choice->changes[0].method, "generalized-alpha");
  EXPECT_EQ(run.summary.method, "generalized-alpha");
  EXPECT_LT(run.summary.choice->changes[0].time, 1);
  EXPECT_LT(run.summary.statistics.accepted, 200) << "RATTLie alone would need 400";
}

// (CH.3)
TEST(Choice, StiffModelsAreGivenToTheMethodOfTheAccuracy) {
  const std::string wire = R"(
schema = 1
title = "Wire"
gravity = [0, 0, -9.81]
time.end = 0.01
[[beam]]
name = "wire"
from = [0, 0, 0]
to = [1, 0, 0]
segments = 4
section = { shape = "circle", radius = 0.001, E = 2.1e11, nu = 0.3, rho = 7850 }
damping = { time = 1e-3 }
[[joint]]
type = "fixed"
connects = ["ground", "wire:start"]
)";
  for (const auto& [accuracy, method] :
       {std::pair("1e-3", "generalized-alpha"), {"1e-4", "generalized-alpha"}, {"1e-5", "radau"}, {"1e-7", "radau"}}) {
    const Folder folder;
    const record::Run run = simulate(parse(wire, {std::string("time.accuracy=") + accuracy}), {.folder = folder});
    EXPECT_EQ(run.outcome, record::Outcome::done);
    EXPECT_EQ(run.summary.method, method) << accuracy;
  }
}

}  // namespace
}  // namespace filum::scenario
