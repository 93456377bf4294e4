/// Series by formula and what they come to.
#include "study_runs.hpp"

#include <filum/study/run_data.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace filum::study {
namespace {

TEST(Series, IsAFormulaOfEntriesAndTime) {
  const Runs runs;
  const RunData data = runs.data(flight);
  Study study;
  study.series.push_back(
      {.name = "distance",
       .formula = "sqrt(x^2 + y^2 + z^2) + 0*t",
       .of = {{"x", "box/position[0,0]"}, {"y", "box/position[0,1]"}, {"z", "box/position[-1,-1]"}}});
  const TimeSeries s = evaluate("distance", study, data, nullptr);
  ASSERT_EQ(s.values.size(), 5U);
  for (std::size_t n = 0; n < 5; ++n) EXPECT_NEAR(s.values[n], 3 * s.times[n], 1e-14);
}

TEST(Series, CanBeginAtZero) {
  const Runs runs;
  const RunData data = runs.data(flight, {"body.box.position=[5, 0, 0]"});
  Study study;
  study.series.push_back({.name = "x", .formula = "a", .of = {{"a", "box/position[0,0]"}}, .from_start = true});
  EXPECT_NEAR(evaluate("x", study, data, nullptr).values.back(), 1, 1e-14);
}

TEST(Series, CanBeginLater) {
  const Runs runs;
  const RunData data = runs.data(flight);
  Study study;
  study.series.push_back(
      {.name = "x", .formula = "a", .of = {{"a", "box/position[0,0]"}}, .from_start = true, .from = 0.5});
  const TimeSeries s = evaluate("x", study, data, nullptr);
  EXPECT_EQ(s.times, (std::vector<double>{0.5, 0.75, 1}));
  EXPECT_NEAR(s.values.back(), 0.5, 1e-14);
}

TEST(Series, CanContainTheReferenceAtTheSameTimes) {
  const Runs runs;
  const RunData data = runs.data(flight, {"body.box.position=[5, 0, 0]"}),
                reference = runs.data(flight, {"time.output_every=0.5"});
  Study study;
  study.series.push_back(
      {.name = "d", .formula = "a - b", .of = {{"a", "box/position[0,0]"}, {"b", "reference:box/position[0,0]"}}});
  const TimeSeries s = evaluate("d", study, data, &reference);
  EXPECT_EQ(s.times, (std::vector<double>{0, 0.5, 1}));
  for (const double d : s.values) EXPECT_NEAR(d, 5, 1e-14);
  EXPECT_THROW(evaluate("d", study, data, nullptr), std::invalid_argument);
}

TEST(Series, SaysWhatIsWrongWithAFormula) {
  const Runs runs;
  const RunData data = runs.data(flight);
  Study study;
  study.series.push_back({.name = "bad", .formula = "sqrt(", .of = {}});
  study.series.push_back({.name = "many", .formula = "a", .of = {{"a", "box/position"}}});
  EXPECT_THROW(evaluate("bad", study, data, nullptr), std::invalid_argument);
  try {
    evaluate("many", study, data, nullptr);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("choose one"));
  }
}

TEST(Measure, TakesWhatItSays) {
  const std::vector<double> t{0, 1, 2, 3, 4}, x{1, -5, 2, 4, 3};
  const auto taken = [&](Take how, double from = 0, double to = 4) {
    return take({.name = "m", .series = "s", .take = how, .from = from, .to = to}, t, x);
  };
  EXPECT_EQ(taken(Take::last), 3);
  EXPECT_EQ(taken(Take::first), 1);
  EXPECT_EQ(taken(Take::max), 4);
  EXPECT_EQ(taken(Take::min), -5);
  EXPECT_EQ(taken(Take::max_abs), 5);
  EXPECT_EQ(taken(Take::mean), 1);
  EXPECT_EQ(taken(Take::range), 9);
  EXPECT_DOUBLE_EQ(taken(Take::rms), std::sqrt(11.0));
  EXPECT_DOUBLE_EQ(taken(Take::slope), 1.3);
  EXPECT_EQ(taken(Take::variation), 6 + 7 + 2 + 1);
  EXPECT_EQ(taken(Take::max_abs, 2), 4);
  EXPECT_EQ(taken(Take::last, 0, 2), 2);
  EXPECT_TRUE(std::isnan(taken(Take::last, 5, 6)));
}

}  // namespace
}  // namespace filum::study
