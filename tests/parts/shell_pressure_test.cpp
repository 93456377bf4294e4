/// Pressure on shells, loads shared by nodes: derivatives, resultants. Theory: docs/theory/shell.md, sec. 4.
#include "support/derivative_checks.hpp"

#include <filum/lie/quaternion.hpp>
#include <filum/parts/body_load.hpp>
#include <filum/parts/shell_pressure.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

namespace filum::parts {
namespace {

using lie::GroupId;

/// A tube of radius 1 and length 1.5 about the z axis, closed in s1.
ShellOptions tube(GroupId group, int around) {
  ShellOptions o;
  o.group = group;
  o.nodes = {around, 3};
  o.closed = {true, false};
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < around; ++i) {
      const double a = 2 * std::numbers::pi * i / around;
      Matrix3d R;
      R << -std::sin(a), 0, std::cos(a), std::cos(a), 0, std::sin(a), 0, 1, 0;
      o.positions.emplace_back(std::cos(a), std::sin(a), 0.75 * j);
      o.orientations.push_back(lie::quaternion::from_matrix(R));
    }
  IsotropicSheet s{.E = 30, .nu = 0.3, .thickness = 0.1};
  s.couple_modulus = s.couple_modulus_bending = s.shear_modulus(), s.drilling = 1e-4;
  o.stiffness = {stiffness_of(s)};
  o.turning_inertia = 1e-2;
  return o;
}

struct PressedShell {
  SystemBuilder builder;
  std::shared_ptr<const Shell> shell;
  std::shared_ptr<const System> system;
  template <class Add>
  PressedShell(const ShellOptions& o, const Add& add) : shell(add_shell(builder, o)) {
    add(builder, shell);
    system = builder.build();
  }
  State moved(std::uint64_t seed) const {
    State x = test::random_state(*system, seed);
    x.q = builder.start().q;
    system->space().advance(x.q, 1, test::random_vector(system->size_v(), seed, 0.2), x.q);
    return x;
  }
};

LoadLaw gas(const std::function<double(const PointMotion&)>& pressure, const Dependence& sees) {
  return LoadLaw::of_motion([pressure](const PointMotion& m) { return LoadValue{.force = {0, 0, pressure(m)}}; }, sees);
}
std::vector<Eigen::Vector2d> centers(const Shell& shell) {
  std::vector<Eigen::Vector2d> all;
  for (int k = 0; k < shell.cells(); ++k) all.emplace_back(k % shell.cells(0), k / shell.cells(0));
  return all;
}

/// Steps that end where loads jump ask every cell.
TEST(ShellPressure, ListsTheDecisionsOfItsLawForEveryCell) {
  SystemBuilder builder;
  const auto shell = add_shell(builder, tube(GroupId::S3sdR3, 4));
  LoadLaw law = gas([](const PointMotion& m) { return m.t > 0.1 ? 1 : 0; }, {});
  law.set_switches([](const PointMotion& m, mechanics::SwitchList& out) { out.add({.value = m.t, .high = 0.1}); });
  const auto pressure = builder.add_part(std::make_shared<ShellPressure>(shell, "gas", law, centers(*shell)));
  EXPECT_EQ(pressure->switching(), mechanics::Switching::of_time);
  EXPECT_EQ(ShellPressure(shell, "gas", gas([](const PointMotion&) { return 1; }, {}), centers(*shell)).switching(),
            mechanics::Switching::none);
  const auto system = builder.build();
  mechanics::SwitchList decisions;
  pressure->add_switches(0.25, builder.start().q, builder.start().v, decisions);
  ASSERT_EQ(decisions.laws(), shell->cells());
  ASSERT_EQ(decisions.entries().size(), static_cast<std::size_t>(shell->cells()));
  for (const auto& entry : decisions.entries()) EXPECT_EQ(entry.value, 0.25);
}

TEST(ShellPressure, RefusesLawsItCannotFollow) {
  const auto refused = [](const LoadLaw& law, int centers) {
    SystemBuilder builder;
    const auto shell = add_shell(builder, tube(GroupId::S3sdR3, 4));
    EXPECT_THROW(add_shell_pressure(builder, shell, "gas", law, std::vector<Eigen::Vector2d>(centers)),
                 std::invalid_argument);
  };
  const auto one = [](const PointMotion&) { return 1; };
  refused({}, 8);
  refused(gas(one, {.rotation = true}), 8);
  refused(gas(one, {}), 7);
}

class PressureInGroup : public testing::TestWithParam<GroupId> {};
INSTANTIATE_TEST_SUITE_P(Groups, PressureInGroup,
                         testing::Values(GroupId::S3sdR3, GroupId::SE3, GroupId::UDQ, GroupId::S3xR3, GroupId::SO3xR3),
                         [](const auto& p) { return std::string(lie::name(p.param)); });

TEST_P(PressureInGroup, HasExactDerivatives) {
  const PressedShell loaded(tube(GetParam(), 5), [](SystemBuilder& b, const auto& shell) {
    add_shell_pressure(b, shell, "gas", gas([](const PointMotion& m) { return 2 + m.t + m.s + 3 * m.s2; }, {}),
                       centers(*shell));
  });
  test::expect_force_derivatives(*loaded.system, loaded.moved(3));
}

/// Deep water that resists: both derivatives are given.
TEST_P(PressureInGroup, HasExactDerivativesOfALawOfTheMotion) {
  const PressedShell loaded(tube(GetParam(), 5), [](SystemBuilder& b, const auto& shell) {
    const Vector3d depth(0.3, -0.2, 1), braking(0.5, 0.1, -0.4);
    const auto value = [=](const PointMotion& m) {
      return LoadValue{.force = {0, 0, m.s + depth.dot(m.position) - std::pow(braking.dot(m.velocity), 2)}};
    };
    const auto derivatives = [=](const PointMotion& m) {
      LoadDerivatives d;
      d.by_position.row(2) = depth;
      d.by_velocity.row(2) = -2 * braking.dot(m.velocity) * braking;
      return d;
    };
    add_shell_pressure(b, shell, "water", LoadLaw::of_motion(value, derivatives, {.position = true, .velocity = true}),
                       centers(*shell));
  });
  test::expect_force_derivatives(*loaded.system, loaded.moved(3));
}

TEST(ShellPressure, PushesOutwardsWithTheAreaOfThePolygonAndWithoutResultant) {
  const int n = 6;
  const PressedShell loaded(tube(GroupId::S3sdR3, n), [](SystemBuilder& b, const auto& shell) {
    add_shell_pressure(b, shell, "gas", gas([](const PointMotion&) { return 3; }, {}), centers(*shell));
  });
  State x = loaded.builder.start();
  x.v.setZero();
  const VectorXd f = test::forces_of(*loaded.system, 0, x.q, x.v);
  Vector3d sum = Vector3d::Zero();
  double outwards = 0;
  for (int k = 0; k < loaded.shell->nodes(); ++k) {
    const Vector3d body = f.segment<3>(6 * k + 3);
    sum += lie::quaternion::rotate(loaded.shell->orientation(x, k), body);
    outwards += body[2];
    EXPECT_LT(f.segment<3>(6 * k).norm(), 1e-13);
  }
  EXPECT_LT(sum.norm(), 1e-12);
  // Each node has half of the forces on the two sides of the polygon beside it, which lean by π/n.
  const double a = std::numbers::pi / n, sides = n * 2 * std::sin(a) * 1.5;
  EXPECT_NEAR(outwards, 3 * sides * std::cos(a), 1e-12);
}

TEST(SharedLoad, HasExactDerivativesAndTheSumOfItsShares) {
  const auto air = LoadLaw::of_motion(
      [](const PointMotion& m) {
        return LoadValue{.force = Vector3d(1, 2, m.position[0]) - 0.3 * m.velocity, .moment = 0.1 * m.angular_velocity};
      },
      {.position = true, .velocity = true, .angular_velocity = true});
  for (const LoadFrame frame : {LoadFrame::space, LoadFrame::body}) {
    const PressedShell loaded(tube(GroupId::S3sdR3, 4), [&](SystemBuilder& b, const auto& shell) {
      std::vector<LoadShare> shares;
      for (int k = 0; k < shell->nodes(); ++k)
        shares.push_back({{.node = shell->at(k).node, .point = {0, 0, 0.1}}, shell->node_area(k)});
      add_shared_load(b, "wind", shares, frame, air);
    });
    test::expect_force_derivatives(*loaded.system, loaded.moved(4), 1e-7);  // the law is differenced
  }
  const PressedShell even(tube(GroupId::S3sdR3, 4), [&](SystemBuilder& b, const auto& shell) {
    std::vector<LoadShare> shares;
    for (int k = 0; k < shell->nodes(); ++k) shares.push_back({shell->at(k), shell->node_area(k)});
    add_shared_load(b, "weight", shares, LoadFrame::space, LoadLaw::constant({.force = {0, 0, -2}}));
  });
  State x = even.builder.start();
  double sum = 0;
  const VectorXd f = test::forces_of(*even.system, 0, x.q, 0 * x.v);
  for (int k = 0; k < even.shell->nodes(); ++k)
    sum += lie::quaternion::rotate(even.shell->orientation(x, k), Vector3d(f.segment<3>(6 * k + 3)))[2];
  EXPECT_NEAR(sum, -2 * 2 * std::numbers::pi * 1.5, 1e-12);
}

TEST(SharedLoad, RefusesToActNowhere) {
  SystemBuilder builder;
  EXPECT_THROW(add_shared_load(builder, "nothing", {}, LoadFrame::space, LoadLaw::constant({})), std::invalid_argument);
}

}  // namespace
}  // namespace filum::parts
