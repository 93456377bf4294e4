/// A net under its own weight: ten cords each way. Theory: docs/theory/statics.md.
#include <filum/analysis/equilibrium.hpp>
#include <filum/model/beam.hpp>
#include <filum/model/joint.hpp>
#include <filum/model/model.hpp>

#include <gtest/gtest.h>

namespace filum::model {
namespace {

/// Cords of 90 cm, 10 g per metre, tied at a hundred knots and held at the corners.
struct Net {
  static constexpr int cords = 10;
  static constexpr double mesh = 0.1, side = (cords - 1) * mesh, density = 0.01, g = 10;
  Model model{{.gravity = {0, 0, -g}}};
  std::vector<Handle> along, across;

  Net() {
    for (int k = 0; k < cords; ++k) {
      along.push_back(cord({0, mesh * k, 0}, {side, mesh * k, 0}));
      across.push_back(cord({mesh * k, 0, 0}, {mesh * k, side, 0}));
    }
    for (int i = 0; i < cords; ++i)
      for (int j = 0; j < cords; ++j)
        model.add(Joint{.first = along[i].at(mesh * j), .second = across[j].at(mesh * i)});
    for (const Handle& edge : {along.front(), along.back()})
      for (const Point& corner : {edge.start(), edge.end()})
        model.add(Joint{.type = JointType::spherical, .second = corner});
  }
  Handle cord(const Vector3d& from, const Vector3d& to) {
    const SectionValues rope{.mass_per_length = density,
                             .inertia_per_length = Matrix3d(1e-8 * Matrix3d::Identity()),
                             .stiffness = diagonal_stiffness(1e-4, 1e-4, 1e-4, 100, 100, 200)};
    return model.add(
        Beam{.shape = Line{.from = from, .to = to}, .segments = cords - 1, .held = parts::cosserat, .section = rope});
  }
};

TEST(Hanging, ATenByTenNetHangs) {
  Net net;
  const BuiltModel& m = net.model.build();
  const analysis::Equilibrium e = analysis::find_equilibrium(m.system(), m.start(), m.rows());
  ASSERT_TRUE(e.is_found()) << e.message;
  const auto knot = [&](int i, int j) { return m.position(net.along[i].at(Net::mesh * j), e.state); };
  // Square and level, as its supports are.
  for (int i = 0; i < Net::cords; ++i)
    for (int j = 0; j < Net::cords; ++j) {
      EXPECT_NEAR(knot(i, j)[2], knot(Net::cords - 1 - i, j)[2], 1e-9);
      EXPECT_NEAR(knot(i, j)[2], knot(j, i)[2], 1e-9);
    }
  EXPECT_LT(knot(4, 4)[2], knot(0, 4)[2]);
  // Forces balance in every node.
  const mechanics::System& system = m.system();
  mechanics::VectorXd f(system.size_v());
  mechanics::RowMatrix C(system.pattern());
  system.forces(0, e.state.q, e.state.v, f);
  const double size = f.lpNorm<Eigen::Infinity>();
  system.constraint_jacobian(0, e.state.q, C);
  C.add_transpose_times(e.state.lambda, -1, f, system.row_blocks());
  EXPECT_LT(f.lpNorm<Eigen::Infinity>(), 1e-9 * size);
}

}  // namespace
}  // namespace filum::model
