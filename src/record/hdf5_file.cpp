/// HDF5 through its C interface. User document: docs/guide/results.md.
#include "open_mark.hpp"

#include <filum/record/hdf5_file.hpp>

#include <hdf5.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace filum::record {

struct Hdf5File::Handles {
  std::filesystem::path path;
  hid_t file = -1;
  std::vector<hid_t> series;
  std::vector<std::string> names;
  bool streaming = false, is_read_only = false;
  mutable bool is_broken = false;  ///< a write has failed: HDF5 must not be asked to write the rest

  [[noreturn]] void fail(const std::string& what) const {
    is_broken = !is_read_only;
    std::string reason;
    // The innermost entry of the error stack is the cause: often the system's own words, such as "No space left on
    // device".
    H5Ewalk2(
        H5E_DEFAULT, H5E_WALK_UPWARD,
        [](unsigned n, const H5E_error2_t* entry, void* out) -> herr_t {
          if (n == 0 && entry->desc) *static_cast<std::string*>(out) = entry->desc;
          return 0;
        },
        &reason);
    constexpr std::size_t longest = 200;
    throw FileTrouble(path.string() + ": " + what + (reason.empty() ? "" : " (" + reason.substr(0, longest) + ")"));
  }
  template <class T>
  T check(T result, const std::string& what) const {
    if (result < 0) fail(what);
    return result;
  }
};

namespace {

/// Closes what HDF5 opened.
class Id {
 public:
  Id(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Id(const Id&) = delete;
  Id& operator=(const Id&) = delete;
  ~Id() {
    if (id_ >= 0) close_(id_);
  }
  operator hid_t() const { return id_; }  // NOLINT: stands for the id

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

Id property(hid_t of) { return {H5Pcreate(of), H5Pclose}; }
Id space_of(const std::vector<hsize_t>& shape, const std::vector<hsize_t>& largest) {
  return {H5Screate_simple(static_cast<int>(shape.size()), shape.data(), largest.empty() ? nullptr : largest.data()),
          H5Sclose};
}

}  // namespace

Hdf5File::Hdf5File(const std::filesystem::path& path, Mode mode) : h_(std::make_unique<Handles>()) {
  static const herr_t no_writing_at_exit = H5dont_atexit();  // files are closed here or are broken
  static_cast<void>(no_writing_at_exit);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // errors are exceptions here, not lines on the terminal
  h_->path = path;
  h_->is_read_only = mode == Mode::read;
  const Id access = property(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);  // the first format whose growing files can be read
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
#if H5_VERSION_GE(1, 10, 7)
  H5Pset_file_locking(access, false, true);  // whoever reads the results must not stop the run
#endif
  switch (mode) {
    case Mode::create: h_->file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access); break;
    case Mode::append: h_->file = H5Fopen(path.c_str(), H5F_ACC_RDWR, access); break;
    case Mode::read: h_->file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access); break;
  }
  if (h_->file < 0) {
    const std::string reason = errno != 0 && mode == Mode::create ? std::strerror(errno) : "";
    if (!reason.empty()) throw FileTrouble(path.string() + ": the file cannot be created (" + reason + ")");
    h_->fail("the file cannot be opened");
  }
}

Hdf5File::Hdf5File(Hdf5File&&) noexcept = default;

const std::filesystem::path& Hdf5File::path() const { return h_->path; }

Hdf5File::~Hdf5File() {
  if (!h_ || h_->file < 0 || h_->is_broken) return;
  for (const hid_t id : h_->series) H5Dclose(id);
  H5Fclose(h_->file);
}

void Hdf5File::close() {
  if (h_->file < 0 || h_->is_broken) return;
  flush();
  for (const hid_t id : h_->series) H5Dclose(id);
  h_->series.clear();
  const herr_t status = H5Fclose(h_->file);
  h_->file = -1;
  if (status < 0) h_->fail("the file cannot be completed");
}

bool Hdf5File::contains(const std::string& name) const {
  for (std::size_t cut = name.find('/', 1);; cut = name.find('/', cut + 1)) {
    if (H5Lexists(h_->file, name.substr(0, cut).c_str(), H5P_DEFAULT) <= 0) return false;
    if (cut == std::string::npos) return true;
  }
}

