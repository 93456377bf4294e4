/// The mark of HDF5 files that are open for writing. User document: docs/guide/results.md.
#include "open_mark.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cstring>

// A file in streaming mode is consistent at any moment, in the order in which HDF5 writes, but for its first block.
// That says "being written", and ordinary readers then refuse the whole file: for good, if the writer was killed. It
// also says how long the file is, and is written last: what lies beyond looks like damage. So the mark is taken off
// after every flush, and before every block of frames the file is made longer than it will need, and says so. The block
// is 44 bytes, the mark is byte 11, the length bytes 28 to 35; then follows a checksum, Jenkins' lookup3.
namespace filum::record {
namespace {

constexpr std::size_t mark_at = 11, length_at = 28, checked = 44;
using Block = std::array<unsigned char, 48>;
constexpr std::array<unsigned char, 9> signature{0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n', 3};

/// lookup3 of a length that is not a multiple of 12, read as little-endian words.
std::uint32_t checksum(const Block& block) {
  const auto word = [&](std::size_t at) {
    return std::uint32_t{block[at]} | std::uint32_t{block[at + 1]} << 8 | std::uint32_t{block[at + 2]} << 16 |
           std::uint32_t{block[at + 3]} << 24;
  };
  std::uint32_t a = 0xdeadbeef + checked, b = a, c = a;
  std::size_t at = 0;
  for (; at + 12 < checked; at += 12) {
    a += word(at), b += word(at + 4), c += word(at + 8);
    a -= c, a ^= std::rotl(c, 4), c += b;
    b -= a, b ^= std::rotl(a, 6), a += c;
    c -= b, c ^= std::rotl(b, 8), b += a;
    a -= c, a ^= std::rotl(c, 16), c += b;
    b -= a, b ^= std::rotl(a, 19), a += c;
    c -= b, c ^= std::rotl(b, 4), b += a;
  }
  static_assert(checked % 12 == 8);
  a += word(at), b += word(at + 4);
  c ^= b, c -= std::rotl(b, 14);
  a ^= c, a -= std::rotl(c, 11);
  b ^= a, b -= std::rotl(a, 25);
  c ^= b, c -= std::rotl(b, 16);
  a ^= c, a -= std::rotl(c, 4);
  b ^= a, b -= std::rotl(a, 14);
  c ^= b, c -= std::rotl(b, 24);
  return c;
}

}  // namespace

namespace {

class RawFile {
 public:
  explicit RawFile(const std::filesystem::path& path) : path_(path), fd_(::open(path.c_str(), O_RDWR | O_CLOEXEC)) {
    if (fd_ < 0) fail("the file cannot be opened");
  }
  ~RawFile() { ::close(fd_); }
  RawFile(const RawFile&) = delete;
  RawFile& operator=(const RawFile&) = delete;

  [[noreturn]] void fail(const std::string& what) const {
    throw FileTrouble(path_.string() + ": " + what + " (" + std::strerror(errno) + ")");
  }
  std::uint64_t size() const {
    struct stat status {};
    if (::fstat(fd_, &status) != 0) fail("the file cannot be read");
    return static_cast<std::uint64_t>(status.st_size);
  }
  Block read() const {
    Block block{};
    if (::pread(fd_, block.data(), block.size(), 0) != static_cast<ssize_t>(block.size()) ||
        std::memcmp(block.data(), signature.data(), signature.size()) != 0)
      throw FileTrouble(path_.string() + ": this is not a result file of filum");
    return block;
  }
  /// Takes off the mark and sets the length.
  void write(Block block, std::uint64_t length) const {
    block[mark_at] = 0;
    for (unsigned k = 0; k < 8; ++k) block[length_at + k] = static_cast<unsigned char>(length >> (8 * k));
    const std::uint32_t sum = checksum(block);
    for (unsigned k = 0; k < 4; ++k) block[checked + k] = static_cast<unsigned char>(sum >> (8 * k));
    if (::pwrite(fd_, block.data(), block.size(), 0) != static_cast<ssize_t>(block.size()))
      fail("the file cannot be written");
  }
  void shorten(std::uint64_t length) const {
    if (::ftruncate(fd_, static_cast<off_t>(length)) != 0) fail("the file cannot be written");
  }
  /// Makes the file longer, with space on the disk behind it.
  void extend(std::uint64_t from, std::uint64_t bytes) const {
    rlimit limit{};
    const bool limited =
        ::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && from + bytes > limit.rlim_cur;
    const int error = limited ? EFBIG : ::posix_fallocate(fd_, static_cast<off_t>(from), static_cast<off_t>(bytes));
    if (error == 0) return;
    shorten(from);
    errno = error;
    fail("there is no space on the disk for more results");
  }

 private:
  std::filesystem::path path_;
  int fd_;
};

std::uint64_t length_in(const Block& block) {
  std::uint64_t length = 0;
  for (unsigned k = 0; k < 8; ++k) length |= std::uint64_t{block[length_at + k]} << (8 * k);
  return length;
}

}  // namespace

void clear_open_mark(const std::filesystem::path& path) {
  const RawFile file(path);
  const Block block = file.read();
  if (block[mark_at] != 0 || length_in(block) != file.size()) file.write(block, file.size());
}

void take_off_mark(const std::filesystem::path& path, std::uint64_t length) {
  const RawFile file(path);
  file.write(file.read(), length);
  if (file.size() > length) file.shorten(length);
}

void reserve_space(const std::filesystem::path& path, std::uint64_t bytes) {
  const RawFile file(path);
  const std::uint64_t size = file.size();
  file.extend(size, bytes);
  file.write(file.read(), size + bytes);
}

}  // namespace filum::record
