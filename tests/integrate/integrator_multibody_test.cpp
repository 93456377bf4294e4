/// Mechanisms and chains with all methods: paper 004, exact numbers, power balance, redundant and singular mechanisms.
/// Theory: docs/theory/multibody_benchmarks.md.
#include "support/allocation_counter.hpp"
#include "support/convergence.hpp"
#include "support/multibody_systems.hpp"

#include <filum/integrate/bliedf.hpp>
#include <filum/integrate/generalized_alpha.hpp>
#include <filum/integrate/half_explicit_rk.hpp>
#include <filum/integrate/munthe_kaas_rk.hpp>
#include <filum/integrate/rattlie.hpp>
#include <filum/integrate/run.hpp>
#include <filum/integrate/shakelie.hpp>

#include <gtest/gtest.h>

#include <numbers>

namespace filum::integrate {
namespace {

using std::numbers::pi;
using test::GroupId;
using test::JointType;
using test::Multibody;
using test::Vector2d;
using test::Vector3d;

constexpr std::array semidirect{GroupId::SE3, GroupId::S3sdR3, GroupId::UDQ};
constexpr std::array direct{GroupId::SO3xR3, GroupId::S3xR3};

using Make = Multibody (*)(GroupId);

/// Largest |Φ| of the rows called `part` along a Munthe-Kaas run of order 4.
double drift(Make make, GroupId group, double end, double h, const std::string& part) {
  const Multibody m = make(group);
  MuntheKaasRk method(*m.system, {}, m.report.rows);
  State x = m.start;
  double worst = 0;
  run(*m.system, method, x, {.end = end, .step = h}, [&](State& y, const StepReport&, const RunStatistics&) {
    worst = std::max(worst, m.residual(y, part));
    return true;
  });
  return worst;
}

/// Largest |Φ| of the rows that were left out.
double left_out(const Multibody& m, const State& x) {
  VectorXd phi = VectorXd::Zero(m.system->size_rows());
  m.system->constraint(x.t, x.q, phi);
  double worst = 0;
  for (const int row : m.report.rows.inactive()) worst = std::max(worst, std::abs(phi[row]));
  return worst;
}

/// Slope of the drift over one halving.
double drift_order(Make make, GroupId group, double end, double h, const std::string& part) {
  return std::log2(drift(make, group, end, h, part) / drift(make, group, end, h / 2, part));
}

struct DriftCase {
  Make make;
  double end, h;
  std::vector<std::string> kept, lost;   ///< in semi-direct groups: at rounding level, of order 4
  std::vector<std::string> lost_direct;  ///< in direct products: of order 4
};

// Corollary 1: joints of bodies held to a subgroup; lemma 2: joints between such bodies; corollary 3: order 4
// elsewhere.
TEST(Paper004, JointsHoldExactlyWhereTheirMotionsFormASubgroup) {
  const std::array<DriftCase, 4> cases{
      DriftCase{test::spherical_double_pendulum, 0.2, 1e-3, {"joint 1"}, {"joint 2"}, {"joint 1", "joint 2"}},
      DriftCase{test::planar_four_bar,
                0.2,
                1e-3,
                {"joint A", "joint D", "orientation"},
                {"joint B: position"},
                {"joint A", "joint B", "joint D"}},
      DriftCase{test::rp_chain, 0.2, 1e-3, {"joint R", "joint P"}, {}, {"joint R: position", "joint P: position"}},
      DriftCase{test::cardan_transmission,
                0.5,
                5e-3,
                {"joint bearing", "joint hook: position"},
                {"joint hook: orientation"},
                {"joint hook: position", "joint hook: orientation"}}};
  for (const DriftCase& c : cases) {
    for (const GroupId group : semidirect) {
      SCOPED_TRACE(test::group_name(group));
      for (const std::string& joint : c.kept) EXPECT_LT(drift(c.make, group, c.end, c.h, joint), 2e-13) << joint;
      for (const std::string& joint : c.lost)
        EXPECT_NEAR(drift_order(c.make, group, c.end, c.h, joint), 4, 0.3) << joint;
    }
    for (const GroupId group : direct) {
      SCOPED_TRACE(test::group_name(group));
      for (const std::string& joint : c.lost_direct) {
        EXPECT_GT(drift(c.make, group, c.end, c.h, joint), 1e-11) << joint;
        EXPECT_NEAR(drift_order(c.make, group, c.end, c.h, joint), 4, 0.3) << joint;
      }
    }
  }
}

TEST(Paper004, TheCardansInputShaftIsHeldExactlyInDirectProductsTooSinceItsFrameIsOnTheAxis) {
  for (const GroupId group : direct)
    EXPECT_LT(drift(test::cardan_transmission, group, 0.5, 1e-2, "joint bearing"), 1e-14);
}

struct MethodCase {
  Make make;
  double end;
  int steps;
};
constexpr std::array method_cases{MethodCase{test::spherical_double_pendulum, 0.05, 50},
                                  MethodCase{test::planar_four_bar, 0.05, 50}, MethodCase{test::rp_chain, 0.05, 100},
                                  MethodCase{test::cardan_transmission, 0.25, 50}};

/// Reference by order 5, orders of q and v of `Method`, and Φ at the end.
template <class Method>
void expect_order(const MethodCase& c, GroupId group, double order, double residual) {
  SCOPED_TRACE(test::group_name(group));
  const Multibody m = c.make(group);
  HalfExplicitRk exact(*m.system, {}, m.report.rows);
  const auto reference = test::trajectory(exact, m.start, c.end, 20 * c.steps, 2);
  const auto study =
      test::convergence([&] { return std::unique_ptr<Integrator>(new Method(*m.system, {}, m.report.rows)); }, m.start,
                        reference, {c.steps, 2 * c.steps, 4 * c.steps});
  EXPECT_NEAR(study.order_q(), order, 0.25) << study.table();
  EXPECT_NEAR(study.order_v(), order, 0.25) << study.table();
  Method method(*m.system, {}, m.report.rows);
  const State x = test::run(method, m.start, c.end, c.steps);
  EXPECT_LT(m.residual(x), residual);
}

TEST(Paper004, RattlieIsOfOrderTwoAndKeepsAllJoints) {
  for (const MethodCase& c : method_cases)
    for (const GroupId group : {GroupId::S3sdR3, GroupId::SO3xR3}) expect_order<Rattlie>(c, group, 2, 1e-11);
}

TEST(Paper004, GeneralizedAlphaIsOfOrderTwoAndKeepsAllJoints) {
  for (const MethodCase& c : method_cases)
    for (const GroupId group : {GroupId::SE3, GroupId::S3xR3}) expect_order<GeneralizedAlpha>(c, group, 2, 1e-9);
}

TEST(Paper004, HalfExplicitMethodsKeepTheVelocitiesOfAllJoints) {
  for (const MethodCase& c : method_cases)
    for (const GroupId group : {GroupId::UDQ, GroupId::S3xR3}) {
      const Multibody m = c.make(group);
      HalfExplicitRk method(*m.system, {}, m.report.rows);
      const State x = test::run(method, m.start, c.end, c.steps);
      mechanics::RowMatrix C(m.system->pattern());
      VectorXd Cv(m.system->size_rows());
      m.system->constraint_jacobian(x.t, x.q, C);
      C.times(x.v, Cv, m.system->row_blocks());
      m.report.rows.clear_inactive(Cv);
      EXPECT_LT(Cv.cwiseAbs().maxCoeff(), 1e-12 * (1 + x.v.cwiseAbs().maxCoeff()));
    }
}

TEST(Pendulum, OfLengthOneIsWhereTheEllipticFunctionsSay) {
  for (const GroupId group : test::rigid_motion_groups) {
    const Multibody m = test::rigid_pendulum(group);
    HalfExplicitRk method(*m.system, {.adaptive = true, .control = {.atol = 1e-12, .rtol = 1e-12}}, m.report.rows);
    State x = m.start;
    run(*m.system, method, x, {.end = 10, .step = 1e-3});
    const Vector3d tip = m.bodies[0].space_point(x, {-0.5, 0, 0});
    EXPECT_LT((tip - Vector3d(-0.2750874625761169, -0.9614192050991251, 0)).norm(), 1e-8)
        << test::group_name(group) << tip.transpose();
    run(*m.system, method, x, {.end = 10 * 2.36784194757624, .step = 1e-3});
    EXPECT_LT((m.bodies[0].space_point(x, {-0.5, 0, 0}) - Vector3d(-1, 0, 0)).norm(), 1e-8) << test::group_name(group);
  }
}

TEST(AndrewsSqueezer, StartsWithThePublishedAccelerationsAndDropsNineEquations) {
  const Multibody m = test::andrews_squeezer(GroupId::SE3);
  EXPECT_EQ(m.report.rows.inactive().size(), 9u);
  const auto spin = [&](int body) { return m.start.a[m.bodies[static_cast<std::size_t>(body)].v_at + 2]; };
  EXPECT_NEAR(spin(0), 14222.44391995411, 1e-6);
  EXPECT_NEAR(spin(1) - spin(0), -10666.83293996559, 1e-6);
  for (int k = 2; k < 7; ++k) EXPECT_NEAR(spin(k), 0, 1e-6) << k;
}

// Steps of 1e-5 to 2.5e-6 agree to 1e-12 among each other and differ by 1.4e-9 from the published values.
TEST(AndrewsSqueezer, EndsAtThePublishedAngles) {
  Eigen::Matrix<double, 7, 1> published;
  published << 15.81077119629904, -15.75637105984298, 0.04082224013073101, -0.5347301163226948, 0.5244099658805304,
      0.5347301163226948, 1.048080741042263;
  for (const GroupId group : {GroupId::S3sdR3, GroupId::SO3xR3}) {
    const Multibody m = test::andrews_squeezer(group);
    HalfExplicitRk method(*m.system, {.adaptive = true, .control = {.atol = 1e-11, .rtol = 1e-11}}, m.report.rows);
    State x = m.start;
    auto angles = test::andrews_start();
    run(*m.system, method, x, {.end = 0.03, .step = 1e-6}, [&](State& y, const StepReport&, const RunStatistics&) {
      angles = test::andrews_angles(m, y, angles);
      return true;
    });
    EXPECT_LT((angles - published).cwiseAbs().maxCoeff(), 5e-9) << test::group_name(group) << "\n"
                                                                << angles - published;
  }
}

TEST(SliderCrank, FollowsItsClosedForm) {
  for (const GroupId group : test::rigid_motion_groups) {
    const Multibody m = test::slider_crank(group, true);
    Rattlie method(*m.system, {.newton = {.atol = 1e-12, .rtol = 1e-12}}, m.report.rows);
    State x = m.start;
    double worst = 0;
    run(*m.system, method, x, {.end = 1.3, .step = 5e-3}, [&](State& y, const StepReport&, const RunStatistics&) {
      const double angle = 2 * pi * y.t, s = 0.2 * std::sin(angle), root = std::sqrt(0.25 - s * s);
      const double place = 0.2 * std::cos(angle) + root, speed = -2 * pi * (s + s * 0.2 * std::cos(angle) / root);
      worst = std::max(
          {worst, std::abs(m.bodies[2].position(y)[0] - place), 0.1 * std::abs(m.bodies[2].velocity(y)[0] - speed)});
      return true;
    });
    EXPECT_LT(worst, 1e-11) << test::group_name(group);
  }
}

TEST(FourBar, FollowsItsClosedFormAndKeepsTheDroppedEquations) {
  const test::FourBar bar;
  for (const GroupId group : {GroupId::SE3, GroupId::S3xR3}) {
    const Multibody m = test::planar_four_bar(group);
    EXPECT_EQ(m.report.rows.inactive().size(), 3u);
    Rattlie method(*m.system, {.newton = {.atol = 1e-12, .rtol = 1e-12}}, m.report.rows);
    State x = m.start;
    double angle = 0, worst = 0, lost = 0;
    run(*m.system, method, x, {.end = 0.5, .step = 1e-3}, [&](State& y, const StepReport&, const RunStatistics&) {
      angle = parts::unwound(m.read(0, y).angle, angle);
      const Vector3d pin = m.bodies[1].space_point(y, {0.25, 0, 0});
      worst = std::max(worst, (pin.head<2>() - bar.rocker_pin(pi / 2 + angle)).norm());
      lost = std::max(lost, left_out(m, y));
      return true;
    });
    EXPECT_GT(angle, 4 * pi);
    EXPECT_LT(worst, 1e-10) << test::group_name(group);
    EXPECT_LT(lost, 1e-12) << test::group_name(group);
  }
}

// tan θ₂ = cos β tan θ₁ when the first yoke starts across the plane of the shafts.
TEST(HookesJoint, TurnsByItsClosedForm) {
  const double tilt = 0.5;
  const Vector3d axis1(0, 0, 1), axis2(0, std::sin(tilt), std::cos(tilt)), yoke1(1, 0, 0),
      yoke2(0, std::cos(tilt), -std::sin(tilt));
  for (const GroupId group : {GroupId::SE3, GroupId::S3xR3}) {
    Multibody m;
    m.add({.name = "input",
           .group = group,
           .inertia = Vector3d(0.1, 0.1, 0.05).asDiagonal(),
           .position = -0.5 * axis1,
           .angular_velocity = 2 * axis1});
    m.add({.name = "output", .group = group, .inertia = Vector3d(0.1, 0.1, 0.1).asDiagonal(), .position = 0.5 * axis2});
    m.join("input bearing", JointType::revolute, Multibody::ground, 0, {0, 0, 0}, axis1);
    m.join("output bearing", JointType::revolute, Multibody::ground, 1, {0, 0, 0}, axis2);
    m.join("hook", JointType::universal, 0, 1, {0, 0, 0}, yoke1, yoke2);
    parts::drive_angle(m.builder, m.joints[0], [](double t) { return parts::DriveValue{2 * t, 2, 0}; });
    m.finish();
    EXPECT_EQ(m.report.rows.inactive().size(), 3u) << "all positions of the hook";
    Rattlie method(*m.system, {.newton = {.atol = 1e-12, .rtol = 1e-12}}, m.report.rows);
    State x = m.start;
    double worst = 0;
    run(*m.system, method, x, {.end = 5, .step = 1e-2}, [&](State& y, const StepReport&, const RunStatistics&) {
      const double in = 2 * y.t, expected = std::atan2(std::sin(in) * std::cos(tilt), std::cos(in));
      worst = std::max(worst, std::abs(std::remainder(m.read(1, y).angle - expected, 2 * pi)));
      const double ratio = std::cos(tilt) / (std::pow(std::cos(in), 2) + std::pow(std::sin(in) * std::cos(tilt), 2));
      worst = std::max(worst, std::abs(m.read(1, y).angle_rate - 2 * ratio));
      return true;
    });
    EXPECT_LT(worst, 1e-10) << test::group_name(group);
  }
}

TEST(MotionDrive, MovesABodyAsToldAndFeelsItsInertia) {
  for (const GroupId group : test::rigid_motion_groups) {
    Multibody m;
    const Eigen::Vector4d start(0.5, 0.5, -0.5, 0.5);
    m.add({.name = "body",
           .group = group,
           .mass = 2,
           .inertia = Vector3d(0.2, 0.3, 0.4).asDiagonal(),
           .position = {1, 0, 0},
           .orientation = start});
    const auto motion = [start](double t) {
      parts::FrameMotion f = parts::turned(start, {1, 2, 2}, {3 * t * t, 6 * t, 6});
      f.position = {std::cos(t), std::sin(t), t * t};
      f.velocity = {-std::sin(t), std::cos(t), 2 * t};
      f.acceleration = {-std::cos(t), -std::sin(t), 2};
      return f;
    };
    m.joints.push_back(parts::add_motion_drive(m.builder, {.at = m.bodies[0].at({0, 0, 0}), .motion = motion}));
    m.finish();
    Rattlie method(*m.system, {.newton = {.atol = 1e-12, .rtol = 1e-12}}, m.report.rows);
    State x = m.start;
    run(*m.system, method, x, {.end = 2, .step = 1e-2});
    method.complete(x);
    const parts::FrameMotion end = motion(2);
    EXPECT_LT((m.bodies[0].position(x) - end.position).norm(), 1e-10) << test::group_name(group);
    EXPECT_NEAR(std::abs(m.bodies[0].orientation(x).dot(end.orientation)), 1, 1e-10);
    EXPECT_LT((m.bodies[0].velocity(x) - end.velocity).norm(), 1e-9);
    EXPECT_LT((m.read(0, x).force - 2 * end.acceleration).norm(), 1e-8);
  }
}

// RATTLie analyses the pattern of its own matrix when it first needs one, which may be in the second step.
TEST(Mechanisms, AStepAllocatesNothingAfterTheFirst) {
  const Multibody m = test::slider_crank(GroupId::SO3xR3, true);
  const Multibody chain = test::rp_chain(GroupId::SE3);
  const auto check = [](Integrator& method, const State& start) {
    State x = start;
    method.start(x, 1e-3);
    ASSERT_TRUE(method.step(x, 1e-3).accepted());
    EXPECT_EQ(test::allocations_of([&] {
                for (int k = 0; k < 5; ++k) method.step(x, 1e-3);
              }),
              0)
        << method.name();
  };
  for (const Multibody* system : {&m, &chain}) {
    Rattlie rattlie(*system->system, {}, system->report.rows);
    GeneralizedAlpha alpha(*system->system, {}, system->report.rows);
    HalfExplicitRk half(*system->system, {}, system->report.rows);
    MuntheKaasRk munthe(*system->system, {}, system->report.rows);
    check(rattlie, system->start);
    check(alpha, system->start);
    check(half, system->start);
    check(munthe, system->start);
  }
}

TEST(PowerBalance, TheEnergyChangesByTheWorkOfLoadsDrivesAndDampers) {
  Multibody m;
  const double r = 0.2, l = 0.5;
  m.add(test::rod("crank", GroupId::SE3, {0, 0}, {r, 0}, 0.5, 2 * pi));
  m.add(test::rod("rod", GroupId::SO3xR3, {r, 0}, {r + l, 0}, 0.7));
  m.add({.name = "slider",
         .group = GroupId::S3xR3,
         .mass = 0.4,
         .inertia = 1e-3 * Eigen::Matrix3d::Identity(),
         .position = {r + l, 0, 0}});
  m.join("bearing", JointType::revolute, Multibody::ground, 0, {0, 0, 0});
  m.join("crank pin", JointType::revolute, 0, 1, {r, 0, 0});
  m.join("piston pin", JointType::revolute, 1, 2, {r + l, 0, 0});
  m.join("guide", JointType::prismatic, Multibody::ground, 2, {r + l, 0, 0}, {1, 0, 0});
  parts::drive_angle(m.builder, m.joints[0], [](double t) {
    return parts::DriveValue{2 * pi * t + t * t, 2 * pi + 2 * t, 2};
  });
  parts::add_joint_spring(
      m.builder, {.name = "friction", .coordinate = parts::JointCoordinate::displacement, .damping = 3}, m.joints[3]);
  parts::add_joint_spring(
      m.builder, {.name = "buffer", .coordinate = parts::JointCoordinate::displacement, .stiffness = 50, .rest = -0.2},
      m.joints[3]);
  parts::add_joint_spring(m.builder, {.name = "pin", .stiffness = 0.5, .damping = 0.1}, m.joints[1]);
  m.add_gravity({0, -9.81, 0});
  m.finish();
  HalfExplicitRk method(*m.system, {}, m.report.rows);
  State x = m.start;
  const auto power = [&](const State& y) {
    const auto drive = m.read(0, y), pin = m.read(1, y), guide = m.read(3, y);
    return drive.drive_torque * drive.angle_rate - 0.1 * pin.angle_rate * pin.angle_rate -
           3 * std::pow(guide.displacement_rate[2], 2);
  };
  const int steps = 400;
  const double h = 0.2 / steps;
  method.start(x, h);
  double work = power(x) / 3 * h;
  for (int k = 1; k <= steps; ++k) {  // Simpson
    ASSERT_TRUE(method.step(x, h).accepted());
    method.complete(x);
    work += h / 3 * power(x) * (k == steps ? 1 : (k % 2 == 1 ? 4 : 2));
  }
  EXPECT_NEAR(m.energy(x) - m.energy(m.start), work, 1e-8);
  EXPECT_GT(std::abs(work), 1e-2);
}

TEST(Bricard, MovesAlthoughItsEquationsAreRedundant) {
  for (const GroupId group : {GroupId::S3sdR3, GroupId::SO3xR3}) {
    const Multibody m = test::bricard(group);
    ASSERT_EQ(m.report.rows.inactive().size(), 1u);
    Rattlie method(*m.system, {.newton = {.atol = 1e-11, .rtol = 1e-11}}, m.report.rows);
    State x = m.start;
    double lost = 0, turned = 0;
    run(*m.system, method, x, {.end = 2, .step = 2e-3}, [&](State& y, const StepReport&, const RunStatistics&) {
      lost = std::max(lost, m.residual(y));
      turned = std::max(turned, std::abs(m.read(0, y).angle));
      return true;
    });
    EXPECT_LT(lost, 1e-9) << test::group_name(group);
    EXPECT_GT(turned, 0.3) << test::group_name(group);
    EXPECT_NEAR(m.energy(x), m.energy(m.start), 1e-3 * 20);
  }
}

TEST(Redundancy, GivesTheSameMotionAndZeroMultipliersWithAllMethods) {
  const Multibody redundant = test::planar_four_bar(GroupId::SE3);
  const auto check = [&](Integrator& method) {
    const State x = test::run(method, redundant.start, 0.02, 40);
    for (const int row : redundant.report.rows.inactive()) EXPECT_EQ(x.lambda[row], 0) << method.name();
    HalfExplicitRk exact(*redundant.system, {}, redundant.report.rows);
    EXPECT_LT((x.q - test::run(exact, redundant.start, 0.02, 400).q).norm(), 1e-4) << method.name();
  };
  Rattlie rattlie(*redundant.system, {}, redundant.report.rows);
  GeneralizedAlpha alpha(*redundant.system, {}, redundant.report.rows);
  MuntheKaasRk explicit_rk(*redundant.system, {}, redundant.report.rows);
  Shakelie shakelie(*redundant.system, {}, redundant.report.rows);
  Bliedf bliedf(*redundant.system, {}, redundant.report.rows);
  check(shakelie);
  check(bliedf);
  check(rattlie);
  check(alpha);
  check(explicit_rk);
}

TEST(SingularPositions, StopTheRunWithAMessageThatSaysSo) {
  for (const double h : {5e-2, 1e-2, 1e-3}) {
    const Multibody m = test::parallelogram(GroupId::SE3);
    Rattlie method(*m.system, {}, m.report.rows);
    State x = m.start;
    try {
      run(*m.system, method, x, {.end = 2, .step = h});
      FAIL() << "ran through";
    } catch (const IntegrationStopped& stop) {
      EXPECT_EQ(stop.report.trouble, StepTrouble::singular_position);
      EXPECT_NE(std::string(stop.what()).find("singular configuration"), std::string::npos) << stop.what();
      EXPECT_NE(std::string(stop.what()).find("joint D"), std::string::npos) << stop.what();
      EXPECT_NEAR(x.t, (pi - pi / 3) / 3, 1.2 * h);  // folded flat
    }
    State y = m.start;
    Rattlie unwatched(*m.system, {}, m.report.rows);
    EXPECT_NO_THROW(run(*m.system, unwatched, y, {.end = 0.6, .step = h}));
  }
}

TEST(Chains, AreSolvedAlongTheChain) {
  const Multibody m = test::rod_chain(100, JointType::revolute, GroupId::S3sdR3);
  EXPECT_STREQ(mechanics::AccelerationSolver(*m.system).method(), "node elimination");
  mechanics::AccelerationSolver solver(*m.system, m.report.rows);
  ASSERT_TRUE(solver.factorize(0, m.start.q).ok);
  EXPECT_STREQ(solver.method(), "node elimination, block tridiagonal Schur complement");
  Rattlie method(*m.system, {}, m.report.rows);
  State x = m.start;
  run(*m.system, method, x, {.end = 0.1, .step = 1e-3});
  EXPECT_NEAR(m.energy(x), m.energy(m.start), 1e-3 * 100);
  EXPECT_LT(m.residual(x), 1e-10);
}

}  // namespace
}  // namespace filum::integrate
