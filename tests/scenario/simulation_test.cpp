/// Runs with their files: frames, summaries, resuming bit for bit. User document: docs/guide/results.md.
#include "scenario/result_files.hpp"
#include "scenario/texts.hpp"

#include <filum/record/hdf5_file.hpp>
#include <filum/scenario/builtin.hpp>
#include <filum/scenario/simulation.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace filum::scenario {
namespace {

namespace fs = std::filesystem;
using record::Hdf5File;
using test::content;
using test::Folder;
using test::has_series;
using test::parse;
using test::pendulum;
using test::series;
using testing::HasSubstr;

TEST(Simulation, LeavesAllFilesAndTheRightNumbers) {
  const Folder folder;
  const record::Run result = simulate(parse(pendulum), {.folder = folder});
  EXPECT_EQ(result.outcome, record::Outcome::done);
  for (const char* name : {"summary.json", "result.h5", "sensors.csv", "scenario.toml", "checkpoint.h5"})
    EXPECT_TRUE(fs::exists(folder / name)) << name;
  const std::vector<double> time = series(folder, "time"), angle = series(folder, "sensors/angle");
  ASSERT_EQ(time.size(), 17u);
  EXPECT_EQ(time.back(), 0.16);
  EXPECT_EQ(Hdf5File(folder / "result.h5", Hdf5File::Mode::read).shape("bar/position"),
            (std::vector<std::uint64_t>{17, 1, 3}));
  // φ̈ = m g l cos φ / J from rest: φ = ½ (m g l / J) t² at first, J about the hinge.
  EXPECT_NEAR(angle.back(), 0.5 * 9.81 * 0.5 / (0.0834 + 0.25) * 0.16 * 0.16, 1e-3);
  EXPECT_THAT(content(folder / "summary.json"), HasSubstr("\"status\": \"done\""));
  std::istringstream table(content(folder / "sensors.csv"));
  std::string line;
  std::getline(table, line);
  EXPECT_EQ(line, "time,angle");
  int rows = 0;
  while (std::getline(table, line)) ++rows;
  EXPECT_EQ(rows, 17);
}

TEST(Simulation, TheResolvedScenarioGivesTheSameNumbers) {
  const Folder first, second;
  simulate(parse_scenario(find_builtin("flying-spaghetti")->text, "a", {"time.end=0.1", "time.step=1/300"}),
           {.folder = first});
  simulate(read_scenario((first / "scenario.toml").string()), {.folder = second});
  EXPECT_EQ(content(first / "scenario.toml"), content(second / "scenario.toml"));
  for (const char* name : {"time", "spaghetti/position", "spaghetti/stress", "energy/total"})
    EXPECT_EQ(series(first, name), series(second, name)) << name;
}

TEST(Simulation, FramesBetweenStepsAreInterpolatedWithTheOrderOfTheMethodOrBetter) {
  const Folder coarse, fine;
  const auto run = [&](const Folder& f, const char* step) {
    simulate(parse(pendulum, {std::string("time.step=") + step, "time.output_every=0.03",
                              "integrator={method=\"half-explicit-rk\"}"}),
             {.folder = f});
  };
  run(coarse, "0.02");
  run(fine, "0.0001");
  const std::vector<double> t = series(coarse, "time");
  EXPECT_EQ(t, (std::vector<double>{0, 0.03, 0.06, 0.09, 0.12, 0.15, 0.16}));
  const auto difference = [&](const char* name) {
    const std::vector<double> a = series(coarse, name), b = series(fine, name);
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
  };
  EXPECT_LT(difference("bar/position"), 1e-7);
  EXPECT_LT(difference("bar/velocity"), 1e-5);
  EXPECT_LT(difference("joints/hinge/multiplier"), 1e-4);
}

TEST(Simulation, AnAdaptiveMethodHitsTheFramesExactly) {
  const Folder folder;
  simulate(parse(pendulum, {"integrator={method=\"half-explicit-rk\", adaptive=true}", "time.output_every=0.05"}),
           {.folder = folder});
  const std::vector<double> t = series(folder, "time");
  ASSERT_EQ(t.size(), 5u);
  for (int k = 0; k < 4; ++k) EXPECT_DOUBLE_EQ(t[static_cast<std::size_t>(k)], 0.05 * k);
  EXPECT_EQ(t.back(), 0.16);
}

// Frames between steps: the cubic is more accurate than the steps, and constraints hold in frames as they do in steps.
TEST(Simulation, FramesDoNotLimitTheStepsOfMethodsOfSecondOrder) {
  const Folder fine;
  const std::vector<std::string> frames{"time.end=0.4", "time.output_every=0.004"};
  const auto simulated = [&](const Folder& folder, const std::string& integrator, const std::string& step) {
    std::vector<std::string> overrides = frames;
    overrides.insert(overrides.end(), {"integrator={" + integrator + "}", "time.step=" + step});
    return simulate(parse(pendulum, overrides), {.folder = folder});
  };
  simulated(fine, "method=\"half-explicit-rk\"", "0.001");
  const std::vector<double> exact = series(fine, "bar/position"), force = series(fine, "joints/hinge/multiplier");
  for (const char* method : {"rattlie", "generalized-alpha", "bliedf"}) {
    const Folder folder;
    const record::Run run =
        simulated(folder, std::string("method=\"") + method + "\", adaptive=true, atol=1e-4, rtol=1e-4", "0.001");
    EXPECT_LT(run.summary.statistics.accepted, 60) << method;
    const std::vector<double> t = series(folder, "time"), x = series(folder, "bar/position"),
                              lambda = series(folder, "joints/hinge/multiplier");
    ASSERT_EQ(t.size(), 101u) << method;
    for (std::size_t k = 0; k < t.size(); ++k) EXPECT_NEAR(t[k], 0.004 * static_cast<double>(k), 1e-15);
    for (std::size_t k = 0; k < x.size(); ++k) EXPECT_NEAR(x[k], exact[k], 3e-4) << method;
    for (std::size_t k = 0; k < lambda.size(); ++k) EXPECT_NEAR(lambda[k], force[k], 0.1) << method;
    for (const double phi : series(folder, "constraint/position")) EXPECT_LT(phi, 1e-13) << method;
    for (const double rate : series(folder, "constraint/velocity")) EXPECT_LT(rate, 1e-12) << method;
  }
}

// A fall into a centre of force ends after a finite time, where the velocity has no bounds; so does a load with a pole.
TEST(Simulation, StepsThatShrinkToNothingSayWhatHappensThere) {
  for (const char* force : {"-1/x^2", "1/(1-t)^2"}) {
    const Folder folder;
    const record::Run run = simulate(
        parse(std::string("schema = 1\n[time]\nend = 2\n[[body]]\nname = \"ball\"\nmass = 1\ninertia = [1, 1, 1]\n"
                          "position = [1, 0, 0]\n[[load]]\non = \"ball\"\nforce = [\"") +
              force + "\", 0, 0]\n"),
        {.folder = folder});
    ASSERT_EQ(run.outcome, record::Outcome::stopped) << force;
    EXPECT_THAT(run.message, HasSubstr("\n  try: an earlier end of the run")) << force;
    EXPECT_THAT(run.message, HasSubstr("there body ball: velocity 1 is")) << force;
    EXPECT_THAT(run.message, HasSubstr(" per time")) << force;
  }
}

TEST(Simulation, RecordsEveryStepWhenAsked) {
  const Folder folder;
  simulate(parse(pendulum, {"time.output_every=step", "time.grid=random"}), {.folder = folder});
  const std::vector<double> t = series(folder, "time"), h = series(folder, "step/size");
  for (std::size_t i = 1; i < t.size(); ++i) EXPECT_DOUBLE_EQ(h[i], t[i] - t[i - 1]);
  EXPECT_GT(t.size(), 17u);
}

// 3 · 0.3 is one rounding error less than 0.9.
TEST(Simulation, TheLastFrameIsWrittenOnceWhereFramesFallOnTheEndUpToRounding) {
  for (const char* method : {"{method=\"rattlie\"}", "{method=\"half-explicit-rk\", adaptive=true}"}) {
    const Folder folder;
    simulate(parse(pendulum, {"time.end=0.9", "time.output_every=0.3", std::string("integrator=") + method}),
             {.folder = folder});
    const std::vector<double> t = series(folder, "time");
    ASSERT_EQ(t.size(), 4u) << method;
    EXPECT_EQ(t.back(), 0.9);
  }
}

TEST(Simulation, OnARandomGridAllFramesHaveTheMultipliersThatWereAskedFor) {
  const auto lambda = [](const char* kind) {
    const Folder folder;
    simulate(
        parse(pendulum, {"time.grid=random", "time.output_every=0.013", std::string("integrator.multipliers=") + kind}),
        {.folder = folder});
    return series(folder, "joints/hinge/multiplier");
  };
  const std::vector<double> exact = lambda("index-1");
  const std::size_t rows = 5, frames = exact.size() / rows;
  ASSERT_EQ(frames, 14u);
  for (const char* kind : {"interpolated", "plus", "minus"}) {
    const std::vector<double> found = lambda(kind);
    for (std::size_t f = 0; f < frames; ++f) {
      double difference = 0;
      for (std::size_t k = rows * f; k < rows * (f + 1); ++k)
        difference = std::max(difference, std::abs(found[k] - exact[k]));
      EXPECT_EQ(difference > 1e-9, f > 0) << kind << " frame " << f;  // the first frame is the consistent start
    }
  }
}

TEST(Simulation, NeverReplacesResultsUnlessForced) {
  const Folder folder;
  simulate(parse(pendulum), {.folder = folder});
  const std::string before = content(folder / "summary.json");
  EXPECT_THROW(simulate(parse(pendulum, {"time.end=0.05"}), {.folder = folder}), config::InputError);
  EXPECT_EQ(content(folder / "summary.json"), before);
  std::ofstream(folder / "notes.txt") << "mine";
  simulate(parse(pendulum, {"time.end=0.05"}), {.folder = folder, .force = true});
  EXPECT_EQ(series(folder, "time").back(), 0.05);
  EXPECT_EQ(content(folder / "notes.txt"), "mine");
}

TEST(Simulation, RefusesAMethodThatCannotTreatTheScenarioBeforeItTouchesTheDisk) {
  const Folder folder;
  try {
    simulate(parse_scenario(find_builtin("rolling-disk")->text, "disk.toml", {"integrator.method=bliedf"}),
             {.folder = folder});
    FAIL();
  } catch (const config::InputError& error) {
    EXPECT_THAT(error.what(), testing::ContainsRegex("integrator.method: .*nonholonomic"));
  }
  EXPECT_FALSE(fs::exists(folder));
}

TEST(Simulation, BlamesTheOverrideThatAMethodRefuses) {
  const Folder folder;
  try {
    simulate(parse(pendulum, {"integrator={method = \"generalized-alpha\"}", "integrator.rho_infinity=1"}),
             {.folder = folder});
    FAIL();
  } catch (const config::InputError& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("--set integrator.rho_infinity=1: integrator.rho_infinity: "));
  }
}

