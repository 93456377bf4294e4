/// The Cosserat beam: derivatives, balances, invariance, outputs, refusals. Theory: docs/theory/beam.md.
#include "support/beam_systems.hpp"
#include "support/derivative_checks.hpp"
#include "support/odd_law.hpp"

#include <filum/mechanics/nodes.hpp>
#include <filum/parts/beam.hpp>
#include <filum/parts/node_frame_inline.hpp>

#include <gtest/gtest.h>

#include <numbers>

namespace filum::parts {
namespace {

using std::numbers::pi;
using test::GroupId;

constexpr StrainMask odd_subset{true, false, true, false, false, true};
const std::vector<std::pair<const char*, StrainMask>> models{
    {"cosserat", cosserat}, {"kirchhoff", kirchhoff}, {"inextensible", inextensible}, {"odd", odd_subset}};

Matrix6d full_matrix(std::uint64_t seed) {
  const Matrix6d A = Eigen::Map<const Matrix6d>(test::random_vector(36, seed).data());
  return A * A.transpose() + Matrix6d::Identity();
}

/// Three segments of different lengths and materials, with rest strains of their own.
BeamOptions general_beam(GroupId group, const StrainMask& held) {
  BeamOptions o;
  o.name = "rod";
  o.group = group;
  o.held = held;
  set_straight(o, Vector3d(0.2, -0.1, 0.4), Vector3d(1.3, 1.2, 0.9), 3);
  const double length = o.grid.back();
  o.grid = {0, 0.2 * length, 0.65 * length, length};
  for (int i = 0; i < 4; ++i)
    o.positions[i] = o.positions[0] + o.grid[i] / length * (Vector3d(1.3, 1.2, 0.9) - Vector3d(0.2, -0.1, 0.4));
  o.stiffness = {full_matrix(1), full_matrix(2), full_matrix(3)};
  o.viscosity = {full_matrix(4), full_matrix(5), full_matrix(6)};
  for (int m = 0; m < 3; ++m) o.rest_strain.push_back(straight_strain() + test::random_vector(6, 30 + m, 0.3));
  o.mass_per_length = {1.7};
  o.inertia_per_length = {Vector3d(0.3, 0.2, 0.4).asDiagonal()};
  return o;
}

struct Rod {
  SystemBuilder builder;
  std::shared_ptr<const Beam> beam;
  std::shared_ptr<const System> system_;
  const System& system;
  explicit Rod(const BeamOptions& options)
      : beam(add_beam(builder, options)), system_(builder.build()), system(*system_) {}
  State start() const { return builder.start(); }
  State bent(std::uint64_t seed) const {
    State x = test::random_state(system, seed);
    x.q = start().q;
    system.space().advance(x.q, 1, test::random_vector(system.size_v(), seed, 0.4), x.q);
    x.v = test::random_vector(system.size_v(), seed + 1, 1.5);
    return x;
  }
};

class BeamInGroup : public testing::TestWithParam<GroupId> {};
INSTANTIATE_TEST_SUITE_P(Groups, BeamInGroup, testing::ValuesIn(test::rigid_motion_groups),
                         [](const auto& p) { return test::group_name(p.param); });

TEST_P(BeamInGroup, HasExactDerivativesOfForcesAndConstraints) {
  for (const auto& [name, held] : models) {
    SCOPED_TRACE(name);
    const Rod rod(general_beam(GetParam(), held));
    const State x = rod.bent(5);
    test::expect_force_derivatives(rod.system, x, 1e-9);
    test::expect_rows_are_derivatives(rod.system, x);
    test::expect_curvature_is_derivative(rod.system, x);
    test::expect_constraint_force_derivatives(rod.system, x, 1e-9);
  }
}

TEST_P(BeamInGroup, HasForcesFromItsPotentialWithoutViscosity) {
  BeamOptions o = general_beam(GetParam(), cosserat);
  o.viscosity.clear();
  const Rod rod(o);
  test::expect_forces_have_potential(rod.system, rod.bent(6));
}

TEST_P(BeamInGroup, LosesThePowerThatViscosityTakes) {
  BeamOptions o = general_beam(GetParam(), cosserat);
  const Rod rod(o);
  const State x = rod.bent(7);
  BeamOptions elastic = o;
  elastic.viscosity.clear();
  const Rod without(elastic);
  const double power =
      (test::forces_of(rod.system, 0, x.q, x.v) - test::forces_of(without.system, 0, x.q, x.v)).dot(x.v);
  double expected = 0;
  for (int m = 0; m < 3; ++m) {
    const Vector6d rate = test::derivative([&](double h) {
      VectorXd q(x.q.size());
      rod.system.space().advance(x.q, h, x.v, q);
      return VectorXd(rod.beam->strain(q, m));
    });
    expected -= 2 * rod.beam->segment_length(m) * rate.dot(o.viscosity[m] * rate);
  }
  EXPECT_NEAR(power, expected, 1e-9 * std::abs(expected));
}

TEST_P(BeamInGroup, ExertsNoForceAndNoMomentAsAWhole) {
  const Rod rod(general_beam(GetParam(), kirchhoff));
  const State x = rod.bent(8);
  const VectorXd f =
      test::forces_of(rod.system, 0, x.q, x.v) - test::rows_of(rod.system, 0, x.q).transpose() * x.lambda;
  // The power in any rigid motion of the whole beam vanishes.
  for (int j = 0; j < 6; ++j) {
    const Vector6d twist = Vector6d::Unit(j);
    double power = 0;
    for (int i = 0; i < rod.beam->nodes(); ++i) {
      const NodeFrame frame(rod.system.space(), rod.beam->at(i));
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

TEST_P(BeamInGroup, HasTheSameStrainsAfterAnyRigidMotion) {
  const Rod rod(general_beam(GetParam(), cosserat));
  const State x = rod.bent(9);
  VectorXd moved = x.q;
  lie::visit_rigid_motion(GetParam(), [&]<class G>(lie::GroupTag<G>) {
    const Vector4d turn = Vector4d(0.3, -0.7, 0.4, 0.2).normalized();
    for (int i = 0; i < rod.beam->nodes(); ++i) {
      const auto e = mechanics::element<G>(x.q, i * G::size);
      mechanics::element<G>(moved, i * G::size) =
          G::from_pose(lie::quaternion::product(turn, G::quaternion(e)),
                       lie::quaternion::rotate(turn, G::position(e)) + Vector3d(3, -2, 5));
    }
  });
  for (int m = 0; m < rod.beam->segments(); ++m)
    EXPECT_LT((rod.beam->strain(moved, m) - rod.beam->strain(x.q, m)).norm(),
              1e-12 * (1 + rod.beam->strain(x.q, m).norm()));
}

TEST(Beam, MeasuresTheSameInAllGroups) {
  const Rod reference(general_beam(GroupId::S3sdR3, kirchhoff));
  const State x = reference.bent(10);
  for (const GroupId group : test::rigid_motion_groups) {
    const Rod rod(general_beam(group, kirchhoff));
    State y = rod.system.make_state();
    lie::visit_rigid_motion(group, [&]<class G>(lie::GroupTag<G>) {
      for (int i = 0; i < 4; ++i)
        mechanics::element<G>(y.q, i * G::size) =
            G::from_pose(reference.beam->orientation(x, i), reference.beam->position(x, i));
    });
    for (int m = 0; m < 3; ++m)
      EXPECT_LT((rod.beam->strain(y.q, m) - reference.beam->strain(x.q, m)).norm(), 1e-12) << test::group_name(group);
    EXPECT_NEAR(rod.system.potential_energy(0, y.q), reference.system.potential_energy(0, x.q), 1e-12);
  }
}

TEST(StrainLaw, HasExactDerivativesInAllGroups) {
  for (const GroupId group : test::rigid_motion_groups) {
    SCOPED_TRACE(test::group_name(group));
    BeamOptions o = general_beam(group, cosserat);
    o.law = std::make_shared<test::OddLaw>();
    const Rod rod(o);
    EXPECT_EQ(rod.system.size_lambda(), 6);
    test::expect_constraint_derivatives(rod.system, rod.bent(10));
    EXPECT_EQ(rod.system.row_name(3), "beam rod: strain law 2 in segment 2 of 3");
  }
}

/// The Kirchhoff constraint as a law.
class NoShear final : public StrainLaw {
 public:
  int rows() const override { return 2; }
  void evaluate(double, const Vector6d& w, Values& psi, Slopes& slopes) const override {
    psi = w.segment<2>(3);
    slopes.setZero();
    slopes(0, 3) = slopes(1, 4) = 1;
  }
  Matrix6d second_derivative(double, const Vector6d&, const Values&) const override { return Matrix6d::Zero(); }
};

TEST(StrainLaw, ThatIsLinearIsAHeldStrain) {
  BeamOptions held = general_beam(GroupId::S3sdR3, kirchhoff);
  held.rest_strain = {straight_strain()};
  BeamOptions lawful = held;
  lawful.held = cosserat;
  lawful.law = std::make_shared<NoShear>();
  const Rod a(held), b(lawful);
  const State x = a.bent(4);
  EXPECT_LT((checks::constraint_of(a.system, 0, x.q) - checks::constraint_of(b.system, 0, x.q)).norm(), 1e-15);
  EXPECT_LT((test::rows_of(a.system, 0, x.q) - test::rows_of(b.system, 0, x.q)).norm(), 1e-15);
  lawful.held = kirchhoff;
  SystemBuilder builder;
  EXPECT_THROW(add_beam(builder, lawful), std::invalid_argument);
}

TEST(Beam, OutputsAddUpToTheSystemsEnergies) {
  const Rod rod(general_beam(GroupId::UDQ, cosserat));
  const State x = rod.bent(11);
  double elastic = 0, kinetic = 0;
  for (int m = 0; m < 3; ++m) elastic += rod.beam->elastic_energy(x.q, m);
  for (int i = 0; i < 4; ++i) kinetic += rod.beam->kinetic_energy(x, i);
  EXPECT_NEAR(elastic, rod.system.potential_energy(0, x.q), 1e-12 * elastic);
  EXPECT_NEAR(kinetic, rod.system.kinetic_energy(x.q, x.v), 1e-12 * kinetic);
}

TEST(Beam, StressOfAStretchedBeamIsItsStiffnessTimesTheStrainAndTheMultiplier) {
  BeamOptions o;
  o.held = kirchhoff;
  set_straight(o, Vector3d::Zero(), Vector3d(0, 0, 2), 2);
  o.rest_strain = {straight_strain()};
  o.stiffness = {diagonal_stiffness(Vector3d(3, 4, 5), Vector3d(10, 20, 30))};
  for (Vector3d& x : o.positions) x *= 1.1;
  const Rod rod(o);
  State x = rod.start();
  x.lambda << 0.5, -0.6, 0.7, 0.8;
  const Vector6d stress = rod.beam->stress(x, 1);
  EXPECT_NEAR(stress[5], 30 * 0.1, 1e-12);
  EXPECT_EQ(stress[3], 0.7);  // the multiplier of a held strain is the section force
  EXPECT_EQ(stress[4], 0.8);
}

TEST(Beam, FullCircleIsAnExactDiscreteEquilibrium) {
  for (const int n : {2, 3, 8, 32}) {
    const double EI = 500, L = 10;
    BeamOptions o;
    o.stiffness = {diagonal_stiffness(Vector3d::Constant(EI), Vector3d::Constant(1e4))};
    o.rest_strain = {straight_strain()};
    const double kappa = 2 * pi / L;
    for (int i = 0; i <= n; ++i) {
      const double s = L * i / n, angle = pi / 2 + kappa * s;  // about e2, starting along e1
      o.grid.push_back(s);
      o.orientations.push_back(Vector4d(std::cos(angle / 2), 0, std::sin(angle / 2), 0));
      o.positions.push_back(Vector3d(std::sin(kappa * s), 0, std::cos(kappa * s) - 1) / kappa);
    }
    const Rod rod(o);
    State x = rod.start();
    const VectorXd f = test::forces_of(rod.system, 0, x.q, x.v);
    // Nothing acts on inner nodes; the ends are held by the moment EI κ about the section axis e2.
    EXPECT_LT(f.segment(6, 6 * (n - 1)).lpNorm<Eigen::Infinity>(), 1e-10) << n;
    Vector6d end = Vector6d::Zero();
    end[1] = -EI * kappa;
    EXPECT_LT((f.tail<6>() - end).norm(), 1e-10) << n;
    EXPECT_LT((f.head<6>() + end).norm(), 1e-10) << n;
  }
}

TEST(Beam, SegmentsMayTurnPastHalfATurn) {
  BeamOptions o;
  o.stiffness = {diagonal_stiffness(Vector3d::Ones(), Vector3d::Ones())};
  o.rest_strain = {straight_strain()};
  set_straight(o, Vector3d::Zero(), Vector3d(0, 0, 1), 1);
  const double angle = 1.6 * pi;
  o.orientations[1] = Vector4d(std::cos(angle / 2), 0, std::sin(angle / 2), 0);
  const Rod rod(o);
  State x = rod.start();
  EXPECT_NEAR(rod.beam->strain(x.q, 0)[1], angle, 1e-12);
}

TEST(Beam, NamesTheSegmentThatTurnsTooFar) {
  BeamOptions o;
  o.name = "wire";
  o.stiffness = {diagonal_stiffness(Vector3d::Ones(), Vector3d::Ones())};
  o.rest_strain = {straight_strain()};
  set_straight(o, Vector3d::Zero(), Vector3d(0, 0, 3), 3);
  const double angle = 2 * pi - 0.01;
  o.orientations[2] = o.orientations[3] = Vector4d(std::cos(angle / 2), 0, std::sin(angle / 2), 0);
  const Rod rod(o);
  State x = rod.start();
  EXPECT_FALSE(test::forces_of(rod.system, 0, x.q, x.v).allFinite());
  EXPECT_NE(rod.beam->diagnosis(x.q).find("beam wire: segment 2 of 3 is turned by 6.27"), std::string::npos)
      << rod.beam->diagnosis(x.q);
}

TEST(Beam, NamesItsRows) {
  const Rod rod(general_beam(GroupId::S3sdR3, kirchhoff));
  EXPECT_EQ(rod.system.row_name(3), "beam rod: shear 2 held in segment 2 of 3");
}

void expect_refused(const BeamOptions& options, const std::string& word) {
  SystemBuilder builder;
  try {
    add_beam(builder, options);
    FAIL() << "accepted although " << word;
  } catch (const std::invalid_argument& e) {
    EXPECT_NE(std::string(e.what()).find(word), std::string::npos) << e.what();
  }
}

TEST(Beam, RefusesWhatCannotBeABeam) {
  const BeamOptions good = general_beam(GroupId::S3sdR3, cosserat);
  BeamOptions o = good;
  o.grid[2] = o.grid[1];
  expect_refused(o, "ascend");
  o = good;
  o.positions.pop_back();
  expect_refused(o, "agree");
  o = good;
  o.stiffness = {full_matrix(1), full_matrix(2)};
  expect_refused(o, "one per segment");
  o = good;
  o.stiffness[1](0, 1) += 1;
  expect_refused(o, "symmetric");
  o = good;
  o.viscosity[0] = -Matrix6d::Identity();
  expect_refused(o, "negative");
  o = good;
  o.orientations[1] *= 1.1;
  expect_refused(o, "unit");
  o = good;
  o.group = GroupId::SO3;
  expect_refused(o, "SO3");
  o = good;
  o.mass_per_length = {0};
  expect_refused(o, "mass_per_length");
}

}  // namespace
}  // namespace filum::parts
