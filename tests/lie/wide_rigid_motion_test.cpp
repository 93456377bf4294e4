/// Rigid motions in several lanes at once against S3sdR3, over decades of angles and beyond the range of the
/// polynomials. Theory: docs/theory/groups.md, sec. 4.
#include <filum/lie/s3sdr3.hpp>
#include <filum/lie/wide_rigid_motion.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

namespace filum::lie::wide {
namespace {

using G = S3sdR3;
using Eigen::VectorXd;
using linalg::for_each_pack;
using linalg::native_lanes;

/// Angles of neighbouring lanes differ: common ones, tiny ones, and those beyond the limits of all polynomials.
const double angles[] = {0, 1e-12, 1e-8, 1e-5, 1e-3, 0.01, 0.1, 0.5, 1, 1.4, 1.6, 2.5, 2.99, 3.01, 3.5, 3.8, 5, 6, 0.2};
constexpr int count = static_cast<int>(std::size(angles));

struct Samples {
  VectorXd q = VectorXd(7 * count), v = VectorXd(6 * count), w = VectorXd(6 * count);
  G::Element element(int k) const { return q.segment<7>(7 * k); }
  G::Tangent tangent(const VectorXd& x, int k) const { return x.segment<6>(6 * k); }
};

Samples samples() {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  Samples s;
  for (double& x : s.v) x = normal(random);
  for (double& x : s.w) x = normal(random);
  for (int k = 0; k < count; ++k) {
    s.v.segment<3>(6 * k) *= angles[k] / s.v.segment<3>(6 * k).norm();
    G::Tangent start;
    for (double& x : start) x = normal(random);
    s.q.segment<7>(7 * k) = G::exp(start);
  }
  return s;
}

void expect_near(const VectorXd& a, const VectorXd& b, int k, double limit) {
  EXPECT_LE((a - b).lpNorm<Eigen::Infinity>(), limit * (1 + b.lpNorm<Eigen::Infinity>()))
      << "angle " << angles[k] << "\n"
      << a.transpose() << "\n"
      << b.transpose();
}

template <int n>
VectorXd advanced(const Samples& s) {
  VectorXd out(7 * count);
  for_each_pack<n>(0, count, [&](const auto& pack) {
    write_pose(pack, advance(read_pose(pack, s.q.data()), read_twist(pack, s.v.data())), out.data());
  });
  return out;
}

/// log(q⁻¹ ∘ q exp(v)).
template <int n>
VectorXd logarithms(const Samples& s, const VectorXd& end) {
  VectorXd out(6 * count);
  for_each_pack<n>(0, count, [&](const auto& pack) {
    write_twist(pack, relative(read_pose(pack, s.q.data()), read_pose(pack, end.data())).theta, out.data());
  });
  return out;
}

enum class Product { inv, inv_T };
template <int n>
VectorXd products(const Samples& s, Product which) {
  VectorXd out(6 * count);
  for_each_pack<n>(0, count, [&](const auto& pack) {
    const auto v = read_twist(pack, s.v.data()), w = read_twist(pack, s.w.data());
    write_twist(pack, which == Product::inv ? tangent_op_inv_times(v, w) : tangent_op_inv_T_times(v, w), out.data());
  });
  return out;
}

TEST(WideRigidMotion, AdvancesAsTheGroupDoes) {
  const Samples s = samples();
  const VectorXd out = advanced<native_lanes>(s);
  for (int k = 0; k < count; ++k)
    expect_near(out.segment<7>(7 * k), G::compose(s.element(k), G::exp(s.tangent(s.v, k))), k, 4e-15);
}

TEST(WideRigidMotion, LogarithmIsThatOfTheGroup) {
  const Samples s = samples();
  const VectorXd end = advanced<native_lanes>(s), out = logarithms<native_lanes>(s, end);
  for (int k = 0; k < count; ++k) {
    const G::Element q = G::compose(G::inverse(s.element(k)), G::Element(end.segment<7>(7 * k)));
    expect_near(out.segment<6>(6 * k), G::log(q), k, 1e-13);
    expect_near(out.segment<6>(6 * k), s.tangent(s.v, k), k, 1e-13);
  }
}

TEST(WideRigidMotion, ProductsWithInverseTangentsAreThoseOfTheGroup) {
  const Samples s = samples();
  const VectorXd inv = products<native_lanes>(s, Product::inv), inv_T = products<native_lanes>(s, Product::inv_T);
  for (int k = 0; k < count; ++k) {
    expect_near(inv.segment<6>(6 * k), G::tangent_op_inv_times(s.tangent(s.v, k), s.tangent(s.w, k)), k, 1e-13);
    expect_near(inv_T.segment<6>(6 * k), G::tangent_op_inv_T_times(s.tangent(s.v, k), s.tangent(s.w, k)), k, 1e-13);
  }
}

TEST(WideRigidMotion, BracketsAreThoseOfTheGroup) {
  const Samples s = samples();
  VectorXd out(6 * count), out_T(6 * count);
  for_each_pack(0, count, [&](const auto& pack) {
    const auto v = read_twist(pack, s.v.data()), w = read_twist(pack, s.w.data());
    write_twist(pack, bracket(v, w), out.data());
    write_twist(pack, bracket_T(v, w), out_T.data());
  });
  for (int k = 0; k < count; ++k) {
    expect_near(out.segment<6>(6 * k), G::bracket(s.tangent(s.v, k), s.tangent(s.w, k)), k, 1e-15);
    expect_near(out_T.segment<6>(6 * k), G::bracket_T(s.tangent(s.v, k), s.tangent(s.w, k)), k, 1e-15);
  }
}

TEST(WideRigidMotion, NumbersDoNotDependOnTheNumberOfLanes) {
  const Samples s = samples();
  const auto expect_equal = [](const VectorXd& a, const VectorXd& b) {
    EXPECT_EQ(std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())), 0);
  };
  const VectorXd end = advanced<native_lanes>(s);
  expect_equal(end, advanced<2>(s));
  expect_equal(logarithms<native_lanes>(s, end), logarithms<2>(s, end));
  for (const Product which : {Product::inv, Product::inv_T})
    expect_equal(products<native_lanes>(s, which), products<2>(s, which));
}

TEST(WideRigidMotion, NanStaysInItsLane) {
  Samples s = samples();
  constexpr int bad = 4;
  s.v[6 * bad + 1] = std::numeric_limits<double>::quiet_NaN();
  const VectorXd out = advanced<native_lanes>(s), inv = products<native_lanes>(s, Product::inv);
  for (int k = 0; k < count; ++k) {
    EXPECT_EQ(out.segment<7>(7 * k).allFinite(), k != bad);
    EXPECT_EQ(inv.segment<6>(6 * k).allFinite(), k != bad);
  }
}

}  // namespace
}  // namespace filum::lie::wide
