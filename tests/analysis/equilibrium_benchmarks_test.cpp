/// Beams of the literature under large loads, against exact values. Theory: docs/theory/statics.md, sec. 9.
#include "analysis/static_beams.hpp"

#include <filum/parts/rigid_body.hpp>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include <array>
#include <numbers>

namespace filum::analysis {
namespace {

using std::numbers::pi;

/// Géradin and Cardona, Flexible Multibody Dynamics: L = 5 m, a force of 600 kN across the tip.
TEST(EquilibriumBenchmarks, GeradinsCantileverIsReachedWithOrderTwo) {
  const Vector3d exact(0.59647127, 2.15969389, 0.67200606);  // shortening, deflection, rotation
  Vector3d before = Vector3d::Zero(), last = Vector3d::Zero();
  for (const int segments : {16, 32, 64}) {
    const BeamBenchmark b = static_beam({.segments = segments,
                                         .length = 5,
                                         .EI = 9.346e6,
                                         .EI2 = 9.346e6,
                                         .GA = 3.231e8,
                                         .EA = 4.8e8,
                                         .GJ = 1e6,
                                         .force = {0, 6e5, 0}});
    const Equilibrium e = find_equilibrium(*b.system, b.start);
    ASSERT_EQ(e.outcome, EquilibriumOutcome::found) << words(e);
    const Vector3d tip = b.tip(e.state);
    const Vector3d axis = lie::quaternion::rotate(b.beam->orientation(e.state, segments), Vector3d(0, 0, 1));
    before = last;
    last = Vector3d(5 - tip[0], tip[1], std::atan2(axis[1], axis[0]));
    if (segments > 16) {
      for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR((before[k] - last[k]) / (last[k] - exact[k]), 3, 0.05) << segments << " " << k;
      }
    }
  }
  const Vector3d extrapolated = (4 * last - before) / 3;
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(extrapolated[k], exact[k], 1e-7) << k;
}

/// A straight rod along e1 under a dead force F at its end, by the equations of the exact rod alone: the internal force
/// is F, the moment at the tip vanishes, so three numbers are sought, the moment at the clamp.
class ShootingRod {
 public:
  ShootingRod(double length, const Vector3d& bending, const Vector3d& shear, const Vector3d& F)
      : length_(length), bending_(bending), shear_(shear), F_(F) {}

  Vector3d tip() {
    Vector3d m = Vector3d::Zero();
    for (int k = 0; k < 40; ++k) {
      const Vector3d miss = shoot(m);
      Eigen::Matrix3d J;
      const double h = 1e-6 * F_.norm() * length_;
      for (int j = 0; j < 3; ++j)
        J.col(j) = (shoot(m + h * Vector3d::Unit(j)) - shoot(m - h * Vector3d::Unit(j))) / (2 * h);
      const Vector3d step = J.partialPivLu().solve(miss);
      m -= step;
      if (step.norm() < 1e-14 * F_.norm() * length_) break;
    }
    EXPECT_LT(shoot(m).norm(), 1e-11 * F_.norm() * length_);
    return r_;
  }

 private:
  struct Point {
    Vector3d r, m;
    Eigen::Matrix3d R;  ///< columns: the axes of the section and the normal to it
  };

  /// Axes of the section are those of static_beam: −e3, e2, e1.
  Point rate(const Point& p) const {
    const Vector3d K = (p.R.transpose() * p.m).cwiseQuotient(bending_),
                   G = Vector3d(0, 0, 1) + (p.R.transpose() * F_).cwiseQuotient(shear_);
    Eigen::Matrix3d hat;
    hat << 0, -K[2], K[1], K[2], 0, -K[0], -K[1], K[0], 0;
    const Vector3d along = p.R * G;
    return {along, -along.cross(F_), p.R * hat};
  }
  static Point sum(const Point& p, double h, const Point& d) { return {p.r + h * d.r, p.m + h * d.m, p.R + h * d.R}; }

  Vector3d shoot(const Vector3d& m) {
    constexpr int steps = 400;
    const double h = length_ / steps;
    Point p{Vector3d::Zero(), m, {}};
    p.R << 0, 0, 1, 0, 1, 0, -1, 0, 0;
    for (int k = 0; k < steps; ++k) {
      const Point a = rate(p), b = rate(sum(p, h / 2, a)), c = rate(sum(p, h / 2, b)), d = rate(sum(p, h, c));
      p = sum(sum(sum(sum(p, h / 6, a), h / 3, b), h / 3, c), h / 6, d);
    }
    r_ = p.r;
    return p.m;
  }