TEST(Simulation, AFailureNamesTimeObjectAndAdviceAndKeepsWhatWasComputed) {
  const Folder folder;
  const std::string text = pendulum + "[[load]]\nname = \"bad\"\non = \"bar\"\nforce = [\"sqrt(0.05 - t)\", 0, 0]\n";
  const record::Run result = simulate(parse(text), {.folder = folder});
  EXPECT_EQ(result.outcome, record::Outcome::stopped);
  EXPECT_THAT(result.message, HasSubstr("stopped at t = 0.05"));
  EXPECT_THAT(result.message, HasSubstr("\n  try: correct load bad: the formula 'sqrt(0.05 - t)' is not a number"));
  EXPECT_NEAR(series(folder, "time").back(), 0.05, 1e-3);
  EXPECT_THAT(content(folder / "summary.json"), HasSubstr("\"status\": \"stopped\""));
}

TEST(Simulation, AnExplicitMethodBeyondItsLimitIsRefused) {
  const Folder folder;
  try {
    simulate(
        parse_scenario(find_builtin("roll-up")->text, "a", {"integrator={method=\"munthe-kaas-rk\"}", "time.step=0.1"}),
        {.folder = folder});
    FAIL() << "it blows up";
  } catch (const config::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("munthe-kaas-rk would blow up with the step 0.1"));
  }
  EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST(Simulation, NewtonsTroubleIsShownWithTheWorstUnknown) {
  const Folder folder;
  const record::Run result =
      simulate(parse_scenario(find_builtin("flying-spaghetti")->text, "a",
                              {"integrator={method=\"bliedf\", matrix=\"simplified\"}", "newton.max_iterations=1",
                               "newton.atol=1e-14", "newton.rtol=0", "time.step=0.25", "time.output_every=1"}),
               {.folder = folder});
  ASSERT_EQ(result.outcome, record::Outcome::stopped);
  EXPECT_THAT(result.message, HasSubstr("Newton increments"));
  EXPECT_THAT(result.message, HasSubstr("worst: "));
  EXPECT_THAT(result.message, HasSubstr("spaghetti"));
  EXPECT_THAT(result.message, HasSubstr("integrator.matrix = \"exact\""));
}

