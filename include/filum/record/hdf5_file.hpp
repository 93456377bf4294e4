/// HDF5 files in the two ways they are needed: whole arrays, and series that grow while others read them.
/// User document: docs/guide/results.md.
#pragma once

#include <filum/record/durability.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace filum::record {

/// A file that cannot be created, read or written: names the file and the reason.
class FileTrouble : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws FileTrouble whenever the library or the disk refuses, and when a file is not what filum writes: files may
/// come from anywhere, and may be damaged.
class Hdf5File {
 public:
  enum class Mode {
    create,  ///< a file that does not exist
    append,
    stream,  ///< only series grow; whatever has been flushed stays readable for other programs, even if this process is
             ///< killed
    read
  };
  Hdf5File(const std::filesystem::path& path, Mode mode);
  /// A new file in memory with about so many bytes; messages call it `name`.
  static Hdf5File in_memory(const std::filesystem::path& name, std::size_t bytes = 0);
  /// A file that was read into memory.
  Hdf5File(const std::filesystem::path& name, std::string_view image);
  ~Hdf5File();
  Hdf5File(Hdf5File&&) noexcept;
  const std::filesystem::path& path() const;

  bool contains(const std::string& name) const;
  /// The names of all datasets, "rod/position".
  std::vector<std::string> datasets() const;
  /// Whether a dataset was made to grow.
  bool is_series(const std::string& name) const;
  /// Creates missing groups.
  void make_group(const std::string& name);
  /// Attributes of a group, a dataset, or "/" for the file.
  void set_attribute(const std::string& object, const std::string& name, const std::string& value);
  void set_attribute(const std::string& object, const std::string& name, double value);
  bool has_attribute(const std::string& object, const std::string& name) const;
  std::string text_attribute(const std::string& object, const std::string& name) const;

  void write(const std::string& name, std::span<const double> values, const std::vector<int>& shape = {});
  std::vector<double> read(const std::string& name) const;
  /// Numbers along each direction; their product is a sensible number.
  std::vector<std::uint64_t> shape(const std::string& name) const;
  /// Reads every number of a series: throws where the file is damaged. Shows whole frames, with the number of the
  /// first.
  void verify(const std::string& name,
              const std::function<void(std::uint64_t first, std::span<const double> frames)>& see = {}) const;

  // Series: one entry of `shape` per frame, compressed, `chunk` frames at a time.
  int make_series(const std::string& name, const std::vector<int>& shape, int chunk);
  /// One that will be opened later.
  void declare_series(const std::string& name, const std::vector<int>& shape, int chunk);
  int open_series(const std::string& name);
  std::uint64_t frames(int series) const;
  void set_frames(int series, std::uint64_t frames);
  /// Writes `count` frames from number `first` on; the series grows as needed.
  void write_frames(int series, std::uint64_t first, std::uint64_t count, const double* values);
  /// To be called before frames are written to a file that is streamed: makes sure that this many bytes will fit on the
  /// disk.
  void reserve(std::uint64_t bytes);
  void flush();
  /// On the disk afterwards, whatever happens to the machine.
  void sync();
  /// The bytes of a file in memory, which nothing must be written to from now on; there as long as this is.
  std::string_view image();
  /// Writes everything. The destructor does the same, but cannot report errors.
  void close(Durability durability = Durability::lasting);

 private:
  struct Handles;
  explicit Hdf5File(std::unique_ptr<Handles> handles);
  std::unique_ptr<Handles> h_;
};

}  // namespace filum::record
