/// Shapes along which beams are drawn. User document: docs/guide/scenarios.md, "Beams".
#include <filum/lie/quaternion.hpp>
#include <filum/model/model_error.hpp>
#include <filum/model/shape.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace filum::model {
namespace {

using std::numbers::pi;

std::vector<double> even_grid(double length, int segments) {
  std::vector<double> grid;
  for (int i = 0; i <= segments; ++i) grid.push_back(length * i / segments);
  return grid;
}

Matrix3d frame(const NodePoses& nodes, std::size_t i) { return lie::quaternion::to_matrix(nodes.orientations[i]); }

TEST(Shape, AnArcIsAPartOfACircle) {
  const Arc arc{.from = {1, 2, 3}, .tangent = {2, 0, 0}, .inward = {5, 0, 1}, .radius = 0.5, .angle = 1.5 * pi};
  EXPECT_NEAR(length_of(arc), 0.75 * pi, 1e-15);
  const NodePoses nodes = poses_along(arc, even_grid(length_of(arc), 12), {});
  const Vector3d center(1, 2, 3.5);
  for (std::size_t i = 0; i < 13; ++i) {
    EXPECT_NEAR((nodes.positions[i] - center).norm(), 0.5, 1e-14);
    EXPECT_NEAR(frame(nodes, i).col(2).dot(nodes.positions[i] - center), 0, 1e-14) << "the third axis is the tangent";
    EXPECT_NEAR(frame(nodes, i).determinant(), 1, 1e-13);
  }
  EXPECT_LT((nodes.positions[4] - Vector3d(1.5, 2, 3.5)).norm(), 1e-14) << "a quarter of the circle";
}

TEST(Shape, AHelixRisesAndKeepsItsRadius) {
  const Helix helix{.center = {0, 0, 1}, .axis = {0, 0, 2}, .from = {3, 0, 0}, .rise = 8 * pi, .turns = 2};
  EXPECT_NEAR(length_of(helix), 2 * 2 * pi * 5, 1e-12);
  const NodePoses nodes = poses_along(helix, even_grid(length_of(helix), 64), {});
  EXPECT_LT((nodes.positions[64] - Vector3d(3, 0, 16 * pi)).norm(), 1e-12);
  EXPECT_LT((nodes.positions[8] - Vector3d(0, 3, 2 * pi)).norm(), 1e-12);
  for (std::size_t i = 0; i <= 64; ++i) EXPECT_NEAR(frame(nodes, i)(2, 2), 0.8, 1e-13);
}

TEST(Shape, FramesDoNotTwistAlongAnyCurve) {
  // Twist is how far the first axis turns about the tangent: parallel transport has none, up to the fourth order of the
  // step.
  const Helix helix{.from = {3, 0, 0}, .rise = 8 * pi, .turns = 1};
  const auto twist = [&](int segments) {
    const std::vector<double> grid = even_grid(length_of(helix), segments);
    const NodePoses nodes = poses_along(helix, grid, {});
    double largest = 0;
    for (std::size_t i = 0; i + 2 < grid.size(); ++i) {
      const Vector3d rate = (frame(nodes, i + 2).col(0) - frame(nodes, i).col(0)) / (grid[i + 2] - grid[i]);
      largest = std::max(largest, std::abs(rate.dot(frame(nodes, i + 1).col(1))));
    }
    return largest;
  };
  EXPECT_LT(twist(64), 2e-3);
  EXPECT_NEAR(std::log2(twist(64) / twist(128)), 2, 0.2) << "of the difference quotient";
}

TEST(Shape, ADirectorFixesTheFirstAxis) {
  const NodePoses nodes = poses_along(Line{{0, 0, 0}, {0, 2, 0}, Vector3d(1, 7, 0)}, even_grid(2, 2), {});
  EXPECT_LT((frame(nodes, 1).col(0) - Vector3d(1, 0, 0)).norm(), 1e-14);
  EXPECT_THROW(poses_along(Line{{0, 0, 0}, {0, 2, 0}, Vector3d(0, 7, 0)}, even_grid(2, 2), {}), OptionError);
}

TEST(Shape, ACallableCurveNeedsNoTangent) {
  const Curve circle{.position = [](double s) { return Vector3d(std::cos(s), std::sin(s), 0); }, .length = 3};
  const NodePoses nodes = poses_along(circle, even_grid(3, 6), {});
  EXPECT_LT((frame(nodes, 4).col(2) - Vector3d(-std::sin(2), std::cos(2), 0)).norm(), 1e-11);
  const Curve stretched{.position = [](double s) { return Vector3d(2 * s, 0, 0); }, .length = 3};
  EXPECT_THROW(poses_along(stretched, even_grid(3, 6), {}), OptionError);
}

TEST(Values, OfTimeAreDifferencedWhereTheyHaveNoDerivatives) {
  const OfTime plain([](double t) { return std::sin(3 * t); });
  const parts::DriveValue v = plain(0.4);
  EXPECT_NEAR(v.rate, 3 * std::cos(1.2), 1e-10);
  EXPECT_NEAR(v.acceleration, -9 * std::sin(1.2), 1e-7);
  const OfTime exact([](double t) { return parts::DriveValue{t * t, 2 * t, 2}; });
  EXPECT_EQ(exact(3).rate, 6);
  const OfTime formula(Number(config::Formula("t^3", {"t"}, {})));
  EXPECT_EQ(formula(2).acceleration, 12);
  EXPECT_EQ(OfTime(5)(1).value, 5);
}

TEST(Values, AlongABeamKnowTheirEntries) {
  const Along<double> taper([](double s) { return 1 - s; });
  EXPECT_EQ(taper(0.25), 0.75);
  EXPECT_FALSE(taper.numbers().has_value()) << "a C++ function";
  const Along<Matrix3d> constant{Matrix3d(Vector3d(1, 2, 3).asDiagonal())};
  EXPECT_EQ(constant.numbers()->at(4)(), 2);
  const Along<Vector3d> formulas = along(std::array<Number, 3>{Number(config::Formula("2*s", {"s"}, {})), 0, 1});
  EXPECT_EQ(formulas(3)[0], 6);
  EXPECT_EQ(formulas.numbers()->size(), 3u);
}

}  // namespace
}  // namespace filum::model
