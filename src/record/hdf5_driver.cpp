/// A file driver for HDF5. User document: docs/guide/results.md, "Reading while a run goes on".
#include "hdf5_driver.hpp"

#include "first_block.hpp"
#include "hdf5_heap.hpp"
#include "hdf5_index.hpp"
#include "whole_io.hpp"
#include "write_journal.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace filum::record::driver {
namespace {

/// How far a growing file goes beyond what it contains. A reader of the whole file is slower than the writer only
/// where that writes more than this meanwhile.
constexpr haddr_t hole = haddr_t{16} << 20;

/// A kill ends a write between two pages; those of the kernel are multiples of this.
constexpr haddr_t page = 4096;

thread_local std::string trouble;
thread_local std::string_view image_to_open;  ///< by the next call of HDF5 that opens a file

struct File {
  H5FD_t base{};  ///< first: HDF5 knows nothing else
  int descriptor = -1;
  bool is_writable = false, is_streaming = false;
  bool is_written = false;           ///< HDF5 opens files just to look, too
  bool is_lasting = true;            ///< waits for the disk when it is closed
  int error = 0;                     ///< of a write that has failed: closing a dataset, HDF5 may pass over it
  haddr_t used = 0, end = 0;         ///< what HDF5 has given away, and what it takes for the length of the file
  haddr_t length = 0;                ///< of the file on the disk
  haddr_t announced = 0;             ///< while streaming: the length that readers are told
  haddr_t touched = 0;               ///< while streaming: nothing lies beyond that others could be reading
  haddr_t shelf = 0, shelf_end = 0;  ///< what is free of the page with the last block of the index
  std::filesystem::path path;
  std::unique_ptr<WriteJournal> journal;      ///< while streaming
  std::optional<UnfinishedWrite> unfinished;  ///< of a file that is only read
  std::string_view image;                     ///< of a file in memory
  bool is_old = false;                        ///< of a format without marks and checksums: HDF5 is trusted
  SoundBlock sound;                           ///< of a file that is only read
  dev_t device{};
  ino_t inode{};
};

File& of(H5FD_t* file) { return *reinterpret_cast<File*>(file); }
const File& of(const H5FD_t* file) { return *reinterpret_cast<const File*>(file); }

herr_t failed(const char* what = nullptr) {
  trouble = what ? what : std::strerror(errno);
  return -1;
}

/// The size of files may be limited; a process that exceeds it is killed by a signal.
haddr_t longest_file() {
  rlimit limit{};
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? haddr_t{limit.rlim_cur}
                                                                                 : ~haddr_t{0} >> 1;
}

bool set_length(File& f, haddr_t length) {
  if (length > longest_file()) {
    errno = EFBIG;
    return false;
  }
  if (ftruncate(f.descriptor, static_cast<off_t>(length)) != 0) return false;
  f.length = length;
  return true;
}

/// Tells readers how long the file is.
bool announce(const File& f, haddr_t length) {
  std::array<unsigned char, FirstBlock::size> bytes{};
  if (!read_whole(f.descriptor, bytes.data(), bytes.size(), 0)) return false;
  FirstBlock block(bytes.data());
  if (!block.is_known()) return true;
  block.set_length(length);
  return write_whole(f.descriptor, block.data(), FirstBlock::size, 0);
}

/// Before anything lies beyond the length that readers know, they are told of more. A reader asks for the length of the
/// file first and for what it was told second, so that the file is longer, and has been for a while, than anybody says.
bool extend_hole(File& f, haddr_t needed) {
  if (needed <= f.announced) return true;
  const haddr_t most = longest_file(), wanted = std::max(needed, std::min(needed + hole, most));
  if (f.length < wanted && !set_length(f, wanted)) return false;
  f.announced = wanted;
  return announce(f, wanted) && set_length(f, std::max(wanted, std::min(wanted + 2 * hole, most)));
}

int flags_of(unsigned flags) {
  const int how = (flags & H5F_ACC_RDWR) != 0 ? O_RDWR | O_NOFOLLOW : O_RDONLY;
  const int made = (flags & H5F_ACC_CREAT) != 0 ? O_CREAT | O_EXCL : 0;
  return how | made | O_CLOEXEC | O_NONBLOCK;  // a pipe is refused, not waited for
}

/// The part of an unfinished write that lies within [at, at + size).
void put_over(const UnfinishedWrite& w, haddr_t at, std::size_t size, unsigned char* out) {
  const haddr_t from = std::max<haddr_t>(at, w.at), to = std::min<haddr_t>(at + size, w.at + w.bytes.size());
  if (from < to) std::copy_n(w.bytes.data() + (from - w.at), to - from, out + (from - at));
}

/// What lies within the file. False: errno says why.
bool read_from(const File& f, haddr_t at, std::span<unsigned char> out) {
  if (f.descriptor < 0) {
    const std::size_t from = std::min<std::size_t>(at, f.image.size());
    const std::size_t count = std::min(out.size(), f.image.size() - from);
    std::memcpy(out.data(), f.image.data() + from, count);
    std::fill(out.begin() + static_cast<std::ptrdiff_t>(count), out.end(), static_cast<unsigned char>(0));
    return true;
  }
  if (!read_whole(f.descriptor, out.data(), out.size(), at)) return false;
  if (f.unfinished) put_over(*f.unfinished, at, out.size(), out.data());
  return true;
}

/// Other programs write such files, h5repack for one.
bool has_old_format(const File& f) {
  std::array<unsigned char, FirstBlock::size> bytes{};
  return read_from(f, 0, bytes) && FirstBlock(bytes.data()).is_old();
}

/// Of no device: every image is a file of its own.
H5FD_t* open_image(std::string_view image) {
  static std::atomic<ino_t> count{0};
  File* f = new File;
  f->image = image;
  f->end = f->length = image.size();
  f->inode = ++count;
  f->is_old = has_old_format(*f);
  trouble.clear();
  return &f->base;
}

H5FD_t* open_file(const char* name, unsigned flags, hid_t, haddr_t) {
  if (!image_to_open.empty()) return open_image(image_to_open);
  const int descriptor = ::open(name, flags_of(flags), 0666);
  if (descriptor < 0) {
    failed();
    return nullptr;
  }
  struct stat status {};
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    failed("it is not a file");
    ::close(descriptor);
    return nullptr;
  }
  File* f = new File;
  f->descriptor = descriptor;
  f->is_writable = (flags & H5F_ACC_RDWR) != 0;
  f->end = f->length = static_cast<haddr_t>(status.st_size);
  f->path = name;
  if (!f->is_writable)
    f->unfinished = unfinished_write(f->path, descriptor), f->is_old = has_old_format(*f);
  else if (!complete_write(f->path, descriptor)) {
    failed();
    ::close(descriptor);
    delete f;
    return nullptr;
  }
  f->device = status.st_dev;
  f->inode = status.st_ino;
  trouble.clear();
  return &f->base;
}

