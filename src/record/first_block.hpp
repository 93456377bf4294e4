/// The first block of HDF5 files, superblock version 3. User document: docs/guide/results.md.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace filum::record {

/// 44 bytes, of which byte 11 is the mark of open files and bytes 28 to 35 are the length of the file, and a checksum,
/// Jenkins' lookup3.
class FirstBlock {
 public:
  static constexpr std::size_t size = 48;

  explicit FirstBlock(const void* bytes) { std::memcpy(bytes_.data(), bytes, size); }
  bool is_known() const { return has_signature() && bytes_[version_at] == 3; }
  /// Of a version whose index has no checksums.
  bool is_old() const { return has_signature() && bytes_[version_at] < 2; }
  const unsigned char* data() const { return bytes_.data(); }
  std::uint64_t length() const {
    std::uint64_t length = 0;
    for (unsigned k = 0; k < 8; ++k) length |= std::uint64_t{bytes_[length_at + k]} << (8 * k);
    return length;
  }
  /// Takes off the mark, too.
  void set_length(std::uint64_t length) {
    bytes_[mark_at] = 0;
    put(length_at, length, 8);
    put(checked, checksum(), 4);
  }

 private:
  static constexpr std::size_t version_at = 8, mark_at = 11, length_at = 28, checked = 44;

  bool has_signature() const {
    static constexpr std::array<unsigned char, version_at> signature{0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    return std::memcmp(bytes_.data(), signature.data(), signature.size()) == 0;
  }
  void put(std::size_t at, std::uint64_t value, unsigned count) {
    for (unsigned k = 0; k < count; ++k) bytes_[at + k] = static_cast<unsigned char>(value >> (8 * k));
  }
  std::uint32_t word(std::size_t at) const {
    return std::uint32_t{bytes_[at]} | std::uint32_t{bytes_[at + 1]} << 8 | std::uint32_t{bytes_[at + 2]} << 16 |
           std::uint32_t{bytes_[at + 3]} << 24;
  }
  /// lookup3 of a length that is not a multiple of 12, read as little-endian words.
  std::uint32_t checksum() const {
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

  std::array<unsigned char, size> bytes_{};
};

}  // namespace filum::record
