/// Lanes and packs: reading and writing arrays of structures. Theory: docs/theory/performance.md, "Chains".
#include <filum/linalg/wide.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <vector>

namespace filum::linalg {
namespace {

constexpr int stride = 3;

TEST(Pack, ReadsAndWritesEveryItemOnce) {
  for (int count = 0; count <= 3 * native_lanes; ++count) {
    std::vector<double> in(static_cast<std::size_t>(count * stride)), out(in.size(), -1.0), sum(in.size(), 1.0);
    std::iota(in.begin(), in.end(), 0.0);
    for_each_pack(0, count, [&](const auto& pack) {
      const auto x = pack.template read<stride>(in.data() + 1);
      pack.template write<stride>(2.0 * x, out.data() + 1);
      pack.template add<stride>(x, sum.data() + 1);
    });
    for (int k = 0; k < count; ++k) {
      const auto at = static_cast<std::size_t>(k * stride);
      EXPECT_EQ(out[at + 1], 2 * in[at + 1]);
      EXPECT_EQ(sum[at + 1], 1 + in[at + 1]);
      EXPECT_EQ(out[at], -1.0);
      EXPECT_EQ(out[at + 2], -1.0);
    }
  }
}

TEST(Pack, LanesWithoutAnItemRepeatTheLastOne) {
  const double in[] = {3, 5, 7};
  const Pack<4, false> pack{1, 2};
  const auto x = pack.read<1>(in);
  EXPECT_EQ(x[0], 5);
  for (int lane = 1; lane < 4; ++lane) EXPECT_EQ(x[lane], 7);
}

TEST(Wide, IsLessOnlyWhereEveryLaneIs) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (int lane = 0; lane < 2; ++lane) {
    Wide<2> x = 1.0;
    EXPECT_TRUE(all_less(x, 2.0));
    x.v[lane] = 2.0;
    EXPECT_FALSE(all_less(x, 2.0));
    x.v[lane] = nan;
    EXPECT_FALSE(all_less(x, 2.0));
  }
}

}  // namespace
}  // namespace filum::linalg