  double length_;
  Vector3d bending_, shear_, F_, r_;
};

/// Dowell and Traybar's experiment: an aluminium strip of 508 mm × 12.3777 mm × 3.2024 mm is clamped at an angle to the
/// vertical and loaded by a weight at its tip. Torsion is 0.198 G (I₁ + I₂), shear GA, as in published comparisons.
struct Princeton {
  static constexpr double length = 0.508, wide = 12.3777e-3, thin = 3.2024e-3, E = 71.7e9, nu = 0.31;
  double G = E / (2 * (1 + nu)), area = wide * thin;
  double weak = wide * std::pow(thin, 3) / 12, strong = thin * std::pow(wide, 3) / 12;
  Vector3d bending{E * weak, E*strong, 0.198 * G*(weak + strong)}, shear{G * area, G*area, E*area};

  /// Across the flat side (towards e2) and across the narrow one (towards −e3).
  Vector3d force(double weight, double degrees) const {
    const double angle = degrees * pi / 180;
    return {0, weight * std::sin(angle), -weight * std::cos(angle)};
  }
  Vector3d tip(int segments, const Vector3d& F) const {
    const BeamBenchmark b = static_beam({.segments = segments,
                                         .length = length,
                                         .EI = bending[0],
                                         .EI2 = bending[1],
                                         .GA = shear[0],
                                         .EA = shear[2],
                                         .GJ = bending[2],
                                         .force = F});
    const Equilibrium e = find_equilibrium(*b.system, b.start);
    EXPECT_EQ(e.outcome, EquilibriumOutcome::found) << words(e);
    return b.tip(e.state);
  }
};

TEST(EquilibriumBenchmarks, ThePrincetonBeamIsReachedWithOrderTwo) {
  const Princeton p;
  for (const double weight : {8.896, 13.345})
    for (const double degrees : {15.0, 30.0, 45.0, 60.0, 75.0}) {
      SCOPED_TRACE(std::to_string(weight) + " N at " + std::to_string(degrees) + " degrees");
      const Vector3d F = p.force(weight, degrees);
      const Vector3d exact = ShootingRod(p.length, p.bending, p.shear, F).tip();
      const Vector3d coarse = p.tip(16, F), fine = p.tip(32, F);
      EXPECT_NEAR((coarse - exact).norm() / (fine - exact).norm(), 4, 0.05);
      EXPECT_LT(((4 * fine - coarse) / 3 - exact).norm(), 2e-6 * exact.norm());
      if (weight == 8.896 && degrees == 30) {
        EXPECT_NEAR(-exact[2], 0.01020761, 1e-8);
        EXPECT_NEAR(exact[1], 0.07954738, 1e-8);
      }
    }
}

/// Simo and Vu-Quoc 1986: two legs of 240 mm at a right angle, section 0.6 mm × 30 mm, end moments in its plane. One
/// end turns on a hinge, the other on a slider along the line between both.
struct Frame {
  static constexpr double length = 240, E = 71240, nu = 0.31, thin = 0.6, wide = 30;
  double G = E / (2 * (1 + nu)), strong = E * thin * std::pow(wide, 3) / 12, weak = E * wide * std::pow(thin, 3) / 12;
  double torsion = G * wide * std::pow(thin, 3) / 3;
  std::shared_ptr<const System> system;
  State start;
  RowSelection rows;

