/// The fully discrete beam of paper 001, (17a) to (17e), written out on its own and compared with RATTLie on the
/// semi-discrete beam: homogeneous 4 × 4 matrices, power series, matrix logarithm, dense differences. Theory:
/// docs/theory/beam.md, sec. 6.
#include "support/beam_systems.hpp"

#include <filum/integrate/rattlie.hpp>
#include <filum/lie/se3.hpp>

#include <Eigen/LU>
#include <gtest/gtest.h>

namespace filum::integrate {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix4d;
using Eigen::Vector3d;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Vector6 = Eigen::Matrix<double, 6, 1>;

Matrix3d cross_matrix(const Vector3d& a) {
  return (Matrix3d() << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0).finished();
}

Matrix4d twist_matrix(const Vector6& v) {
  Matrix4d A = Matrix4d::Zero();
  A.topLeftCorner<3, 3>() = cross_matrix(v.head<3>());
  A.topRightCorner<3, 1>() = v.tail<3>();
  return A;
}

/// By the power series; arguments are small.
Matrix4d exponential(const Matrix4d& A) {
  Matrix4d term = Matrix4d::Identity(), sum = term;
  for (int k = 1; k < 30; ++k) sum += term = term * A / k;
  return sum;
}

/// Square roots (Denman and Beavers) until the power series of log(1 + X) converges fast.
Matrix4d logarithm(Matrix4d A) {
  const Matrix4d I = Matrix4d::Identity();
  double scale = 1;
  for (; (A - I).norm() > 0.05; scale *= 2) {
    Matrix4d root = A, inverse_root = I;
    for (int k = 0; k < 12; ++k) {
      const Matrix4d next = (root + inverse_root.inverse()) / 2;
      inverse_root = (inverse_root + root.inverse()) / 2;
      root = next;
    }
    A = root;
  }
  Matrix4d power = I, sum = Matrix4d::Zero();
  for (int k = 1; k < 16; ++k) {
    power = -power * (A - I);
    sum -= power / k;
  }
  return scale * sum;
}

Vector6 strain_of(const Matrix4d& a, const Matrix4d& b, double ds) {
  const Matrix4d A = logarithm(a.inverse() * b);
  return (Vector6() << A(2, 1), A(0, 2), A(1, 0), A.topRightCorner<3, 1>()).finished() / ds;
}

/// T⁻ᵀ(v) from the series of T.
Matrix6 tangent_inverse(const Vector6& v) {
  Matrix6 hat = Matrix6::Zero(), term = Matrix6::Identity(), T = Matrix6::Identity();
  hat.topLeftCorner<3, 3>() = hat.bottomRightCorner<3, 3>() = cross_matrix(v.head<3>());
  hat.bottomLeftCorner<3, 3>() = cross_matrix(v.tail<3>());
  for (int k = 1; k < 30; ++k) {
    term = -term * hat / (k + 1);
    T += term;
  }
  return T.inverse();
}

/// Three segments of different lengths, Kirchhoff, with the viscosity D in all strains that are not held.
struct DiscreteBeam {
  static constexpr int K = 3;
  std::array<double, K> ds{0.7, 1.1, 0.9};
  Vector6 C = (Vector6() << 50, 60, 40, 0, 0, 300).finished();
  Vector6 D = Vector6::Zero();
  Vector6 M = (Vector6() << 0.5, 0.4, 0.6, 1.3, 1.3, 1.3).finished();
  double dt = 0x1p-7;
  std::array<Vector6, K> rest;

  using Pose = std::array<Matrix4d, K + 1>;
  using Velocity = std::array<Vector6, K + 1>;

  static Pose moved(const Pose& q, const Velocity& V, double h) {
    Pose out;
    for (int k = 0; k <= K; ++k) out[k] = q[k] * exponential(twist_matrix(h * V[k]));
    return out;
  }

