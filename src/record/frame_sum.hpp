/// A sum over the numbers of all frames, by which a run knows the frames of a file as its own. User document:
/// docs/guide/results.md, "Resuming".
#pragma once

#include <bit>
#include <cstdint>
#include <span>

namespace filum::record {

/// Of one frame of one series; sums of these do not depend on the order. Not against forgery.
inline std::uint64_t mixed(std::uint64_t series, std::uint64_t frame, std::span<const double> values) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
  std::uint64_t state = (series + 1) * odd ^ frame;
  for (const double value : values) {
    state = (state ^ std::bit_cast<std::uint64_t>(value)) * odd;
    state ^= state >> 32;
  }
  return state;
}

/// What a checkpoint, which has numbers of 53 bits, can keep of a sum.
inline std::uint64_t kept_bits(std::uint64_t sum) { return sum & ((std::uint64_t{1} << 52) - 1); }

}  // namespace filum::record
