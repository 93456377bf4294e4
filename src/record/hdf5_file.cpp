/// HDF5 through its C interface. User document: docs/guide/results.md.
#include "first_block.hpp"
#include "hdf5_blocks.hpp"
#include "hdf5_check.hpp"
#include "hdf5_driver.hpp"
#include "hdf5_id.hpp"
#include "hdf5_properties.hpp"
#include "packing.hpp"

#include <filum/record/hdf5_file.hpp>
#include <filum/record/plane_packer.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace filum::record {

struct Hdf5File::Handles {
  std::filesystem::path path;
  hid_t file = -1;
  std::vector<hid_t> series;
  std::vector<std::string> names;
  std::vector<hsize_t> blocks;  ///< frames in a block of each series
  PlanePacker packer;
  Properties properties;
  std::vector<double> padded;
  std::vector<unsigned char> shuffled;
  bool is_read_only = false;
  mutable bool is_broken = false;  ///< a write has failed: HDF5 must not be asked to write the rest

  [[noreturn]] void fail(const std::string& what) const {
    is_broken = !is_read_only;
    std::string reason = driver::last_trouble();
    // The innermost entry of the error stack is the cause: often the system's own words, such as "No space left on
    // device".
    if (reason.empty())
      H5Ewalk2(
          H5E_DEFAULT, H5E_WALK_UPWARD,
          [](unsigned n, const H5E_error2_t* entry, void* out) -> herr_t {
            if (n == 0 && entry->desc) *static_cast<std::string*>(out) = entry->desc;
            return 0;
          },
          &reason);
    driver::forget_trouble();
    constexpr std::size_t longest = 200;
    throw FileTrouble(path.string() + ": " + what + (reason.empty() ? "" : " (" + reason.substr(0, longest) + ")"));
  }
  template <class T>
  T check(T result, const std::string& what) const {
    if (result < 0) fail(what);
    return result;
  }
  [[noreturn]] void refuse(const std::string& what) const { throw FileTrouble(path.string() + ": " + what); }
  [[noreturn]] void fail_at_block(const std::string& name) const {
    fail("the dataset " + name + " cannot be read: one of its blocks is missing or damaged");
  }
  hid_t new_series(const std::string& name, const std::vector<int>& shape, int chunk);
  int add_series(const std::string& name, hid_t set) {
    const Id layout(H5Dget_create_plist(set), H5Pclose);
    std::array<hsize_t, H5S_MAX_RANK> block{};
    check(H5Pget_chunk(layout, H5S_MAX_RANK, block.data()), "the dataset " + name + " cannot grow");
    series.push_back(set);
    names.push_back(name);
    blocks.push_back(block[0]);
    return static_cast<int>(series.size()) - 1;
  }
  /// An array of numbers in this file.
  Id dataset(const std::string& name) const {
    if (const std::string objection = objection_to_name(file, name); !objection.empty())
      refuse("the dataset " + name + " " + objection);
    Id set(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
    check<hid_t>(set, "there is no dataset " + name);
    if (const std::string objection = objection_to_dataset(set); !objection.empty())
      refuse("the dataset " + name + " " + objection);
    return set;
  }
};

namespace {

/// Errors are exceptions here, not lines on the terminal; HDF5 wants to know that in every thread.
void silence() {
  static thread_local const bool is_silent = H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr) >= 0;
  static_cast<void>(is_silent);
}

/// What all files have in common.
Id access_properties() {
  // Files are closed here or are broken; nothing is loaded that a file asks for. What HDF5 has freed it keeps: to give
  // it back again and again takes half of the time of closing thousands of series.
  static const bool is_set_up =
      H5dont_atexit() >= 0 && H5PLset_loading_state(0) >= 0 && H5set_free_list_limits(-1, -1, -1, -1, -1, -1) >= 0;
  static_cast<void>(is_set_up);
  silence();
  driver::forget_trouble();
  Id access = property(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);  // the first format whose growing files can be read
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  H5Pset_metadata_read_attempts(access, 1);  // by default HDF5 retries damaged blocks forever
#if H5_VERSION_GE(1, 10, 7)
  H5Pset_file_locking(access, false, true);  // readers of the results must not stop the run
#endif
  return access;
}

/// Lengths and places of eight bytes, as checks of the file expect them.
bool has_usual_sizes(hid_t file) {
  const Id made(H5Fget_create_plist(file), H5Pclose);
  std::size_t place = 0, length = 0;
  return H5Pget_sizes(made, &place, &length) >= 0 && place == sizeof(std::uint64_t) && length == sizeof(std::uint64_t);
}

bool is_in_blocks(hid_t set) {
  const Id made(H5Dget_create_plist(set), H5Pclose);
  return H5Pget_layout(made) == H5D_CHUNKED;
}

}  // namespace

