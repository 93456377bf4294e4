/// The contract of system and parts: pattern, order of rows, differences instead of formulas.
#include "support/any_node.hpp"
#include "support/derivative_checks.hpp"

#include <filum/parts/body_load.hpp>
#include <filum/parts/distance_joint.hpp>
#include <filum/parts/gravity.hpp>
#include <filum/parts/rolling_disk.hpp>
#include <filum/parts/spherical_joint.hpp>
#include <filum/parts/spring.hpp>
#include <filum/parts/viscous_damping.hpp>

#include <gtest/gtest.h>

#include <stdexcept>

namespace filum::mechanics {
namespace {

using Eigen::Vector3d;
using lie::GroupId;

/// A part that knows what another knows, except for derivatives.
template <class P>
class WithoutFormulas final : public Part {
 public:
  P inner;

  std::string name() const override { return "opaque " + inner.name(); }
  void declare(Declaration& declaration) override {
    Declaration differenced = declaration.with_differences();
    inner.declare(differenced);
  }
  void add_forces(double t, const VectorXd& q, const VectorXd& v, VectorRef f) const override {
    inner.add_forces(t, q, v, f);
  }
  void constraint(double t, const VectorXd& q, VectorRef phi) const override { inner.constraint(t, q, phi); }
  void constraint_jacobian(double t, const VectorXd& q, RowMatrix& C) const override {
    inner.constraint_jacobian(t, q, C);
  }
  void curvature(double t, const VectorXd& q, const VectorXd& v, VectorRef gamma) const override {
    inner.curvature(t, q, v, gamma);
  }
};

/// A chain of eight bodies of all groups with springs, joints, rods and dampers; with or without formulas.
template <template <class> class Wrap>
struct Chain {
  SystemBuilder builder;
  std::shared_ptr<const System> built;
  const System& system;

  Chain() : built(filled()), system(*built) {}

  std::shared_ptr<const System> filled() {
    std::vector<parts::Marker> at;
    for (const GroupId g : test::grippable_groups)
      at.push_back(test::add_any_node(builder, g, Vector3d(0.2, -0.1, 0.4)));
    auto& springs = add<parts::Springs>();
    auto& joints = add<parts::SphericalJoints>();
    auto& rods = add<parts::DistanceJoints>();
    auto& dampers = add<parts::ViscousDamping>();
    for (std::size_t k = 0; k + 1 < at.size(); ++k) {
      if (k % 3 == 0) springs.add({.stiffness = 2, .damping = 0.3, .length = 0.4}, at[k], at[k + 1]);
      if (k % 3 == 1) joints.add("joint", at[k], at[k + 1]);
      if (k % 3 == 2) rods.add("rod", at[k], at[k + 1], 0.7);
      dampers.add({.rotational = Eigen::Matrix3d::Identity(), .translational = 0.4}, at[k]);
    }
    springs.add({.stiffness = 1}, at.front(), at.back());
    add<parts::RollingDisks>().add("disk", {.node = at.back().node}, 0.6);
    return builder.build();
  }