herr_t close_file(H5FD_t* file) {
  File& f = of(file);
  bool is_good = f.error == 0;
  errno = f.error;
  if (is_good && f.is_streaming)  // on the disk, before the file is cut: the other way round it would look damaged
    is_good = announce(f, f.used) && (!f.is_lasting || fdatasync(f.descriptor) == 0 || errno == EINVAL);
  if (is_good && (f.is_written || f.is_streaming) && f.length > f.used) is_good = set_length(f, f.used);
  const herr_t status = is_good ? 0 : failed();
  if (f.descriptor >= 0) ::close(f.descriptor);
  delete &f;
  return status;
}

int compare(const H5FD_t* a, const H5FD_t* b) {
  const File &x = of(a), &y = of(b);
  if (x.device != y.device) return x.device < y.device ? -1 : 1;
  return x.inode < y.inode ? -1 : x.inode > y.inode ? 1 : 0;
}

/// Files that are only read may come from anywhere: every piece of the index is asked for here, where places are
/// checked. HDF5's accumulator of pieces does not survive an address that is none.
herr_t query(const H5FD_t* file, unsigned long* flags) {
  *flags = H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_SUPPORTS_SWMR_IO | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  if (!file || of(file).is_writable) *flags |= H5FD_FEAT_ACCUMULATE_METADATA;
  return 0;
}

haddr_t used(const H5FD_t* file, H5FD_mem_t) { return of(file).used; }
herr_t set_used(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  File& f = of(file);
  if (address < f.shelf_end) f.shelf = f.shelf_end = 0;
  f.used = address;
  return 0;
}

haddr_t next_page(haddr_t at) { return (at + page - 1) / page * page; }

/// Blocks of the index are overwritten while others read them: where they fit into a page, they lie in one, so that
/// nothing can tear them.
haddr_t allocate(H5FD_t* file, H5FD_mem_t type, hid_t, hsize_t size) {
  File& f = of(file);
  const bool is_index = type != H5FD_MEM_DRAW;
  if (is_index && size <= page) {
    if (f.shelf_end - f.shelf < size) {
      f.shelf = next_page(f.used);
      f.used = f.shelf_end = f.shelf + page;
    }
    f.shelf += size;
    return f.shelf - size;
  }
  const haddr_t at = is_index ? next_page(f.used) : f.used;
  f.used = at + size;
  return at;
}

haddr_t end(const H5FD_t* file, H5FD_mem_t) { return of(file).end; }

herr_t handle(H5FD_t* file, hid_t, void** out) {
  *out = &of(file);
  return 0;
}

herr_t read(H5FD_t* file, H5FD_mem_t type, hid_t, haddr_t at, std::size_t size, void* out) {
  File& f = of(file);
  const std::span bytes(static_cast<unsigned char*>(out), size);
  if (at > f.used || size > f.used - at) return failed("the file refers to places beyond its end");
  if (!read_from(f, at, bytes)) return failed();
  const bool is_text = begins_heap(bytes);  // HDF5 says that they are data
  const bool is_looked_at = is_text || (type != H5FD_MEM_DRAW && type != H5FD_MEM_SUPER && !f.is_old);
  if (f.is_writable || !is_looked_at) return 0;
  const IndexSource source{std::min(f.used, f.length),
                           [&f](haddr_t from, std::span<unsigned char> part) { return read_from(f, from, part); }};
  return is_sound_block(source, at, bytes, f.sound) ? 0 : failed("its index is damaged");
}

