/// Held strains of shells: derivatives, rank, stress resultants. Theory: docs/theory/shell.md, sec. 8.
#include "support/derivative_checks.hpp"

#include <filum/linalg/dense_decompositions.hpp>
#include <filum/mechanics/constraint_rank.hpp>
#include <filum/parts/shell.hpp>
#include <filum/parts/support.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace filum::parts {
namespace {

using lie::GroupId;

constexpr HeldLineStrains shear_held{.shear = {true, true}}, extension_held{.extension = {true, true}},
    all_held{.shear = {true, true}, .extension = {true, true}};

enum class HeldEdges { free, clamped, tube };

/// Skewed and graded; a tube closes along s1.
struct HeldSheet {
  SystemBuilder builder;
  std::shared_ptr<const Shell> shell;
  std::shared_ptr<const System> system;

  HeldSheet(std::array<int, 2> cells, const HeldLineStrains& held, HeldEdges edges = HeldEdges::free,
            GroupId group = GroupId::S3sdR3, double skew = 0) {
    const bool is_tube = edges == HeldEdges::tube;
    ShellOptions o;
    o.name = "sheet", o.group = group, o.held = held;
    o.nodes = {cells[0] + (is_tube ? 0 : 1), cells[1] + 1};
    o.closed = {is_tube, false};
    for (int j = 0; j < o.nodes[1]; ++j)
      for (int i = 0; i < o.nodes[0]; ++i) {
        const double a = 2 * M_PI * i / cells[0], s = 0.5 * i + 0.05 * i * i * skew;
        // Tube: first axis along the circle, the normal outwards.
        const Vector3d x =
            is_tube ? Vector3d(std::sin(a), 0.4 * j, std::cos(a)) : Vector3d(s + skew * 0.2 * j, 0.4 * j, 0);
        o.positions.push_back(x);
        o.orientations.push_back(is_tube ? Vector4d(std::cos(a / 2), 0, std::sin(a / 2), 0) : Vector4d(1, 0, 0, 0));
      }
    IsotropicSheet m{.E = 40, .nu = 0.3, .thickness = 0.2};
    m.couple_modulus = m.couple_modulus_bending = m.shear_modulus(), m.drilling = 0.01;
    o.stiffness = {stiffness_of(m)}, o.turning_inertia = 0.01;
    shell = add_shell(builder, o);
    if (edges == HeldEdges::clamped)
      for (int j = 0; j < o.nodes[1]; ++j)
        add_support(builder, {.name = "clamp",
                              .at = shell->at(shell->node(0, j)),
                              .position = {true, true, true},
                              .rotation = {true, true, true}});
    system = builder.build();
  }
  VectorXd bent(std::uint64_t seed, double size = 0.2) const {
    VectorXd q = builder.start().q;
    system->space().advance(q, 1, test::random_vector(system->size_v(), seed, size), q);
    return q;
  }
};

class HeldShellInGroup : public testing::TestWithParam<GroupId> {};
INSTANTIATE_TEST_SUITE_P(Groups, HeldShellInGroup,
                         testing::Values(GroupId::S3sdR3, GroupId::SE3, GroupId::UDQ, GroupId::S3xR3, GroupId::SO3xR3),
                         [](const auto& p) { return std::string(lie::name(p.param)); });

TEST_P(HeldShellInGroup, HasExactRowsCurvatureAndConstraintForces) {
  for (const HeldLineStrains& held : {all_held, HeldLineStrains{.shear = {false, true}, .extension = {true, false}}})
    for (const HeldEdges edges : {HeldEdges::free, HeldEdges::tube}) {
      const HeldSheet s({3, 2}, held, edges, GetParam(), 1);
      State x = test::random_state(*s.system, 3);
      x.q = s.bent(5), x.v = test::random_vector(s.system->size_v(), 6, 1.5);
      test::expect_constraint_derivatives(*s.system, x);
      State start = s.builder.start();
      VectorXd phi = VectorXd::Ones(s.system->size_lambda());
      s.system->constraint(0, start.q, phi);
      EXPECT_LT(phi.norm(), 1e-12);
    }
}

/// What sec. 8 says about ranks, of rows in any configuration.
TEST(HeldShell, ShearAndExtensionAreIndependentFlatBentAndClosed) {
  for (const HeldLineStrains& held : {shear_held, extension_held, all_held})
    for (const auto& cells : {std::array{3, 1}, std::array{4, 3}})
      for (const HeldEdges edges : {HeldEdges::free, HeldEdges::tube}) {
        const HeldSheet s(cells, held, edges);
        for (const VectorXd& q : {VectorXd(s.builder.start().q), s.bent(8), s.bent(9, 0.5)}) {
          const auto report = mechanics::find_redundant_rows(*s.system, 0, q);
          EXPECT_EQ(report.rank, s.shell->rows().count);
          EXPECT_GT(report.smallest_distance, 1e-2);
        }
      }
}

/// Between two clamped nodes nothing can be strained: these rows, and no others, depend on the clamp.
TEST(HeldShell, AClampedEdgeLeavesOutTheStrainsOfItsOwnEdges) {
  const HeldSheet s({4, 3}, all_held, HeldEdges::clamped);
  const auto report = mechanics::find_redundant_rows(*s.system, 0, s.builder.start().q);
  EXPECT_EQ(report.dependent_rows.size(), 6u);  // shear and extension of three edges
  EXPECT_EQ(report.rank, s.system->size_lambda() - 6);
}

TEST(HeldShell, InPlaneShearWouldDependOnExtensionWhereTheShellIsFlat) {
  const HeldSheet s({4, 3}, {});
  const auto rank = [&](const VectorXd& q, bool with_extension) {  // of differences of edge strains
    const auto strains = [&](const VectorXd& at) {
      std::vector<double> all;
      State x = s.builder.start();
      x.q = at;
      for (int j = 0; j < 4; ++j)
        for (int i = 0; i < 5; ++i)
          for (int d = 0; d < 2; ++d) {
            if ((d == 0 ? i : j) == (d == 0 ? 4 : 3)) continue;
            const int a = s.shell->node(i, j), b = d == 0 ? a + 1 : a + 5;
            const Matrix3d R = s.shell->motion_of(x, a).rotation, Q = s.shell->motion_of(x, b).rotation;
            const Vector3d r = s.shell->position(x, b) - s.shell->position(x, a), e = 0.5 * (R + Q).transpose() * r;
            all.push_back(e[1 - d]);
            if (with_extension) all.push_back(e[d]);
          }
      return VectorXd(Eigen::Map<VectorXd>(all.data(), static_cast<Eigen::Index>(all.size())));
    };
    Eigen::MatrixXd B(strains(q).size(), 120);
    for (int k = 0; k < 120; ++k)
      B.col(k) = test::derivative([&](double h) {
        VectorXd moved(q.size());
        s.system->space().advance(q, h, VectorXd::Unit(120, k), moved);
        return strains(moved);
      });
    const VectorXd values = linalg::symmetric_eigenvalues(B * B.transpose());
    return static_cast<int>((values.array() > 1e-8).count());
  };
  EXPECT_EQ(rank(s.builder.start().q, true), 56);  // of 62
  EXPECT_EQ(rank(s.bent(4), true), 62);
  EXPECT_EQ(rank(s.builder.start().q, false), 31);  // of 31: alone it would do
  EXPECT_EQ(rank(s.bent(4), false), 31);
}

}  // namespace
}  // namespace filum::parts
