/// Locks, marks and the replacement of files. User document: docs/guide/security.md.
#include <filum/record/completion.hpp>
#include <filum/record/folder_lock.hpp>
#include <filum/record/hdf5_file.hpp>
#include <filum/record/marks.hpp>
#include <filum/record/replace_file.hpp>
#include <filum/record/simulate.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <optional>

namespace filum::record {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

/// A folder of its own for every test.
class Folder : public testing::Test {
 protected:
  Folder() : folder_(fs::temp_directory_path() / ("filum-folder-" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~Folder() override { fs::remove_all(folder_); }

  void put(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : fs::directory_iterator(folder_)) all.push_back(entry.path().filename());
    return all;
  }

  fs::path folder_;
};

using FolderLocks = Folder;

TEST_F(FolderLocks, LetOneInAndSayWhoItIs) {
  std::optional<FolderLock> first(folder_);
  try {
    const FolderLock second(folder_);
    FAIL() << "two have it";
  } catch (const FolderBusy& busy) {
    EXPECT_THAT(busy.what(), HasSubstr("another process (" + std::to_string(getpid()) + " on "));
  }
  first.reset();
  EXPECT_NO_THROW(FolderLock{folder_});
  EXPECT_THAT(names(), IsEmpty()) << "the file goes with the lock";
}

TEST_F(FolderLocks, EndWithTheirProcess) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const FolderLock lock(folder_);
    if (write(ready[1], "x", 1) == 1) pause();
    _exit(0);
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  EXPECT_THROW(FolderLock{folder_}, FolderBusy);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_NO_THROW(FolderLock{folder_}) << "the file is still there, the lock is not";
}

TEST_F(FolderLocks, DoNotFollowLinks) {
  put("mine", "mine");
  fs::create_symlink(folder_ / "mine", folder_ / ".filum-lock");
  EXPECT_THROW(FolderLock{folder_}, config::InputError);
  EXPECT_EQ(text_of_file(folder_ / "mine"), "mine");
  EXPECT_THROW(FolderLock{folder_ / "nowhere"}, config::InputError);
}

using ReplacedFile = Folder;

TEST_F(ReplacedFile, TakesThePlaceOfALinkAndLeavesItsTargetAlone) {
  put("mine", "mine");
  fs::create_symlink(folder_ / "mine", folder_ / "file");
  replace_file(folder_ / "file", "new", "the file");
  EXPECT_EQ(text_of_file(folder_ / "file"), "new");
  EXPECT_EQ(text_of_file(folder_ / "mine"), "mine");
  EXPECT_THAT(names(), testing::UnorderedElementsAre("file", "mine"));
}

TEST_F(ReplacedFile, StaysAsItIsUntilTheNewOneIsComplete) {
  put("file", "old");
  {
    Draft draft(folder_ / "file", "the file");
    draft.write("half of the ne");
    EXPECT_EQ(text_of_file(folder_ / "file"), "old");
    remove_abandoned_drafts(folder_);
    EXPECT_TRUE(fs::exists(draft.path())) << "somebody is writing it";
  }
  EXPECT_THAT(names(), testing::ElementsAre("file"));
  put(".filum-draft-0123456789abcdef", "left by a process that was killed");
  remove_abandoned_drafts(folder_);
  EXPECT_THAT(names(), testing::ElementsAre("file"));
  EXPECT_THROW(replace_file(folder_ / "nowhere/file", "x", "the file"), FileTrouble);
}

using Marks = Folder;

TEST_F(Marks, AreLostWhenAFileIsChanged) {
  put("scenario.toml", signed_toml("schema = 1\n"));
  EXPECT_TRUE(is_ours(folder_ / "scenario.toml"));
  EXPECT_EQ(without_signature(signed_toml("schema = 1\n")), "schema = 1\n");
  EXPECT_EQ(without_signature("schema = 1\n"), "schema = 1\n");
  put("scenario.toml", signed_toml("schema = 1\n") + "# my remark\n");
  EXPECT_FALSE(is_ours(folder_ / "scenario.toml"));
}

TEST_F(Marks, AreNotOnFilesOfOthers) {
  for (const auto& [name, text] : std::map<std::string, std::string>{{"scenario.toml", "schema = 1\n"},
                                                                     {"summary.json", "{\"total\": 1}"},
                                                                     {"sensors.csv", "time,angle\n0,1\n"},
                                                                     {"study.csv", "case,role\n"},
                                                                     {"report.html", "<html></html>"},
                                                                     {"result.h5", "measured"},
                                                                     {"result.pvd", "<?xml version=\"1.0\"?>\n"}}) {
    put(name, text);
    EXPECT_FALSE(is_ours(folder_ / name)) << name;
  }
  put("real.json", "{\"filum\": \"1\", \"status\": \"done\"}");
  EXPECT_TRUE(is_ours(folder_ / "real.json"));
  fs::create_symlink(folder_ / "real.json", folder_ / "link.json");
  EXPECT_FALSE(is_ours(folder_ / "link.json"));
}

TEST_F(Marks, DecideWhatIsRemoved) {
  put("summary.json", "{\"filum\": \"1\", \"status\": \"done\"}");
  put("scenario.toml", "mine");
  put("sensors.csv", "time,mine\n");
  fs::create_directories(folder_ / "frames");
  put("frames/photo.jpg", "mine");
  put("frames/0000001.vtp", "mine, too");
  put("frames/0000002.vtp", "<?xml version=\"1.0\"?>\n<!-- filum -->\n");
  remove_results(folder_);
  EXPECT_THAT(names(), testing::UnorderedElementsAre("scenario.toml", "sensors.csv", "frames"));
  EXPECT_TRUE(fs::exists(folder_ / "frames/photo.jpg"));
  EXPECT_TRUE(fs::exists(folder_ / "frames/0000001.vtp"));
  EXPECT_FALSE(fs::exists(folder_ / "frames/0000002.vtp"));
}

using CompletionOf = Folder;

TEST_F(CompletionOf, ARunNeedsItsSummaryAndItsFrames) {
  const auto status = [&] { return completion_of(folder_).status; };
  EXPECT_EQ(status(), "");
  put("summary.json", "{\"filum\": \"1\", \"status\": \"done\", \"frames\": 2}");
  EXPECT_EQ(status(), "") << "there is no result file";
  {
    Hdf5File file(folder_ / "result.h5", Hdf5File::Mode::create);
    const std::vector<double> times{0, 1};
    file.write_frames(file.make_series("time", {}, 4), 0, 2, times.data());
    file.close();
  }
  EXPECT_EQ(status(), "done");
  put("summary.json", "{\"filum\": \"1\", \"status\": \"done\", \"frames\": 3}");
  EXPECT_EQ(status(), "") << "a frame is missing";
  put("summary.json", "{\"filum\": \"1\", \"status\": \"do");
  EXPECT_EQ(status(), "") << "half a summary";
}

}  // namespace
}  // namespace filum::record
