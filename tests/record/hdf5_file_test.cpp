/// HDF5 files that stay readable. User document: docs/guide/results.md.
#include <filum/record/hdf5_file.hpp>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

namespace filum::record {
namespace {

namespace fs = std::filesystem;

class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& name)
      : path_(fs::temp_directory_path() / ("filum-" + std::to_string(getpid()) + name)) {}
  ~TemporaryFile() { fs::remove(path_); }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

TEST(Hdf5File, GivesBackArraysSeriesAndAttributes) {
  const TemporaryFile file("a.h5");
  {
    Hdf5File out(file.path(), Hdf5File::Mode::create);
    out.make_group("beam/inner");
    out.set_attribute("/", "filum", "1.2");
    out.set_attribute("beam", "kind", "");
    out.write("beam/arc", std::vector<double>{1, 2, 3});
    const int series = out.make_series("beam/x", {2}, 3);
    const std::vector<double> frames{1, 2, 3, 4, 5, 6, 7, 8};
    out.write_frames(series, 0, 1, frames.data());
    out.write_frames(series, 1, 3, frames.data() + 2);
    out.close();
  }
  const Hdf5File in(file.path(), Hdf5File::Mode::read);
  EXPECT_EQ(in.text_attribute("/", "filum"), "1.2");
  EXPECT_EQ(in.text_attribute("beam", "kind"), "");
  EXPECT_EQ(in.read("beam/arc"), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(in.read("beam/x"), (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(in.shape("beam/x"), (std::vector<std::uint64_t>{4, 2}));
  EXPECT_TRUE(in.contains("beam/inner"));
  EXPECT_FALSE(in.contains("beam/outer/x"));
  EXPECT_THROW(in.read("nothing"), FileTrouble);
}

TEST(Hdf5File, IsReadableByOthersWhileItGrows) {
  const TemporaryFile file("b.h5");
  Hdf5File out(file.path(), Hdf5File::Mode::create);
  const int series = out.make_series("x", {}, 4);
  out.start_streaming();
  const std::vector<double> frames{1, 2, 3, 4, 5};
  out.write_frames(series, 0, 5, frames.data());
  out.flush();
  const pid_t reader = fork();  // another process: within one, HDF5 shares its knowledge
  if (reader == 0) _exit(execlp("h5dump", "h5dump", "-d", "x", "-o", "/dev/null", file.path().c_str(), nullptr));
  int status = 0;
  waitpid(reader, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 255) GTEST_SKIP() << "h5dump is not installed";
  EXPECT_EQ(status, 0);
}

TEST(Hdf5File, SurvivesAKillAtAnyMomentUpToTheLastFlush) {
  const TemporaryFile file("c.h5");
  int as_they_were = 0;
  constexpr int trials = 25;
  for (int trial = 0; trial < trials; ++trial) {
    int pipes[2];
    ASSERT_EQ(pipe(pipes), 0);
    const pid_t writer = fork();
    if (writer == 0) {
      Hdf5File out(file.path(), Hdf5File::Mode::create);
      const int a = out.make_series("a", {50}, 8), b = out.make_series("b", {}, 8);
      out.start_streaming();
      std::vector<double> frames(8 * 50);
      for (std::uint64_t k = 0;; ++k) {
        for (std::size_t i = 0; i < frames.size(); ++i)
          frames[i] = static_cast<double>(k) + 1e-3 * static_cast<double>(i * i % 97);
        out.reserve(8 * (frames.size() + 8));
        out.write_frames(a, 8 * k, 8, frames.data());
        out.write_frames(b, 8 * k, 8, frames.data());
        out.flush();
        if (write(pipes[1], &k, sizeof k) != sizeof k) _exit(1);
      }
    }
    close(pipes[1]);
    std::uint64_t flushed = 0;
    for (int k = 0; k < 3 + 2 * trial; ++k)
      ASSERT_EQ(read(pipes[0], &flushed, sizeof flushed), static_cast<ssize_t>(sizeof flushed));
    kill(writer, SIGKILL);
    int status = 0;
    waitpid(writer, &status, 0);
    for (std::uint64_t more; read(pipes[0], &more, sizeof more) == static_cast<ssize_t>(sizeof more);) flushed = more;
    close(pipes[0]);
    std::unique_ptr<Hdf5File> readable;
    try {
      readable = std::make_unique<Hdf5File>(file.path(), Hdf5File::Mode::read);
      ++as_they_were;
    } catch (const FileTrouble&) {  // killed within the last microseconds of a flush
      clear_open_mark(file.path());
      readable = std::make_unique<Hdf5File>(file.path(), Hdf5File::Mode::read);
    }
    const Hdf5File& in = *readable;
    const std::vector<double> values = in.read("a");
    ASSERT_GE(values.size(), (flushed + 1) * 8 * 50) << trial;
    EXPECT_EQ(values[(flushed * 8) * 50], static_cast<double>(flushed));
    EXPECT_GE(in.read("b").size(), (flushed + 1) * 8);
  }
  EXPECT_GE(as_they_were, trials - 5);
}

TEST(Hdf5File, CanBeShortenedAndContinued) {
  const TemporaryFile file("d.h5");
  const std::vector<double> frames{1, 2, 3, 4, 5, 6, 7, 8, 9};
  {
    Hdf5File out(file.path(), Hdf5File::Mode::create);
    const int x = out.make_series("x", {}, 4);
    out.start_streaming();
    out.write_frames(x, 0, 9, frames.data());
    out.close();
  }
  {
    Hdf5File out(file.path(), Hdf5File::Mode::append);
    const int x = out.open_series("x");
    EXPECT_EQ(out.frames(x), 9u);
    out.set_frames(x, 2);
    out.start_streaming();
    out.write_frames(x, 2, 3, frames.data());
    out.close();
  }
  EXPECT_EQ(Hdf5File(file.path(), Hdf5File::Mode::read).read("x"), (std::vector<double>{1, 2, 1, 2, 3}));
}

TEST(Hdf5File, SaysWhatIsWrongWithAFile) {
  EXPECT_THROW(Hdf5File("/nowhere/at/all.h5", Hdf5File::Mode::create), FileTrouble);
  const TemporaryFile file("e.h5");
  std::ofstream(file.path()) << "this is not HDF5, but it is long enough to hold the first block of such a file";
  EXPECT_THROW(Hdf5File(file.path(), Hdf5File::Mode::read), FileTrouble);
  EXPECT_THROW(clear_open_mark(file.path()), FileTrouble);
}

}  // namespace
}  // namespace filum::record
