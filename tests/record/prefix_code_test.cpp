/// Prefix codes of deflate: RFC 1951, 3.2.2.
#include <filum/record/prefix_code.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <queue>
#include <random>
#include <vector>

namespace filum::record {
namespace {

using Counts = std::vector<std::uint32_t>;

/// Room that the words take, as a fraction, and bits for all symbols.
struct Quality {
  double room = 0, bits = 0;
};

/// Bits that no code can be below.
double huffman(const Counts& counts) {
  std::priority_queue<double, std::vector<double>, std::greater<>> trees;
  for (const std::uint32_t n : counts)
    if (n > 0) trees.push(n);
  double bits = 0;
  while (trees.size() > 1) {
    double both = trees.top();
    trees.pop();
    both += trees.top();
    trees.pop();
    trees.push(both);
    bits += both;
  }
  return bits;
}

Quality quality(const Counts& counts, unsigned longest) {
  PrefixCode code;
  code.make(counts, longest);
  Quality q;
  for (std::size_t s = 0; s < counts.size(); ++s) {
    const unsigned bits = code.length(s);
    EXPECT_EQ(bits > 0, counts[s] > 0);
    EXPECT_LE(bits, longest);
    if (bits > 0) q.room += std::ldexp(1, -static_cast<int>(bits));
    q.bits += static_cast<double>(bits) * counts[s];
  }
  return q;
}

TEST(PrefixCode, LeavesNoRoomAndIsNearlyHuffmans) {
  std::mt19937 random(3);
  for (int k = 0; k < 300; ++k) {
    Counts counts(2 + random() % 285);
    const double slope = 0.02 * static_cast<double>(random() % 30);
    for (std::size_t s = 0; s < counts.size(); ++s)
      counts[s] = static_cast<std::uint32_t>(1e5 * std::exp(-slope * static_cast<double>(random() % 40)));
    counts[0] = counts[1] = 1;  // at least two
    const Quality q = quality(counts, PrefixCode::longest);
    EXPECT_EQ(q.room, 1) << "room for words that there are not";
    EXPECT_LE(q.bits, 1.11 * huffman(counts));
  }
}

TEST(PrefixCode, KeepsToTheLongestWord) {
  Counts fibonacci{1, 1};
  while (fibonacci.size() < 40) fibonacci.push_back(fibonacci.back() + fibonacci[fibonacci.size() - 2]);
  for (const unsigned longest : {6U, 7U, 10U, 14U}) EXPECT_EQ(quality(fibonacci, longest).room, 1);
  Counts all(286, 1);
  all[255] = 4000000000U;
  EXPECT_EQ(quality(all, 9).room, 1);
  EXPECT_EQ(quality(all, 14).room, 1);
}

TEST(PrefixCode, GivesASingleSymbolOneBitAndNobodyNothing) {
  PrefixCode code;
  code.make(Counts{0, 7, 0});
  EXPECT_EQ(code.length(0) + code.length(2), 0U);
  EXPECT_EQ(code.length(1), 1U);
  code.make(Counts{0, 0, 0});
  for (std::size_t s = 0; s < 3; ++s) EXPECT_EQ(code.length(s), 0U);
}

/// RFC 1951: the symbols A to H with lengths 3, 3, 3, 3, 3, 2, 4, 4 have the words 010 011 100 101 110 00 1110 1111.
TEST(PrefixCode, NumbersItsWordsAsReadersExpect) {
  PrefixCode code;
  code.make(Counts{8, 8, 8, 8, 8, 16, 4, 4});
  const std::array<unsigned, 8> lengths{3, 3, 3, 3, 3, 2, 4, 4}, words{2, 3, 4, 5, 6, 0, 14, 15};
  for (std::size_t s = 0; s < 8; ++s) {
    ASSERT_EQ(code.length(s), lengths[s]);
    std::array<unsigned char, 16> bytes{};
    BitWriter out(bytes.data());
    code.put(out, s);
    out.flush();
    out.align();
    unsigned word = 0;
    for (unsigned k = 0; k < lengths[s]; ++k) word = word << 1 | ((bytes[0] >> k) & 1U);
    EXPECT_EQ(word, words[s]) << s;
  }
}

TEST(PrefixCode, PutsFourSymbolsAsOneAfterTheOther) {
  PrefixCode code;
  Counts counts(256);
  for (std::size_t s = 0; s < counts.size(); ++s) counts[s] = static_cast<std::uint32_t>(1 + s * s);
  code.make(counts);
  const std::array<unsigned char, 4> symbols{3, 255, 0, 90};
  std::array<unsigned char, 32> one{}, four{};
  BitWriter a(one.data()), b(four.data());
  a.put(1, 3), b.put(1, 3);
  for (const unsigned char s : symbols) code.put(a, s), a.flush();
  code.put_four(b, symbols.data());
  a.align(), b.align();
  EXPECT_EQ(one, four);
}

}  // namespace
}  // namespace filum::record
