/// Observed orders: exact lines, saturated ends, coarse ends, counts.
#include <filum/study/order.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace filum::study {
namespace {

std::vector<double> halvings(int n) {
  std::vector<double> h;
  for (int i = 0; i < n; ++i) h.push_back(std::ldexp(1.0, -i - 4));
  return h;
}

TEST(ObservedOrder, IsTheExponentOfAPowerLaw) {
  for (const double p : {0.5, 1.0, 2.0, 5.0}) {
    const auto h = halvings(6);
    std::vector<double> e;
    for (const double x : h) e.push_back(3 * std::pow(x, p));
    const OrderFit fit = observed_order(h, e);
    EXPECT_NEAR(fit.order, p, 1e-12);
    EXPECT_TRUE(fit.remark.empty()) << fit.remark;
    EXPECT_EQ(fit.largest_x, h.front());
    EXPECT_EQ(fit.smallest_x, h.back());
  }
}

TEST(ObservedOrder, LeavesOutASaturatedFineEnd) {
  const auto h = halvings(10);
  std::vector<double> e;
  for (const double x : h) e.push_back(x * x + 1e-5);
  const OrderFit fit = observed_order(h, e);
  EXPECT_NEAR(fit.order, 2, 0.08) << "points that begin to bend stay within 4 % of the line";
  EXPECT_FALSE(fit.used.back());
  EXPECT_TRUE(fit.used.front());
  ASSERT_FALSE(fit.left_out.empty());
  EXPECT_EQ(fit.left_out.back(), h.back());
  EXPECT_NE(fit.remark.find("saturated"), std::string::npos);
}

TEST(ObservedOrder, LeavesOutAGrowingFineEnd) {
  const auto h = halvings(9);
  std::vector<double> e;
  for (const double x : h) e.push_back(x * x + 1e-9 / (x * x));
  const OrderFit fit = observed_order(h, e);
  EXPECT_NEAR(fit.order, 2, 0.1);
  EXPECT_FALSE(fit.used.back());
}

TEST(ObservedOrder, LeavesOutAPlateauOfCoarseSteps) {
  const auto h = halvings(9);
  std::vector<double> e;
  for (const double x : h) e.push_back(std::min(1.0, 4e3 * x * x));
  const OrderFit fit = observed_order(h, e);
  EXPECT_NEAR(fit.order, 2, 0.05);
  EXPECT_FALSE(fit.used.front());
}

TEST(ObservedOrder, OfAConstantErrorDoesNotExist) {
  const auto h = halvings(5);
  const OrderFit fit = observed_order(h, std::vector<double>(5, 1e-14));
  EXPECT_TRUE(std::isnan(fit.order));
  EXPECT_EQ(fit.remark, "saturated");
  EXPECT_EQ(fit.left_out, h) << "no point shows an order";
}

TEST(ObservedOrder, OverACountIsPositiveWhenErrorsFall) {
  const std::vector<double> m{4, 8, 16, 32};
  std::vector<double> e;
  for (const double x : m) e.push_back(1 / (x * x));
  EXPECT_NEAR(observed_order(m, e).order, 2, 1e-12);
}

TEST(ObservedOrder, IgnoresMissingZeroAndLargeErrors) {
  const std::vector<double> h{1, 0.5, 0.25, 0.125, 0.0625, 0.03125};
  const double none = std::nan("");
  const std::vector<double> e{5.0, 0.25, none, 0.015625, 0, 0.0009765625};
  const OrderFit fit = observed_order(h, e, 1.0);
  EXPECT_NEAR(fit.order, 2, 1e-12);
  EXPECT_EQ(fit.used, (std::vector<bool>{false, true, false, true, false, true}));
}

TEST(ObservedOrder, DoesNotDependOnTheSequenceOfPoints) {
  const std::vector<double> h{0.25, 1, 0.125, 0.5}, e{0.0625, 1, 0.015625, 0.25};
  EXPECT_NEAR(observed_order(h, e).order, 2, 1e-12);
}

TEST(ObservedOrder, NeedsTwoPoints) {
  const std::vector<double> h{0.25}, e{0.1};
  EXPECT_TRUE(std::isnan(observed_order(h, e).order));
  EXPECT_EQ(observed_order(h, e).remark, "too few points");
}

TEST(ObservedOrder, OfPointsOnNoLineIsMarked) {
  const std::vector<double> h{1, 0.5, 0.25, 0.125}, e{1, 0.2, 0.14, 0.01};
  EXPECT_EQ(observed_order(h, e).remark, "uneven");
}

}  // namespace
}  // namespace filum::study