// Resuming
// -------------------------------------------------------------------------------------------------------------

struct ResumeCase {
  const char* name;
  std::string scenario;
  std::vector<std::string> overrides;
};
void PrintTo(const ResumeCase& c, std::ostream* out) { *out << c.name; }

class Resume : public testing::TestWithParam<ResumeCase> {};

/// Interrupts after some calls of progress... which depend on the clock; so the flag is set from the start and again:
/// the run ends after its first step, then is resumed for one more step at a time, then to the end.
TEST_P(Resume, GivesEveryBitOfTheUninterruptedRun) {
  const ResumeCase& c = GetParam();
  std::vector<std::string> overrides = c.overrides;
  overrides.push_back("output.checkpoint_every=0");
  const Scenario s = parse_scenario(find_builtin(c.scenario)->text, c.scenario, overrides);
  const Folder whole, pieces;
  ASSERT_EQ(simulate(s, {.folder = whole}).outcome, record::Outcome::done);
  std::atomic<bool> interrupt{true};
  ASSERT_EQ(simulate(s, {.folder = pieces, .interrupt = &interrupt}).outcome, record::Outcome::interrupted);
  for (int k = 0; k < 5; ++k)
    ASSERT_EQ(resume({.folder = pieces, .interrupt = &interrupt}).outcome, record::Outcome::interrupted);
  interrupt = false;
  const record::Run last = resume({.folder = pieces});
  ASSERT_EQ(last.outcome, record::Outcome::done);
  const std::string object = s.model.object(0).name();
  for (const std::string name : {"time", "energy/total", "step/size", "step/newton", "step/rejected", "step/error"})
    EXPECT_EQ(series(whole, name), series(pieces, name)) << name;
  for (const std::string name : {"/position", "/orientation", "/velocity"})
    EXPECT_EQ(series(whole, object + name), series(pieces, object + name)) << name;
  for (const std::string& owner : {object, std::string("joints/pivot")})
    for (const char* name : {"/multiplier", "/eta"})
      if (has_series(whole, owner + name)) {
        EXPECT_EQ(series(whole, owner + name), series(pieces, owner + name)) << owner << name;
      }
  EXPECT_EQ(content(whole / "sensors.csv"), content(pieces / "sensors.csv"));
  const auto without_seconds = [](std::string text) {
    const auto from = text.find("\"seconds\""), to = text.find('\n', from);
    return text.erase(from, to - from);
  };
  EXPECT_EQ(without_seconds(content(whole / "summary.json")), without_seconds(content(pieces / "summary.json")));
}

