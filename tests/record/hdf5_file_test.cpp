/// HDF5 files that stay readable. User document: docs/guide/results.md.
#include <filum/record/hdf5_file.hpp>

#include <gtest/gtest.h>
#include <hdf5.h>
#include <libdeflate.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
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
  {
    Hdf5File made(file.path(), Hdf5File::Mode::create);
    made.make_series("x", {}, 4);
    made.close();
  }
  Hdf5File out(file.path(), Hdf5File::Mode::stream);
  const int series = out.open_series("x");
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
  constexpr int trials = 25;
  for (int trial = 0; trial < trials; ++trial) {
    fs::remove(file.path());
    int pipes[2];
    ASSERT_EQ(pipe(pipes), 0);
    const pid_t writer = fork();
    if (writer == 0) {
      {
        Hdf5File made(file.path(), Hdf5File::Mode::create);
        made.make_series("a", {50}, 8), made.make_series("b", {}, 8);
        made.close();
      }
      Hdf5File out(file.path(), Hdf5File::Mode::stream);
      const int a = out.open_series("a"), b = out.open_series("b");
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
    for (std::uint64_t more = 0; read(pipes[0], &more, sizeof more) == static_cast<ssize_t>(sizeof more);)
      flushed = more;
    close(pipes[0]);
    const Hdf5File in(file.path(), Hdf5File::Mode::read);
    const std::vector<double> values = in.read("a");
    ASSERT_GE(values.size(), (flushed + 1) * 8 * 50) << trial;
    EXPECT_EQ(values[(flushed * 8) * 50], static_cast<double>(flushed));
    EXPECT_GE(in.read("b").size(), (flushed + 1) * 8);
  }
}

TEST(Hdf5File, GivesBackWholeBlocksAndPartsOfThem) {
  const TemporaryFile file("blocks.h5");
  std::vector<double> values(14);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1 / (1.0 + static_cast<double>(i));
  {
    Hdf5File out(file.path(), Hdf5File::Mode::create);
    const int x = out.make_series("x", {2}, 3);
    out.write_frames(x, 0, 3, values.data());      // a whole block
    out.write_frames(x, 3, 1, values.data() + 6);  // its beginning ...
    out.write_frames(x, 4, 2, values.data() + 8);  // ... and end
    out.write_frames(x, 6, 1, values.data() + 12);
    out.write_frames(x, 3, 3, values.data() + 6);  // whole, over what was there
    out.close();
  }
  EXPECT_EQ(Hdf5File(file.path(), Hdf5File::Mode::read).read("x"), values);
}

TEST(Hdf5File, CanBeShortenedAndContinued) {
  const TemporaryFile file("d.h5");
  const std::vector<double> frames{1, 2, 3, 4, 5, 6, 7, 8, 9};
  {
    Hdf5File out(file.path(), Hdf5File::Mode::create);
    const int x = out.make_series("x", {}, 4);
    out.write_frames(x, 0, 9, frames.data());
    out.close();
  }
  {
    Hdf5File out(file.path(), Hdf5File::Mode::append);
    const int x = out.open_series("x");
    EXPECT_EQ(out.frames(x), 9u);
    out.set_frames(x, 2);
    out.close();
  }
  {
    Hdf5File out(file.path(), Hdf5File::Mode::stream);
    const int x = out.open_series("x");
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
}

// The heap of texts has no checksum, and HDF5 follows the sizes in it beyond its end.
TEST(Hdf5File, RefusesTextsThatEndBehindTheirHeap) {
  const TemporaryFile file("heap.h5");
  {
    Hdf5File out(file.path(), Hdf5File::Mode::create);
    out.set_attribute("/", "facts", std::string(100, 'x'));
    out.close();
  }
  std::ifstream in(file.path(), std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), {});
  const std::size_t heap = bytes.find("GCOL");
  ASSERT_NE(heap, std::string::npos);
  EXPECT_EQ(Hdf5File(file.path(), Hdf5File::Mode::read).text_attribute("/", "facts").size(), 100u);
  EXPECT_EQ(Hdf5File("image", bytes).text_attribute("/", "facts").size(), 100u);
  const auto is_refused = [&](std::size_t at, char byte) {
    std::string other = bytes;
    other[heap + at] = byte;
    std::ofstream(file.path(), std::ios::binary) << other;
    EXPECT_THROW(Hdf5File(file.path(), Hdf5File::Mode::read).text_attribute("/", "facts"), FileTrouble) << at;
    EXPECT_THROW(Hdf5File("image", other).text_attribute("/", "facts"), FileTrouble) << at;
  };
  is_refused(8, '\1'), is_refused(14, '\1');     // the size of the heap
  is_refused(25, '\x7f'), is_refused(30, '\1');  // that of the text
  is_refused(26, '\1');
}

