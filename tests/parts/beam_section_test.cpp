/// Beams whose sections vary: masses, mass centres, odd sets of held strains; section forces at the ends, frames
/// between nodes. Theory: docs/theory/beam.md.
#include "support/beam_systems.hpp"
#include "support/derivative_checks.hpp"

#include <filum/lie/quaternion.hpp>
#include <filum/mechanics/nodes.hpp>
#include <filum/parts/body_load.hpp>
#include <filum/parts/gravity.hpp>
#include <filum/parts/node_frame_inline.hpp>

#include <gtest/gtest.h>

namespace filum::parts {
namespace {

using test::GroupId;

/// Three segments with masses, inertias and mass centres of their own.
BeamOptions uneven_beam(GroupId group) {
  BeamOptions o;
  o.name = "blade";
  o.group = group;
  set_straight(o, Vector3d(0.2, -0.1, 0.4), Vector3d(1.3, 1.2, 0.9), 3);
  o.stiffness = {diagonal_stiffness(Vector3d(1, 2, 3), Vector3d(4, 5, 6))};
  o.mass_per_length = {1, 2.5, 0.7};
  Matrix3d J;
  J << 0.3, 0.05, 0, 0.05, 0.2, 0, 0, 0, 0.4;
  o.inertia_per_length = {J, 2 * J, 0.5 * J};
  o.mass_center = {Vector3d(0.1, 0.2, 0), Vector3d(-0.1, 0, 0.05), Vector3d(0, 0.3, 0)};
  return o;
}

struct SectionedRod {
  SystemBuilder builder;
  std::shared_ptr<const Beam> beam;
  std::shared_ptr<const System> built;
  const System& system;
  explicit SectionedRod(const BeamOptions& o) : beam(add_beam(builder, o)), built(filled()), system(*built) {}
  std::shared_ptr<const System> filled() {
    add_weight(*add_gravity(builder, Vector3d(1, -2, -9.81)), *beam);
    return builder.build();
  }
  State bent(std::uint64_t seed) const {
    State x = builder.start();
    system.space().advance(x.q, 1, test::random_vector(system.size_v(), seed, 0.4), x.q);
    x.v = test::random_vector(system.size_v(), seed + 1, 1.5);
    return x;
  }
};

class SectionsInGroup : public ::testing::TestWithParam<GroupId> {};
INSTANTIATE_TEST_SUITE_P(Groups, SectionsInGroup, ::testing::ValuesIn(test::rigid_motion_groups),
                         [](const auto& p) { return test::group_name(p.param); });

// Every node is a rigid body made of two half segments.
TEST_P(SectionsInGroup, NodesHaveTheMassOfTheirHalfSegments) {
  const BeamOptions o = uneven_beam(GetParam());
  const SectionedRod rod(o);
  const State x = rod.bent(3);
  EXPECT_EQ(rod.system.has_varying_mass(), GetParam() == GroupId::SO3xR3 || GetParam() == GroupId::S3xR3);
  double total = 0, kinetic = 0, potential = 0;
  Vector3d linear = Vector3d::Zero();
  for (int m = 0; m < 3; ++m)
    for (const int i : {m, m + 1}) {
      const double half = 0.5 * rod.beam->segment_length(m), mass = half * o.mass_per_length[m];
      const NodeFrame node(rod.system.space(), rod.beam->at(i));
      const Pose pose = node.pose(x.q);
      const Twist V = node.twist(pose, x.v);
      const Vector3d u = pose.R * V.at(o.mass_center[m]);
      total += mass;
      linear += mass * u;
      kinetic += 0.5 * (mass * u.squaredNorm() + half * V.O.dot(o.inertia_per_length[m] * V.O));
      potential -= mass * Vector3d(1, -2, -9.81).dot(pose.act(o.mass_center[m]));
    }
  double masses = 0, energies = 0, elastic = 0;
  for (int i = 0; i < 4; ++i) masses += rod.beam->node_mass(i), energies += rod.beam->kinetic_energy(x, i);
  for (int m = 0; m < 3; ++m) elastic += rod.beam->elastic_energy(x.q, m);
  EXPECT_NEAR(masses, total, 1e-14);
  EXPECT_NEAR(energies, kinetic, 1e-12 * kinetic);
  EXPECT_NEAR(rod.system.kinetic_energy(x.q, x.v), kinetic, 1e-12 * kinetic);
  EXPECT_NEAR(rod.system.potential_energy(0, x.q) - elastic, potential, 1e-12 * std::abs(potential));
  EXPECT_LT((rod.system.momentum(x.q, x.v).linear - linear).norm(), 1e-12);
  test::expect_forces_have_potential(rod.system, x, 1e-8);
}

TEST_P(SectionsInGroup, AnySetOfStrainsCanBeHeld) {
  const StrainMask masks[] = {{true, false, false, false, false, false},
                              {false, true, false, true, false, true},
                              {true, true, true, true, true, true},
                              {false, false, true, false, false, false},
                              {true, false, true, false, true, false}};
  for (const StrainMask& held : masks) {
    BeamOptions o = uneven_beam(GetParam());
    o.held = held;
    const SectionedRod rod(o);
    int count = 0;
    for (const bool h : held) count += h;
    EXPECT_EQ(rod.beam->rows().count, 3 * count);
    EXPECT_EQ(rod.system.size_lambda(), 3 * count);
    State x = rod.bent(5);
    x.lambda = test::random_vector(3 * count, 7);
    test::expect_constraint_derivatives(rod.system, x, 1e-6);
    test::expect_force_derivatives(rod.system, x, 1e-6);
    // The multiplier of a held strain is the section force.
    for (int m = 0; m < 3; ++m) {
      const Vector6d g = rod.beam->stress(x, m);
      for (int k = 0, i = 0; i < 6; ++i)
        if (held[i]) {
          EXPECT_DOUBLE_EQ(g[i], x.lambda[rod.beam->rows().first + m * count + k++]);
        }
    }
  }
}

TEST_P(SectionsInGroup, FramesBetweenNodesLieOnTheCurveOfConstantStrain) {
  const SectionedRod rod(uneven_beam(GetParam()));
  const State x = rod.bent(9);
  for (int i = 0; i < 4; ++i) {
    const Pose at = rod.beam->pose_at(x, rod.beam->arc_length(i)),
               node = NodeFrame(rod.system.space(), rod.beam->at(i)).pose(x.q);
    EXPECT_LT((at.R - node.R).norm() + (at.x - node.x).norm(), 1e-13) << i;
  }
  const double a = rod.beam->arc_length(1), h = rod.beam->segment_length(1);
  const lie::SE3::Element A = lie::SE3::from_pose(rod.beam->orientation(x, 1), rod.beam->position(x, 1));
  const lie::SE3::Element expected = lie::SE3::compose(A, lie::SE3::exp(0.3 * h * rod.beam->strain(x.q, 1)));
  const Pose at = rod.beam->pose_at(x, a + 0.3 * h);
  EXPECT_LT((at.x - lie::SE3::position(expected)).norm() + (at.R - lie::SE3::rotation(expected)).norm(), 1e-12);
  // Velocities are those of the moving curve.
  const PointMotion motion = rod.beam->motion_at(x, a + 0.3 * h);
  const auto moved = [&](double dt) {
    State y = x;
    rod.system.space().advance(x.q, dt, x.v, y.q);
    const Pose p = rod.beam->pose_at(y, a + 0.3 * h);
    VectorXd all(12);
    all << p.x, Eigen::Map<const Eigen::Matrix<double, 9, 1>>(p.R.data());
    return all;
  };
  const VectorXd rate = test::derivative(moved);
  EXPECT_LT((rate.head<3>() - motion.velocity).norm(), 1e-9);
  const Matrix3d R_dot = Eigen::Map<const Matrix3d>(rate.data() + 3);
  EXPECT_LT((R_dot - motion.rotation * lie::skw(motion.angular_velocity)).norm(), 1e-9);
}

TEST(Beam, FindsTheNearestNode) {
  const SectionedRod rod(uneven_beam(GroupId::SE3));
  const double L = rod.beam->arc_length(3);
  EXPECT_EQ(rod.beam->node_at(-1), 0);
  EXPECT_EQ(rod.beam->node_at(0.16 * L), 0);
  EXPECT_EQ(rod.beam->node_at(0.17 * L), 1);
  EXPECT_EQ(rod.beam->node_at(0.99 * L), 3);
  EXPECT_EQ(rod.beam->node_at(2 * L), 3);
  EXPECT_EQ(rod.beam->locate(L).first, 2);
  EXPECT_DOUBLE_EQ(rod.beam->locate(L).second, 1);
}

// A small load at the tip: the moment is linear in s and known. Nodes are put where the discrete beam is in
// equilibrium.
TEST(Beam, KnowsTheMomentAtItsClamp) {
  const int segments = 5;
  const double F = 1e-7, EI = 2, GA = 30, L = 1, h = L / segments;
  BeamOptions o;
  set_straight(o, Vector3d::Zero(), Vector3d(0, 0, L), segments);
  o.stiffness = {diagonal_stiffness(Vector3d(EI, EI, 1), Vector3d(GA, GA, 50))};
  o.rest_strain = {straight_strain()};
  SystemBuilder builder;
  const auto beam = add_beam(builder, o);
  add_load(builder, "tip", beam->at(segments), LoadFrame::space, LoadLaw::constant({.force = Vector3d(0, F, 0)}));
  const auto system = builder.build();
  State x = builder.start();
  using G = lie::S3sdR3;
  G::Element q = G::identity();
  for (int m = 0; m < segments; ++m) {
    Vector6d w = straight_strain();
    w[0] = -F * (L - (m + 0.5) * h) / EI;  // the moment about e1 that a force along e2 has
    w[4] = F / GA;
    q = G::compose(q, G::exp(h * w));
    mechanics::element<G>(x.q, (m + 1) * G::size) = q;
  }
  const VectorXd f = test::forces_of(*system, 0, x.q, x.v);
  EXPECT_LT(f.tail(6 * segments).norm(), 1e-5 * F) << "in equilibrium but for the clamp";
  EXPECT_NEAR(beam->stress(x, 0)[0], -0.9 * F * L, 1e-9 * F) << "10 % off in the middle of the first segment";
  EXPECT_NEAR(beam->stress_at(x, 0)[0], -F * L, 1e-9 * F);
  EXPECT_NEAR(beam->stress_at(x, L)[0], 0, 1e-9 * F);
  EXPECT_NEAR(beam->stress_at(x, 0.37)[0], -F * (L - 0.37), 1e-9 * F);
  EXPECT_NEAR(beam->stress_at(x, 0)[4], F, 1e-9 * F);
  EXPECT_NEAR(beam->strain_at(x, 0)[0], -F * L / EI, 1e-9 * F);
}

TEST(Beam, OfOneSegmentHasTheSameSectionForceEverywhere) {
  BeamOptions o;
  set_straight(o, Vector3d::Zero(), Vector3d(0, 0, 1), 1);
  o.stiffness = {diagonal_stiffness(Vector3d::Ones(), Vector3d::Ones())};
  SystemBuilder builder;
  const auto beam = add_beam(builder, o);
  const auto system = builder.build();
  State x = builder.start();
  system->space().advance(x.q, 1, test::random_vector(12, 3, 0.3), x.q);
  EXPECT_EQ(beam->stress_at(x, 0), beam->stress(x, 0));
  EXPECT_EQ(beam->stress_at(x, 1), beam->stress(x, 0));
}

TEST(Beam, RefusesImpossibleMasses) {
  const auto refused = [](auto change) {
    BeamOptions o = uneven_beam(GroupId::SE3);
    change(o);
    SystemBuilder builder;
    EXPECT_THROW(add_beam(builder, o), std::invalid_argument);
  };
  refused([](BeamOptions& o) { o.mass_per_length = {1, 2}; });
  refused([](BeamOptions& o) { o.mass_per_length = {1, 0, 1}; });
  refused([](BeamOptions& o) { o.mass_per_length = {}; });
  refused([](BeamOptions& o) { o.inertia_per_length[1](0, 1) = 9; });
  refused([](BeamOptions& o) { o.mass_center[2][0] = std::nan(""); });
}

}  // namespace
}  // namespace filum::parts