Hdf5File::Hdf5File(std::unique_ptr<Handles> handles) : h_(std::move(handles)) {}

Hdf5File::Hdf5File(const std::filesystem::path& path, Mode mode) : h_(std::make_unique<Handles>()) {
  const Id access = access_properties();
  driver::select(access);
  h_->path = path;
  h_->is_read_only = mode == Mode::read;
  switch (mode) {
    case Mode::create: h_->file = H5Fcreate(path.c_str(), H5F_ACC_EXCL, H5P_DEFAULT, access); break;
    case Mode::append: h_->file = H5Fopen(path.c_str(), H5F_ACC_RDWR, access); break;
    case Mode::stream: h_->file = H5Fopen(path.c_str(), H5F_ACC_RDWR | H5F_ACC_SWMR_WRITE, access); break;
    case Mode::read: h_->file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access); break;
  }
  if (mode == Mode::read && h_->file >= 0 && !has_usual_sizes(h_->file)) h_->refuse("the file has unusual numbers");
  if (h_->file < 0) h_->fail(mode == Mode::create ? "the file cannot be created" : "the file cannot be opened");
  if (mode == Mode::stream) driver::start_streaming(h_->file);
}

Hdf5File Hdf5File::in_memory(const std::filesystem::path& name, std::size_t bytes) {
  auto handles = std::make_unique<Handles>();
  handles->path = name;
  const Id access = access_properties();
  constexpr std::size_t smallest = 1 << 16;
  H5Pset_fapl_core(access, smallest + bytes + bytes / 64, false);
  const std::string unused = name.string() + " in memory";  // HDF5 would read a file of this name
  handles->file = handles->check(H5Fcreate(unused.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), "it cannot be created");
  return Hdf5File(std::move(handles));
}

Hdf5File::Hdf5File(const std::filesystem::path& name, std::string_view image) : h_(std::make_unique<Handles>()) {
  h_->path = name;
  h_->is_read_only = true;
  const Id access = access_properties();
  driver::select(access);
  h_->file = h_->check(driver::open_image(name.c_str(), image, access), "the file cannot be opened");
  if (!has_usual_sizes(h_->file)) h_->refuse("the file has unusual numbers");
}

std::string_view Hdf5File::image() {
  h_->check(H5Fflush(h_->file, H5F_SCOPE_GLOBAL), "the file cannot be written");
  const ssize_t size = h_->check(H5Fget_file_image(h_->file, nullptr, 0), "the file cannot be written");
  void* place = nullptr;  // the driver of files in memory says where its bytes are
  h_->check(H5Fget_vfd_handle(h_->file, H5P_DEFAULT, &place), "the file cannot be written");
  char* bytes = *static_cast<char**>(place);
  FirstBlock block(bytes);  // says that it is open
  block.set_length(block.length());
  std::memcpy(bytes, block.data(), FirstBlock::size);
  return {bytes, static_cast<std::size_t>(size)};
}

Hdf5File::Hdf5File(Hdf5File&&) noexcept = default;

const std::filesystem::path& Hdf5File::path() const { return h_->path; }

Hdf5File::~Hdf5File() {
  if (!h_ || h_->file < 0 || h_->is_broken) return;
  silence();
  for (const hid_t id : h_->series) H5Dclose(id);
  H5Fclose(h_->file);
}

void Hdf5File::close(Durability durability) {
  if (h_->file < 0 || h_->is_broken) return;
  flush();
  if (durability == Durability::quick) driver::leave_to_system(h_->file);
  for (const hid_t id : h_->series) H5Dclose(id);
  h_->series.clear();
  const herr_t status = H5Fclose(h_->file);
  h_->file = -1;
  if (status < 0) h_->fail("the file cannot be completed");
}

bool Hdf5File::contains(const std::string& name) const { return objection_to_name(h_->file, name).empty(); }