void Hdf5File::make_group(const std::string& name) {
  if (contains(name)) return;
  const Id links = property(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(links, 1);
  const Id group(H5Gcreate2(h_->file, name.c_str(), links, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  h_->check<hid_t>(group, "the group " + name + " cannot be made");
}

void Hdf5File::set_attribute(const std::string& object, const std::string& name, const std::string& value) {
  const Id type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  const Id space(H5Screate(H5S_SCALAR), H5Sclose);
  const Id attribute(
      H5Acreate_by_name(h_->file, object.c_str(), name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose);
  h_->check<hid_t>(attribute, "the attribute " + name + " cannot be made");
  const char* text = value.c_str();
  h_->check(H5Awrite(attribute, type, &text), "the attribute " + name + " cannot be written");
}

void Hdf5File::set_attribute(const std::string& object, const std::string& name, double value) {
  const Id space(H5Screate(H5S_SCALAR), H5Sclose);
  const Id attribute(H5Acreate_by_name(h_->file, object.c_str(), name.c_str(), H5T_NATIVE_DOUBLE, space, H5P_DEFAULT,
                                       H5P_DEFAULT, H5P_DEFAULT),
                     H5Aclose);
  h_->check<hid_t>(attribute, "the attribute " + name + " cannot be made");
  h_->check(H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value), "the attribute " + name + " cannot be written");
}

bool Hdf5File::has_attribute(const std::string& object, const std::string& name) const {
  return H5Aexists_by_name(h_->file, object.c_str(), name.c_str(), H5P_DEFAULT) > 0;
}

std::string Hdf5File::text_attribute(const std::string& object, const std::string& name) const {
  const Id attribute(H5Aopen_by_name(h_->file, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  h_->check<hid_t>(attribute, "there is no attribute " + name);
  const Id type(H5Aget_type(attribute), H5Tclose);
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) <= 0)
    h_->fail("the attribute " + name + " is not a text");
  char* text = nullptr;
  h_->check(H5Aread(attribute, type, &text), "the attribute " + name + " cannot be read");
  const std::string value = text ? text : "";
  H5free_memory(text);
  return value;
}

void Hdf5File::write(const std::string& name, std::span<const double> values, const std::vector<int>& shape) {
  std::vector<hsize_t> sizes(shape.begin(), shape.end());
  if (sizes.empty()) sizes.push_back(values.size());
  const Id space = space_of(sizes, {});
  const Id links = property(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(links, 1);
  const Id set(H5Dcreate2(h_->file, name.c_str(), H5T_NATIVE_DOUBLE, space, links, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  h_->check<hid_t>(set, "the dataset " + name + " cannot be made");
  if (!values.empty())
    h_->check(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
              "the dataset " + name + " cannot be written");
}

std::vector<std::uint64_t> Hdf5File::shape(const std::string& name) const {
  const Id set(H5Dopen2(h_->file, name.c_str(), H5P_DEFAULT), H5Dclose);
  h_->check<hid_t>(set, "there is no dataset " + name);
  const Id space(H5Dget_space(set), H5Sclose);
  std::vector<hsize_t> sizes(static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space))));
  H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
  return {sizes.begin(), sizes.end()};
}

std::vector<double> Hdf5File::read(const std::string& name) const {
  std::uint64_t count = 1;
  for (const std::uint64_t n : shape(name))
    if (__builtin_mul_overflow(count, n, &count)) h_->fail("the dataset " + name + " says that it is endless");
  const Id set(H5Dopen2(h_->file, name.c_str(), H5P_DEFAULT), H5Dclose);
  // Deflate shrinks by a factor of about a thousand at most; blocks that were never written take no room.
  constexpr std::uint64_t most_shrinking = 1100, never_written = 64 << 20;
  if (count > (H5Dget_storage_size(set) * most_shrinking + never_written) / sizeof(double))
    h_->fail("the dataset " + name + " says that it is larger than the file");
  std::vector<double> values(count);
  if (!values.empty())
    h_->check(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
              "the dataset " + name + " cannot be read");
  return values;
}

int Hdf5File::make_series(const std::string& name, const std::vector<int>& shape, int chunk) {
  std::vector<hsize_t> sizes{0}, largest{H5S_UNLIMITED}, chunks{static_cast<hsize_t>(chunk)};
  for (const int n : shape) {
    sizes.push_back(static_cast<hsize_t>(n));
    largest.push_back(static_cast<hsize_t>(n));
    chunks.push_back(static_cast<hsize_t>(n));
  }
  const Id space = space_of(sizes, largest);
  const Id layout = property(H5P_DATASET_CREATE), links = property(H5P_LINK_CREATE);
  H5Pset_chunk(layout, static_cast<int>(chunks.size()), chunks.data());
  H5Pset_shuffle(layout);
  H5Pset_deflate(layout, 1);  // level 6 takes three times as long and saves 2 % on trajectories
  H5Pset_create_intermediate_group(links, 1);
  const hid_t set = H5Dcreate2(h_->file, name.c_str(), H5T_NATIVE_DOUBLE, space, links, layout, H5P_DEFAULT);
  h_->check(set, "the dataset " + name + " cannot be made");
  h_->series.push_back(set);
  h_->names.push_back(name);
  return static_cast<int>(h_->series.size()) - 1;
}

int Hdf5File::open_series(const std::string& name) {
  const hid_t set = H5Dopen2(h_->file, name.c_str(), H5P_DEFAULT);
  h_->check(set, "there is no dataset " + name);
  h_->series.push_back(set);
  h_->names.push_back(name);
  return static_cast<int>(h_->series.size()) - 1;
}

namespace {

std::vector<hsize_t> extent(hid_t set) {
  const Id space(H5Dget_space(set), H5Sclose);
  std::vector<hsize_t> sizes(static_cast<std::size_t>(std::max(1, H5Sget_simple_extent_ndims(space))));
  H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
  return sizes;
}

}  // namespace

std::uint64_t Hdf5File::frames(int series) const { return extent(h_->series[static_cast<std::size_t>(series)])[0]; }

void Hdf5File::set_frames(int series, std::uint64_t frames) {
  const hid_t set = h_->series[static_cast<std::size_t>(series)];
  std::vector<hsize_t> sizes = extent(set);
  if (sizes[0] == frames) return;
  sizes[0] = frames;
  h_->check(H5Dset_extent(set, sizes.data()),
            "the dataset " + h_->names[static_cast<std::size_t>(series)] + " cannot be resized");
}

void Hdf5File::write_frames(int series, std::uint64_t first, std::uint64_t count, const double* values) {
  const hid_t set = h_->series[static_cast<std::size_t>(series)];
  std::vector<hsize_t> sizes = extent(set);
  if (sizes[0] < first + count) set_frames(series, first + count);
  std::vector<hsize_t> offset(sizes.size(), 0);
  offset[0] = first;
  sizes[0] = count;
  const Id memory = space_of(sizes, {});
  const Id target(H5Dget_space(set), H5Sclose);
  H5Sselect_hyperslab(target, H5S_SELECT_SET, offset.data(), nullptr, sizes.data(), nullptr);
  h_->check(H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, target, H5P_DEFAULT, values),
            "the dataset " + h_->names[static_cast<std::size_t>(series)] + " cannot be written");
}

void Hdf5File::start_streaming() {
  h_->check(H5Fflush(h_->file, H5F_SCOPE_GLOBAL), "the file cannot be written");
  h_->check(H5Fstart_swmr_write(h_->file), "the file cannot be streamed");
  h_->streaming = true;
  flush();
}

void Hdf5File::reserve(std::uint64_t bytes) {
  // What HDF5 adds by itself: an index entry and perhaps a new index block for every series.
  reserve_space(h_->path, bytes + bytes / 64 + 65536 + 8192 * h_->series.size());
}

void Hdf5File::flush() {
  h_->check(H5Fflush(h_->file, H5F_SCOPE_GLOBAL), "the file cannot be written");
  haddr_t length = 0;
  if (h_->streaming && H5Fget_eoa(h_->file, &length) >= 0) take_off_mark(h_->path, length);
}

}  // namespace filum::record