/// As long as it lives, no file can be longer than this.
class FilesAreLimited {
 public:
  explicit FilesAreLimited(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    signal_ = std::signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FilesAreLimited() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, signal_);
  }

 private:
  rlimit before_{};
  void (*signal_)(int);
};

// HDF5 keeps small arrays back until their dataset is closed, and then says nothing about a disk that is full just now.
TEST(Hdf5File, SaysThatAnArrayWasLostWhenItIsClosed) {
  const TemporaryFile file("lost.h5");
  Hdf5File out(file.path(), Hdf5File::Mode::create);
  EXPECT_THROW(
      {
        {
          const FilesAreLimited full(64);
          out.write("a", std::vector<double>{1, 2, 3});
        }
        out.close();
      },
      FileTrouble);
}

TEST(Hdf5File, IsMadeWhereNothingIsAndFollowsNoLinks) {
  const TemporaryFile file("f.h5"), target("g.h5");
  std::ofstream(target.path()) << "mine";
  fs::create_symlink(target.path(), file.path());
  EXPECT_THROW(Hdf5File(file.path(), Hdf5File::Mode::create), FileTrouble);
  EXPECT_THROW(Hdf5File(target.path(), Hdf5File::Mode::create), FileTrouble);
  EXPECT_EQ(fs::file_size(target.path()), 4u);
  EXPECT_THROW(Hdf5File(fs::temp_directory_path(), Hdf5File::Mode::read), FileTrouble) << "a folder";
}

TEST(Hdf5File, NeverSaysThatItIsOpenAndIsAsLongAsItSays) {
  const TemporaryFile file("h.h5");
  const auto first_block = [&] {
    std::array<unsigned char, 48> bytes{};
    std::ifstream(file.path(), std::ios::binary).read(reinterpret_cast<char*>(bytes.data()), bytes.size());
    return bytes;
  };
  const auto length = [&] {
    std::uint64_t n = 0;
    for (std::size_t k = 0; k < 8; ++k) n |= std::uint64_t{first_block()[28 + k]} << (8 * k);
    return n;
  };
  {
    Hdf5File made(file.path(), Hdf5File::Mode::create);
    made.make_series("x", {}, 4);
    made.close();
  }
  const std::uint64_t at_first = fs::file_size(file.path());
  {
    Hdf5File out(file.path(), Hdf5File::Mode::stream);
    const int x = out.open_series("x");
    const std::vector<double> frames{1, 2, 3, 4, 5};
    for (std::uint64_t k = 0; k < 20; ++k) {
      out.reserve(100);
      out.write_frames(x, 5 * k, 5, frames.data());
      EXPECT_EQ(first_block()[11], 0) << "the mark of open files";
      EXPECT_LE(length(), fs::file_size(file.path()));
      out.flush();
      EXPECT_EQ(first_block()[11], 0);
      EXPECT_LE(length(), fs::file_size(file.path()));
      EXPECT_GT(length(), at_first + (1 << 20)) << "room for what is written while others read";
    }
  }
  EXPECT_EQ(length(), fs::file_size(file.path()));
  EXPECT_LT(length(), at_first + 100000);
}

