/// Blocks of result files made small, fast. Measurements: docs/theory/performance.md, "Output".
#pragma once

#include <filum/record/prefix_code.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace filum::record {

/// Packs shuffled numbers in the format of zlib. Knows what it packs: numbers repeat in the frame before or in the node
/// before, or not at all, and mantissas are noise, of which only zeros take less room. That is three times as fast as
/// looking for repetitions everywhere.
class PlanePacker {
 public:
  /// `planes`: eight planes of bytes of equal rank, one byte per number; `row` numbers are a frame, `group` a node.
  /// Valid until the next call.
  std::span<const unsigned char> pack(std::span<const unsigned char> planes, std::size_t row, std::size_t group);

 private:
  using Bytes = std::span<const unsigned char>;
  /// Literal bytes, then the copy of some that are `distance` back.
  struct Token {
    std::uint32_t literals, copied, distance;
  };
  /// Of the code of codes.
  struct Item {
    unsigned symbol, bits, value;
  };

  void find_copies(Bytes bytes, std::size_t at, std::size_t count, std::size_t row, std::size_t group);
  void find_copies_from(Bytes bytes, std::size_t from, std::size_t to, std::size_t distance);
  void put_block(Bytes bytes, bool is_last);
  void count_symbols(Bytes bytes);
  void store(Bytes bytes, bool is_last);
  void put_codes();
  void put_tokens(const unsigned char* at);

  std::vector<unsigned char> packed_;
  BitWriter out_{nullptr};
  std::vector<Token> tokens_;
  std::vector<Item> items_;
  std::size_t open_ = 0;  ///< where the literals of the next token begin
  std::array<std::uint32_t, PrefixCode::most_symbols> counts_{};
  std::array<std::uint32_t, 30> distances_{};
  PrefixCode code_, distance_code_, length_code_;
};

}  // namespace filum::record
