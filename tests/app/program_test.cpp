/// The program as a user runs it: exit codes, messages, kills, full disks. User documents: docs/guide.
#include "program.hpp"

#include <filum/record/checkpoint.hpp>

#include <sys/mount.h>

#include <chrono>
#include <random>
#include <thread>

namespace filum {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST_F(Program, RunsABuiltInScenarioAndSaysWhereTheResultsAre) {
  const Result r = run({"run", "pendulum", "--set", "time.end=0.5"});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("results are in results/pendulum"));
  EXPECT_TRUE(fs::exists(folder_ / "results/pendulum/summary.json"));
  EXPECT_THAT(run({"run", "pendulum", "--set", "time.end=0.5"}).out, HasSubstr("results/pendulum-2"));
}

TEST_F(Program, FindsModesAndDrawsResponses) {
  const Result r = run({"modes", "roll-up", "-n", "4", "-o", "m", "--matrices"});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("not an equilibrium"));
  for (const char* file : {"summary.json", "modes.csv", "result.h5", "linear.h5", "linear/K.mtx"})
    EXPECT_TRUE(fs::exists(folder_ / "m" / file)) << file;
  const Result later = run({"modes", "pendulum", "--at", "0.25", "-o", "later", "--no-report"});
  EXPECT_EQ(later.code, 0) << later.err;
  EXPECT_EQ(run({"modes", "roll-up", "--at", "static", "-o", "rest", "--no-report"}).code, 0);
  const Result adrift = run({"modes", "flying-spaghetti", "--at", "static", "-o", "adrift", "--no-report"});
  EXPECT_EQ(adrift.code, 3);
  EXPECT_THAT(adrift.err, HasSubstr("can move freely"));
  EXPECT_EQ(run({"modes", "pendulum", "--at", "noon"}).code, 2);
  EXPECT_EQ(run({"modes", "pendulum", "--response", "wind:sail", "-o", "x"}).code, 2);
}

/// Every library takes a tenth of a millisecond or more of every start: MPI and what HDF5 needs for S3 alone take four.
TEST_F(Program, StartsWithoutLibrariesThatItDoesNotNeed) {
  const std::string list = (folder_ / "libraries").string();
  ASSERT_EQ(std::system(("LD_TRACE_LOADED_OBJECTS=1 " + program_ + " --version > " + list).c_str()), 0);
  const std::string libraries = content(list);
  EXPECT_THAT(libraries, HasSubstr("libc.so"));
  for (const char* unneeded : {"libmpi", "libhdf5", "libcurl", "libssl"})
    EXPECT_THAT(libraries, Not(HasSubstr(unneeded)));
  EXPECT_LE(std::count(libraries.begin(), libraries.end(), '\n'), 16) << libraries;
}

TEST_F(Program, SharesARunAmongThreadsWithTheSameNumbers) {
  const auto last = [&](const std::string& threads) {
    EXPECT_EQ(run({"run", "pendulum", "--quiet", "--no-report", "-o", threads, "--threads", threads}).code, 0);
    const std::string summary = content(folder_ / threads / "summary.json");
    EXPECT_THAT(summary, HasSubstr("\"threads\": " + threads));
    return summary.substr(summary.find("\"final\""));
  };
  EXPECT_EQ(last("3"), last("1"));
  const Result none = run({"run", "pendulum", "--threads", "0"});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("expected a whole number from 1 to 1024, found '0'"));
  EXPECT_EQ(run({"resume", "3", "--threads", "2", "--quiet", "--no-report"}).code, 0);
}

TEST_F(Program, PrintsNothingWhenQuiet) {
  const Result r = run({"run", "pendulum", "--quiet", "-o", "r"});
  EXPECT_EQ(r.code, 0);
  EXPECT_THAT(r.out + r.err, IsEmpty());
}

