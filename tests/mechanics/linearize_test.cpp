/// The linearised system against differences of what the equations of motion leave over.
#include "support/any_node.hpp"
#include "support/derivative_checks.hpp"
#include "support/multibody_systems.hpp"

#include <filum/mechanics/linearize.hpp>
#include <filum/parts/joint_spring.hpp>
#include <filum/parts/viscous_damping.hpp>

#include <gtest/gtest.h>

namespace filum::mechanics {
namespace {

using lie::GroupId;

/// M a − inertia forces − f + Cᵀλ.
VectorXd residual(const System& s, const State& x, const VectorXd& q, const VectorXd& v) {
  VectorXd Ma(s.size_v()), inertia(s.size_v());
  s.mass_times(q, x.a, Ma);
  s.inertia_forces(q, v, inertia);
  return Ma - inertia - test::forces_of(s, x.t, q, v) + test::rows_of(s, x.t, q).transpose() * x.lambda;
}

void expect_linearized(const System& s, const State& x, double tolerance) {
  const LinearizedSystem lin = linearize(s, x);
  NodeMatrix M(s.pattern());
  s.mass(x.q, M);
  test::expect_equal(lin.M, M.to_dense(), 1e-15, "M");
  test::expect_equal(lin.C, test::rows_of(s, x.t, x.q), 1e-15, "C");
  test::expect_equal(lin.K,
                     test::configuration_derivative(s, x.q, [&](const VectorXd& q) { return residual(s, x, q, x.v); }),
                     tolerance, "K");
  Eigen::MatrixXd D(s.size_v(), s.size_v());
  for (int j = 0; j < s.size_v(); ++j)
    D.col(j) = test::derivative([&](double h) { return residual(s, x, x.q, x.v + h * VectorXd::Unit(s.size_v(), j)); });
  test::expect_equal(lin.D, D, tolerance, "D");
}

TEST(Linearize, GivesTheDerivativesOfTheEquationsOfMotion) {
  for (const GroupId group : test::rigid_motion_groups) {
    SCOPED_TRACE(test::group_name(group));
    SystemBuilder builder;
    const parts::RigidBody a = parts::add_rigid_body(builder, test::odd_body(group)),
                           b = parts::add_rigid_body(builder, test::odd_body(GroupId::SE3));
    const Eigen::Vector3d at(0.1, 0.2, 0.3);
    const auto joint = parts::add_joint(
        builder, {.type = parts::JointType::revolute, .first = a.at_space(at), .second = b.at_space(at)});
    parts::add_joint_spring(builder, {.stiffness = 2, .damping = 0.5, .rest = 0.2}, joint);
    parts::add_viscous_damping(builder, {.rotational = Eigen::Matrix3d::Identity(), .translational = 0.4},
                               a.center_of_mass());
    const auto system = builder.build();
    State x = builder.start();
    system->space().advance(x.q, 1, test::random_vector(12, 1, 0.2), x.q);
    x.v = test::random_vector(12, 2);
    x.a = test::random_vector(12, 3);
    x.lambda = test::random_vector(system->size_rows(), 4);
    expect_linearized(*system, x, 1e-8);
  }
}

TEST(Linearize, TreatsBeams) {
  const test::Multibody m = test::flexible_pendulum(4);
  State x = m.start;
  x.v = test::random_vector(m.system->size_v(), 5);
  expect_linearized(*m.system, x, 1e-7);
}

}  // namespace
}  // namespace filum::mechanics
