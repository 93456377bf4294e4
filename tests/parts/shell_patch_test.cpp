/// Patch tests of the micropolar shell: homogeneous states are exact on any grid. Theory: docs/theory/shell.md.
#include "shell_systems.hpp"

#include <filum/lie/s3sdr3.hpp>
#include <filum/mechanics/nodes.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace filum::parts {
namespace {

using namespace shells;

/// Two by one and a half, with constant and with graded steps.
std::vector<ShellOptions> patches() {
  return {flat(2, 1.5, 4, 3, isotropic(0.3)), flat({0, 0.3, 1.1, 1.4, 2}, {0, 0.8, 1, 1.5}, isotropic(0.3))};
}

/// A homogeneous state: q(s1, s2) = exp(s1 W1) in one direction, straight rows in the other.
void expect_patch(const ShellOptions& o, const std::function<lie::S3sdR3::Element(double, double)>& pose,
                  const Vector12d& strain) {
  const Sheet sheet(o);
  State x = sheet.start();
  const int n1 = o.nodes[0], n2 = o.nodes[1];
  for (int j = 0; j < n2; ++j)
    for (int i = 0; i < n1; ++i) {
      const Vector3d drawn = o.positions[static_cast<std::size_t>(i + j * n1)];
      mechanics::element<lie::S3sdR3>(x.q, (i + j * n1) * 7) = pose(drawn[0], drawn[1]);
    }
  x.v.setZero();
  const Matrix12d& C = o.stiffness.front();
  Vector12d rest;
  rest << flat_strain(0), flat_strain(1);
  const Vector12d stress = C * (strain - rest);
  for (int k = 0; k < sheet.shell->cells(); ++k) {
    EXPECT_LT((sheet.shell->strain(x.q, k) - strain).norm(), 1e-12);
    EXPECT_LT((sheet.shell->stress(x, k) - stress).norm(), 1e-11 * (1 + stress.norm()));
  }
  const VectorXd f = test::forces_of(sheet.system, 0, x.q, x.v);
  for (int j = 1; j + 1 < n2; ++j)
    for (int i = 1; i + 1 < n1; ++i) EXPECT_LT(f.segment<6>(6 * (i + j * n1)).norm(), 1e-11 * (1 + stress.norm()));
  EXPECT_NEAR(sheet.energy(x.q), 0.5 * 2 * 1.5 * (strain - rest).dot(stress), 1e-11 * (1 + stress.norm()));
}

TEST(ShellPatch, FiniteUniaxialStrainIsExact) {
  Vector12d w;
  w << flat_strain(0) * 1.4, flat_strain(1) * 0.9;
  for (const ShellOptions& o : patches())
    expect_patch(
        o,
        [](double a, double b) {
          return lie::S3sdR3::from_pose(Vector4d(1, 0, 0, 0), {1.4 * a, 0.9 * b, 0});
        },
        w);
}

TEST(ShellPatch, CylindricalBendingIsExact) {
  Vector12d w;
  w << flat_strain(0), flat_strain(1);
  w[1] = -0.8;
  for (const ShellOptions& o : patches())
    expect_patch(
        o,
        [](double a, double b) {
          return lie::S3sdR3::from_pose(Vector4d(std::cos(-0.4 * a), 0, std::sin(-0.4 * a), 0),
                                        Vector3d(std::sin(0.8 * a) / 0.8, b, (1 - std::cos(0.8 * a)) / 0.8));
        },
        w);
}

TEST(ShellPatch, ATwistHasItsEnergyInEveryCell) {
  const double rate = 1e-6;  // small: finite twist is not homogeneous
  ShellOptions o = flat(1, 0.6, 3, 4, isotropic(0.3));
  const Sheet sheet(o);
  State x = sheet.start();
  for (int j = 0; j < 5; ++j)
    for (int i = 0; i < 4; ++i) {  // z = rate·s1·s2, directors follow the surface
      const double a = i / 3., b = 0.15 * j;
      VectorXd step = VectorXd::Zero(sheet.system.size_v());
      step.segment<6>(6 * (i + 4 * j)) << rate * a, -rate * b, 0, 0, 0, rate * a * b;
      sheet.system.space().advance(x.q, 1, step, x.q);
    }
  // κ12 = κ21 = −rate in the fibres: energy per area I·2G·rate²·... = 2 D (1 − ν) rate² / 2
  const double D = 30 * 0.008 / 12 / (1 - 0.09), expected = D * 0.7 * rate * rate * 0.6;
  EXPECT_NEAR(sheet.energy(x.q) / expected, 1, 1e-6);
  x.v.setZero();
  const VectorXd f = test::forces_of(sheet.system, 0, x.q, x.v);
  for (int j = 1; j < 4; ++j)
    for (int i = 1; i < 3; ++i)
      EXPECT_LT(f.segment<6>(6 * (i + 4 * j)).norm(), 20 * rate * f.norm());  // nothing of first order
}

/// Skewed cells of a flat sheet under a homogeneous strain have the energy of the sheet, whatever the grid.
TEST(ShellPatch, HomogeneousMembraneStrainIsExactOnSkewedCells) {
  ShellOptions o;
  o.stiffness = {isotropic(0.3)};
  draw(
      o, [](double a, double b) { return Vector3d(a + 0.5 * b, b, 0); }, steps(1, 3), steps(2, 2));
  const Sheet sheet(o);
  State x = sheet.start();
  for (int n = 0; n < sheet.shell->nodes(); ++n) {
    const Vector3d X = sheet.shell->position(x, n);
    mechanics::element<lie::S3sdR3>(x.q, 7 * n) =
        lie::S3sdR3::from_pose(sheet.shell->orientation(x, n), {1.2 * X[0], 0.9 * X[1], 0});
  }
  Vector12d e = Vector12d::Zero();
  e[3] = 0.2, e[6 + 4] = -0.1;
  EXPECT_NEAR(sheet.energy(x.q), 2 * 0.5 * e.dot(o.stiffness[0] * e), 1e-9);
  x.v.setZero();
  EXPECT_LT(test::forces_of(sheet.system, 0, x.q, x.v).segment<6>(6 * 5).norm(), 1e-9);
}

}  // namespace
}  // namespace filum::parts
