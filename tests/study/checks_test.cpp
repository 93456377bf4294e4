/// Checks of studies: of one value, of several, and of orders.
#include "study_runs.hpp"

#include <filum/study/read.hpp>
#include <filum/study/run_study.hpp>

#include <gtest/gtest.h>

namespace filum::study {
namespace {

StudyOptions check_options(const std::filesystem::path& folder) {
  StudyOptions options;
  options.folder = folder;
  return options;
}

TEST(Checks, AnOrderMayLeaveOutNoMorePointsThanItsCheckAllows) {
  // The reference is no finer than the last two steps, which therefore do not lie on the line.
  const TestFolder folder;
  const std::string other = R"(
schema = 1
scenario = "pendulum"
set = { "time.end" = 0.5, "time.output_every" = 0.5, "integrator.method" = "rattlie" }
[[vary]]
key = "time.step"
values = ["2^-5", "2^-6", "2^-7", "2^-8", "2^-9", "2^-10"]
[reference]
set = { "time.step" = "2^-9" }
[convergence]
versus = "time.step"
quantities = ["configuration"]
norm = "final-l2"
[[check]]
claim = "no bound"
value = "order.configuration"
between = [1.8, 2.5]
[[check]]
claim = "three at most"
value = "order.configuration"
between = [1.8, 2.5]
left_out = 3
[[check]]
claim = "none"
value = "order.configuration"
between = [1.8, 2.5]
left_out = 0
)";
  const StudyResult result = run_study(parse_study(other, "test.toml"), other, check_options(folder.path() / "s"));
  const auto& checks = result.results.checks;
  ASSERT_EQ(checks.size(), 3U);
  EXPECT_TRUE(checks[0].holds) << checks[0].found;
  EXPECT_TRUE(checks[1].holds) << checks[1].found;
  EXPECT_FALSE(checks[2].holds) << checks[2].found;
  EXPECT_NE(checks[2].found.find("instead of 0"), std::string::npos) << checks[2].found;
}

TEST(Checks, AnOrderOfPointsOnNoLineFailsACheckThatLimitsThem) {
  // The ends of the runs are 1, 0.2, 0.14 and 0.01: 2.04 by least squares.
  const TestFolder folder;
  const std::string other = R"(
schema = 1
scenario = "pendulum"
set = { "time.output_every" = "step" }
[[vary]]
key = "time.step"
values = [0.02, 0.01, 0.005, 0.0025]
zip = "h"
[[vary]]
key = "time.end"
values = [1, 0.2, 0.14, 0.01]
zip = "h"
[convergence]
versus = "time.step"
[[series]]
name = "time"
formula = "t"
[[measure]]
name = "end"
series = "time"
take = "last"
[[check]]
claim = "no bound"
value = "order.measure.end"
between = [2, 2.1]
[[check]]
claim = "all points on a line"
value = "order.measure.end"
between = [2, 2.1]
left_out = 0
)";
  const StudyResult result = run_study(parse_study(other, "test.toml"), other, check_options(folder.path() / "s"));
  const auto& checks = result.results.checks;
  ASSERT_EQ(checks.size(), 2U);
  EXPECT_TRUE(checks[0].holds) << checks[0].found;
  EXPECT_FALSE(checks[1].holds) << checks[1].found;
  for (const CheckResult& check : checks)
    EXPECT_NE(check.found.find("lie on no line"), std::string::npos) << check.found;
}

TEST(Checks, AreOfAllTheMedianOrAnyOfItsValues) {
  const TestFolder folder;
  const std::string other = R"(
schema = 1
scenario = "pendulum"
set = { "time.end" = 0.5 }
[[vary]]
key = "time.step"
values = [0.05, 0.025, 0.0125]
[[check]]
claim = "all"
value = "steps"
between = [10, 40]
[[check]]
claim = "not all"
value = "steps"
between = [20, 40]
[[check]]
claim = "the median"
value = "steps"
between = [20, 20]
of = "median"
[[check]]
claim = "not the median"
value = "steps"
between = [10, 19]
of = "median"
[[check]]
claim = "any"
value = "steps"
between = [40, 40]
of = "any"
[[check]]
claim = "not any"
value = "steps"
between = [41, 50]
of = "any"
)";
  const StudyResult result = run_study(parse_study(other, "test.toml"), other, check_options(folder.path() / "s"));
  ASSERT_EQ(result.results.checks.size(), 6U);
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_EQ(result.results.checks[i].holds, i % 2 == 0) << result.results.checks[i].check.claim;
}

}  // namespace
}  // namespace filum::study