INSTANTIATE_TEST_SUITE_P(
    Methods, Resume,
    testing::Values(
        ResumeCase{"rattlie", "heavy-top-fast", {"time.end=0.02"}},
        ResumeCase{"rattlie_interpolated", "heavy-top-fast", {"time.end=0.02", "integrator.multipliers=interpolated"}},
        ResumeCase{"rattlie_plus", "heavy-top-fast", {"time.end=0.02", "integrator.multipliers=plus"}},
        ResumeCase{"rattlie_minus", "heavy-top-fast", {"time.end=0.02", "integrator.multipliers=minus"}},
        ResumeCase{"rattlie_random", "heavy-top-fast", {"time.end=0.02", "time.grid=random"}},
        ResumeCase{
            "rattlie_random_frames",
            "heavy-top-fast",
            {"time.end=0.02", "time.grid=random", "time.output_every=0.0023", "integrator.multipliers=interpolated"}},
        ResumeCase{"rattlie_adaptive", "heavy-top-fast", {"time.end=0.02", "integrator.adaptive=true"}},
        ResumeCase{"rattlie_disk", "rolling-disk", {"time.end=0.02"}},
        ResumeCase{"rattlie_beam", "flying-spaghetti", {"time.end=0.03", "beam.spaghetti.segments=4"}},
        ResumeCase{"rattlie_shell", "flying-sheet", {"time.end=0.03", "shell.sheet.segments=[3,2]"}},
        ResumeCase{"bliedf_shell_and_beam", "stiffened-sheet", {"time.end=0.04", "integrator={method='bliedf'}"}},
        ResumeCase{"shakelie", "heavy-top-fast", {"time.end=0.02", "integrator.method=shakelie"}},
        ResumeCase{"generalized_alpha",
                   "flying-spaghetti",
                   {"time.end=0.03", "integrator.method=generalized-alpha", "beam.spaghetti.segments=4"}},
        ResumeCase{
            "bliedf",
            "flying-spaghetti",
            {"time.end=0.03", "integrator.method=bliedf", "beam.spaghetti.segments=4", "time.output_every=0.0023"}},
        ResumeCase{"half_explicit_rk", "spring-top", {"time.end=0.02", "integrator.method=half-explicit-rk"}},
        ResumeCase{"half_explicit_rk_adaptive",
                   "spring-top",
                   {"time.end=0.2", "integrator={method=\"half-explicit-rk\", adaptive=true}"}},
        ResumeCase{"half_explicit_rk_adaptive_frames",
                   "spring-top",
                   {"time.end=0.2", "integrator={method=\"half-explicit-rk\", adaptive=true}", "time.step=0.03",
                    "time.output_every=0.1"}},
        ResumeCase{"generalized_alpha_top",
                   "heavy-top-fast",
                   {"time.end=0.02", "integrator={method=\"generalized-alpha\"}", "body.top.group=SO3xR3",
                    "time.output_every=0.005"}},
        ResumeCase{"generalized_alpha_adaptive_wire", "steel-wire", {"time.end=0.01"}},
        ResumeCase{"bliedf_adaptive_rope",
                   "rope",
                   {"time.end=0.02", "integrator={method=\"bliedf\", adaptive=true}", "time.step=1e-3",
                    "time.output_every=2.3e-3"}},
        ResumeCase{"auto_that_changes_its_mind", "roll-up", {"time.end=0.8", "integrator={method=\"auto\"}"}},
        ResumeCase{"munthe_kaas_rk", "spring-top", {"time.end=0.02", "integrator.method=munthe-kaas-rk"}}),
    [](const auto& method) { return std::string(method.param.name); });