/// A file with one series of HDF5's own making, and what this program reads of it.
class ForeignSeries {
 public:
  static constexpr hsize_t rows = 7, width = 2, block = 3;
  explicit ForeignSeries(const fs::path& path, std::vector<H5Z_filter_t> filters, hsize_t block_width = width)
      : path_(path), file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)) {
    const hsize_t sizes[] = {rows, width}, largest[] = {H5S_UNLIMITED, width}, blocks[] = {block, block_width};
    const hid_t layout = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(2, sizes, largest);
    H5Pset_chunk(layout, 2, blocks);
    for (const H5Z_filter_t filter : filters)
      filter == H5Z_FILTER_SHUFFLE ? H5Pset_shuffle(layout) : H5Pset_deflate(layout, 9);
    set_ = H5Dcreate2(file_, "x", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, layout, H5P_DEFAULT);
    H5Sclose(space), H5Pclose(layout);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1 / (1.0 + static_cast<double>(i));
  }
  void write() { H5Dwrite(set_, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()); }
  /// Block number k as it lies in the file.
  void put(hsize_t k, std::string_view bytes, std::uint32_t skipped = 0) {
    const hsize_t offset[] = {k * block, 0};
    H5Dwrite_chunk(set_, H5P_DEFAULT, skipped, offset, bytes.size(), bytes.data());
  }
  std::vector<double> read() {
    if (file_ >= 0) H5Dclose(set_), H5Fclose(file_);
    file_ = -1;
    return Hdf5File(path_, Hdf5File::Mode::read).read("x");
  }
  std::vector<double> values = std::vector<double>(rows * width);

 private:
  fs::path path_;
  hid_t file_, set_ = -1;
};

TEST(Hdf5File, ReadsSeriesThatWerePackedAgain) {
  const TemporaryFile path("packed.h5");
  for (const std::vector<H5Z_filter_t>& filters : {std::vector<H5Z_filter_t>{},
                                                   {H5Z_FILTER_SHUFFLE},
                                                   {H5Z_FILTER_DEFLATE},
                                                   {H5Z_FILTER_SHUFFLE, H5Z_FILTER_DEFLATE}}) {
    ForeignSeries series(path.path(), filters);
    series.write();
    EXPECT_EQ(series.read(), series.values) << filters.size();
  }
  // Filters that a block has skipped.
  ForeignSeries series(path.path(), {H5Z_FILTER_SHUFFLE, H5Z_FILTER_DEFLATE});
  series.write();
  const std::string ones(sizeof(double) * ForeignSeries::block * ForeignSeries::width, '\1');
  series.put(0, ones, 2), series.put(1, ones, 3);
  const std::vector<double> values = series.read();
  EXPECT_TRUE(std::all_of(values.begin(), values.end() - 2, [&](double x) { return x == values[0]; }));
  EXPECT_EQ(std::memcmp(values.data(), ones.data(), ones.size()), 0);
  EXPECT_EQ(values.back(), series.values.back());
}

// HDF5 itself reads what lies behind a block that is too short.
TEST(Hdf5File, RefusesBlocksThatAreNotWhatTheyShouldBe) {
  const TemporaryFile path("damaged.h5");
  constexpr std::size_t size = sizeof(double) * ForeignSeries::block * ForeignSeries::width;
  const auto deflated = [](std::size_t count) {
    std::string packed(count + 100, '\0');
    libdeflate_compressor* deflater = libdeflate_alloc_compressor(1);
    packed.resize(
        libdeflate_zlib_compress(deflater, std::string(count, '\1').data(), count, packed.data(), packed.size()));
    libdeflate_free_compressor(deflater);
    return packed;
  };
  const auto read = [&](std::string_view bytes, std::uint32_t skipped = 0) {
    ForeignSeries series(path.path(), {H5Z_FILTER_SHUFFLE, H5Z_FILTER_DEFLATE});
    series.write();
    series.put(1, bytes, skipped);
    return series.read();
  };
  EXPECT_EQ(read(deflated(size)).size(), 14u);
  EXPECT_THROW(read(deflated(size - 1)), FileTrouble);
  EXPECT_THROW(read(deflated(8)), FileTrouble);
  EXPECT_THROW(read(deflated(size + 1)), FileTrouble);
  EXPECT_THROW(read(deflated(100 * size)), FileTrouble);
  EXPECT_THROW(read(deflated(size).substr(0, 10)), FileTrouble);
  EXPECT_THROW(read(std::string(1000, '\1')), FileTrouble);
  EXPECT_THROW(read(std::string(size - 1, '\1'), 3), FileTrouble) << "no filter, and too short";
}