TEST_F(Program, ShowsVersionHelpListAndScenarios) {
  EXPECT_THAT(run({"--version"}).out, HasSubstr("filum 0."));
  EXPECT_THAT(run({"--help"}).out, HasSubstr("resume"));
  EXPECT_THAT(run({"run", "--help"}).out, HasSubstr("--set"));
  const Result list = run({"list"});
  EXPECT_EQ(list.code, 0);
  for (const char* name :
       {"flying-spaghetti", "roll-up",     "heavy-top-fast",        "heavy-top-slow",    "rolling-disk",
        "free-box",         "spring-top",  "double-pendulum",       "four-bar",          "rp-chain",
        "cardan",           "pendulum",    "andrews-squeezer",      "flexible-pendulum", "elastic-slider-crank",
        "cable-with-mass",  "helix",       "mathematical-pendulum", "crank-rocker",      "arm-and-slider",
        "universal-joint",  "driven-mass", "three-bar-pendulum",    "four-bar-pendulum"})
    EXPECT_THAT(list.out, HasSubstr(name));
  EXPECT_THAT(run({"list", "pendulum"}).out, HasSubstr("[[joint]]"));
  EXPECT_LT(list.out.find("scenarios"), list.out.find("studies"));
  EXPECT_THAT(list.out, HasSubstr("work-precision-spaghetti"));
  EXPECT_THAT(list.out, testing::Not(HasSubstr("000-f07-f09-spaghetti-methods")));
  EXPECT_THAT(run({"list", "--papers"}).out, HasSubstr("000-f07-f09-spaghetti-methods"));
  EXPECT_THAT(run({"list", "000-f07-f09-spaghetti-methods"}).out, HasSubstr("[[vary]]"));
  EXPECT_EQ(run({"list", "nothing"}).code, 2);
}

/// A study of two steps with a claim.
std::string small_study(const std::string& bounds) {
  return "schema = 1\nscenario = \"pendulum\"\nset = { \"time.end\" = 0.5 }\n"
         "[[vary]]\nkey = \"time.step\"\nvalues = [0.01, 0.005]\n"
         "[[check]]\nclaim = \"it takes steps\"\nvalue = \"steps\"\nbetween = " +
         bounds + "\n";
}

TEST_F(Program, RunsAStudyAndSaysWhetherItsClaimsHold) {
  std::ofstream(folder_ / "true.toml") << small_study("[50, 100]");
  std::ofstream(folder_ / "false.toml") << small_study("[1, 2]");
  const Result r = run({"study", "true.toml"});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("holds  it takes steps: 50 to 100"));
  EXPECT_THAT(r.out, HasSubstr("2 cases, all done; results are in results/true"));
  for (const char* file : {"study.csv", "study.html", "study.toml"})
    EXPECT_TRUE(fs::exists(folder_ / "results/true" / file)) << file;
  const Result failing = run({"study", "false.toml", "--quiet"});
  EXPECT_EQ(failing.code, 4);
  EXPECT_THAT(failing.err, HasSubstr("FAILS  it takes steps"));
}

TEST_F(Program, DoesNotRunAStudyTwiceUnasked) {
  std::ofstream(folder_ / "s.toml") << small_study("[50, 100]");
  ASSERT_EQ(run({"study", "s.toml", "-o", "s"}).code, 0);
  const Result again = run({"study", "s.toml", "-o", "s"});
  EXPECT_EQ(again.code, 2);
  EXPECT_THAT(again.err, HasSubstr("--resume"));
  EXPECT_EQ(run({"study", "s.toml", "-o", "s", "--resume"}).code, 0);
  EXPECT_EQ(run({"study", "s.toml", "-o", "s", "--force", "--isolate", "--jobs", "2"}).code, 0);
  EXPECT_EQ(run({"study"}).code, 2);
  EXPECT_EQ(run({"study", "s.toml", "--jobs", "0"}).code, 2);
  EXPECT_EQ(run({"study", "s.toml", "--short"}).code, 2);
}

