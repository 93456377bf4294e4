/// Beams evaluated several segments at once (S3sdR3) against the same beam one by one (UDQ). Theory:
/// docs/theory/beam.md; docs/theory/performance.md, "Chains".
#include <filum/lie/udq.hpp>
#include <filum/mechanics/system_builder.hpp>
#include <filum/parts/beam.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <random>

namespace filum::parts {
namespace {

using lie::GroupId;
using mechanics::State;
using mechanics::System;

struct BentBeam {
  std::shared_ptr<const Beam> part;
  std::shared_ptr<const System> system;
  State x;
};

/// Segments of different lengths, every third of another material, viscous, curved rest shape; neighbouring frames are
/// turned by up to `turn`.
BentBeam bent_beam(GroupId group, int segments, const StrainMask& held, double turn) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  const auto vector = [&] { return Vector3d(normal(random), normal(random), normal(random)); };
  BeamOptions o;
  o.group = group;
  o.held = held;
  set_straight(o, Vector3d::Zero(), Vector3d(0, 0, 4), segments);
  for (std::size_t i = 1; i < o.grid.size(); ++i) o.grid[i] = o.grid[i - 1] + 0.2 + 0.01 * static_cast<double>(i % 4);
  lie::S3sdR3::Element q = lie::S3sdR3::identity();
  for (std::size_t i = 0; i < o.grid.size(); ++i) {
    lie::S3sdR3::Tangent step;
    step << turn * vector().normalized(), Vector3d(0, 0, 0.2) + 0.02 * vector();
    q = lie::S3sdR3::compose(q, lie::S3sdR3::exp(step));
    o.positions[i] = lie::S3sdR3::position(q);
    o.orientations[i] = lie::S3sdR3::quaternion(q);
    o.angular_velocities.push_back(vector());
    o.velocities.push_back(vector());
  }
  for (int m = 0; m < segments; ++m) {
    const Matrix6d A = Matrix6d::NullaryExpr([&] { return normal(random); });
    o.stiffness.push_back(m % 3 == 0 || m == 0 ? Matrix6d(A * A.transpose()) : o.stiffness.front());
    o.viscosity.push_back(0.1 * o.stiffness.back());
  }
  o.rest_strain.assign(static_cast<std::size_t>(segments), straight_strain() + Vector6d::Constant(0.1));
  mechanics::SystemBuilder builder;
  const auto part = add_beam(builder, o);
  auto system = builder.build();
  BentBeam beam{part, std::move(system), builder.start()};
  beam.x.lambda = VectorXd::LinSpaced(beam.system->size_lambda(), -1, 2);
  return beam;
}

class BeamSegments : public testing::TestWithParam<std::tuple<int, StrainMask, double>> {};

TEST_P(BeamSegments, AtOnceEqualThoseOneByOne) {
  const auto [segments, held, turn] = GetParam();
  const BentBeam many = bent_beam(GroupId::S3sdR3, segments, held, turn);
  const BentBeam single = bent_beam(GroupId::UDQ, segments, held, turn);
  const System &a = *many.system, &b = *single.system;
  ASSERT_LE((many.x.v - single.x.v).norm(), 0);
  const auto expect_near = [](const VectorXd& found, const VectorXd& expected) {
    EXPECT_LE((found - expected).lpNorm<Eigen::Infinity>(), 1e-12 * (1 + expected.lpNorm<Eigen::Infinity>()));
    EXPECT_TRUE(found.allFinite());
  };
  VectorXd f(a.size_v()), f_single(a.size_v());
  a.forces(0, many.x.q, many.x.v, f), b.forces(0, single.x.q, single.x.v, f_single);
  expect_near(f, f_single);
  VectorXd phi(a.size_lambda()), phi_single(a.size_lambda()), gamma(phi), gamma_single(phi);
  a.constraint(0, many.x.q, phi), b.constraint(0, single.x.q, phi_single);
  a.curvature(0, many.x.q, many.x.v, gamma), b.curvature(0, single.x.q, single.x.v, gamma_single);
  linalg::RowMatrix C(a.pattern()), C_single(b.pattern());
  a.constraint_jacobian(0, many.x.q, C), b.constraint_jacobian(0, single.x.q, C_single);
  if (a.size_lambda() == 0) return;
  expect_near(phi, phi_single);
  expect_near(gamma, gamma_single);
  expect_near(C.values(), C_single.values());
}

/// What is recorded is what sensors on single segments see, bit by bit.
TEST_P(BeamSegments, HaveTheStrainsOfASingleOne) {
  const auto [segments, held, turn] = GetParam();
  for (const GroupId group : {GroupId::S3sdR3, GroupId::UDQ})
    for (const int count : {segments, segments + 60, 3}) {
      const BentBeam beam = bent_beam(group, count, held, turn);
      VectorXd w(6 * count), g(6 * count), energy(count);
      beam.part->strains(beam.x.q, w.data());
      beam.part->stresses(beam.x, g.data());
      beam.part->elastic_energies(beam.x.q, energy.data());
      for (int m = 0; m < count; ++m) {
        EXPECT_EQ(w.segment<6>(6 * m), beam.part->strain(beam.x.q, m));
        EXPECT_EQ(g.segment<6>(6 * m), beam.part->stress(beam.x, m));
        EXPECT_EQ(energy[m], beam.part->elastic_energy(beam.x.q, m));
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Beams, BeamSegments,
                         testing::Combine(testing::Values(4, 7, 8, 19),
                                          testing::Values(cosserat, kirchhoff, inextensible,
                                                          StrainMask{true, false, true, false, false, true}),
                                          testing::Values(1e-6, 0.2, 2.0, 4.5)));

TEST(BeamSegments, StressFreeAsDrawnHaveNoForce) {
  BeamOptions o;
  set_straight(o, Vector3d(0.3, -0.1, 0.7), Vector3d(1.1, 2.3, -0.4), 13);
  for (std::size_t i = 0; i < o.positions.size(); ++i) o.positions[i][0] += 0.01 * static_cast<double>(i * i);
  o.stiffness = {diagonal_stiffness(Vector3d::Constant(1e5), Vector3d::Constant(1e9))};
  mechanics::SystemBuilder builder;
  add_beam(builder, o);
  const auto system = builder.build();
  VectorXd f(system->size_v());
  system->forces(0, builder.start().q, builder.start().v, f);
  EXPECT_EQ(f.lpNorm<Eigen::Infinity>(), 0);
}

TEST(BeamSegments, TurnedTooFarIsNotFiniteAndItsNeighboursAre) {
  BentBeam beam = bent_beam(GroupId::S3sdR3, 9, kirchhoff, 0.1);
  constexpr int turned = 5;
  const lie::S3sdR3::Element q = beam.x.q.segment<7>(7 * turned);
  lie::S3sdR3::Element next = beam.x.q.segment<7>(7 * (turned + 1));
  next.head<4>() = -lie::quaternion::product(q.head<4>(), {1 - 1e-8, 1e-4, 0, 0});  // a full turn but for 2e-4
  beam.x.q.segment<7>(7 * (turned + 1)) = next;
  VectorXd phi(beam.system->size_lambda());
  beam.system->constraint(0, beam.x.q, phi);
  for (int m = 0; m < 9; ++m) EXPECT_EQ(phi.segment<2>(2 * m).allFinite(), m != turned) << m;
}

}  // namespace
}  // namespace filum::parts
