/// Runs in threads and processes, interrupted, resumed, refused; the results are always the same.
#include "study_runs.hpp"

#include <filum/study/read.hpp>
#include <filum/study/run_study.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace filum::study {
namespace {

const std::string text = R"(
schema = 1
scenario = "heavy-top-fast"
timing = false
set = { "time.end" = 0.125, "time.output_every" = "2^-6" }
[[vary]]
key = "integrator.method"
values = ["rattlie", "generalized-alpha", "munthe-kaas-rk"]
[[vary]]
key = "time.step"
values = ["2^-9", "2^-10", "2^-11"]
[reference]
set = { "integrator.method" = "half-explicit-rk", "time.step" = "2^-11" }
[convergence]
versus = "time.step"
quantities = ["configuration", "velocity", "multiplier"]
[[measure]]
name = "loss"
series = "energy/total"
take = "range"
[[plot]]
name = "error"
x = "time.step"
y = ["error.configuration"]
[[plot]]
name = "energy"
kind = "series"
y = ["energy/total"]
[[check]]
claim = "RATTLie is of order 2"
value = "order.configuration"
where = { "integrator.method" = "rattlie" }
between = [1.9, 2.1]
[[check]]
claim = "generalized-alpha is less accurate than RATTLie"
value = "error.configuration"
where = { "integrator.method" = "generalized-alpha", "time.step" = "2^-10" }
over = { "integrator.method" = "rattlie" }
between = [1, 1000]
[[check]]
claim = "this is false"
value = "order.configuration"
where = { "integrator.method" = "rattlie" }
between = [3, 4]
)";

std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

StudyOptions options_for(const std::filesystem::path& folder, int jobs = 1) {
  StudyOptions options;
  options.folder = folder;
  options.execute.jobs = jobs;
  return options;
}

/// The same, with a page made of its data alone.
StudyOptions options_with_page(const std::filesystem::path& folder) {
  StudyOptions options = options_for(folder, 2);
  options.page_template = folder.parent_path() / "template.html";
  std::ofstream(options.page_template) << "<html><!-- filum: data --></html>";
  return options;
}

TEST(Study, DoesNotDependOnTheNumberOfThreads) {
  const TestFolder one, two;
  const Study study = parse_study(text, "test.toml");
  run_study(study, text, options_for(one.path() / "s", 1));
  run_study(study, text, options_for(two.path() / "s", 2));
  const std::string csv = contents(one.path() / "s/study.csv");
  EXPECT_EQ(csv, contents(two.path() / "s/study.csv"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 9 + 1) << csv;
}

TEST(Study, ObservesOrdersAndChecksClaims) {
  const TestFolder folder;
  const StudyResult result = run_study(parse_study(text, "test.toml"), text, options_with_page(folder.path() / "s"));
  ASSERT_EQ(result.results.checks.size(), 3U);
  EXPECT_TRUE(result.results.checks[0].holds) << result.results.checks[0].found;
  EXPECT_TRUE(result.results.checks[1].holds) << result.results.checks[1].found;
  EXPECT_FALSE(result.results.checks[2].holds);
  EXPECT_GT(result.results.cases[0].numbers.at("measure.loss"), 0);
  for (const char* name : {"study.csv", "study.html", "study.toml", "plots/error.svg", "plots/energy.svg"})
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "s" / name)) << name;
}

TEST(Study, KeepsTheLeastTimeOfRepeatedRuns) {
  const TestFolder folder;
  const std::string other = "schema = 1\nscenario = \"pendulum\"\nrepeat = 4\nset = { \"time.end\" = 0.5 }\n";
  const StudyResult result = run_study(parse_study(other, "test.toml"), other, options_for(folder.path() / "s"));
  const auto cases = folder.path() / "s/cases";
  const study::Run& run = result.results.list.runs.front();
  EXPECT_FALSE(std::filesystem::exists(cases / run.hash / "repeat"));
  EXPECT_EQ(inspect(run, cases).runs, 4);
  const double least = result.results.cases.front().numbers.at("cpu");
  EXPECT_GT(least, 0);
  ASSERT_TRUE(std::filesystem::remove(cases / run.hash / "timing.json"));
  EXPECT_GE(inspect(run, cases).numbers.at("cpu"), least) << "of the first run alone";
  EXPECT_EQ(inspect(run, cases).runs, 1);
  StudyOptions again = options_for(folder.path() / "s");
  again.resume = true;
  run_study(parse_study(other, "test.toml"), other, again);
  EXPECT_EQ(inspect(run, cases).runs, 4) << "runs that another study has left are measured as well";
}