TEST_F(Program, CheckDescribesTheModel) {
  const Result r = run({"check", "crank-rocker"});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("1 degree of freedom"));
  EXPECT_THAT(r.out, HasSubstr("redundant, left out: joint"));
}

TEST_F(Program, EndsWithTwoForBadInput) {
  EXPECT_EQ(run({}).code, 2);
  EXPECT_EQ(run({"fly"}).code, 2);
  EXPECT_EQ(run({"run"}).code, 2);
  EXPECT_EQ(run({"run", "pendulum", "--hurry"}).code, 2);
  const Result unknown = run({"run", "pendulun"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("did you mean 'pendulum'?"));
  std::ofstream(folder_ / "bad.toml") << "schema = 1\n[time]\nend = 1\nstepp = 0.1\n";
  const Result bad = run({"run", "bad.toml"});
  EXPECT_EQ(bad.code, 2);
  EXPECT_THAT(bad.err, HasSubstr("bad.toml:4:1: time.stepp: unknown key; did you mean 'step'?"));
}

TEST_F(Program, SaysWhatIsWrongWithACommandLine) {
  const auto said = [&](const std::vector<std::string>& arguments, const std::string& message) {
    const Result r = run(arguments);
    EXPECT_EQ(r.code, 2);
    EXPECT_THAT(r.err, HasSubstr(message));
  };
  said({}, "a command is missing; try: filum run pendulum");
  said({"rum", "pendulum"}, "there is no command 'rum'; did you mean 'run'?");
  said({"pendulum"}, "there is no command 'pendulum'; try: filum run pendulum");
  said({"radau-orders"}, "there is no command 'radau-orders'; try: filum study radau-orders");
  said({"--verison"}, "there is no option '--verison'; did you mean '--version'?");
  said({"run", "pendulum", "--ste", "3"}, "there is no option '--ste'; did you mean '--set'?");
  said({"run", "pendulum", "rotor"}, "unexpected argument 'rotor'");
  said({"run", "pendulum", "-o"}, "--output needs a value");
  said({"report", "a", "b", "c"}, "DIR: too many arguments");
  said({"modes", "pendulum", "-n", "0"}, "expected a whole number of at least 1, found '0'");
  said({"list", "pendulm"}, "there is no built-in scenario or study 'pendulm'; did you mean 'pendulum'?");
  std::ofstream(folder_ / "study.toml") << "schema = 1\nscenario = \"pendulum\"\n";
  said({"run", "study.toml"}, "this is a study, not a scenario; try: filum study study.toml");
  std::ofstream(folder_ / "scenario.toml") << "schema = 1\n[time]\nend = 1\n";
  said({"study", "scenario.toml"}, "this is a scenario, not a study; try: filum run scenario.toml");
}

TEST_F(Program, StaticFindsEquilibriumOrSaysWhatMovesFreely) {
  const Result circle = run({"static", "roll-up", "-o", "s", "--no-report"});
  EXPECT_EQ(circle.code, 0) << circle.err;
  EXPECT_THAT(circle.out, HasSubstr("factor 1 after"));
  EXPECT_TRUE(fs::exists(folder_ / "s/summary.json"));
  const Result free = run({"static", "flying-spaghetti", "-o", "f", "--no-report"});
  EXPECT_EQ(free.code, 3);
  EXPECT_THAT(free.err, HasSubstr("spaghetti (3 translations and 3 rotations) can move freely"));
}

TEST_F(Program, ReportNeedsResults) {
  EXPECT_EQ(run({"report"}).code, 2);
  EXPECT_EQ(run({"report", "a", "b", "c"}).code, 2);
  if (!fs::exists(fs::path(FILUM_PROGRAM).parent_path() / "report-template.html")) GTEST_SKIP() << "built without npm";
  const Result nothing = run({"report", "nowhere"});
  EXPECT_EQ(nothing.code, 2);
  EXPECT_THAT(nothing.err, HasSubstr("nowhere: there are no results to report: result.h5 is missing"));
  ASSERT_EQ(run({"run", "pendulum", "-o", "r", "--no-report", "--set", "time.end=0.1"}).code, 0);
  EXPECT_FALSE(fs::exists(folder_ / "r/report.html"));
  fs::remove(folder_ / "r/summary.json");  // as after a kill
  EXPECT_THAT(run({"report", "r"}).out, HasSubstr("report: r/report.html"));
  EXPECT_GT(fs::file_size(folder_ / "r/report.html"), 100'000u);
}

TEST_F(Program, WithoutTheBundledPageReportSaysWhatIsMissing) {
  fs::copy_file(FILUM_PROGRAM, folder_ / "filum");
  program_ = (folder_ / "filum").string();
  const Result ran = run({"run", "pendulum", "-o", "r", "--set", "time.end=0.1"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("no report page: report-template.html is missing"));
  const Result r = run({"report", "r"});
  EXPECT_EQ(r.code, 2);
  EXPECT_THAT(r.err, HasSubstr("install nodejs and npm"));
}

TEST_F(Program, EndsWithThreeWhenTheIntegrationStops) {
  const Result r = run({"run", "roll-up", "-o", "r", "--set", "newton.max_iterations=1"});
  EXPECT_EQ(r.code, 3);
  EXPECT_THAT(r.err, HasSubstr("generalized-alpha stopped at t = "));
  EXPECT_THAT(r.err, HasSubstr("try: "));
  EXPECT_THAT(content(folder_ / "r/summary.json"), HasSubstr("\"stopped\""));
}

TEST_F(Program, EndsWith130AfterCtrlCAndCanBeResumed) {
  const Result r = end_half_way(long_run, SIGINT);
  ASSERT_EQ(r.code, 130) << r.err;
  EXPECT_THAT(content(folder_ / "r/summary.json"), HasSubstr("\"interrupted\""));
  EXPECT_GT(Hdf5File(folder_ / "r/result.h5", Hdf5File::Mode::read).read("time").size(), 1u);
  EXPECT_EQ(run({"resume", "r", "--quiet"}).code, 0);
  EXPECT_THAT(content(folder_ / "r/summary.json"), HasSubstr("\"done\""));
}

struct Killed {
  const char* name;
  std::vector<std::string> overrides;
};
void PrintTo(const Killed& k, std::ostream* out) { *out << k.name; }

class KilledRun : public Program, public testing::WithParamInterface<Killed> {};

TEST_P(KilledRun, ResumesToTheSameBits) {
  std::vector<std::string> pieces = long_run;
  for (const std::string& o : GetParam().overrides) pieces.insert(pieces.end(), {"--set", o});
  std::vector<std::string> whole = pieces;
  whole[3] = "whole";
  ASSERT_EQ(run(whole).code, 0);
  const Hdf5File expected(folder_ / "whole/result.h5", Hdf5File::Mode::read);
  std::mt19937 random(7);
  ASSERT_EQ(end_half_way(pieces, SIGKILL).code, 1000 + SIGKILL);
  pid_t child = start({"resume", "r", "--quiet"});
  for (int kills = 1; kills < 6 && !has_ended(child); ++kills) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50 + random() % 100));  // at any moment
    kill(child, SIGKILL);
    finish(child);
    child = start({"resume", "r", "--quiet"});
  }
  ASSERT_EQ(finish(child).code, 0);
  const Hdf5File found(folder_ / "r/result.h5", Hdf5File::Mode::read);
  for (const char* name : {"time", "top/position", "top/orientation", "top/velocity", "joints/pivot/multiplier",
                           "energy/total", "step/size", "step/newton"})
    EXPECT_EQ(expected.read(name), found.read(name)) << name;
  EXPECT_EQ(content(folder_ / "whole/sensors.csv"), content(folder_ / "r/sensors.csv"));
}

