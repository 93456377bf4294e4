/// Reading and writing that goes on until everything is done.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>

namespace filum::record {

/// What lies beyond the end of the file is 0. False: errno says why.
inline bool read_whole(int descriptor, unsigned char* out, std::size_t size, std::uint64_t at) {
  while (size > 0) {
    const ssize_t n = pread(descriptor, out, size, static_cast<off_t>(at));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    if (n == 0) break;
    out += n, size -= static_cast<std::size_t>(n), at += static_cast<std::uint64_t>(n);
  }
  std::fill_n(out, size, static_cast<unsigned char>(0));
  return true;
}

inline bool write_whole(int descriptor, const unsigned char* in, std::size_t size, std::uint64_t at) {
  while (size > 0) {
    const ssize_t n = pwrite(descriptor, in, size, static_cast<off_t>(at));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    in += n, size -= static_cast<std::size_t>(n), at += static_cast<std::uint64_t>(n);
  }
  return true;
}

}  // namespace filum::record
