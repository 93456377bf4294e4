/// Non-finite input comes out non-finite, arguments outside a function's domain are assertions.
/// Theory: docs/theory/groups.md.
#include <lie/group_sampling.hpp>

namespace filum::lie::test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class G>
class NonFinite : public ::testing::Test {
 protected:
  /// All operators of the linear groups are constant.
  static constexpr bool is_linear = std::is_same_v<G, Rn<G::dim>>;
  Rng rng{61};
  typename G::Tangent v = Traits<G>::tangent(rng, 1, 1), w = Traits<G>::tangent(rng, 1, 1);
  typename G::Element q = G::exp(w);
};
TYPED_TEST_SUITE(NonFinite, AllGroups, GroupName);

TYPED_TEST(NonFinite, EveryNaNInATangentShowsInExp) {
  using G = TypeParam;
  for (int i = 0; i < G::dim; ++i) {
    typename G::Tangent bad = this->v;
    bad[i] = nan;
    EXPECT_FALSE(G::exp(bad).allFinite()) << i;
    bad[i] = infinity;
    EXPECT_FALSE(G::exp(bad).allFinite()) << i;
  }
}

TYPED_TEST(NonFinite, EveryNaNInAnElementShowsInGroupOperations) {
  using G = TypeParam;
  for (int i = 0; i < G::size; ++i) {
    typename G::Element bad = G::exp(this->v);
    bad.data()[i] = nan;
    EXPECT_FALSE(G::log(bad).allFinite()) << i;
    EXPECT_FALSE(G::inverse(bad).allFinite()) << i;
    EXPECT_FALSE(G::compose(bad, this->q).allFinite()) << i;
    EXPECT_FALSE(G::compose(this->q, bad).allFinite()) << i;
    EXPECT_FALSE(interpolate<G>(0.5, bad, this->q).allFinite()) << i;
    EXPECT_FALSE(std::isfinite(distance<G>(this->q, bad))) << i;
    bad.data()[i] = infinity;
    G::log(bad);
    EXPECT_FALSE(G::compose(bad, this->q).allFinite()) << i;
  }
}

TYPED_TEST(NonFinite, NaNShowsInEveryOperator) {
  using G = TypeParam;
  const typename G::Tangent bad = G::Tangent::Constant(nan);
  const typename G::Element bad_element = G::exp(bad);
  EXPECT_EQ(G::hat(bad).allFinite(), this->is_linear);
  EXPECT_EQ(G::Ad(bad_element).allFinite(), this->is_linear);
  EXPECT_EQ(G::bracket(bad, this->w).allFinite(), this->is_linear);
  EXPECT_EQ(G::bracket_T(bad, this->w).allFinite(), this->is_linear);
  EXPECT_EQ(G::tangent_op(bad).allFinite(), this->is_linear);
  EXPECT_EQ(G::tangent_op_inv(bad).allFinite(), this->is_linear);
  EXPECT_EQ(G::tangent_op_times(bad, this->w).allFinite(), this->is_linear);
  EXPECT_EQ(G::tangent_op_T_times(bad, this->w).allFinite(), this->is_linear);
  EXPECT_EQ(G::tangent_op_inv_times(bad, this->w).allFinite(), this->is_linear);
  EXPECT_EQ(G::tangent_op_inv_T_times(bad, this->w).allFinite(), this->is_linear);
  EXPECT_EQ(G::d_tangent_op_inv_times(bad, this->w).allFinite(), this->is_linear);
  EXPECT_EQ(G::d_tangent_op_inv_T_times(bad, this->w).allFinite(), this->is_linear);
}