INSTANTIATE_TEST_SUITE_P(
    Methods, KilledRun,
    testing::Values(Killed{"rattlie", {}},
                    Killed{"adaptive",
                           {"integrator={method=\"half-explicit-rk\", adaptive=true, rtol=1e-10, atol=1e-12}"}},
                    Killed{"multistep", {"integrator.method=bliedf", "time.end=10"}},
                    Killed{"interpolated_frames",
                           {"integrator.method=generalized-alpha", "time.end=10", "time.output_every=0.0123"}}),
    [](const auto& method) { return std::string(method.param.name); });

TEST_F(Program, RefusesFoldersItCannotOrMustNotUse) {
  ASSERT_EQ(run({"run", "pendulum", "-o", "r", "--quiet"}).code, 0);
  const std::string before = content(folder_ / "r/summary.json");
  const Result taken = run({"run", "pendulum", "-o", "r"});
  EXPECT_EQ(taken.code, 2);
  EXPECT_THAT(taken.err, HasSubstr("--force"));
  EXPECT_EQ(content(folder_ / "r/summary.json"), before);
  EXPECT_EQ(run({"run", "pendulum", "-o", "r", "--force", "--quiet"}).code, 0);
  std::ofstream(folder_ / "file") << "x";
  EXPECT_EQ(run({"run", "pendulum", "-o", "file/r"}).code, 2);
  EXPECT_EQ(run({"run", "pendulum", "-o", "/proc/filum"}).code, 2);
  EXPECT_EQ(run({"resume", "nowhere"}).code, 2);
}

