/// The mark of HDF5 files that are open for writing. User document: docs/guide/results.md.
#include <filum/record/hdf5_file.hpp>

#include <array>
#include <bit>
#include <cstring>
#include <fstream>

// A file in streaming mode is consistent after every flush, in the order in which HDF5 writes; yet its first block says
// "being written", and ordinary readers then refuse the whole file: for good, if the writer was killed. So the mark is
// taken off after every flush. The block is 44 bytes with the mark in byte 11, and a checksum over them: Jenkins' lookup3.
namespace filum::record {
namespace {

constexpr std::size_t mark_at = 11, checked = 44, block_size = 48;
constexpr std::array<unsigned char, 9> signature{0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n', 3};

/// lookup3 of a length that is not a multiple of 12, read as little-endian words.
std::uint32_t checksum(const std::array<unsigned char, block_size>& block) {
  const auto word = [&](std::size_t at) {
    return std::uint32_t{block[at]} | std::uint32_t{block[at + 1]} << 8 | std::uint32_t{block[at + 2]} << 16 | std::uint32_t{block[at + 3]} << 24;
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

void clear_open_mark(const std::filesystem::path& path) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  std::array<unsigned char, block_size> block{};
  if (!file.read(reinterpret_cast<char*>(block.data()), block_size)) throw FileTrouble(path.string() + ": the file cannot be read");
  if (std::memcmp(block.data(), signature.data(), signature.size()) != 0) throw FileTrouble(path.string() + ": this is not a result file of filum");
  if (block[mark_at] == 0) return;
  block[mark_at] = 0;
  const std::uint32_t sum = checksum(block);
  for (unsigned k = 0; k < 4; ++k) block[checked + k] = static_cast<unsigned char>(sum >> (8 * k));
  file.seekp(0);
  file.write(reinterpret_cast<const char*>(block.data()), block_size);
  file.flush();
  if (!file) throw FileTrouble(path.string() + ": the file cannot be written");
}

}  // namespace filum::record
