/// What the packer of results writes, read by others. Measurements: docs/theory/performance.md, "Output".
#include <filum/record/plane_packer.hpp>

#include <gtest/gtest.h>
#include <libdeflate.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <random>

namespace filum::record {
namespace {

using Numbers = std::vector<double>;
using Bytes = std::vector<unsigned char>;

Bytes planes_of(const Numbers& numbers) {
  Bytes planes(8 * numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    unsigned char raw[8];
    std::memcpy(raw, &numbers[i], 8);
    for (std::size_t k = 0; k < 8; ++k) planes[k * numbers.size() + i] = raw[k];
  }
  return planes;
}

Bytes unpacked(std::span<const unsigned char> packed, std::size_t size) {
  const std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> reader(
      libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
  Bytes out(size);
  return libdeflate_zlib_decompress(reader.get(), packed.data(), packed.size(), out.data(), size, nullptr) ==
                 LIBDEFLATE_SUCCESS
             ? out
             : Bytes();
}

/// The size, if what comes back is what was packed.
std::size_t packed_size(PlanePacker& packer, const Numbers& numbers, std::size_t row, std::size_t group) {
  const Bytes planes = planes_of(numbers);
  const auto packed = packer.pack(planes, row, group);
  EXPECT_EQ(unpacked(packed, planes.size()), planes) << numbers.size() << " numbers, rows of " << row;
  return packed.size();
}

/// Planar motion of `nodes` points: two of three coordinates move, one is 0.
Numbers planar(std::size_t frames, std::size_t nodes) {
  Numbers x;
  for (std::size_t f = 0; f < frames; ++f)
    for (std::size_t n = 0; n < nodes; ++n) {
      const double t = 0.01 * static_cast<double>(f), s = static_cast<double>(n) / 7;
      x.insert(x.end(), {s + std::sin(t + s), 0, std::cos(3 * t - s)});
    }
  return x;
}

TEST(PlanePacker, GivesBackNumbersOfAllShapes) {
  PlanePacker packer;
  std::mt19937_64 random(1);
  for (const std::size_t count : {1U, 2U, 3U, 7U, 8U, 9U, 63U, 257U, 258U, 259U, 260U, 261U, 516U, 517U, 5000U, 70000U})
    for (const std::size_t group : {1U, 3U, 6U})
      for (const std::size_t row : {std::size_t{1}, group, 12 * group, std::size_t{40000}, count}) {
        Numbers constant(count, 0.1), noise(count), steps(count), few(count);
        for (std::size_t i = 0; i < count; ++i) {
          noise[i] = std::bit_cast<double>(random());
          steps[i] = static_cast<double>(i / 13);
          few[i] = i % group == 0 ? std::ldexp(1, static_cast<int>(random() % 300)) : -1;
        }
        for (const Numbers& numbers : {Numbers(count), constant, noise, steps, few})
          packed_size(packer, numbers, row, group);
      }
}

TEST(PlanePacker, GivesBackEveryNumberThatIsUnusual) {
  PlanePacker packer;
  using Limits = std::numeric_limits<double>;
  Numbers x{0., -0., Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(), Limits::denorm_min(), Limits::max()};
  for (int k = 0; k < 200; ++k) x.push_back(x[static_cast<std::size_t>(k * k) % 7]);
  packed_size(packer, x, 9, 3);
}

TEST(PlanePacker, DoesNotMakeNoiseLonger) {
  PlanePacker packer;
  std::mt19937_64 random(2);
  Numbers noise(100000);
  for (double& x : noise) x = std::bit_cast<double>(random());
  EXPECT_LE(packed_size(packer, noise, 99, 3), 8 * noise.size() + 800);
}

TEST(PlanePacker, NeedsNearlyNothingForWhatDoesNotChange) {
  PlanePacker packer;
  EXPECT_LE(packed_size(packer, Numbers(50000), 300, 3), 2000U) << "zeros";
  Numbers row(300), rows;
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = std::sin(static_cast<double>(i));
  for (int k = 0; k < 200; ++k) rows.insert(rows.end(), row.begin(), row.end());
  EXPECT_LE(packed_size(packer, rows, 300, 3), 8 * row.size() + 2500) << "one row";
  Numbers nodes;
  for (int k = 0; k < 30000; ++k) nodes.insert(nodes.end(), {0.1, -0.2, 0.3});
  EXPECT_LE(packed_size(packer, nodes, nodes.size(), 3), 2500U) << "one node, rows longer than deflate looks back";
}

/// Against libdeflate, which the packer replaces.
TEST(PlanePacker, PacksMotionsAsSmallAsAGeneralPackerDoes) {
  const std::unique_ptr<libdeflate_compressor, void (*)(libdeflate_compressor*)> general(libdeflate_alloc_compressor(1),
                                                                                         libdeflate_free_compressor);
  PlanePacker packer;
  for (const std::size_t frames : {20U, 200U}) {
    const Numbers x = planar(frames, 33);
    const Bytes planes = planes_of(x);
    Bytes other(libdeflate_zlib_compress_bound(general.get(), planes.size()));
    const std::size_t size =
        libdeflate_zlib_compress(general.get(), planes.data(), planes.size(), other.data(), other.size());
    EXPECT_LE(packed_size(packer, x, 99, 3), size + size / 100);
  }
}

TEST(PlanePacker, WritesTheSameBytesWhateverItPackedBefore) {
  PlanePacker used, fresh;
  packed_size(used, Numbers(40000, 0.1), 99, 3);
  packed_size(used, planar(300, 11), 33, 3);
  const Bytes planes = planes_of(planar(40, 33));
  const auto a = used.pack(planes, 99, 3), b = fresh.pack(planes, 99, 3);
  EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end()));
}

}  // namespace
}  // namespace filum::record