TEST(Hdf5File, RefusesSeriesWithBlocksMissingButForTheLast) {
  const TemporaryFile path("missing.h5");
  const std::string block(sizeof(double) * ForeignSeries::block * ForeignSeries::width, '\1');
  constexpr std::uint32_t as_it_is = 1;
  ForeignSeries last(path.path(), {H5Z_FILTER_DEFLATE});
  last.put(0, block, as_it_is), last.put(1, block, as_it_is);
  EXPECT_EQ(last.read().back(), 0) << "a killed run may have announced a block that it has not written";
  ForeignSeries second(path.path(), {H5Z_FILTER_DEFLATE});
  second.put(0, block, as_it_is), second.put(2, block, as_it_is);
  EXPECT_THROW(second.read(), FileTrouble);
}

TEST(Hdf5File, RefusesBlocksThatAreNotWholeFrames) {
  const TemporaryFile path("narrow.h5");
  ForeignSeries series(path.path(), {}, 1);
  series.write();
  EXPECT_THROW(series.read(), FileTrouble);
}

/// Result files that others have made: every one of them is refused.
TEST(Hdf5File, RefusesWhatFilumDoesNotWrite) {
  const TemporaryFile path("i.h5");
  {
    const hid_t file = H5Fcreate(path.path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const auto make = [&](const char* name, hid_t type, const std::vector<hsize_t>& sizes, hid_t how = H5P_DEFAULT) {
      const hid_t space = H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr);
      H5Dclose(H5Dcreate2(file, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT));
      H5Sclose(space);
    };
    make("whole", H5T_NATIVE_INT, {3});
    make("backwards", H5T_IEEE_F64BE, {3});
    make("narrow", H5T_NATIVE_DOUBLE, {3, 0});
    const hid_t chunked = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t chunk = 16;
    H5Pset_chunk(chunked, 1, &chunk);
    make("giant", H5T_NATIVE_DOUBLE, {hsize_t{1} << 50}, chunked);
    const hid_t outside = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(outside, "/etc/passwd", 0, 64);
    make("outside", H5T_NATIVE_DOUBLE, {8}, outside);
    H5Lcreate_external("/etc/passwd", "/x", file, "elsewhere", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/circle", file, "circle", H5P_DEFAULT, H5P_DEFAULT);
    const hid_t text = H5Tcopy(H5T_C_S1), many = H5Screate_simple(1, std::array<hsize_t, 1>{1000}.data(), nullptr);
    H5Tset_size(text, H5T_VARIABLE);
    H5Aclose(H5Acreate2(file, "facts", text, many, H5P_DEFAULT, H5P_DEFAULT));
    H5Sclose(many), H5Tclose(text), H5Pclose(chunked), H5Pclose(outside), H5Fclose(file);
  }
  const Hdf5File file(path.path(), Hdf5File::Mode::read);
  for (const char* name : {"whole", "backwards", "narrow", "giant", "outside", "elsewhere", "circle", "nothing", ""}) {
    EXPECT_THROW(file.read(name), FileTrouble) << name;
    EXPECT_THROW(file.shape(name), FileTrouble) << name;
  }
  EXPECT_THROW(file.text_attribute("/", "facts"), FileTrouble);
  EXPECT_FALSE(file.contains("elsewhere"));
}

}  // namespace
}  // namespace filum::record