/// A write that a kill may end half-way, over something that others may be reading.
bool can_be_torn(const File& f, haddr_t at, std::size_t size) {
  return f.journal && size > 0 && at / page != (at + size - 1) / page && at < f.touched;
}

bool write_at(File& f, haddr_t at, std::size_t size, const unsigned char* bytes) {
  if (!can_be_torn(f, at, size)) return write_whole(f.descriptor, bytes, size, at);
  std::vector<unsigned char> before(size);
  if (!read_whole(f.descriptor, before.data(), size, at)) return false;
  f.journal->begin(at, before, {bytes, size});
  if (!write_whole(f.descriptor, bytes, size, at)) return false;  // the journal stays
  f.journal->end();
  return true;
}

herr_t write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t at, std::size_t size, const void* in) {
  File& f = of(file);
  const auto* bytes = static_cast<const unsigned char*>(in);
  if (f.is_streaming && !extend_hole(f, at + size)) return failed();
  std::vector<unsigned char> changed;
  if (at == 0 && size >= FirstBlock::size && FirstBlock(in).is_known()) {
    FirstBlock block(in);
    block.set_length(f.is_streaming ? std::max(f.announced, block.length()) : block.length());
    changed.assign(bytes, bytes + size);
    std::copy_n(block.data(), FirstBlock::size, changed.begin());
    bytes = changed.data();
  }
  if (!write_at(f, at, size, bytes)) {
    f.error = errno;
    return failed();
  }
  f.is_written = true;
  f.end = std::max(f.end, at + size);
  f.length = std::max(f.length, at + size);
  f.touched = std::max(f.touched, at + size);
  return 0;
}

/// What is too long is cut off when the file is closed, after the first block has said so.
herr_t truncate(H5FD_t* file, hid_t, hbool_t) {
  File& f = of(file);
  if (f.is_writable && f.used > f.length && !set_length(f, f.used)) return failed();
  f.end = f.used;
  return 0;
}

hid_t register_driver() {
  static const H5FD_class_t driver = [] {
    H5FD_class_t c{};
#if H5_VERSION_GE(1, 14, 0)
    c.version = H5FD_CLASS_VERSION;
    c.value = static_cast<H5FD_class_value_t>(600);  // of those that are free for everybody
#endif
    c.name = "filum";
    c.maxaddr = ~haddr_t{0} >> 1;
    c.fc_degree = H5F_CLOSE_WEAK;
    c.open = open_file;
    c.close = close_file;
    c.cmp = compare;
    c.query = query;
    c.alloc = allocate;
    c.get_eoa = used;
    c.set_eoa = set_used;
    c.get_eof = end;
    c.get_handle = handle;
    c.read = read;
    c.write = write;
    c.truncate = truncate;
    const H5FD_mem_t lists[] = H5FD_FLMAP_DICHOTOMY;
    std::copy(std::begin(lists), std::end(lists), std::begin(c.fl_map));
    return c;
  }();
  return H5FDregister(&driver);
}

File* file_of(hid_t id) {
  void* handle = nullptr;
  return H5Fget_vfd_handle(id, H5P_DEFAULT, &handle) >= 0 ? static_cast<File*>(handle) : nullptr;
}

}  // namespace

void select(hid_t access) {
  static const hid_t id = register_driver();
  H5Pset_driver(access, id, nullptr);
}

hid_t open_image(const char* name, std::string_view image, hid_t access) {
  image_to_open = image;
  const hid_t file = H5Fopen(name, H5F_ACC_RDONLY, access);
  image_to_open = {};
  return file;
}

void start_streaming(hid_t file) {
  File* f = file_of(file);
  if (!f) return;
  f->is_streaming = true;
  f->journal = std::make_unique<WriteJournal>(f->path);
  f->announced = f->used;  // after a kill the file is longer than it says
  f->touched = f->used;
  // Whoever opens the file before the first frames are written reads on while they are. Or later, if not now.
  extend_hole(*f, f->used + 1);
}

bool reserve(hid_t file, std::uint64_t bytes) {
  File* f = file_of(file);
  if (!f || !extend_hole(*f, f->used + bytes)) return false;
  const auto from = static_cast<off_t>(f->used), count = static_cast<off_t>(bytes);
  const int error = posix_fallocate(f->descriptor, from, count);
  if (error != 0) fallocate(f->descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, from, count);
  errno = error;
  return error == 0;
}

bool sync(hid_t file) {
  const File* f = file_of(file);
  return f && (fdatasync(f->descriptor) == 0 || errno == EINVAL);
}

void leave_to_system(hid_t file) {
  if (File* f = file_of(file)) f->is_lasting = false;
}

const std::string& last_trouble() { return trouble; }
void forget_trouble() { trouble.clear(); }

}  // namespace filum::record::driver
