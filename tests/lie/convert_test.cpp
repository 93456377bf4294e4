/// Conversions between the groups of rigid motions: the isomorphisms commute with everything, velocities follow curves.
/// Theory: docs/theory/groups.md, sec. 6.
#include <filum/lie/convert.hpp>

#include <lie/group_sampling.hpp>

namespace filum::lie::test {
namespace {

template <class A, class B>
struct Pair {
  using To = A;
  using From = B;
};
struct PairName {
  template <class P>
  static std::string GetName(int) {
    return std::string(P::From::name) + "To" + std::string(P::To::name);
  }
};

template <class P>
class SemidirectIsomorphism : public ::testing::Test {};
using SemidirectPairs = ::testing::Types<Pair<SE3, S3sdR3>, Pair<S3sdR3, SE3>, Pair<SE3, UDQ>, Pair<UDQ, SE3>,
                                         Pair<S3sdR3, UDQ>, Pair<UDQ, S3sdR3>>;
TYPED_TEST_SUITE(SemidirectIsomorphism, SemidirectPairs, PairName);

/// A matrix does not know the sign of its quaternion: elements of quaternion groups are compared up to sign where they
/// come from one. UDQ carries it in the dual part too.
template <class To, class From>
double error_up_to_sign(const typename To::Element& a, const typename To::Element& b, double unit) {
  const double same = element_error<To>(a, b, unit);
  if constexpr (!std::is_same_v<From, SE3> || std::is_same_v<To, SE3>) return same;
  typename To::Element c = -a;
  if constexpr (std::is_same_v<To, S3sdR3>) c.template tail<3>() = S3sdR3::position(a);
  return std::min(same, element_error<To>(c, b, unit));
}

TYPED_TEST(SemidirectIsomorphism, CommutesWithComposeAndInverse) {
  using To = typename TypeParam::To;
  using From = typename TypeParam::From;
  Worst worst;
  for (const auto& s : typed_samples<From>(largest_angle)) {
    const auto p = From::exp(s.v), q = From::exp(s.w);
    const auto p_to = convert<To, From>(p), q_to = convert<To, From>(q);
    worst.see(error_up_to_sign<To, From>(convert<To, From>(From::compose(p, q)), To::compose(p_to, q_to), s.unit),
              s.angle, s.length);
    worst.see(error_up_to_sign<To, From>(convert<To, From>(From::inverse(p)), To::inverse(p_to), s.unit), s.angle,
              s.length);
  }
  worst.expect_below(16 * eps);
}

TYPED_TEST(SemidirectIsomorphism, CommutesWithExp) {
  using To = typename TypeParam::To;
  using From = typename TypeParam::From;
  Worst worst;
  for (const auto& s : typed_samples<From>(largest_angle)) {
    worst.see(error_up_to_sign<To, From>(convert<To, From>(From::exp(s.v)), To::exp(s.v), s.unit), s.angle, s.length);
  }
  worst.expect_below(12 * eps);
}

TYPED_TEST(SemidirectIsomorphism, CommutesWithLog) {
  using To = typename TypeParam::To;
  using From = typename TypeParam::From;
  Worst worst;
  const double largest = std::min(Traits<To>::log_angle, Traits<From>::log_angle);
  for (const auto& s : typed_samples<From>(largest)) {
    const auto q = From::exp(s.v);
    const double turn = s.angle == 0 ? 1 : s.angle;
    worst.see(tangent_error<From>(To::log(convert<To, From>(q)), From::log(q), s.unit * pole(s.angle), turn), s.angle,
              s.length);
  }
  worst.expect_below(16 * eps);
}

TYPED_TEST(SemidirectIsomorphism, CommutesWithAdAndAct) {
  using To = typename TypeParam::To;
  using From = typename TypeParam::From;
  Rng rng(21);
  Worst worst;
  for (const auto& s : typed_samples<From>(largest_angle)) {
    const auto q = From::exp(s.v);
    const auto q_to = convert<To, From>(q);
    const Eigen::Vector3d X = s.unit * direction<3>(rng);
    worst.see(largest_entry(dimensionless<From>(To::Ad(q_to) - From::Ad(q), s.unit)), s.angle, s.length);
    worst.see(error(To::act(q_to, X), From::act(q, X), Eigen::Vector3d::Constant(s.unit)), s.angle, s.length);
  }
  worst.expect_below(12 * eps);
}

/// The sign of the quaternion survives between the quaternion groups.
TEST(Convert, KeepsTheSignBetweenQuaternionGroups) {
  for (const auto& s : typed_samples<S3sdR3>(largest_angle)) {
    const auto q = S3sdR3::exp(s.v);
    EXPECT_EQ(UDQ::quaternion(convert<UDQ, S3sdR3>(q)), S3sdR3::quaternion(q));
    EXPECT_EQ(S3xR3::quaternion(convert<S3xR3, S3sdR3>(q)), S3sdR3::quaternion(q));
  }
}

template <class P>
class PoseConversion : public ::testing::Test {};
using AllPairs =
    ::testing::Types<Pair<SO3xR3, SO3xR3>, Pair<SO3xR3, S3xR3>, Pair<SO3xR3, SE3>, Pair<SO3xR3, S3sdR3>,
                     Pair<SO3xR3, UDQ>, Pair<S3xR3, SO3xR3>, Pair<S3xR3, S3xR3>, Pair<S3xR3, SE3>, Pair<S3xR3, S3sdR3>,
                     Pair<S3xR3, UDQ>, Pair<SE3, SO3xR3>, Pair<SE3, S3xR3>, Pair<SE3, SE3>, Pair<SE3, S3sdR3>,
                     Pair<SE3, UDQ>, Pair<S3sdR3, SO3xR3>, Pair<S3sdR3, S3xR3>, Pair<S3sdR3, SE3>, Pair<S3sdR3, S3sdR3>,
                     Pair<S3sdR3, UDQ>, Pair<UDQ, SO3xR3>, Pair<UDQ, S3xR3>, Pair<UDQ, SE3>, Pair<UDQ, S3sdR3>,
                     Pair<UDQ, UDQ>>;
TYPED_TEST_SUITE(PoseConversion, AllPairs, PairName);

TYPED_TEST(PoseConversion, KeepsThePose) {
  using To = typename TypeParam::To;
  using From = typename TypeParam::From;
  Rng rng(22);
  Worst worst;
  for (const auto& s : typed_samples<From>(largest_angle)) {
    const auto q = From::exp(s.v);
    const auto q_to = convert<To, From>(q);
    const Eigen::Vector3d unit = Eigen::Vector3d::Constant(s.unit), X = s.unit * direction<3>(rng);
    worst.see(largest_entry(To::rotation(q_to) - From::rotation(q)), s.angle, s.length);
    worst.see(error(To::position(q_to), From::position(q), unit), s.angle, s.length);
    worst.see(error(To::act(q_to, X), From::act(q, X), unit), s.angle, s.length);
    worst.see(Traits<To>::defect(q_to), s.angle, s.length);
    const auto back = convert<From, To>(q_to);
    worst.see(largest_entry(From::rotation(back) - From::rotation(q)), s.angle, s.length);
  }
  worst.expect_below(12 * eps);
}

/// Differences of the converted curve q ∘ exp(t w). Below a half turn no quaternion changes its sign on the way.
TYPED_TEST(PoseConversion, VelocityFollowsTheConvertedCurve) {
  using To = typename TypeParam::To;
  using From = typename TypeParam::From;
  Worst worst;
  for (const auto& s : typed_samples<From>(3)) {
    const auto q = From::exp(s.v);
    const auto back = To::inverse(convert<To, From>(q));
    const typename To::Tangent slope = derivative(2e-3, [&](double t) {
      const typename From::Element moved = From::compose(q, From::exp(t * s.w));
      return To::log(To::compose(back, convert<To, From>(moved)));
    });
    worst.see(tangent_error<To>(slope, convert_velocity<To, From>(q, s.w), s.unit), s.angle, s.length);
  }
  worst.expect_below(2e-12);
}

TYPED_TEST(PoseConversion, VelocityThereAndBackIsTheSame) {
  using To = typename TypeParam::To;
  using From = typename TypeParam::From;
  Worst worst;
  for (const auto& s : typed_samples<From>(largest_angle)) {
    const auto q = From::exp(s.v);
    const auto there = convert_velocity<To, From>(q, s.w);
    const auto back = convert_velocity<From, To>(convert<To, From>(q), there);
    worst.see(tangent_error<From>(back, s.w, s.unit), s.angle, s.length);
  }
  worst.expect_below(8 * eps);
}

}  // namespace
}  // namespace filum::lie::test
