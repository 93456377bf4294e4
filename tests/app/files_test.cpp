/// Folders and files as a user meets them: two writers, things that are not ours, files that were damaged. User
/// document: docs/guide/security.md.
#include "program.hpp"

namespace filum {
namespace {

using testing::Each;
using testing::HasSubstr;

class Files : public Program {
 protected:
  Files() { shorter_.insert(shorter_.end(), {"--set", "time.end=2"}); }
  std::vector<std::string> shorter_ = long_run;

  Result run_pendulum(std::vector<std::string> more) const {
    more.insert(more.begin(), {"run", "pendulum", "--quiet", "--no-report", "--set", "time.end=0.2"});
    return run(more);
  }
  void leave_half_a_run() const { ASSERT_EQ(end_half_way(shorter_, SIGKILL).code, 1000 + SIGKILL); }
  void put(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }
  Result resume() const { return run({"resume", "r", "--quiet", "--no-report"}); }
};

TEST_F(Files, ARunningFolderIsRefusedToEverybodyElse) {
  std::vector<std::string> endless = long_run;
  endless.insert(endless.end(), {"--set", "time.end=1e5"});
  const pid_t child = start(endless);
  ASSERT_TRUE(wait_for("r/checkpoint.h5", child));
  const Result resumed = resume(), forced = run_pendulum({"-o", "r", "--force"});
  EXPECT_EQ(resumed.code, 2);
  EXPECT_THAT(resumed.err, HasSubstr("another process (" + std::to_string(child) + " on "));
  EXPECT_EQ(forced.code, 2);
  EXPECT_THAT(forced.err, HasSubstr("is writing to this folder"));
  kill(child, SIGINT);
  EXPECT_EQ(finish(child).code, 130);
  EXPECT_FALSE(fs::exists(folder_ / "r/.filum-lock"));
}

TEST_F(Files, RunsThatStartAtOnceHaveFoldersOfTheirOwn) {
  std::vector<pid_t> children;
  for (int k = 0; k < 4; ++k)
    children.push_back(start({"run", "pendulum", "--quiet", "--no-report", "--set", "time.end=0.2"}));
  for (const pid_t child : children) EXPECT_EQ(finish(child).code, 0);
  for (const char* name : {"pendulum", "pendulum-2", "pendulum-3", "pendulum-4"})
    EXPECT_TRUE(fs::exists(folder_ / "results" / name / "summary.json")) << name;
  EXPECT_EQ(run({"run", "pendulum", "--set", "time.end=-1"}).code, 2);
  EXPECT_FALSE(fs::exists(folder_ / "results/pendulum-5")) << "a run that is refused leaves no folder";
}

TEST_F(Files, ForceRemovesNothingThatFilumDidNotWrite) {
  put("r/scenario.toml", "mine");
  put("r/frames/photo.jpg", "mine");
  put("r/notes.txt", "mine");
  const Result refused = run_pendulum({"-o", "r", "--force"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("scenario.toml was not written by filum"));
  EXPECT_EQ(content(folder_ / "r/scenario.toml"), "mine");
  fs::remove(folder_ / "r/scenario.toml");
  for (int k = 0; k < 2; ++k) {
    EXPECT_EQ(run_pendulum({"-o", "r", "--force", "--set", "output.vtk=true"}).code, 0);
    EXPECT_EQ(content(folder_ / "r/frames/photo.jpg"), "mine");
    EXPECT_EQ(content(folder_ / "r/notes.txt"), "mine");
  }
  put("r/sensors.csv", "time,measured\n0,1\n");
  EXPECT_EQ(run_pendulum({"-o", "r", "--force"}).code, 2);
  EXPECT_EQ(content(folder_ / "r/sensors.csv"), "time,measured\n0,1\n");
  EXPECT_TRUE(fs::exists(folder_ / "r/summary.json")) << "nothing is removed before all is known";
}

TEST_F(Files, TheInputIsNeverRemoved) {
  ASSERT_EQ(run_pendulum({"-o", "r"}).code, 0);
  const Result again = run({"run", "r/scenario.toml", "-o", "r", "--force"});
  EXPECT_EQ(again.code, 2);
  EXPECT_THAT(again.err, HasSubstr("the file to be run"));
  EXPECT_TRUE(fs::exists(folder_ / "r/scenario.toml"));
}

TEST_F(Files, AStudyAsksBeforeItReplacesAnything) {
  put("s.toml", "schema = 1\nscenario = \"pendulum\"\nset = { \"time.end\" = 0.1 }\n");
  for (const char* name : {"s/study.csv", "s/study.html", "s/plots/mine.svg"}) {
    fs::remove_all(folder_ / "s");
    put(name, "mine");
    EXPECT_EQ(run({"study", "s.toml", "-o", "s", "--quiet"}).code, 2) << name;
    EXPECT_EQ(run({"study", "s.toml", "-o", "s", "--quiet", "--force"}).code, 2) << name;
    EXPECT_EQ(run({"study", "s.toml", "-o", "s", "--quiet", "--resume"}).code, 2) << name;
    EXPECT_EQ(content(folder_ / name), "mine");
  }
  fs::remove_all(folder_ / "s");
  put("s/cases/mine.txt", "mine");
  ASSERT_EQ(run({"study", "s.toml", "-o", "s", "--quiet"}).code, 0);
  EXPECT_EQ(run({"study", "s/study.toml", "-o", "s", "--quiet", "--resume"}).code, 0);
  EXPECT_EQ(run({"study", "s.toml", "-o", "s", "--quiet", "--force"}).code, 0);
  EXPECT_EQ(content(folder_ / "s/cases/mine.txt"), "mine");
}

TEST_F(Files, AResultFileThatIsNotThereOrNotTheRunsIsRefused) {
  leave_half_a_run();
  const fs::path result = folder_ / "r/result.h5", kept = folder_ / "kept.h5";
  fs::rename(result, kept);
  EXPECT_EQ(resume().code, 2) << "missing";
  std::ofstream(result).close();
  EXPECT_EQ(resume().code, 2) << "empty";
  fs::remove(result);
  fs::create_directory(result);
  EXPECT_EQ(resume().code, 2) << "a folder";
  fs::remove(result);
  ASSERT_EQ(run({"run", "heavy-top-fast", "-o", "other", "--quiet", "--no-report", "--set", "time.end=0.5"}).code, 0);
  fs::copy_file(folder_ / "other/result.h5", result);
  const Result other = resume();
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("the file belongs to another run (scenario)"));
  fs::remove(result);
  fs::copy_file(kept, result);
  fs::resize_file(result, 20000);
  EXPECT_EQ(resume().code, 2) << "cut off";
  fs::remove(result);
  fs::rename(kept, result);
  EXPECT_EQ(resume().code, 0);
}

TEST_F(Files, AShortenedTableIsRebuilt) {
  std::vector<std::string> whole = shorter_;
  whole[3] = "whole";
  ASSERT_EQ(run(whole).code, 0);
  leave_half_a_run();
  fs::resize_file(folder_ / "r/sensors.csv", 40);
  EXPECT_EQ(resume().code, 0);
  EXPECT_EQ(content(folder_ / "r/sensors.csv"), content(folder_ / "whole/sensors.csv"));
  fs::resize_file(folder_ / "r/sensors.csv", 40);
  EXPECT_EQ(resume().code, 0) << "of a run that is complete";
  EXPECT_EQ(content(folder_ / "r/sensors.csv"), content(folder_ / "whole/sensors.csv"));
}

TEST_F(Files, ARunWithoutItsSummaryIsCompletedAndThenLeftAlone) {
  ASSERT_EQ(run_pendulum({"-o", "r"}).code, 0);
  const std::string summary = content(folder_ / "r/summary.json");
  for (const std::string& stale :
       {std::string(), std::string("{\"status\": \"interrupted\"}"), summary.substr(0, 99)}) {
    put("r/summary.json", stale);
    const Result r = run({"resume", "r", "--no-report"});
    EXPECT_EQ(r.code, 0);
    EXPECT_THAT(r.out, testing::Not(HasSubstr("already complete"))) << stale;
    EXPECT_THAT(content(folder_ / "r/summary.json"), HasSubstr("\"status\": \"done\""));
  }
  EXPECT_THAT(run({"resume", "r", "--no-report"}).out, HasSubstr("already complete"));
}

TEST_F(Files, LinksInAFolderAreNotFollowed) {
  put("mine", "mine");
  fs::create_directories(folder_ / "r");
  for (const char* name : {".filum-probe", "summary.json.new", "checkpoint.h5.new"})
    fs::create_symlink(folder_ / "mine", folder_ / "r" / name);
  EXPECT_EQ(run_pendulum({"-o", "r"}).code, 0);
  EXPECT_EQ(content(folder_ / "mine"), "mine");
  fs::remove_all(folder_ / "r");
  fs::create_directories(folder_ / "r");
  fs::create_symlink(folder_ / "mine", folder_ / "r/result.h5");
  EXPECT_EQ(run_pendulum({"-o", "r"}).code, 2);
  EXPECT_EQ(run_pendulum({"-o", "r", "--force"}).code, 2);
  EXPECT_EQ(content(folder_ / "mine"), "mine");
}

TEST_F(Files, MatricesOfOthersStay) {
  const std::vector<std::string> modes{"modes", "pendulum", "--matrices", "--no-report", "--force", "-o", "r"};
  put("mine", "mine");
  fs::create_directories(folder_ / "r/linear");
  fs::create_symlink(folder_ / "mine", folder_ / "r/linear/K.mtx");
  EXPECT_EQ(run(modes).code, 2);
  EXPECT_EQ(content(folder_ / "mine"), "mine");
  fs::remove(folder_ / "r/linear/K.mtx");
  put("r/linear/K.npy", "mine");
  EXPECT_EQ(run(modes).code, 2);
  EXPECT_EQ(content(folder_ / "r/linear/K.npy"), "mine");
  fs::remove(folder_ / "r/linear/K.npy");
  put("r/linear/notes.txt", "mine");
  EXPECT_EQ(run(modes).code, 0);
  fs::remove(folder_ / "r/linear.h5");  // killed before it was written
  EXPECT_EQ(run(modes).code, 0);
  EXPECT_EQ(content(folder_ / "r/linear/notes.txt"), "mine");
}

TEST_F(Files, AStrayEnvironmentIsSaid) {
  setenv("FILUM_PARENT", "1", 1);
  const Result r = run_pendulum({"-o", "r"});
  unsetenv("FILUM_PARENT");
  EXPECT_EQ(r.code, 2);
  EXPECT_THAT(r.err, HasSubstr("unset FILUM_PARENT"));
}

TEST_F(Files, AStudyWithoutACaseThatRanToTheEndSaysSo) {
  put("s.toml",
      "schema = 1\nscenario = \"rolling-disk\"\nset = { \"integrator.method\" = \"shakelie\" }\n"
      "[[vary]]\nkey = \"time.step\"\nvalues = [0.1, 0.05]\n");
  const Result r = run({"study", "s.toml", "-o", "s"});
  EXPECT_EQ(r.code, 4);
  EXPECT_THAT(r.err, HasSubstr("none of the cases ran to the end"));
}

}  // namespace
}  // namespace filum
