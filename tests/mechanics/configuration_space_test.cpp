/// The product of many groups against each group alone.
#include "support/derivative_checks.hpp"

#include <filum/mechanics/configuration_space.hpp>
#include <filum/mechanics/nodes.hpp>

#include <gtest/gtest.h>

#include <array>

namespace filum::mechanics {
namespace {

using lie::GroupId;

constexpr std::array all_groups{GroupId::R1, GroupId::SE3, GroupId::SE3,   GroupId::S3, GroupId::SO3xR3,
                                GroupId::R2, GroupId::UDQ, GroupId::S3xR3, GroupId::R3, GroupId::R3,
                                GroupId::R3, GroupId::SO3, GroupId::S3sdR3};

class MixedSpace : public ::testing::Test {
 protected:
  MixedSpace() {
    for (const GroupId g : all_groups) space.add_nodes(g);
    q.resize(space.size_q());
    space.advance(space.identity(), 1, test::random_vector(space.size_v(), 1), q);
    v = test::random_vector(space.size_v(), 2);
    w = test::random_vector(space.size_v(), 3);
    u = test::random_vector(space.size_v(), 4);
    out.resize(space.size_v());
  }

  /// Checks `out` node by node against expected(GroupTag<G>, q, v, w, u) of that node alone.
  void expect_node_by_node(const auto& expected) const {
    for (int i = 0; i < space.nodes(); ++i)
      lie::visit(space.group(i), [&]<class G>(lie::GroupTag<G> tag) {
        const int at = space.v_offset(i);
        const typename G::Element e = element<G>(q, space.q_offset(i));
        const typename G::Tangent vi = tangent<G>(v, at), wi = tangent<G>(w, at), ui = tangent<G>(u, at);
        EXPECT_LT((tangent<G>(out, at) - expected(tag, e, vi, wi, ui)).norm(), 1e-14)
            << "node " << i << " in " << G::name;
      });
  }

  ConfigurationSpace space;
  VectorXd q, v, w, u, out;
};

TEST_F(MixedSpace, CountsNodesAndRuns) {
  EXPECT_EQ(space.nodes(), 13);
  EXPECT_EQ(space.runs().size(), 10u);
  EXPECT_EQ(space.runs()[1].count, 2);
  int size_q = 0, size_v = 0;
  for (int i = 0; i < space.nodes(); ++i) {
    EXPECT_EQ(space.q_offset(i), size_q);
    EXPECT_EQ(space.v_offset(i), size_v);
    size_q += lie::size(space.group(i));
    size_v += lie::dim(space.group(i));
  }
  EXPECT_EQ(space.size_q(), size_q);
  EXPECT_EQ(space.size_v(), size_v);
}

TEST_F(MixedSpace, AddsManyNodesAtOnce) {
  ConfigurationSpace many;
  EXPECT_EQ(many.add_nodes(GroupId::S3sdR3, 5), 0);
  EXPECT_EQ(many.add_nodes(GroupId::S3sdR3, 3), 5);
  EXPECT_EQ(many.add_nodes(GroupId::R1), 8);
  EXPECT_EQ(many.runs().size(), 2u);
  EXPECT_EQ(many.runs()[0].count, 8);
  EXPECT_EQ(many.size_q(), 8 * 7 + 1);
}

TEST_F(MixedSpace, DifferenceUndoesAdvance) {
  VectorXd moved(q.size());
  space.advance(q, 0.6, v, moved);
  space.difference(q, moved, out);
  EXPECT_LT((out - 0.6 * v).norm(), 1e-13);
}

TEST_F(MixedSpace, AdvancesInPlace) {
  VectorXd moved(q.size()), same = q;
  space.advance(q, 0.6, v, moved);
  space.advance(same, 0.6, v, same);
  EXPECT_EQ(same, moved);
}

TEST_F(MixedSpace, AppliesTangentOperatorsNodeByNode) {
  space.tangent_op_times(0.7, v, w, out);
  expect_node_by_node([]<class G>(lie::GroupTag<G>, const auto&, const auto& a, const auto& b, const auto&) {
    return typename G::Tangent(G::tangent_op(0.7 * a) * b);
  });
  space.tangent_op_T_times(0.7, v, w, out);
  expect_node_by_node([]<class G>(lie::GroupTag<G>, const auto&, const auto& a, const auto& b, const auto&) {
    return typename G::Tangent(G::tangent_op(0.7 * a).transpose() * b);
  });
  space.tangent_op_inv_times(0.7, v, w, out);
  expect_node_by_node([]<class G>(lie::GroupTag<G>, const auto&, const auto& a, const auto& b, const auto&) {
    return typename G::Tangent(G::tangent_op_inv(0.7 * a) * b);
  });
  space.tangent_op_inv_T_times(0.7, v, w, out);
  expect_node_by_node([]<class G>(lie::GroupTag<G>, const auto&, const auto& a, const auto& b, const auto&) {
    return typename G::Tangent(G::tangent_op_inv(0.7 * a).transpose() * b);
  });
  space.d_tangent_op_inv_times(0.7, v, w, u, out);
  expect_node_by_node([]<class G>(lie::GroupTag<G>, const auto&, const auto& a, const auto& b, const auto& c) {
    return typename G::Tangent(G::d_tangent_op_inv_times(0.7 * a, b) * c);
  });
}

TEST_F(MixedSpace, AppliesBracketsNodeByNode) {
  space.bracket(v, w, out);
  expect_node_by_node([]<class G>(lie::GroupTag<G>, const auto&, const auto& a, const auto& b, const auto&) {
    return typename G::Tangent(G::hat(a) * b);
  });
  space.bracket_T(v, w, out);
  expect_node_by_node([]<class G>(lie::GroupTag<G>, const auto&, const auto& a, const auto& b, const auto&) {
    return typename G::Tangent(G::hat(a).transpose() * b);
  });
}

TEST_F(MixedSpace, ConvertsTheSameVelocityBetweenGroups) {
  // q̇ read off the positions: what (Ω, U) and (Ω, u) mean, independent of formulas.
  for (int i = 0; i < space.nodes(); ++i) {
    if (!lie::is_rigid_motion(space.group(i))) continue;
    lie::visit_rigid_motion(space.group(i), [&]<class G>(lie::GroupTag<G>) {
      const auto position = [&](double h) {
        VectorXd moved(q.size());
        space.advance(q, h, v, moved);
        return VectorXd(G::position(element<G>(moved, space.q_offset(i))));
      };
      const Eigen::Vector3d tail = v.segment<3>(space.v_offset(i) + 3);
      const Eigen::Matrix3d R = G::rotation(element<G>(q, space.q_offset(i)));
      const Eigen::Vector3d expected = G::is_semidirect ? Eigen::Vector3d(R * tail) : tail;
      EXPECT_LT((test::derivative(position) - expected).norm(), 1e-11) << G::name;
    });
  }
}

}  // namespace
}  // namespace filum::mechanics
