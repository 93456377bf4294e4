/// The program as a user runs it: exit codes, messages, kills, full disks. User documents: docs/guide.
#include <filum/record/hdf5_file.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <random>
#include <sstream>
#include <thread>

namespace filum {
namespace {

namespace fs = std::filesystem;
using record::Hdf5File;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

struct Result {
  int code = -1;  ///< exit code, or 1000 + signal
  std::string out, err;
};

/// Every test has a folder of its own, in which the program runs.
class Program : public testing::Test {
 protected:
  Program() {
    folder_ = fs::temp_directory_path() / ("filum-" + std::to_string(getpid()) + test_name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~Program() override { fs::remove_all(folder_); }

  static std::string test_name() {
    std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    std::replace(name.begin(), name.end(), '/', '_');
    return name;
  }
  pid_t start(std::vector<std::string> arguments, rlim_t largest_file = RLIM_INFINITY) const {
    arguments.insert(arguments.begin(), program_);
    const pid_t child = fork();
    if (child != 0) return child;
    std::vector<char*> argv;
    for (std::string& a : arguments) argv.push_back(a.data());
    argv.push_back(nullptr);
    if (largest_file != RLIM_INFINITY) {
      const rlimit limit{largest_file, largest_file};
      setrlimit(RLIMIT_FSIZE, &limit);
      signal(SIGXFSZ, SIG_IGN);  // writing then fails as on a full disk
    }
    if (chdir(folder_.c_str()) != 0 || !freopen("out.txt", "w", stdout) || !freopen("err.txt", "w", stderr)) _exit(99);
    execv(argv[0], argv.data());
    _exit(98);
  }
  Result finish(pid_t child) const {
    int status = 0;
    waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status), content(folder_ / "out.txt"),
            content(folder_ / "err.txt")};
  }
  Result run(const std::vector<std::string>& arguments) const { return finish(start(arguments)); }

  fs::path folder_;
  std::string program_ = FILUM_PROGRAM;
};

/// A run of about a second, with checkpoints all the time.
const std::vector<std::string> long_run{"run",
                                        "heavy-top-fast",
                                        "-o",
                                        "r",
                                        "--quiet",
                                        "--set",
                                        "time.end=40",
                                        "--set",
                                        "time.step=2^-13",
                                        "--set",
                                        "time.output_every=2^-7",
                                        "--set",
                                        "output.checkpoint_every=0.02"};

TEST_F(Program, RunsABuiltInScenarioAndSaysWhereTheResultsAre) {
  const Result r = run({"run", "pendulum", "--set", "time.end=0.5"});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("results are in results/pendulum"));
  EXPECT_TRUE(fs::exists(folder_ / "results/pendulum/summary.json"));
  EXPECT_THAT(run({"run", "pendulum", "--set", "time.end=0.5"}).out, HasSubstr("results/pendulum-2"));
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
       {"flying-spaghetti", "roll-up", "heavy-top-fast", "heavy-top-slow", "rolling-disk", "free-box", "spring-top",
        "double-pendulum", "four-bar", "rp-chain", "cardan", "pendulum", "andrews-squeezer", "flexible-pendulum",
        "elastic-slider-crank", "cable-with-mass", "helix", "mathematical-pendulum", "planar-four-bar",
        "ring-and-slider", "hooke-shaft"})
    EXPECT_THAT(list.out, HasSubstr(name));
  EXPECT_THAT(run({"list", "pendulum"}).out, HasSubstr("[[joint]]"));
  EXPECT_THAT(list.out, HasSubstr("000-f07-f09-spaghetti-methods"));
  EXPECT_THAT(run({"list", "000-f07-f09-spaghetti-methods"}).out, HasSubstr("[[vary]]"));
  EXPECT_EQ(run({"list", "nothing"}).code, 2);
}

/// A study of two steps with a claim of its own.
std::string small_study(const std::string& bounds) {
  return "schema = 1\nscenario = \"pendulum\"\nset = { \"time.end\" = 0.5 }\n"
         "[[vary]]\nkey = \"time.step\"\nvalues = [0.01, 0.005]\n"
         "[[check]]\nclaim = \"it takes steps\"\nvalue = \"steps\"\nbetween = " + bounds + "\n";
}

TEST_F(Program, RunsAStudyAndSaysWhetherItsClaimsHold) {
  std::ofstream(folder_ / "true.toml") << small_study("[50, 100]");
  std::ofstream(folder_ / "false.toml") << small_study("[1, 2]");
  const Result r = run({"study", "true.toml"});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("holds  it takes steps: 50 to 100"));
  EXPECT_THAT(r.out, HasSubstr("2 cases, 0 not done; results are in results/true"));
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
  const Result r = run({"check", "four-bar"});
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
  for (const char* later : {"static", "modes"}) {
    const Result r = run({later, "pendulum"});
    EXPECT_EQ(r.code, 2);
    EXPECT_THAT(r.err, HasSubstr("this version does not have `filum " + std::string(later)));
  }
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
  const Result r =
      run({"run", "roll-up", "-o", "r", "--set", "integrator={method=\"munthe-kaas-rk\"}", "--set", "time.step=0.1"});
  EXPECT_EQ(r.code, 3);
  EXPECT_THAT(r.err, HasSubstr("munthe-kaas-rk stopped at t = "));
  EXPECT_THAT(r.err, HasSubstr("try: "));
  EXPECT_THAT(content(folder_ / "r/summary.json"), HasSubstr("\"stopped\""));
}

TEST_F(Program, EndsWith130AfterCtrlCAndCanBeResumed) {
  const pid_t child = start(long_run);
  std::this_thread::sleep_for(std::chrono::milliseconds(150));
  kill(child, SIGINT);
  const Result r = finish(child);
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
  pid_t child = start(pieces);
  int kills = 0;
  while (kills < 6) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50 + random() % 100));
    int status = 0;
    if (waitpid(child, &status, WNOHANG) == child) break;  // it was quicker
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    ++kills;
    const bool can_resume = fs::exists(folder_ / "r/checkpoint.h5");
    if (!can_resume) fs::remove_all(folder_ / "r");
    child = can_resume ? start({"resume", "r", "--quiet"}) : start(pieces);
  }
  if (kills == 6) waitpid(child, nullptr, 0);
  EXPECT_GE(kills, 1);
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
  fs::remove(folder_ / "r/checkpoint.h5");
  EXPECT_THAT(run({"resume", "r"}).err, HasSubstr("there is no checkpoint"));
  {
    Hdf5File file(folder_ / "r/checkpoint.h5", Hdf5File::Mode::create);
    file.set_attribute("/", "format", "filum checkpoint 3");
    file.set_attribute("/", "filum", "0.0.1");
    for (const char* name : {"scenario", "method"}) file.set_attribute("/", name, "");
    for (const char* name : {"q", "v", "a", "lambda", "memory"}) file.write(name, {});
    file.write("numbers", std::vector<double>(30));
    file.close();
  }
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
  record::clear_open_mark(folder_ / "r/result.h5");
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
  if (has_result) {
    record::clear_open_mark(disk / "r/result.h5");
    frames = Hdf5File(disk / "r/result.h5", Hdf5File::Mode::read).read("time").size();
  }
  umount(disk.c_str());
  EXPECT_EQ(r.code, 1);
  EXPECT_THAT(r.err, HasSubstr("disk"));
  EXPECT_TRUE(has_result);
  EXPECT_GT(frames, 100u);
}

}  // namespace
}  // namespace filum