  template <class P>
  P& add() {
    Wrap<P>& added = *builder.add_part(std::make_shared<Wrap<P>>());
    if constexpr (requires { added.inner; }) {
      return added.inner;
    } else {
      return added;
    }
  }
};

template <class P>
using Itself = P;

TEST(System, DifferencesAgreeWithFormulas) {
  const Chain<Itself> exact;
  const Chain<WithoutFormulas> differenced;
  const State x = test::random_state(exact.system, 3);
  NodeMatrix H(exact.system.pattern()), D(differenced.system.pattern());
  H.set_zero();
  D.set_zero();
  exact.system.add_force_derivatives(0.1, x.q, x.v, 1, 0, H);
  differenced.system.add_force_derivatives(0.1, x.q, x.v, 1, 0, D);
  test::expect_equal(D.to_dense(), H.to_dense(), 1e-8, "D f by q");
  H.set_zero();
  D.set_zero();
  exact.system.add_force_derivatives(0.1, x.q, x.v, 0, 1, H);
  differenced.system.add_force_derivatives(0.1, x.q, x.v, 0, 1, D);
  test::expect_equal(D.to_dense(), H.to_dense(), 1e-8, "∂f/∂v");
  H.set_zero();
  D.set_zero();
  exact.system.add_constraint_force_derivatives(0.1, x.q, x.lambda, 1, H);
  differenced.system.add_constraint_force_derivatives(0.1, x.q, x.lambda, 1, D);
  test::expect_equal(D.to_dense(), H.to_dense(), 1e-8, "D(Cᵀλ)");
}

TEST(System, OfMixedGroupsHasExactDerivatives) {
  const Chain<Itself> chain;
  for (int seed = 1; seed < 4; ++seed) {
    const State x = test::random_state(chain.system, seed);
    test::expect_constraint_derivatives(chain.system, x);
    test::expect_force_derivatives(chain.system, x, 1e-8);
  }
}

TEST(System, PutsHolonomicRowsFirst) {
  SystemBuilder builder;
  const parts::RigidBody body = parts::add_rigid_body(builder, test::odd_body(GroupId::S3sdR3));
  const parts::DiskHandle wheel = parts::add_rolling_disk(builder, "wheel", body, 1);
  const parts::JointHandle pivot =
      parts::add_spherical_joint(builder, "pivot", body.at(Vector3d::Zero()), {.point = body.initial.position});
  const auto built = builder.build();
  const System& system = *built;
  EXPECT_EQ(wheel.rows().first, 0);
  EXPECT_EQ(wheel.slip_rows().first, 4);
  EXPECT_EQ(wheel.slip_rows().count, 2);
  EXPECT_EQ(pivot.rows().first, 1);
  EXPECT_EQ(pivot.rows().count, 3);
  EXPECT_EQ(system.size_lambda(), 4);
  EXPECT_EQ(system.size_mu(), 2);
  EXPECT_EQ(system.size_rows(), 6);
  EXPECT_EQ(system.row_name(0), "rolling disk wheel: touches the plane");
  EXPECT_EQ(system.row_name(3), "joint pivot: position 3");
  EXPECT_EQ(system.row_name(4), "rolling disk wheel: no slip 1");
}

TEST(System, CouplesOnlyWhatPartsAnnounce) {
  const Chain<Itself> chain;
  EXPECT_EQ(chain.system.pattern().couplings(), 8);  // seven neighbours and the spring that closes the loop
  for (int i = 0; i < 7; ++i) {
    const auto above = chain.system.pattern().upper_neighbours(i);
    EXPECT_EQ(above.front(), i + 1);
  }
  EXPECT_EQ(chain.system.pattern().upper_neighbours(0).back(), 7);
}

TEST(System, RefusesNodesWithoutInertia) {
  SystemBuilder builder;
  builder.add_nodes(GroupId::SE3);
  EXPECT_THROW(builder.build(), std::invalid_argument);
}

TEST(System, RefusesAnInertiaOfTheWrongSize) {
  SystemBuilder builder;
  const int node = builder.add_nodes(GroupId::S3);
  EXPECT_THROW(builder.add_inertia(node, Eigen::MatrixXd::Identity(6, 6)), std::invalid_argument);
}

TEST(System, SharesOnePartAmongLikeElements) {
  SystemBuilder builder;
  const parts::Marker a = test::add_any_node(builder, GroupId::SE3, Vector3d::Zero());
  const parts::Marker b = test::add_any_node(builder, GroupId::UDQ, Vector3d::Zero());
  EXPECT_EQ(parts::add_spring(builder, {.stiffness = 1}, a, b).number, 0);
  EXPECT_EQ(parts::add_spring(builder, {.stiffness = 2}, a, {}).number, 1);
  parts::add_spherical_joint(builder, "link", a, b);
  EXPECT_EQ(builder.parts().size(), 2u);
}

}  // namespace
}  // namespace filum::mechanics
