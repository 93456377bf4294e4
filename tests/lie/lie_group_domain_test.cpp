/// Non-finite input comes out non-finite, arguments outside a function's domain are assertions.
/// Theory: docs/theory/groups.md.
#include <filum/lie/groups.hpp>

#include <lie/any_group.hpp>

namespace filum::lie::test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

class NonFinite : public OverGroups {
 protected:
  /// All operators of the linear groups are constant.
  const bool is_linear = G.is_linear;
  Rng rng{61};
  const VectorXd v = G.sample(rng, 1, 1), w = G.sample(rng, 1, 1);
  const VectorXd q = G.exp(w);
};
INSTANTIATE_TEST_SUITE_P(All, NonFinite, ::testing::ValuesIn(all_groups()), group_name);

TEST_P(NonFinite, EveryNaNInATangentShowsInExp) {
  for (int i = 0; i < G.dim; ++i) {
    VectorXd bad = v;
    bad[i] = nan;
    EXPECT_FALSE(G.exp(bad).allFinite()) << i;
    bad[i] = infinity;
    EXPECT_FALSE(G.exp(bad).allFinite()) << i;
  }
}

TEST_P(NonFinite, EveryNaNInAnElementShowsInGroupOperations) {
  for (int i = 0; i < G.size; ++i) {
    VectorXd bad = G.exp(v);
    bad.data()[i] = nan;
    EXPECT_FALSE(G.log(bad).allFinite()) << i;
    EXPECT_FALSE(G.inverse(bad).allFinite()) << i;
    EXPECT_FALSE(G.compose(bad, q).allFinite()) << i;
    EXPECT_FALSE(G.compose(q, bad).allFinite()) << i;
    EXPECT_FALSE(G.interpolate(0.5, bad, q).allFinite()) << i;
    EXPECT_FALSE(std::isfinite(G.distance(q, bad))) << i;
    bad.data()[i] = infinity;
    G.log(bad);
    EXPECT_FALSE(G.compose(bad, q).allFinite()) << i;
  }
}

TEST_P(NonFinite, NaNShowsInEveryOperator) {
  const VectorXd bad = VectorXd::Constant(G.dim, nan);
  const VectorXd bad_element = G.exp(bad);
  EXPECT_EQ(G.hat(bad).allFinite(), is_linear);
  EXPECT_EQ(G.Ad(bad_element).allFinite(), is_linear);
  EXPECT_EQ(G.bracket(bad, w).allFinite(), is_linear);
  EXPECT_EQ(G.bracket_T(bad, w).allFinite(), is_linear);
  EXPECT_EQ(G.tangent_op(bad).allFinite(), is_linear);
  EXPECT_EQ(G.tangent_op_inv(bad).allFinite(), is_linear);
  EXPECT_EQ(G.tangent_op_times(bad, w).allFinite(), is_linear);
  EXPECT_EQ(G.tangent_op_T_times(bad, w).allFinite(), is_linear);
  EXPECT_EQ(G.tangent_op_inv_times(bad, w).allFinite(), is_linear);
  EXPECT_EQ(G.tangent_op_inv_T_times(bad, w).allFinite(), is_linear);
  EXPECT_EQ(G.d_tangent_op_inv_times(bad, w).allFinite(), is_linear);
  EXPECT_EQ(G.d_tangent_op_inv_T_times(bad, w).allFinite(), is_linear);
}

TEST_P(NonFinite, EveryNaNInTheVectorShowsInTheProducts) {
  for (int i = 0; i < G.dim; ++i) {
    VectorXd bad = w;
    bad[i] = nan;
    EXPECT_FALSE(G.tangent_op_times(v, bad).allFinite()) << i;
    EXPECT_FALSE(G.tangent_op_T_times(v, bad).allFinite()) << i;
    EXPECT_FALSE(G.tangent_op_inv_times(v, bad).allFinite()) << i;
    EXPECT_FALSE(G.tangent_op_inv_T_times(v, bad).allFinite()) << i;
  }
}

TEST_P(NonFinite, InfinityReturnsFromT) {
  const VectorXd bad = VectorXd::Constant(G.dim, infinity);
  EXPECT_EQ(G.tangent_op(bad).allFinite(), is_linear);
  EXPECT_EQ(G.tangent_op_times(bad, w).allFinite(), is_linear);
  EXPECT_EQ(G.tangent_op_T_times(bad, w).allFinite(), is_linear);
}

class Domain : public OverGroups {
 protected:
  VectorXd turn(double angle) const {
    VectorXd v = VectorXd::Zero(G.dim);
    v[1] = angle;
    return v;
  }
};
INSTANTIATE_TEST_SUITE_P(All, Domain, ::testing::ValuesIn(groups_that(&AnyGroup::has_rotation)), group_name);

TEST_P(Domain, ExpAndTAreDefinedBeyondATurn) {
  for (const double angle : {2 * pi, 7.0, 30.0, 1e3}) {
    EXPECT_TRUE(G.exp(turn(angle)).allFinite()) << angle;
    EXPECT_TRUE(G.tangent_op(turn(angle)).allFinite()) << angle;
    EXPECT_LE(G.defect(G.exp(turn(angle))), 8 * eps) << angle;
  }
}

// As a diverging iteration does.
TEST_P(Domain, TInverseReturnsFromATurnOn) {
  const VectorXd w = turn(1);
  for (const double angle : {2 * pi, 7.0, 1e200, infinity}) {
    const VectorXd v = turn(angle);
    EXPECT_EQ(G.tangent_op_inv(v).rows(), G.dim) << angle;
    EXPECT_EQ(G.tangent_op_inv_times(v, w).size(), G.dim) << angle;
    EXPECT_EQ(G.tangent_op_inv_T_times(v, w).size(), G.dim) << angle;
    EXPECT_EQ(G.d_tangent_op_inv_times(v, w).rows(), G.dim) << angle;
    EXPECT_EQ(G.d_tangent_op_inv_T_times(v, w).rows(), G.dim) << angle;
  }
}

TEST(LogDomain, MinusOneIsNotFinite) {
  const S3::Element minus_one(-1, 0, 0, 0);
  const Eigen::Vector3d x(1, 2, 3);
  EXPECT_FALSE(S3::log(minus_one).allFinite());
  EXPECT_FALSE(S3sdR3::log(S3sdR3::from_pose(minus_one, x)).allFinite());
  EXPECT_FALSE(UDQ::log(UDQ::from_pose(minus_one, x)).allFinite());
}

}  // namespace
}  // namespace filum::lie::test
