/// The micropolar shell: derivatives, balances, invariance, null space, refusals. Theory:
/// docs/theory/shell.md.
#include "shell_systems.hpp"

#include <filum/lie/quaternion.hpp>
#include <filum/lie/s3sdr3.hpp>
#include <filum/linalg/dense_decompositions.hpp>
#include <filum/mechanics/nodes.hpp>
#include <filum/parts/node_frame_inline.hpp>
#include <filum/parts/shell.hpp>

#include <gtest/gtest.h>

#include <numbers>

namespace filum::parts {
namespace {

using namespace shells;
using std::numbers::pi;

class ShellInGroup : public testing::TestWithParam<GroupId> {};
INSTANTIATE_TEST_SUITE_P(Groups, ShellInGroup,
                         testing::Values(GroupId::S3sdR3, GroupId::SE3, GroupId::UDQ, GroupId::S3xR3, GroupId::SO3xR3),
                         [](const auto& p) { return std::string(lie::name(p.param)); });

TEST_P(ShellInGroup, HasExactDerivativesOfItsForces) {
  const Sheet sheet(general_shell(GetParam()));
  test::expect_force_derivatives(sheet.system, sheet.bent(5));
}

TEST_P(ShellInGroup, HasForcesFromItsPotentialWithoutViscosity) {
  ShellOptions o = general_shell(GetParam());
  o.viscosity.clear();
  const Sheet sheet(o);
  test::expect_forces_have_potential(sheet.system, sheet.bent(6));
}

TEST_P(ShellInGroup, LosesThePowerThatViscosityTakes) {
  ShellOptions o = general_shell(GetParam()), elastic = o;
  o.hourglass = 0;  // so that strains in the middle of cells say it all
  elastic.hourglass = 0, elastic.viscosity.clear();
  const Sheet sheet(o), without(elastic);
  const State x = sheet.bent(7);
  const double power =
      (test::forces_of(sheet.system, 0, x.q, x.v) - test::forces_of(without.system, 0, x.q, x.v)).dot(x.v);
  double expected = 0;
  for (int k = 0; k < sheet.shell->cells(); ++k) {
    const Vector12d rate = test::derivative([&](double h) {
      VectorXd q(x.q.size());
      sheet.system.space().advance(x.q, h, x.v, q);
      return VectorXd(sheet.shell->strain(q, k));
    });
    expected -= 2 * sheet.shell->area(k) * rate.dot(o.viscosity[static_cast<std::size_t>(k)] * rate);
  }
  EXPECT_NEAR(power, expected, 1e-8 * std::abs(expected));
}

TEST_P(ShellInGroup, ExertsNoForceAndNoMomentAsAWhole) {
  const Sheet sheet(general_shell(GetParam()));
  const State x = sheet.bent(8);
  const VectorXd f = test::forces_of(sheet.system, 0, x.q, x.v);
  for (int j = 0; j < 6; ++j) {
    const Vector6d twist = Vector6d::Unit(j);
    double power = 0;
    for (int i = 0; i < sheet.shell->nodes(); ++i) {
      const NodeFrame frame(sheet.system.space(), sheet.shell->at(i));
      const Pose pose = frame.pose(x.q);
      const Vector3d velocity = twist.tail<3>() + twist.head<3>().cross(pose.x);
      Vector6d v;
      v << pose.R.transpose() * twist.head<3>(),
          (frame.is_direct() ? velocity : Vector3d(pose.R.transpose() * velocity));
      power += v.dot(f.segment<6>(6 * i));
    }
    EXPECT_NEAR(power, 0, 1e-12 * f.norm());
  }
}

TEST_P(ShellInGroup, HasTheSameEnergyAndStrainsAfterAnyRigidMotion) {
  const Sheet sheet(general_shell(GetParam()));
  const State x = sheet.bent(9);
  VectorXd moved = x.q;
  lie::visit_rigid_motion(GetParam(), [&]<class G>(lie::GroupTag<G>) {
    const Vector4d turn = Vector4d(0.3, -0.7, 0.4, 0.2).normalized();
    for (int i = 0; i < sheet.shell->nodes(); ++i) {
      const auto e = mechanics::element<G>(x.q, i * G::size);
      mechanics::element<G>(moved, i * G::size) =
          G::from_pose(lie::quaternion::product(turn, G::quaternion(e)),
                       lie::quaternion::rotate(turn, G::position(e)) + Vector3d(3, -2, 5));
    }
  });
  EXPECT_NEAR(sheet.energy(moved), sheet.energy(x.q), 1e-12 * sheet.energy(x.q));
  for (int k = 0; k < sheet.shell->cells(); ++k)
    EXPECT_LT((sheet.shell->strain(moved, k) - sheet.shell->strain(x.q, k)).norm(), 1e-12 * 10);
}

TEST_P(ShellInGroup, IsFreeOfStressAsDrawn) {
  const Sheet sheet(general_shell(GetParam()));
  State x = sheet.start();
  x.v.setZero();
  EXPECT_EQ(sheet.energy(x.q), 0);
  EXPECT_EQ(test::forces_of(sheet.system, 0, x.q, x.v).norm(), 0);
  double sum = 0;
  for (int k = 0; k < sheet.shell->cells(); ++k) {
    EXPECT_EQ(sheet.shell->stress(x, k).norm(), 0);
    sum += sheet.shell->elastic_energy(x.q, k);
  }
  EXPECT_EQ(sum, 0);
}

/// Appendix D as it stands, node by node and edge by edge (METHODS of the project, corrected), on a flat grid.
TEST(Shell, IsAppendixDWithItsOwnWeights) {
  const double d1 = 0.5, d2 = 0.4;
  const int M1 = 3, M2 = 2;
  const Matrix12d C = full_shell_matrix(3);
  ShellOptions o = flat(M1 * d1, M2 * d2, M1, M2, C);
  o.hourglass = 0.25;
  const Sheet sheet(o);
  const State x = sheet.bent(11);
  using G = lie::S3sdR3;
  const auto q = [&](int i, int j) { return G::Element(mechanics::element<G>(x.q, (i + j * (M1 + 1)) * G::size)); };
  const auto chi = [](int twice_i, int last, int twice_j, int last_j) {  // of a point of the grid or of an edge
    const auto one = [](int twice, int end) {
      return twice < 0 || twice > 2 * end ? 0. : twice == 0 || twice == 2 * end ? 0.5 : 1.;
    };
    return one(twice_i, last) * one(twice_j, last_j);
  };
  const auto e = [&](int d, int i, int j) -> Vector6d {
    if (i < 0 || j < 0 || (d == 0 ? i >= M1 || j > M2 : i > M1 || j >= M2)) return Vector6d::Zero();
    const G::Element b = d == 0 ? q(i + 1, j) : q(i, j + 1);
    return G::log(G::compose(G::inverse(q(i, j)), b)) / (d == 0 ? d1 : d2) - flat_strain(d);
  };
  double energy = 0;
  for (int j = 0; j <= M2; ++j)
    for (int i = 0; i <= M1; ++i) {
      if (i < M1) energy += 0.5 * chi(2 * i + 1, M1, 2 * j, M2) * e(0, i, j).dot(C.topLeftCorner<6, 6>() * e(0, i, j));
      if (j < M2)
        energy += 0.5 * chi(2 * i, M1, 2 * j + 1, M2) * e(1, i, j).dot(C.bottomRightCorner<6, 6>() * e(1, i, j));
      if (i < M1 && j < M2)
        energy +=
            (0.5 * (e(0, i, j) + e(0, i, j + 1))).dot(C.topRightCorner<6, 6>() * (0.5 * (e(1, i, j) + e(1, i + 1, j))));
    }
  EXPECT_NEAR(sheet.energy(x.q), d1 * d2 * energy, 1e-12 * energy);
}

/// (SH.5) Strains linear across the cell, integrated exactly.
TEST(Shell, HasTheEnergyOfLinearEdgeStrainsByDefault) {
  const Matrix12d C = full_shell_matrix(4);
  const Sheet sheet(flat(0.7, 0.5, 1, 1, C));
  const State x = sheet.bent(12);
  using G = lie::S3sdR3;
  const auto q = [&](int n) { return G::Element(mechanics::element<G>(x.q, n * G::size)); };
  const auto e = [&](int a, int b, int d) {
    return Vector6d(G::log(G::compose(G::inverse(q(a)), q(b))) / (d == 0 ? 0.7 : 0.5) - flat_strain(d));
  };
  double energy = 0;
  for (const double u : {0.5 - std::sqrt(1. / 12), 0.5 + std::sqrt(1. / 12)})
    for (const double v : {0.5 - std::sqrt(1. / 12), 0.5 + std::sqrt(1. / 12)}) {
      Vector12d w;
      w << (1 - v) * e(0, 1, 0) + v * e(2, 3, 0), (1 - u) * e(0, 2, 1) + u * e(1, 3, 1);
      energy += 0.25 * 0.5 * w.dot(C * w);
    }
  EXPECT_NEAR(sheet.energy(x.q), 0.35 * energy, 1e-12 * energy);
}

TEST(Shell, AFreePlateHasExactlySixFreeMotions) {
  for (const double eta : {1. / 12, 0.25})
    for (const auto& [M1, M2] : {std::pair(1, 1), std::pair(2, 1), std::pair(3, 2), std::pair(4, 4)})
      for (const double thickness : {0.2, 1e-3}) {
        ShellOptions o = flat(1, 0.8, M1, M2, isotropic(0.3, thickness));
        o.hourglass = eta;
        const Sheet sheet(o);
        const State x = sheet.start();
        NodeMatrix H(sheet.system.pattern());
        sheet.system.add_force_derivatives(0, x.q, 0 * x.v, -1, 0, H);
        Eigen::MatrixXd K = H.to_dense();
        const VectorXd scale = K.diagonal().cwiseSqrt().cwiseInverse();
        const VectorXd values = linalg::symmetric_eigenvalues(scale.asDiagonal() * K * scale.asDiagonal());
        EXPECT_LT(std::abs(values[5]), 1e-13) << M1 << " x " << M2;
        EXPECT_GT(values[6], thickness == 0.2 ? 1e-5 : 1e-10) << M1 << " x " << M2 << " " << thickness;
      }
}

TEST(Shell, WithoutDrillingCurvatureACheckerboardIsFreeToo) {
  ShellOptions o = flat(1, 1, 4, 4, isotropic(0.3));
  o.stiffness[0](2, 2) = o.stiffness[0](8, 8) = 1e-14;  // as good as none; none is refused
  const Sheet sheet(o);
  NodeMatrix H(sheet.system.pattern());
  sheet.system.add_force_derivatives(0, sheet.start().q, 0 * sheet.start().v, -1, 0, H);
  const VectorXd values = linalg::symmetric_eigenvalues(H.to_dense());
  EXPECT_LT(values[6], 1e-11);
}

TEST(Shell, WithoutStabilisationHourglassesAreFree) {
  ShellOptions o = flat(1, 1, 3, 3, isotropic(0.3));
  o.hourglass = 0;
  const Sheet sheet(o);
  NodeMatrix H(sheet.system.pattern());
  sheet.system.add_force_derivatives(0, sheet.start().q, 0 * sheet.start().v, -1, 0, H);
  EXPECT_LT(linalg::symmetric_eigenvalues(H.to_dense())[6], 1e-12);
}

TEST(Shell, HasTheAreaAndMassOfCurvedAndSkewedPatches) {
  ShellOptions cylinder;
  cylinder.stiffness = {isotropic(0)};
  cylinder.mass_per_area = 2;
  draw(
      cylinder, [](double a, double b) { return Vector3d(2 * std::sin(a / 2), b, 2 * std::cos(a / 2)); }, steps(1, 3),
      steps(4, 5));
  const Sheet sheet(cylinder);
  double area = 0, mass = 0, edge = 0;
  for (int k = 0; k < sheet.shell->cells(); ++k) area += sheet.shell->area(k);
  for (int n = 0; n < sheet.shell->nodes(); ++n) mass += sheet.shell->node_mass(n);
  for (int i = 0; i < 4; ++i) edge += sheet.shell->node_length(sheet.shell->node(i, 5), 0);
  EXPECT_NEAR(area, 4, 1e-9);  // arcs, not chords
  EXPECT_NEAR(mass, 8, 1e-9);
  EXPECT_NEAR(edge, 1, 1e-9);
  ShellOptions skewed;
  skewed.stiffness = {isotropic(0)};
  draw(
      skewed, [](double a, double b) { return Vector3d(a + 0.5 * b, b, 0); }, steps(1, 2), steps(2, 2));
  EXPECT_NEAR(Sheet(skewed).shell->area(3), 0.5, 1e-9);
}

TEST(Shell, ClosesToATube) {
  ShellOptions o;
  o.stiffness = {isotropic(0.3)};
  o.closed = {true, false};
  std::vector<double> around = steps(2 * pi, 6);
  around.pop_back();
  draw(
      o, [](double a, double b) { return Vector3d(std::cos(a), std::sin(a), b); }, around, steps(1, 2));
  const Sheet sheet(o);
  EXPECT_EQ(sheet.shell->cells(), 12);
  const State x = sheet.start();
  EXPECT_EQ(sheet.energy(x.q), 0);
  double area = 0;
  for (int k = 0; k < sheet.shell->cells(); ++k) {
    area += sheet.shell->area(k);
    EXPECT_NEAR(sheet.shell->strain(x.q, k)[1], 1, 1e-9);  // K2: the normal points outwards
  }
  EXPECT_NEAR(area, 2 * pi, 1e-8);
  test::expect_force_derivatives(sheet.system, sheet.bent(3));
  test::expect_forces_have_potential(sheet.system, sheet.bent(4));
}

TEST(Shell, BoxInertiaIsThatOfTheMaterialAroundANode) {
  ShellOptions o = flat(1, 0.8, 2, 2, isotropic(0.3));
  o.turning_inertia = 1.7 * 0.2 * 0.2 / 12;  // thickness 0.2
  const Sheet sheet(o);
  State x = sheet.start();
  const double m = 1.7 * 0.5 * 0.4;
  const auto moment = [&](int k) {
    x.v.setZero();
    x.v[6 * 4 + k] = 1;
    return 2 * sheet.system.kinetic_energy(x.q, x.v);
  };
  EXPECT_NEAR(moment(0), m / 12 * (0.16 + 0.04), 1e-14);
  EXPECT_NEAR(moment(1), m / 12 * (0.25 + 0.04), 1e-14);
  EXPECT_NEAR(moment(2), m / 12 * (0.25 + 0.16), 1e-14);
  EXPECT_NEAR(moment(3), m, 1e-14);
}

void expect_refusal(const ShellOptions& o, const std::string& words) {
  SystemBuilder builder;
  try {
    add_shell(builder, o);
    ADD_FAILURE() << "no refusal: " << words;
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

TEST(Shell, RefusesWhatCannotBe) {
  const ShellOptions good = flat(1, 1, 2, 2, isotropic(0.3));
  ShellOptions o = good;
  o.stiffness[0](8, 8) = 0;
  expect_refusal(o, "K3 of w2, the curvature of the drilling rotation");
  o = good;
  const double shear = o.stiffness[0](4, 4);
  o.stiffness[0](4, 9) = o.stiffness[0](9, 4) = shear;  // μc = 0
  expect_refusal(o, "couple_modulus");
  o = good;
  o.stiffness[0](0, 1) = 1;
  expect_refusal(o, "symmetric");
  o = good;
  for (Vector4d& p : o.orientations) p = Vector4d(0, 1, 0, 0);
  expect_refusal(o, "turned over");
  o = good;
  o.positions[1] = o.positions[0];
  o.positions[4] = o.positions[3];
  expect_refusal(o, "no area");
  o = good;
  o.nodes = {3, 2};
  expect_refusal(o, "must agree");
  o = good;
  o.nodes = {9, 1};
  expect_refusal(o, "at least two nodes");
  o = good;
  o.rest[0].resize(5);
  expect_refusal(o, "both directions");
  o = good;
  o.group = GroupId::SO3;
  expect_refusal(o, "rigid motions");
  o = good;
  o.mass_per_area = 0;
  expect_refusal(o, "mass_per_area");
  o = good;
  o.inertia = ShellInertia::thin, o.turning_inertia = 0;
  expect_refusal(o, "turning_inertia");
}

TEST(Shell, NamesAnEdgeThatIsAboutToTurnOver) {
  const Sheet sheet(flat(1, 1, 2, 2, isotropic(0.3)));
  State x = sheet.start();
  VectorXd step = VectorXd::Zero(x.v.size());
  step[6 * 8] = 5.5;
  sheet.system.space().advance(x.q, 1, step, x.q);
  EXPECT_NE(sheet.shell->diagnosis(x.q).find("cell 1, 1"), std::string::npos) << sheet.shell->diagnosis(x.q);
  EXPECT_EQ(sheet.shell->diagnosis(sheet.start().q), "");
}

}  // namespace
}  // namespace filum::parts