  /// In the plane of e1 and e2, the corner upwards; moments of `sign` N mm at the first end, −`sign` at the other.
  Frame(int segments, double sign) {
    mechanics::SystemBuilder builder;
    const double arm = length / std::numbers::sqrt2;
    const Vector3d corner(arm, arm, 0), ends[] = {{0, 0, 0}, {2 * arm, 0, 0}};
    std::shared_ptr<const parts::Beam> legs[2];
    for (const int k : {0, 1}) {
      parts::BeamOptions o;
      parts::set_straight(o, ends[k], corner, segments);
      const Vector3d along = (corner - ends[k]).normalized(), normal = Vector3d(0, 0, 1);
      Eigen::Matrix3d R;
      R << normal.cross(along), normal, along;  // the strip stands in the plane of the frame
      o.orientations.assign(o.orientations.size(), lie::quaternion::from_matrix(R));
      o.stiffness = {parts::diagonal_stiffness({weak, strong, torsion}, {1e5, 1e5, 1e6})};
      legs[k] = parts::add_beam(builder, o);
    }
    const auto slider =
        parts::add_rigid_body(builder, {.mass = 1, .inertia = parts::Matrix3d::Identity(), .position = ends[1]});
    const auto join = [&](parts::JointType type, const parts::Marker& a, const parts::Marker& b, const Vector3d& axis) {
      parts::add_joint(builder, {.type = type, .first = a, .second = b, .axis = axis});
    };
    join(parts::JointType::fixed, legs[0]->at(segments), legs[1]->at(segments), {0, 0, 1});
    join(parts::JointType::revolute, {}, legs[0]->at(0), {0, 0, 1});
    join(parts::JointType::prismatic, {.point = ends[1]}, slider.at(Vector3d::Zero()), {1, 0, 0});
    join(parts::JointType::revolute, slider.at(Vector3d::Zero()), legs[1]->at(0), {0, 0, 1});
    for (const int k : {0, 1})
      parts::add_load(builder, "moment", legs[k]->at(0), parts::LoadFrame::space, [=](double) {
        return parts::LoadValue{.force = Vector3d::Zero(), .moment = {0, 0, k == 0 ? sign : -sign}};
      });
    start = builder.start();
    system = builder.build();
    rows = mechanics::make_consistent(*system, start).rows;
  }
};

/// The linearised equations of one leg, bent to the curvature k = M/EI₁, with twist φ and slope θ:
/// GJ (φ' − kθ) = m₁ − Mθ, EI₂ (θ' + kφ) = m₂ + Mφ. Its end turns in the plane alone: φ = θ = 0. In the symmetry plane
/// of the frame φ + θ = 0, and the constant moment m, which turns against the axes of the leg, has no share normal to
/// it.
double exact_moment(const Frame& f, double sign) {
  const auto miss = [&](double M) {
    const double k = sign * M / f.strong;
    constexpr int steps = 200;
    const double h = f.length / steps;
    Eigen::Vector2d y = Eigen::Vector2d::Zero();
    const auto rate = [&](double x, const Eigen::Vector2d& u) {
      const double angle = k * (f.length - x), m1 = std::cos(angle) - std::sin(angle),
                   m2 = std::cos(angle) + std::sin(angle);
      return Eigen::Vector2d((m1 - sign * M * u[1]) / f.torsion + k * u[1], (m2 + sign * M * u[0]) / f.weak - k * u[0]);
    };
    for (int i = 0; i < steps; ++i) {
      const double x = i * h;
      const Eigen::Vector2d a = rate(x, y), b = rate(x + h / 2, y + h / 2 * a), c = rate(x + h / 2, y + h / 2 * b),
                            d = rate(x + h, y + h * c);
      y += h / 6 * (a + 2 * b + 2 * c + d);
    }
    return y[0] + y[1];
  };
  double low = 500, high = 700;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    ((miss(low) < 0) == (miss(middle) < 0) ? low : high) = middle;
  }
  return low;
}

TEST(EquilibriumBenchmarks, ARightAngleFrameBucklesSidewaysUnderMomentsOfEitherSign) {
  for (const double sign : {1.0, -1.0}) {
    const double exact = exact_moment(Frame(1, 1), -sign);  // the leg carries the opposite of what acts on its end
    std::vector<double> found;
    for (const int segments : {16, 32}) {
      const Frame f(segments, sign);
      const StaticPath p = follow_path(*f.system, f.start, f.rows, {.to = 700});
      ASSERT_TRUE(p.is_done()) << words(p);
      ASSERT_FALSE(p.critical.empty()) << words(p);
      EXPECT_EQ(p.critical[0].kind, CriticalKind::bifurcation);
      found.push_back(p.critical[0].factor);
    }
    EXPECT_NEAR((4 * found[1] - found[0]) / 3, exact, 4e-3);
    EXPECT_NEAR(found[0] - exact, 4 * (found[1] - exact), 0.01);
  }
}

}  // namespace
}  // namespace filum::analysis