TEST(Study, ThatIsInterruptedGoesOnToTheSameNumbers) {
  const TestFolder whole, parts;
  const Study study = parse_study(text, "test.toml");
  run_study(study, text, options_for(whole.path() / "s"));
  std::atomic<bool> interrupt{false};
  StudyOptions options = options_for(parts.path() / "s");
  options.execute.interrupt = &interrupt;
  options.execute.progress = [&](int finished, int) { interrupt = finished >= 3; };
  EXPECT_EQ(run_study(study, text, options).outcome, StudyOutcome::interrupted);
  int runs = -1;  // the first call tells what was there before
  interrupt = false;
  options.resume = true;
  options.execute.progress = [&](int, int) { ++runs; };
  EXPECT_EQ(run_study(study, text, options).outcome, StudyOutcome::done);
  EXPECT_EQ(runs, 10 - 3) << "finished runs are not run again";
  EXPECT_EQ(contents(whole.path() / "s/study.csv"), contents(parts.path() / "s/study.csv"));
}

TEST(Study, DoesNotOverwriteAnother) {
  const TestFolder folder;
  const Study study = parse_study(text, "test.toml");
  run_study(study, text, options_for(folder.path() / "s", 2));
  EXPECT_THROW(run_study(study, text, options_for(folder.path() / "s", 2)), config::InputError);
  StudyOptions again = options_for(folder.path() / "s", 2);
  again.force = true;
  EXPECT_NO_THROW(run_study(study, text, again));
}

TEST(Run, ThatStoppedIsARowWithItsReasonAndIsNotRepeated) {
  const TestFolder folder;
  const std::string other = R"(
schema = 1
scenario = "heavy-top-fast"
[[vary]]
key = "newton.max_iterations"
values = [1, 20]
[[vary]]
name = "step"
options = [{ label = "coarse", set = { "time.step" = 0.05, "time.end" = 0.1, "newton.atol" = 1e-14, "newton.rtol" = 1e-14 } }]
)";
  const StudyResult result = run_study(parse_study(other, "test.toml"), other, options_for(folder.path() / "s"));
  EXPECT_EQ(result.results.cases[0].state, RunState::stopped);
  EXPECT_THAT(result.results.cases[0].reason, ::testing::HasSubstr("Newton"));
  EXPECT_TRUE(unfinished(result.results.list, folder.path() / "s/cases").empty());
}

TEST(Run, ThatStoppedHasNoMeasuresAndAStudyOfSuchRunsSaysSo) {
  const TestFolder folder;
  const std::string other = R"(
schema = 1
scenario = "heavy-top-fast"
set = { "time.step" = 0.05, "time.end" = 0.1, "newton.atol" = 1e-14, "newton.rtol" = 1e-14 }
[[vary]]
key = "newton.max_iterations"
values = [1, 2]
[[measure]]
name = "energy"
series = "energy/total"
)";
  const StudyResult result = run_study(parse_study(other, "test.toml"), other, options_with_page(folder.path() / "s"));
  for (const CaseResult& c : result.results.cases) {
    EXPECT_EQ(c.state, RunState::stopped);
    EXPECT_FALSE(c.numbers.contains("measure.energy"));
  }
  EXPECT_THAT(contents(folder.path() / "s/study.html"),
              ::testing::HasSubstr("None of the 2 cases ran to the end. Try: "));
}

TEST(Study, RefusesSeriesThatNoRunWillRecordBeforeAnythingRuns) {
  const auto refusal = [](const std::string& series, const std::string& more = "") {
    const TestFolder folder;
    const std::string other = R"(
schema = 1
scenario = "flying-spaghetti"
set = { "time.end" = "2^-9" }
[[vary]]
key = "integrator.method"
values = ["rattlie", "generalized-alpha"]
[[measure]]
name = "m"
series = ")" + series + "\"\n" +
                              more;
    try {
      run_study(parse_study(other, "test.toml"), other, options_for(folder.path() / "s"));
    } catch (const config::InputError& error) {
      EXPECT_FALSE(std::filesystem::exists(folder.path() / "s"));
      return error.problems().front().text();
    }
    return std::string();
  };
  using ::testing::HasSubstr;
  EXPECT_EQ(refusal("energy/total"), "");
  EXPECT_EQ(refusal("spaghetti/position[-1,2]"), "");
  EXPECT_EQ(refusal("sensors/tip[0]"), "");
  EXPECT_EQ(refusal("spaghetti/eta[0,0]"), "");  // recorded by the second method only
  EXPECT_THAT(refusal("energy/totl"), HasSubstr("test.toml:10:1: measure.m.series: result.h5 will have no series "
                                                "'energy/totl'; did you mean 'energy/total'?"));
  EXPECT_THAT(refusal("spaghetti/position[17,0]"), HasSubstr("the index '17' is not within 0 to 16"));
  EXPECT_THAT(refusal("sensors/tip"), HasSubstr("3 numbers per frame: choose one"));
  EXPECT_THAT(
      refusal("energy/total", "[[series]]\nname = \"s\"\nformula = \"x\"\nof = { x = \"rod/position[0,0]\" }\n"),
      HasSubstr("no series 'rod/position'"));
  EXPECT_THAT(refusal("energy/total", "[[plot]]\nname = \"p\"\nkind = \"series\"\ny = [\"energy/kinetc\"]\n"),
              HasSubstr("plot.p.y: "));
}