  /// G of segment k with the multipliers of the two shear strains, and 2 D ẇ.
  Vector6 force(const Pose& q, const Velocity& v, int k, const double* lambda) const {
    const Vector6 w = strain_of(q[k], q[k + 1], ds[k]);
    const Vector6 rate = (tangent_inverse(ds[k] * w) * v[k + 1] - tangent_inverse(-ds[k] * w) * v[k]) / ds[k];
    Vector6 G = C.cwiseProduct(w - rest[k]) + 2 * D.cwiseProduct(rate);
    G[3] += lambda[0];
    G[4] += lambda[1];
    return G;
  }

  /// The bracket of (17b) and (17d) at node k.
  Vector6 bracket(const Pose& q, const Velocity& v, int k, const double* lambda) const {
    Vector6 sum = Vector6::Zero();
    if (k < K)
      sum += tangent_inverse(-ds[k] * strain_of(q[k], q[k + 1], ds[k])).transpose() * force(q, v, k, lambda + 2 * k);
    if (k > 0)
      sum -= tangent_inverse(ds[k - 1] * strain_of(q[k - 1], q[k], ds[k - 1])).transpose() *
             force(q, v, k - 1, lambda + 2 * (k - 1));
    return sum;
  }

  double length(int k) const { return 0.5 * ((k < K ? ds[k] : 0) + (k > 0 ? ds[k - 1] : 0)); }
};

/// Newton with a matrix of central differences.
Eigen::VectorXd solved(const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& F, Eigen::VectorXd x) {
  for (int iteration = 0; iteration < 8; ++iteration) {
    const Eigen::VectorXd f = F(x);
    Eigen::MatrixXd J(f.size(), x.size());
    for (Eigen::Index j = 0; j < x.size(); ++j) {
      const Eigen::VectorXd e = 1e-5 * Eigen::VectorXd::Unit(x.size(), j);
      J.col(j) = (F(x + e) - F(x - e)) / 2e-5;
    }
    x -= J.partialPivLu().solve(f);
  }
  return x;
}

DiscreteBeam::Velocity unpacked(const Eigen::VectorXd& x) {
  DiscreteBeam::Velocity v;
  for (int k = 0; k <= DiscreteBeam::K; ++k) v[k] = x.segment<6>(6 * k);
  return v;
}

void step(const DiscreteBeam& b, DiscreteBeam::Pose& q, DiscreteBeam::Velocity& v) {
  constexpr int K = DiscreteBeam::K, n = 6 * (K + 1), m = 2 * K;
  Eigen::VectorXd guess = Eigen::VectorXd::Zero(n + m);
  for (int k = 0; k <= K; ++k) guess.segment<6>(6 * k) = v[k];
  // (17b) with its missing factor, (17c)
  const Eigen::VectorXd half = solved(
      [&](const Eigen::VectorXd& x) {
        const DiscreteBeam::Velocity V = unpacked(x);
        const DiscreteBeam::Pose next = DiscreteBeam::moved(q, V, b.dt);
        Eigen::VectorXd r(n + m);
        for (int k = 0; k <= K; ++k)
          r.segment<6>(6 * k) = b.length(k) * b.M.cwiseProduct(v[k]) -
                                b.length(k) * tangent_inverse(-b.dt * V[k]).transpose() * b.M.cwiseProduct(V[k]) +
                                b.dt / 2 * b.bracket(q, v, k, x.data() + n);
        for (int k = 0; k < K; ++k)
          r.segment<2>(n + 2 * k) = strain_of(next[k], next[k + 1], b.ds[k]).segment<2>(3) - b.rest[k].segment<2>(3);
        return r;
      },
      guess);
  const DiscreteBeam::Velocity V = unpacked(half);
  const DiscreteBeam::Pose next = DiscreteBeam::moved(q, V, b.dt);
  // (17d), (17e)
  const Eigen::VectorXd end = solved(
      [&](const Eigen::VectorXd& x) {
        const DiscreteBeam::Velocity u = unpacked(x);
        Eigen::VectorXd r(n + m);
        for (int k = 0; k <= K; ++k)
          r.segment<6>(6 * k) = b.length(k) * b.M.cwiseProduct(u[k]) -
                                b.length(k) * tangent_inverse(b.dt * V[k]).transpose() * b.M.cwiseProduct(V[k]) -
                                b.dt / 2 * b.bracket(next, u, k, x.data() + n);
        for (int k = 0; k < K; ++k) {
          const Vector6 w = strain_of(next[k], next[k + 1], b.ds[k]);
          r.segment<2>(n + 2 * k) =
              (tangent_inverse(b.ds[k] * w) * u[k + 1] - tangent_inverse(-b.ds[k] * w) * u[k]).segment<2>(3);
        }
        return r;
      },
      half);
  q = next;
  v = unpacked(end);
}

void compare(bool viscous) {
  DiscreteBeam b;
  if (viscous) b.D << 0.3, 0.4, 0.2, 0, 0, 0.7;
  parts::BeamOptions o;
  o.group = lie::GroupId::SE3;
  o.held = parts::kirchhoff;
  parts::set_straight(o, Vector3d(1, 0, 0), Vector3d(1, 2.7, 0), 3);
  o.grid = {0, 0.7, 1.8, 2.7};
  for (int k = 0; k <= 3; ++k) o.positions[k] = Vector3d(1, o.grid[k], 0);
  o.stiffness = {parts::Matrix6d(b.C.asDiagonal())};
  o.viscosity = {parts::Matrix6d(b.D.asDiagonal())};
  o.mass_per_length = {1.3};
  o.inertia_per_length = {Vector3d(b.M.head<3>()).asDiagonal()};
  // A velocity field that bends, twists and stretches, consistent with the shear constraint after projection.
  o.angular_velocities = {Vector3d(0.5, -0.3, 0.7), Vector3d(-0.2, 0.6, 0.1), Vector3d(0.4, 0.4, -0.5),
                          Vector3d(-0.6, 0.2, 0.9)};
  o.velocities = {Vector3d(0.1, 0.2, 0.3), Vector3d(-0.2, 0.1, 0.1), Vector3d(0.3, 0, -0.2), Vector3d(0, -0.4, 0.2)};
  test::BeamBenchmark beam;
  beam.beam = parts::add_beam(beam.builder, o);
  test::complete(beam, {.repair_velocity_fully = true});
  State x = beam.start;

  DiscreteBeam::Pose q;
  DiscreteBeam::Velocity v;
  const auto pose = [&](int k) { return Eigen::Map<const lie::SE3::Element>(x.q.data() + k * lie::SE3::size); };
  const auto as_matrix = [&](int k) {
    Matrix4d A = Matrix4d::Identity();
    A.topLeftCorner<3, 3>() = lie::SE3::rotation(pose(k));
    A.topRightCorner<3, 1>() = lie::SE3::position(pose(k));
    return A;
  };
  for (int k = 0; k <= 3; ++k) q[k] = as_matrix(k), v[k] = x.v.segment<6>(6 * k);
  for (int k = 0; k < 3; ++k) b.rest[k] = strain_of(q[k], q[k + 1], b.ds[k]);

  Rattlie method(*beam.system, {.newton = {.atol = 1e-15, .rtol = 1e-15}});
  method.start(x, b.dt);
  for (int n = 0; n < 6; ++n) {
    ASSERT_TRUE(method.step(x, b.dt).accepted());
    step(b, q, v);
    for (int k = 0; k <= 3; ++k) {
      EXPECT_LT((as_matrix(k) - q[k]).cwiseAbs().maxCoeff(), 1e-12) << "step " << n << " node " << k;
      EXPECT_LT((x.v.segment<6>(6 * k) - v[k]).cwiseAbs().maxCoeff(), 1e-11) << "step " << n << " node " << k;
    }
  }
}

TEST(FullyDiscreteBeam, IsWhatRattlieDoesToTheSemiDiscreteOne) { compare(false); }
TEST(FullyDiscreteBeam, IsWhatRattlieDoesWithViscosity) { compare(true); }

}  // namespace
}  // namespace filum::integrate
