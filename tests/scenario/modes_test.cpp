/// Modes of scenarios. User document: docs/guide/modes.md.
#include <filum/analysis/modes.hpp>
#include <filum/scenario/builtin.hpp>
#include <filum/scenario/modes.hpp>
#include <filum/scenario/read.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace filum::scenario {
namespace {

// Whatever the start is, an answer comes: eigenvalues that are numbers, or a reason.
TEST(Modes, EveryBuiltinScenarioAnswers) {
  for (const BuiltinScenario& b : builtin_scenarios()) {
    SCOPED_TRACE(b.name);
    try {
      const record::ModesRun run = find_modes(parse_scenario(b.text, std::string(b.name)), {}, {.folder = {}});
      EXPECT_FALSE(run.modes.modes.empty());
      double before = 0;
      for (const analysis::Mode& m : run.modes.modes) {
        EXPECT_TRUE(std::isfinite(m.omega()));
        EXPECT_TRUE(m.shape.allFinite());
        EXPECT_GE(m.omega(), before * (1 - 1e-9));
        before = m.omega();
      }
    } catch (const analysis::NoModes& reason) {
      EXPECT_FALSE(std::string(reason.what()).empty());
    }
  }
}

TEST(Modes, ASwingingTopIsNoSteadyMotionHoweverFastItSpins) {
  for (const char* name : {"heavy-top-slow", "heavy-top-fast"}) {
    const record::ModesRun run = find_modes(parse_scenario(find_builtin(name)->text, "top"), {}, {.folder = {}});
    EXPECT_NE(run.modes.remark.find("not steady"), std::string::npos) << name << ": " << run.modes.remark;
  }
}

}  // namespace
}  // namespace filum::scenario
