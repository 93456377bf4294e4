/// HDF5 files whose writer was killed in the middle of a write. User document: docs/guide/results.md.
#include <filum/record/hdf5_file.hpp>

#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <fstream>

namespace {

/// In the process that is to die: which of the writes with a journal ends after half of its pages; 0: none.
int torn_write = 0;
bool has_journal = false;

constexpr std::size_t page = 4096, journal_head = 32;

}  // namespace

/// Of the library, too: a kill in the middle of a write cannot be had otherwise.
extern "C" ssize_t pwrite(int file, const void* bytes, std::size_t size, off_t at) {
  std::size_t part = size;
  if (torn_write > 0) {
    if (size > journal_head && std::memcmp(bytes, "filum w1", 8) == 0) {
      has_journal = true;
    } else if (has_journal) {
      has_journal = false;
      if (--torn_write == 0)
        part = ((static_cast<std::size_t>(at) + size - 1) / page) * page - static_cast<std::size_t>(at);
    }
  }
  const ssize_t n = syscall(SYS_pwrite64, file, bytes, part, at);
  if (part != size) kill(getpid(), SIGKILL);
  return n;
}
extern "C" ssize_t pwrite64(int file, const void* bytes, std::size_t size, off_t at) {
  return pwrite(file, bytes, size, at);
}

namespace filum::record {
namespace {

namespace fs = std::filesystem;

/// Blocks of the index have up to 256 entries in the first 8000 blocks of a series, and fit into pages.
constexpr std::uint64_t first_frames = 8000, all_frames = 9000;

class TornFile : public testing::Test {
 protected:
  TornFile() : folder_(fs::temp_directory_path() / ("filum-torn-" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~TornFile() override { fs::remove_all(folder_); }

  static void write(Hdf5File& out, int series, std::uint64_t from, std::uint64_t to) {
    std::vector<double> values;
    for (std::uint64_t k = from; k < to; ++k) values.push_back(static_cast<double>(k));
    out.write_frames(series, from, to - from, values.data());
    out.flush();
  }
  void write_first() const {
    Hdf5File made(file_, Hdf5File::Mode::create);
    write(made, made.make_series("x", {}, 1), 0, first_frames);
    made.close();
  }
  /// One frame after the other, by a process that dies in the middle of the n-th write with a journal.
  int status_of_writer(int n) const {
    const pid_t writer = fork();
    if (writer == 0) {
      torn_write = n;
      Hdf5File out(file_, Hdf5File::Mode::stream);
      const int x = out.open_series("x");
      for (std::uint64_t k = first_frames; k < all_frames; ++k) write(out, x, k, k + 1);
      out.close();
      _exit(0);
    }
    int status = 0;
    waitpid(writer, &status, 0);
    return status;
  }
  /// How many numbers a reader without journals gets; -1 when it fails.
  long read_by_others() const {
    const hid_t in = H5Fopen(file_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    if (in < 0) return -1;
    const hid_t set = H5Dopen2(in, "x", H5P_DEFAULT), space = H5Dget_space(set);
    hsize_t size = 0;
    H5Sget_simple_extent_dims(space, &size, nullptr);
    std::vector<double> values(size);
    const herr_t status = H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    H5Sclose(space), H5Dclose(set), H5Fclose(in);
    return status < 0 ? -1 : static_cast<long>(size);
  }
  void expect_all_up_to_the_kill() const {
    const std::vector<double> found = Hdf5File(file_, Hdf5File::Mode::read).read("x");
    EXPECT_GE(found.size(), first_frames);
    for (std::size_t k = 0; k < found.size(); ++k) ASSERT_EQ(found[k], static_cast<double>(k));
  }

  fs::path folder_, file_ = folder_ / "result.h5", journal_ = folder_ / ".filum-journal-result.h5";
};

TEST_F(TornFile, IsWholeForFilumAndRepairedWhenWritingContinues) {
  int unreadable = 0;
  for (const int n : {1, 3, 200}) {
    fs::remove(file_);
    write_first();
    const int status = status_of_writer(n);
    ASSERT_TRUE(WIFSIGNALED(status)) << "there are fewer than " << n << " large blocks: nothing was tested";
    ASSERT_TRUE(fs::exists(journal_));
    unreadable += read_by_others() < 0 ? 1 : 0;
    expect_all_up_to_the_kill();
    {
      Hdf5File out(file_, Hdf5File::Mode::stream);
      EXPECT_FALSE(fs::exists(journal_));
      const int x = out.open_series("x");
      write(out, x, out.frames(x), all_frames);
      out.close();
    }
    EXPECT_EQ(read_by_others(), static_cast<long>(all_frames)) << n;
    expect_all_up_to_the_kill();
  }
  EXPECT_GT(unreadable, 0) << "the blocks were not torn: nothing was tested";
}

TEST_F(TornFile, NeedsNoJournalWhileBlocksFitIntoPages) {
  {
    Hdf5File made(file_, Hdf5File::Mode::create);
    made.make_series("x", {}, 1);
    made.close();
  }
  Hdf5File out(file_, Hdf5File::Mode::stream);
  const int x = out.open_series("x");
  for (std::uint64_t k = 0; k < 500; ++k) write(out, x, k, k + 1);
  EXPECT_FALSE(fs::exists(journal_));
}

TEST_F(TornFile, LeavesNoJournalWhenItIsClosed) {
  write_first();
  EXPECT_EQ(status_of_writer(0), 0);
  EXPECT_FALSE(fs::exists(journal_));
  EXPECT_EQ(read_by_others(), static_cast<long>(all_frames));
}

TEST_F(TornFile, IsNotTouchedByTheJournalOfAnother) {
  write_first();
  ASSERT_TRUE(WIFSIGNALED(status_of_writer(3)));
  fs::copy_file(journal_, folder_ / "kept");
  fs::remove(file_);
  {
    Hdf5File made(file_, Hdf5File::Mode::create);
    std::vector<double> values(all_frames, 7.5);
    made.write("x", values);
    made.close();
  }
  const auto bytes = [&] {
    std::ifstream in(file_, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const std::string before = bytes();
  fs::copy_file(folder_ / "kept", journal_, fs::copy_options::overwrite_existing);
  EXPECT_EQ(Hdf5File(file_, Hdf5File::Mode::read).read("x"), std::vector<double>(all_frames, 7.5));
  { const Hdf5File changed(file_, Hdf5File::Mode::append); }
  EXPECT_EQ(bytes(), before);
  EXPECT_FALSE(fs::exists(journal_));
}

}  // namespace
}  // namespace filum::record
