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