TEST(Study, DrawsNegativeNumbersOnLinearAxesUnlessLogarithmsAreAskedFor) {
  const TestFolder folder;
  const std::string other = R"(
schema = 1
scenario = "pendulum"
set = { "time.end" = 0.3 }
[[vary]]
key = "time.step"
values = [0.01, 0.005]
[[measure]]
name = "low"
series = "energy/potential"
take = "min"
[[plot]]
name = "low"
x = "time.step"
y = ["measure.low"]
[[plot]]
name = "steps"
x = "time.step"
y = ["steps"]
)";
  const StudyResult result = run_study(parse_study(other, "test.toml"), other, options_for(folder.path() / "s"));
  const Chart &low = result.results.charts.at(0).chart, &steps = result.results.charts.at(1).chart;
  EXPECT_FALSE(low.y.logarithmic);
  EXPECT_TRUE(low.x.logarithmic && steps.y.logarithmic);
  for (const ChartPoint& p : low.curves.at(0).points) EXPECT_LT(p.y, 0);
}

TEST(Run, ThatAMethodCannotTreatIsRefused) {
  const TestFolder folder;
  const std::string other = R"(
schema = 1
scenario = "rolling-disk"
set = { "time.end" = 0.01 }
[[vary]]
key = "integrator.method"
values = ["rattlie", "shakelie"]
)";
  const StudyResult result = run_study(parse_study(other, "test.toml"), other, options_for(folder.path() / "s"));
  EXPECT_EQ(result.results.cases[0].state, RunState::done);
  EXPECT_EQ(result.results.cases[1].state, RunState::refused);
  EXPECT_THAT(result.results.cases[1].reason, ::testing::HasSubstr("nonholonomic"));
}

/// Enough runs to wait for the disk once.
const std::string many_runs = R"(
schema = 1
scenario = "heavy-top-fast"
timing = false
set = { "time.end" = 0.01, "time.output_every" = 0.01 }
[[vary]]
key = "body.top.mass"
values = [MASSES]
)";

TEST(Study, OfManyRunsWaitsForTheDiskOnceAndSaysSoUntilThen) {
  const TestFolder folder;
  std::string other = many_runs, masses;
  for (int k = 0; k < 60; ++k) masses += std::to_string(10 + k) + ", ";
  other.replace(other.find("MASSES"), 6, masses);
  const auto cases = folder.path() / "s/cases";
  const auto marks = [&] {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(cases))
      count += entry.path().filename().string().starts_with(".unsynced-");
    return count;
  };
  StudyOptions options = options_for(folder.path() / "s", 2);
  int most = 0;
  options.execute.progress = [&](int, int) { most = std::max(most, marks()); };
  const Study study = parse_study(other, "test.toml");
  const StudyResult result = run_study(study, other, options);
  EXPECT_EQ(most, 1);
  EXPECT_EQ(marks(), 0);
  for (const CaseResult& c : result.results.cases) EXPECT_EQ(c.state, RunState::done) << c.reason;

  // The machine stops before the results are on its disk, and starts again.
  const std::string csv = contents(folder.path() / "s/study.csv");
  const auto lost = cases / result.results.list.runs.front().hash;
  std::filesystem::resize_file(lost / "result.h5", std::filesystem::file_size(lost / "result.h5") / 2);
  std::ofstream(cases / ".unsynced-1") << "another start of the machine\n";
  options.resume = true;
  run_study(study, other, options);
  EXPECT_EQ(marks(), 0);
  EXPECT_EQ(contents(folder.path() / "s/study.csv"), csv);
  const record::Hdf5File file(lost / "result.h5", record::Hdf5File::Mode::read);
  for (const std::string& name : file.datasets())
    if (file.is_series(name)) {
      EXPECT_NO_THROW(file.verify(name)) << name;
    }
}

TEST(Run, OfAnotherVersionIsRunAgain) {
  const TestFolder folder;
  const Study study = parse_study(text, "test.toml");
  const StudyResult result = run_study(study, text, options_for(folder.path() / "s", 2));
  const auto cases = folder.path() / "s/cases";
  const study::Run& run = result.results.list.runs.front();
  std::string summary = contents(cases / run.hash / "summary.json");
  summary.replace(summary.find("\"filum\": \"") + 10, 1, "9");
  std::ofstream(cases / run.hash / "summary.json") << summary;
  EXPECT_EQ(inspect(run, cases).state, RunState::missing);
}

}  // namespace
}  // namespace filum::study
