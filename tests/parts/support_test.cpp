/// Supports: chosen displacements and rotations that are held in space. Theory: docs/theory/joints.md, sec. 6.
#include "support/any_node.hpp"
#include "support/derivative_checks.hpp"

#include <filum/parts/support.hpp>

#include <gtest/gtest.h>

namespace filum::parts {
namespace {

using test::GroupId;

std::array<bool, 3> bits(int mask) { return {(mask & 1) != 0, (mask & 2) != 0, (mask & 4) != 0}; }

TEST(Support, HasExactDerivativesInAllGroupsAndDirections) {
  for (const GroupId group : {GroupId::SO3xR3, GroupId::S3xR3, GroupId::SE3, GroupId::S3sdR3, GroupId::UDQ})
    for (const int position : {0, 1, 6, 7})
      for (const int rotation : {0, 2, 5, 7}) {
        if (position + rotation == 0) continue;
        SCOPED_TRACE(std::string(lie::name(group)) + " " + std::to_string(position) + " " + std::to_string(rotation));
        SystemBuilder builder;
        const Marker at = test::add_any_node(builder, group, {0.3, -0.8, 0.5});
        builder.start().q = builder.space().identity();
        add_support(builder, {.at = at, .position = bits(position), .rotation = bits(rotation)});
        const auto system = builder.build();
        test::expect_constraint_derivatives(*system, test::random_state(*system, 3));
      }
}

TEST(Support, HoldsWhatItSaysAndNothingElse) {
  SystemBuilder builder;
  const Marker at = test::add_any_node(builder, GroupId::S3sdR3, Vector3d::Zero());
  builder.start().q = builder.space().identity();
  const JointHandle support =
      add_support(builder, {.at = at, .position = {true, false, true}, .rotation = {false, true, false}});
  const auto system = builder.build();
  EXPECT_EQ(support.rows().count, 3);
  const auto violation = [&](const Eigen::VectorXd& step) {
    VectorXd q(system->size_q()), phi(3);
    system->space().advance(builder.start().q, 1, step, q);
    system->constraint(0, q, phi);
    return phi.norm();
  };
  for (int k = 0; k < 6; ++k) {
    const bool is_held = k == 1 || k == 3 || k == 5;
    EXPECT_EQ(violation(0.7 * Eigen::VectorXd::Unit(6, k)) > 0.1, is_held) << k;
    if (!is_held) {
      EXPECT_LT(violation(0.7 * Eigen::VectorXd::Unit(6, k)), 1e-14) << k;
    }
  }
}

TEST(Support, RefusesToHoldNothingOrTheGround) {
  SystemBuilder builder;
  const Marker at = test::add_any_node(builder, GroupId::S3sdR3, Vector3d::Zero());
  EXPECT_THROW(add_support(builder, {.at = at}), std::invalid_argument);
  EXPECT_THROW(add_support(builder, {.at = {}, .position = bits(7)}), std::invalid_argument);
  const Marker point = test::add_any_node(builder, GroupId::R3, Vector3d::Zero());
  EXPECT_THROW(add_support(builder, {.at = point, .rotation = bits(1)}), std::invalid_argument);
}

}  // namespace
}  // namespace filum::parts
