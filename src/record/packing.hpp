/// Numbers made small: bytes of equal rank side by side, then deflated. User document: docs/guide/results.md.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

struct libdeflate_compressor;
struct libdeflate_decompressor;

namespace filum::record {

/// Bytes of equal rank stand together: signs and exponents repeat, and then deflate finds them. `out` has room for all
/// bytes of `values`. HDF5's filter "shuffle" does the same.
template <class T>
void shuffle(std::span<const T> values, unsigned char* out) {
  const std::size_t count = values.size();
  for (std::size_t i = 0; i < count; ++i) {
    unsigned char raw[sizeof(T)];
    std::memcpy(raw, &values[i], sizeof(T));
    for (std::size_t k = 0; k < sizeof(T); ++k) out[k * count + i] = raw[k];
  }
}

/// Undoes `shuffle` of `count` numbers for the first of them.
template <class T>
void unshuffle(const unsigned char* bytes, std::size_t count, std::span<T> first) {
  for (std::size_t i = 0; i < first.size(); ++i) {
    unsigned char raw[sizeof(T)];
    for (std::size_t k = 0; k < sizeof(T); ++k) raw[k] = bytes[k * count + i];
    std::memcpy(&first[i], raw, sizeof(T));
  }
}

/// Packs bytes in the format of zlib, which HDF5 and browsers read.
class Deflater {
 public:
  /// From 1 (fast) to 12 (small).
  explicit Deflater(int level);
  /// Valid until the next call.
  std::span<const unsigned char> pack(std::span<const unsigned char> bytes);

 private:
  std::unique_ptr<libdeflate_compressor, void (*)(libdeflate_compressor*)> compressor_;
  std::vector<unsigned char> packed_;
};

/// Unpacks what a Deflater, or zlib, has packed.
class Inflater {
 public:
  Inflater();
  /// False when these are not packed bytes of exactly this length.
  bool unpack(std::span<const unsigned char> packed, std::span<unsigned char> out);

 private:
  std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> decompressor_;
};

}  // namespace filum::record