TEST_F(Program, RefusesACheckpointOfAnotherVersion) {
  ASSERT_EQ(run({"run", "pendulum", "-o", "r", "--quiet"}).code, 0);
  record::Checkpoint checkpoint = record::load_checkpoint(folder_ / "r/checkpoint.h5");
  fs::remove(folder_ / "r/checkpoint.h5");
  EXPECT_THAT(run({"resume", "r"}).err, HasSubstr("there is no checkpoint"));
  checkpoint.version = "0.0.1";
  record::save_checkpoint(folder_ / "r/checkpoint.h5", checkpoint);
  const Result r = run({"resume", "r"});
  EXPECT_EQ(r.code, 2);
  EXPECT_THAT(r.err, HasSubstr("the checkpoint is from filum 0.0.1"));
}

TEST_F(Program, EndsWithOneWhenAFileCannotGrowAndLosesNothing) {
  std::vector<std::string> arguments = long_run;
  arguments.insert(arguments.end(), {"--set", "time.output_every=2^-12"});
  const Result r = finish(start(arguments, 1500000));
  EXPECT_EQ(r.code, 1);
  EXPECT_THAT(r.err, HasSubstr("filum: r/"));
  EXPECT_GT(Hdf5File(folder_ / "r/result.h5", Hdf5File::Mode::read).read("time").size(), 100u);
}

TEST_F(Program, AFullDiskIsSaidAndLosesNothing) {
  const fs::path disk = folder_ / "disk";
  fs::create_directories(disk);
  if (mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=2m") != 0)
    GTEST_SKIP() << "mounting a small disk is not permitted here";
  std::vector<std::string> arguments = long_run;
  arguments[3] = "disk/r";
  arguments.insert(arguments.end(), {"--set", "time.output_every=2^-12"});
  const Result r = run(arguments);
  const bool has_result = fs::exists(disk / "r/result.h5");
  std::size_t frames = 0;
  if (has_result) frames = Hdf5File(disk / "r/result.h5", Hdf5File::Mode::read).read("time").size();
  umount(disk.c_str());
  EXPECT_EQ(r.code, 1);
  EXPECT_THAT(r.err, HasSubstr("disk"));
  EXPECT_TRUE(has_result);
  EXPECT_GT(frames, 100u);
}

}  // namespace
}  // namespace filum