TEST(Resume, RefusesAChangedScenarioAndAnotherVersion) {
  const Folder folder;
  std::atomic<bool> interrupt{true};
  simulate(parse(pendulum), {.folder = folder, .interrupt = &interrupt});
  const std::string original = content(folder / "scenario.toml");
  std::ofstream(folder / "scenario.toml") << original << "\n# a remark\n";
  try {
    resume({.folder = folder});
    FAIL();
  } catch (const config::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("scenario.toml has been changed"));
  }
  std::ofstream(folder / "scenario.toml", std::ios::trunc) << original;
  EXPECT_EQ(resume({.folder = folder}).outcome, record::Outcome::done);
  EXPECT_THAT(resume({.folder = folder}).message, HasSubstr("already complete"));
}

TEST(Builtin, EveryScenarioStartsAndTakesSomeSteps) {
  for (const BuiltinScenario& b : builtin_scenarios()) {
    const Scenario full = parse_scenario(b.text, std::string(b.name));
    EXPECT_FALSE(full.model.options().title.empty()) << b.name;
    const Folder folder;
    const double end = full.chooses ? full.time.start + 0.02 * (full.time.end - full.time.start)
                                    : full.time.start + 10 * full.time.step;
    Scenario s =
        parse_scenario(b.text, std::string(b.name), {"time.end=" + std::to_string(end), "time.output_every=step"});
    const record::Run result = simulate(s, {.folder = folder});
    EXPECT_EQ(result.outcome, record::Outcome::done) << b.name << ": " << result.message;
    EXPECT_GE(result.summary.statistics.accepted, full.chooses ? 3 : 10) << b.name;
  }
}

}  // namespace
}  // namespace filum::scenario