TYPED_TEST(NonFinite, EveryNaNInTheVectorShowsInTheProducts) {
  using G = TypeParam;
  for (int i = 0; i < G::dim; ++i) {
    typename G::Tangent bad = this->w;
    bad[i] = nan;
    EXPECT_FALSE(G::tangent_op_times(this->v, bad).allFinite()) << i;
    EXPECT_FALSE(G::tangent_op_T_times(this->v, bad).allFinite()) << i;
    EXPECT_FALSE(G::tangent_op_inv_times(this->v, bad).allFinite()) << i;
    EXPECT_FALSE(G::tangent_op_inv_T_times(this->v, bad).allFinite()) << i;
  }
}

TYPED_TEST(NonFinite, InfinityReturnsFromT) {
  using G = TypeParam;
  const typename G::Tangent bad = G::Tangent::Constant(infinity);
  EXPECT_EQ(G::tangent_op(bad).allFinite(), this->is_linear);
  EXPECT_EQ(G::tangent_op_times(bad, this->w).allFinite(), this->is_linear);
  EXPECT_EQ(G::tangent_op_T_times(bad, this->w).allFinite(), this->is_linear);
}

template <class G>
class Domain : public ::testing::Test {
 protected:
  static typename G::Tangent turn(double angle) {
    typename G::Tangent v = G::Tangent::Zero();
    v[1] = angle;
    return v;
  }
};
using Rotating = ::testing::Types<SO3, S3, SO3xR3, S3xR3, SE3, S3sdR3, UDQ, NestedLeft, NestedRight>;
TYPED_TEST_SUITE(Domain, Rotating, GroupName);

TYPED_TEST(Domain, ExpAndTAreDefinedBeyondATurn) {
  using G = TypeParam;
  for (const double angle : {2 * pi, 7.0, 30.0, 1e3}) {
    EXPECT_TRUE(G::exp(this->turn(angle)).allFinite()) << angle;
    EXPECT_TRUE(G::tangent_op(this->turn(angle)).allFinite()) << angle;
    EXPECT_LE(Traits<G>::defect(G::exp(this->turn(angle))), 8 * eps) << angle;
  }
}

#ifndef NDEBUG
TYPED_TEST(Domain, TInverseFromATurnOnIsAnAssertion) {
  using G = TypeParam;
  const typename G::Tangent w = this->turn(1);
  for (const double angle : {2 * pi, 7.0, infinity}) {
    const typename G::Tangent v = this->turn(angle);
    EXPECT_DEATH(G::tangent_op_inv(v), "below 2") << angle;
    EXPECT_DEATH(G::tangent_op_inv_times(v, w), "below 2") << angle;
    EXPECT_DEATH(G::tangent_op_inv_T_times(v, w), "below 2") << angle;
    EXPECT_DEATH(G::d_tangent_op_inv_times(v, w), "below 2") << angle;
    EXPECT_DEATH(G::d_tangent_op_inv_T_times(v, w), "below 2") << angle;
  }
}

TEST(LogDomain, MinusOneIsAnAssertion) {
  const S3::Element minus_one(-1, 0, 0, 0);
  const Eigen::Vector3d x(1, 2, 3);
  EXPECT_DEATH(S3::log(minus_one), "not defined");
  EXPECT_DEATH(S3xR3::log(S3xR3::from_pose(minus_one, x)), "not defined");
  EXPECT_DEATH(S3sdR3::log(S3sdR3::from_pose(minus_one, x)), "not defined");
  EXPECT_DEATH(UDQ::log(UDQ::from_pose(minus_one, x)), "not defined");
}
#else
TEST(LogDomain, MinusOneIsNotFiniteWithoutAssertions) {
  const S3::Element minus_one(-1, 0, 0, 0);
  const Eigen::Vector3d x(1, 2, 3);
  EXPECT_FALSE(S3::log(minus_one).allFinite());
  EXPECT_FALSE(S3sdR3::log(S3sdR3::from_pose(minus_one, x)).allFinite());
  EXPECT_FALSE(UDQ::log(UDQ::from_pose(minus_one, x)).allFinite());
}
#endif

}  // namespace
}  // namespace filum::lie::test
