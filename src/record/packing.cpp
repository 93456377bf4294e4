/// Numbers made small. User document: docs/guide/results.md.
#include "packing.hpp"

#include <libdeflate.h>

#include <new>

namespace filum::record {

Deflater::Deflater(int level) : compressor_(libdeflate_alloc_compressor(level), libdeflate_free_compressor) {
  if (!compressor_) throw std::bad_alloc();
}

std::span<const unsigned char> Deflater::pack(std::span<const unsigned char> bytes) {
  const std::size_t most = libdeflate_zlib_compress_bound(compressor_.get(), bytes.size());
  if (packed_.size() < most) packed_.resize(most);
  const std::size_t size =
      libdeflate_zlib_compress(compressor_.get(), bytes.data(), bytes.size(), packed_.data(), packed_.size());
  return std::span(packed_).first(size);  // never 0: there is room for the most
}

Inflater::Inflater() : decompressor_(libdeflate_alloc_decompressor(), libdeflate_free_decompressor) {
  if (!decompressor_) throw std::bad_alloc();
}

bool Inflater::unpack(std::span<const unsigned char> packed, std::span<unsigned char> out) {
  return libdeflate_zlib_decompress(decompressor_.get(), packed.data(), packed.size(), out.data(), out.size(),
                                    nullptr) == LIBDEFLATE_SUCCESS;
}

}  // namespace filum::record