std::vector<std::string> Hdf5File::datasets() const {
  std::vector<std::string> names;
  const auto note = [](hid_t file, const char* name, const H5L_info_t* link, void* out) -> herr_t {
    H5O_info_t object{};
    if (link->type == H5L_TYPE_HARD && H5Oget_info_by_name1(file, name, &object, H5P_DEFAULT) >= 0 &&
        object.type == H5O_TYPE_DATASET)
      static_cast<std::vector<std::string>*>(out)->emplace_back(name);
    return 0;
  };
  h_->check(H5Lvisit(h_->file, H5_INDEX_NAME, H5_ITER_INC, note, &names), "the datasets cannot be listed");
  return names;
}

bool Hdf5File::is_series(const std::string& name) const { return is_in_blocks(h_->dataset(name)); }

void Hdf5File::make_group(const std::string& name) {
  if (contains(name)) return;
  const Id group(H5Gcreate2(h_->file, name.c_str(), h_->properties.of_links(), H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  h_->check<hid_t>(group, "the group " + name + " cannot be created");
}

void Hdf5File::set_attribute(const std::string& object, const std::string& name, const std::string& value) {
  const Id type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  const Id space(H5Screate(H5S_SCALAR), H5Sclose);
  const Id attribute(
      H5Acreate_by_name(h_->file, object.c_str(), name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose);
  h_->check<hid_t>(attribute, "the attribute " + name + " cannot be created");
  const char* text = value.c_str();
  h_->check(H5Awrite(attribute, type, &text), "the attribute " + name + " cannot be written");
}

void Hdf5File::set_attribute(const std::string& object, const std::string& name, double value) {
  const Id space(H5Screate(H5S_SCALAR), H5Sclose);
  const Id attribute(H5Acreate_by_name(h_->file, object.c_str(), name.c_str(), H5T_NATIVE_DOUBLE, space, H5P_DEFAULT,
                                       H5P_DEFAULT, H5P_DEFAULT),
                     H5Aclose);
  h_->check<hid_t>(attribute, "the attribute " + name + " cannot be created");
  h_->check(H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value), "the attribute " + name + " cannot be written");
}

bool Hdf5File::has_attribute(const std::string& object, const std::string& name) const {
  return H5Aexists_by_name(h_->file, object.c_str(), name.c_str(), H5P_DEFAULT) > 0;
}

std::string Hdf5File::text_attribute(const std::string& object, const std::string& name) const {
  const Id attribute(H5Aopen_by_name(h_->file, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  h_->check<hid_t>(attribute, "there is no attribute " + name);
  if (const std::string objection = objection_to_text(attribute); !objection.empty())
    h_->refuse("the attribute " + name + " " + objection);
  const Id type(H5Aget_type(attribute), H5Tclose);
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
  const Id set(
      H5Dcreate2(h_->file, name.c_str(), H5T_NATIVE_DOUBLE, space, h_->properties.of_links(), H5P_DEFAULT, H5P_DEFAULT),
      H5Dclose);
  h_->check<hid_t>(set, "the dataset " + name + " cannot be created");
  if (!values.empty())
    h_->check(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
              "the dataset " + name + " cannot be written");
}

std::vector<std::uint64_t> Hdf5File::shape(const std::string& name) const {
  const std::vector<hsize_t> sizes = extent(h_->dataset(name));
  return {sizes.begin(), sizes.end()};
}

std::vector<double> Hdf5File::read(const std::string& name) const {
  const Id set = h_->dataset(name);
  std::size_t count = 1;
  for (const hsize_t n : extent(set)) count *= n;
  std::vector<double> values(count);
  if (values.empty()) return values;
  if (!is_in_blocks(set))
    h_->check(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
              "the dataset " + name + " cannot be read");
  else if (!BlockReader(set).read(0, values))
    h_->fail_at_block(name);
  return values;
}

void Hdf5File::verify(const std::string& name,
                      const std::function<void(std::uint64_t first, std::span<const double> frames)>& see) const {
  const Id set = h_->dataset(name);
  if (!is_in_blocks(set)) h_->refuse("the dataset " + name + " cannot grow");
  const std::vector<hsize_t> sizes = extent(set);
  std::size_t width = 1;
  for (std::size_t k = 1; k < sizes.size(); ++k) width *= sizes[k];
  BlockReader reader(set);
  const hsize_t piece = reader.frames_in_block();
  std::vector<double> values(std::min(piece, sizes[0]) * width);
  for (hsize_t first = 0; first < sizes[0]; first += piece) {
    const auto frames = std::span(values).first(std::min(piece, sizes[0] - first) * width);
    if (!reader.read(first, frames)) h_->fail_at_block(name);
    if (see) see(first, frames);
  }
}

hid_t Hdf5File::Handles::new_series(const std::string& name, const std::vector<int>& shape, int chunk) {
  std::vector<hsize_t> sizes{0}, largest{H5S_UNLIMITED}, chunks{static_cast<hsize_t>(chunk)};
  for (const int n : shape) {
    sizes.push_back(static_cast<hsize_t>(n));
    largest.push_back(static_cast<hsize_t>(n));
    chunks.push_back(static_cast<hsize_t>(n));
  }
  const Id space = space_of(sizes, largest);
  return check(H5Dcreate2(file, name.c_str(), H5T_NATIVE_DOUBLE, space, properties.of_links(),
                          properties.of_series(chunks), H5P_DEFAULT),
               "the dataset " + name + " cannot be created");
}

int Hdf5File::make_series(const std::string& name, const std::vector<int>& shape, int chunk) {
  return h_->add_series(name, h_->new_series(name, shape, chunk));
}

void Hdf5File::declare_series(const std::string& name, const std::vector<int>& shape, int chunk) {
  h_->check(H5Dclose(h_->new_series(name, shape, chunk)), "the dataset " + name + " cannot be created");
}

int Hdf5File::open_series(const std::string& name) {
  const hid_t set = H5Dopen2(h_->file, name.c_str(), h_->properties.of_access());
  h_->check(set, "there is no dataset " + name);
  return h_->add_series(name, set);
}

std::uint64_t Hdf5File::frames(int series) const {
  silence();
  return extent(h_->series[static_cast<std::size_t>(series)])[0];
}

void Hdf5File::set_frames(int series, std::uint64_t frames) {
  const hid_t set = h_->series[static_cast<std::size_t>(series)];
  std::vector<hsize_t> sizes = extent(set);
  if (sizes[0] == frames) return;
  sizes[0] = frames;
  h_->check(H5Dset_extent(set, sizes.data()),
            "the dataset " + h_->names[static_cast<std::size_t>(series)] + " cannot be resized");
}

/// Blocks that are whole, or the last of the series so far, are packed here and handed to HDF5 as they are: a third of
/// the time of its own filters, or less.
void Hdf5File::write_frames(int series, std::uint64_t first, std::uint64_t count, const double* values) {
  const auto number = static_cast<std::size_t>(series);
  const hid_t set = h_->series[number];
  std::vector<hsize_t> sizes = extent(set);
  const bool is_last = sizes[0] <= first + count;
  if (sizes[0] < first + count) set_frames(series, first + count);
  std::vector<hsize_t> offset(sizes.size(), 0);
  offset[0] = first;
  sizes[0] = count;
  herr_t result = -1;
  const hsize_t length = h_->blocks[number];
  if (first % length == 0 && (count == length || (count < length && is_last))) {
    std::size_t row = 1;
    for (std::size_t k = 1; k < sizes.size(); ++k) row *= sizes[k];
    std::span<const double> block(values, count * row);
    if (count < length) {
      h_->padded.assign(length * row, 0);
      std::copy(block.begin(), block.end(), h_->padded.begin());
      block = h_->padded;
    }
    h_->shuffled.resize(block.size_bytes());
    shuffle(block, h_->shuffled.data());
    const auto packed = h_->packer.pack(h_->shuffled, row, sizes.size() > 1 ? sizes.back() : 1);
    result = H5Dwrite_chunk(set, H5P_DEFAULT, 0, offset.data(), packed.size(), packed.data());
  } else {
    const Id memory = space_of(sizes, {});
    const Id target(H5Dget_space(set), H5Sclose);
    H5Sselect_hyperslab(target, H5S_SELECT_SET, offset.data(), nullptr, sizes.data(), nullptr);
    result = H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, target, H5P_DEFAULT, values);
  }
  h_->check(result, "the dataset " + h_->names[number] + " cannot be written");
}

void Hdf5File::reserve(std::uint64_t bytes) {
  // What HDF5 adds: an index entry and perhaps a new index block per series.
  if (!driver::reserve(h_->file, bytes + bytes / 64 + 65536 + 8192 * h_->series.size()))
    h_->refuse(std::string("there is no space on the disk for more results (") + std::strerror(errno) + ")");
}

void Hdf5File::flush() {
  silence();
  h_->check(H5Fflush(h_->file, H5F_SCOPE_GLOBAL), "the file cannot be written");
}

void Hdf5File::sync() {
  flush();
  if (!driver::sync(h_->file)) h_->refuse(std::string("the file cannot be written (") + std::strerror(errno) + ")");
}

}  // namespace filum::record
