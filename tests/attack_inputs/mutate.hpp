/// Texts with mistakes: what a tired hand, a script or an enemy may write. The same seed gives the same texts.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace filum::attack {

/// Draws that are the same on every machine.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}
  /// Below n.
  std::size_t operator()(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(random_() % n); }
  template <class List>
  const auto& of(const List& list) {
    return list[(*this)(std::size(list))];
  }

 private:
  std::mt19937_64 random_;
};

/// One to four small changes: lines doubled, dropped and moved, values replaced by hostile ones or by those of other
/// keys, characters changed.
std::string mutated(std::string text, Draw& draw);

/// A formula, mostly valid.
std::string random_formula(Draw& draw, int depth = 4);

}  // namespace filum::attack
