/// Rigid bodies in all groups: reading, energies, free motion, refusals.
#include "support/any_node.hpp"
#include "support/benchmark_systems.hpp"
#include "support/derivative_checks.hpp"

#include <filum/lie/quaternion.hpp>
#include <filum/mechanics/acceleration_solver.hpp>
#include <filum/parts/gravity.hpp>
#include <filum/parts/node_frame_inline.hpp>
#include <filum/parts/rigid_body.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace filum::parts {
namespace {

using mechanics::AccelerationSolver;
using test::GroupId;

struct FreeBody {
  SystemBuilder builder;
  RigidBody body;
  std::shared_ptr<const System> system;
  State x;
  explicit FreeBody(const RigidBodyOptions& options) : body(add_rigid_body(builder, options)) {
    system = builder.build();
    x = builder.start();
    AccelerationSolver(*system).solve(x);
  }
};

/// Space acceleration of the body frame's origin.
Vector3d acceleration(const FreeBody& f) {
  const Vector3d a = f.x.a.segment<3>(f.body.v_at + 3), u = f.x.v.segment<3>(f.body.v_at + 3);
  const bool direct = f.body.group() == GroupId::SO3xR3 || f.body.group() == GroupId::S3xR3;
  if (direct) return a;
  return f.body.rotation(f.x) * (a + f.body.angular_velocity(f.x).cross(u));
}

class RigidBodyInGroup : public ::testing::TestWithParam<GroupId> {};
INSTANTIATE_TEST_SUITE_P(AllGroups, RigidBodyInGroup, ::testing::ValuesIn(test::all_top_groups),
                         [](const auto& i) { return test::group_name(i.param); });

TEST_P(RigidBodyInGroup, ReadsBackWhatItStartedWith) {
  const RigidBodyOptions o = test::odd_body(GetParam());
  const FreeBody f(o);
  EXPECT_LT((f.body.position(f.x) - o.position).norm(), 1e-15);
  EXPECT_NEAR(std::abs(f.body.orientation(f.x).dot(o.orientation)), 1, 1e-15);
  EXPECT_LT((f.body.angular_velocity(f.x) - o.angular_velocity).norm(), 1e-15);
  const Matrix3d R = lie::quaternion::to_matrix(o.orientation);
  const Vector3d expected = o.pivot ? Vector3d((R * o.angular_velocity).cross(o.position - *o.pivot)) : o.velocity;
  EXPECT_LT((f.body.velocity(f.x) - expected).norm(), 1e-15);
  EXPECT_LT((f.body.center_of_mass(f.x) - (o.position + R * o.center_of_mass)).norm(), 1e-15);
}

TEST_P(RigidBodyInGroup, MarkersFollowTheBody) {
  const FreeBody f(test::odd_body(GetParam()));
  State moved = f.x;
  f.system->space().advance(moved.q, 0.7, moved.v, moved.q);
  const Vector3d X(0.3, 0.2, -0.9);
  const Marker m = f.body.at(X);
  const NodeFrame frame(f.system->space(), m);
  EXPECT_LT((frame.pose(moved.q).act(m.point) - f.body.space_point(moved, X)).norm(), 1e-15);
  const Vector3d x = f.body.space_point(f.x, X);
  EXPECT_LT((f.body.at_space(x).point - m.point).norm(), 1e-15);
  const Pose pose = frame.pose(moved.q);
  const Vector3d rate = test::derivative([&](double h) {
    VectorXd q(moved.q.size());
    f.system->space().advance(moved.q, h, moved.v, q);
    return VectorXd(frame.pose(q).act(m.point));
  });
  EXPECT_LT((pose.R * frame.twist(pose, moved.v).at(m.point) - rate).norm(), 1e-11);
}

TEST_P(RigidBodyInGroup, HasTheKineticEnergyOfItsParts) {
  const RigidBodyOptions o = test::odd_body(GetParam());
  const FreeBody f(o);
  const Vector3d u = f.body.velocity(f.x) + f.body.rotation(f.x) * o.angular_velocity.cross(o.center_of_mass);
  const double expected = 0.5 * o.mass * u.squaredNorm() + 0.5 * o.angular_velocity.dot(o.inertia * o.angular_velocity);
  EXPECT_NEAR(f.system->kinetic_energy(f.x.q, f.x.v), expected, 1e-14);
}

TEST_P(RigidBodyInGroup, InertiaForcesHaveExactDerivatives) {
  const FreeBody f(test::odd_body(GetParam()));
  const State x = test::random_state(*f.system, 17);
  const VectorXd a = test::random_vector(x.v.size(), 18);
  const auto value = [&](const VectorXd& q, const VectorXd& v) {
    VectorXd out(v.size()), Ma(v.size());
    f.system->inertia_forces(q, v, out);
    f.system->mass_times(q, a, Ma);
    return VectorXd(out - Ma);
  };
  Eigen::MatrixXd by_v(x.v.size(), x.v.size());
  for (int j = 0; j < by_v.cols(); ++j)
    by_v.col(j) = test::derivative([&](double h) { return value(x.q, x.v + h * VectorXd::Unit(by_v.cols(), j)); });
  const Eigen::MatrixXd by_q =
      test::configuration_derivative(*f.system, x.q, [&](const VectorXd& q) { return value(q, x.v); });
  mechanics::NodeMatrix H(f.system->pattern());
  H.set_zero();
  f.system->add_inertia_force_derivatives(x.q, x.v, a, 0.9, 0, H);
  test::expect_equal(H.to_dense(), 0.9 * by_q, 1e-10, "by q");
  H.set_zero();
  f.system->add_inertia_force_derivatives(x.q, x.v, a, 0, -1.1, H);
  test::expect_equal(H.to_dense(), -1.1 * by_v, 1e-10, "by v");
}

TEST_P(RigidBodyInGroup, MassMatrixAndItsProductAgree) {
  const FreeBody f(test::odd_body(GetParam()));
  const State x = test::random_state(*f.system, 23);
  mechanics::NodeMatrix M(f.system->pattern());
  f.system->mass(x.q, M);
  VectorXd p(x.v.size());
  f.system->mass_times(x.q, x.v, p);
  EXPECT_LT((M.to_dense() * x.v - p).norm(), 1e-14);
  EXPECT_LT(test::largest(M.to_dense() - M.to_dense().transpose()), 1e-15);
}

class FreeBodyInGroup : public ::testing::TestWithParam<GroupId> {};
INSTANTIATE_TEST_SUITE_P(AllGroups, FreeBodyInGroup, ::testing::ValuesIn(test::rigid_motion_groups),
                         [](const auto& i) { return test::group_name(i.param); });

TEST_P(FreeBodyInGroup, KeepsEnergyAndMomentum) {
  const FreeBody f(test::odd_body(GetParam()));
  const auto invariants = [&](double h) {
    VectorXd q(f.x.q.size()), all(7);
    f.system->space().advance(f.x.q, h, f.x.v, q);
    const VectorXd v = f.x.v + h * f.x.a;
    const mechanics::Momentum m = f.system->momentum(q, v);
    all << m.linear, m.angular, f.system->kinetic_energy(q, v);
    return all;
  };
  EXPECT_GT(invariants(0).cwiseAbs().minCoeff(), 0.01);
  EXPECT_LT(test::largest(test::derivative(invariants)), 1e-10);
}

TEST_P(FreeBodyInGroup, AcceleratesAsInAnyOtherGroup) {
  const FreeBody f(test::odd_body(GetParam())), reference(test::odd_body(GroupId::S3sdR3));
  EXPECT_LT((f.x.a.head<3>() - reference.x.a.head<3>()).norm(), 1e-14);
  EXPECT_LT((acceleration(f) - acceleration(reference)).norm(), 1e-14);
  EXPECT_GT(acceleration(f).norm(), 0.1);
}

// Paper 004, 5.1 and 5.2.
TEST_P(FreeBodyInGroup, BoxOfThePaperHasItsInertiaAndEnergy) {
  for (const auto frame : {test::BoxFrame::at_center_of_mass, test::BoxFrame::off_center_of_mass}) {
    const test::Benchmark box = free_box(test::BoxMotion::rotation, frame, GetParam());
    EXPECT_NEAR(box.energy(box.start), 696.399, 5e-4);
    mechanics::NodeMatrix M(box.system->pattern());
    box.system->mass(box.start.q, M);
    const bool off = frame == test::BoxFrame::off_center_of_mass;
    const Vector3d expected = off ? Vector3d(1.224, 18.504, 19.584) : Vector3d(1.224, 4.68, 5.76);
    EXPECT_LT((M.block(0, 0).topLeftCorner<3, 3>().diagonal() - expected).norm(), 1e-13);
    EXPECT_LT(box.system->momentum(box.start.q, box.start.v).linear.norm(), 1e-12);
    EXPECT_EQ(box.system->has_varying_mass(), off && (GetParam() == GroupId::SO3xR3 || GetParam() == GroupId::S3xR3));
  }
}

/// The message of what add_rigid_body throws.
std::string refusal(const auto& change) {
  RigidBodyOptions o = test::odd_body(GroupId::S3sdR3);
  change(o);
  SystemBuilder builder;
  try {
    add_rigid_body(builder, o);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "accepted";
}

TEST(RigidBody, IsRefusedWhenItCannotExist) {
  using O = RigidBodyOptions;
  const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  EXPECT_TRUE(has(refusal([](O& o) { o.mass = 0; }), "mass must be positive"));
  EXPECT_TRUE(has(refusal([](O& o) { o.mass = std::nan(""); }), "mass must be positive"));
  EXPECT_TRUE(has(refusal([](O& o) { o.inertia(0, 1) += 0.1; }), "not symmetric"));
  EXPECT_TRUE(has(refusal([](O& o) { o.inertia = Vector3d(1, 1, 0).asDiagonal(); }), "must be positive"));
  EXPECT_TRUE(has(refusal([](O& o) { o.inertia = Vector3d(1, 1, 2.001).asDiagonal(); }), "exceeds the sum"));
  EXPECT_TRUE(has(refusal([](O& o) { o.inertia.setConstant(std::nan("")); }), "not finite"));
  EXPECT_TRUE(has(refusal([](O& o) { o.orientation *= 1.001; }), "length 1"));
  EXPECT_TRUE(has(refusal([](O& o) { o.position[0] = std::nan(""); }), "not finite"));
  EXPECT_TRUE(has(refusal([](O& o) { o.group = GroupId::S3; }), "give a pivot"));
  EXPECT_TRUE(has(refusal([](O& o) { o.group = GroupId::R3; }), "does not describe a rigid body"));
  EXPECT_TRUE(has(refusal([](O& o) { o.pivot = Vector3d::Zero(); }), "spherical joint"));
  EXPECT_EQ(refusal([](O& o) { o.inertia = Vector3d(1, 1, 2).asDiagonal(); }), "accepted") << "a flat body exists";
}

TEST(PointMass, IsRefusedOutsideItsSpace) {
  SystemBuilder builder;
  EXPECT_THROW(add_point_mass(builder, {.mass = -1}), std::invalid_argument);
  EXPECT_THROW(add_point_mass(builder, {.group = GroupId::SE3}), std::invalid_argument);
  EXPECT_THROW(add_point_mass(builder, {.group = GroupId::R2, .position = Vector3d(0, 0, 1)}), std::invalid_argument);
  EXPECT_THROW(add_point_mass(builder, {.velocity = Vector3d(0, 0, std::nan(""))}), std::invalid_argument);
}

}  // namespace
}  // namespace filum::parts
