/// Loads along beams: totals, spikes, points between nodes, weight. Theory: docs/theory/beam.md, sec. 5.
#include "support/benchmark_systems.hpp"
#include "support/derivative_checks.hpp"

#include <filum/parts/beam_load.hpp>
#include <filum/parts/node_frame_inline.hpp>

#include <gtest/gtest.h>

#include <numbers>

namespace filum::parts {
namespace {

using test::GroupId;

BeamOptions straight(GroupId group = GroupId::S3sdR3, int segments = 4) {
  BeamOptions o;
  o.group = group;
  o.stiffness = {diagonal_stiffness(Vector3d::Ones(), Vector3d::Ones())};
  set_straight(o, Vector3d(1, 0, 0), Vector3d(1, 3, 4), segments);
  return o;
}

struct LoadedBeam {
  SystemBuilder builder;
  std::shared_ptr<const Beam> beam;
  std::shared_ptr<const BeamLoad> load;
  std::shared_ptr<const System> system;
  template <class Add>
  LoadedBeam(const BeamOptions& o, const Add& add) {
    beam = add_beam(builder, o);
    add(*this);
    system = builder.build();
  }
  State start(double t = 0) const {
    State x = builder.start();
    x.t = t;
    return x;
  }
  LoadValue nodal(int i, double t) const { return load->values(start(t))[static_cast<std::size_t>(i)]; }
};

LoadValue value_of_s(double s, double t) {
  return {.force = Vector3d(s, 1 - s * s, t), .moment = Vector3d(std::sin(s), 0, s * t)};
}
const LoadLaw of_s = LoadLaw::of_time(value_of_s);

class BeamLoadInGroup : public testing::TestWithParam<GroupId> {};
INSTANTIATE_TEST_SUITE_P(Groups, BeamLoadInGroup, testing::ValuesIn(test::rigid_motion_groups),
                         [](const auto& p) { return test::group_name(p.param); });

TEST_P(BeamLoadInGroup, HasExactDerivatives) {
  for (const LoadFrame frame : {LoadFrame::space, LoadFrame::body})
    for (const LoadRule rule : {LoadRule::trapezoidal, LoadRule::integrated, LoadRule::segment_mean}) {
      const LoadedBeam b(straight(GetParam()), [&](LoadedBeam& l) {
        add_beam_load(l.builder, l.beam, {.frame = frame, .rule = rule, .density = of_s});
      });
      test::expect_force_derivatives(*b.system, test::random_state(*b.system, 3), 1e-6);
    }
}

TEST(BeamLoad, IntegratedLoadHasTheTotalOfItsDensity) {
  const LoadedBeam b(straight(), [](LoadedBeam& l) {
    l.load = add_beam_load(l.builder, l.beam, {.rule = LoadRule::integrated, .density = of_s});
  });
  Vector3d total = Vector3d::Zero();
  for (int i = 0; i < b.beam->nodes(); ++i) total += b.nodal(i, 0.3).force;
  const double L = 5;
  EXPECT_LT((total - Vector3d(L * L / 2, L - L * L * L / 3, 0.3 * L)).norm(), 1e-12);
}

TEST(BeamLoad, TrapezoidalLoadIsTheValueAtTheNodeTimesItsLength) {
  const LoadedBeam b(straight(), [](LoadedBeam& l) { l.load = add_beam_load(l.builder, l.beam, {.density = of_s}); });
  EXPECT_LT((b.nodal(2, 0.3).force - 1.25 * value_of_s(2.5, 0.3).force).norm(), 1e-14);
  EXPECT_LT((b.nodal(4, 0.3).moment - 0.625 * value_of_s(5, 0.3).moment).norm(), 1e-14);
}

TEST(BeamLoad, IntegratedRuleDoesNotLoseASpikeThatTheTrapezoidalRuleLoses) {
  const double center = 3.1, width = 0.1;
  const auto spike = [=](double s, double) {
    const double r = (s - center) / width;
    return LoadValue{.force = Vector3d(std::exp(-r * r) / (width * std::sqrt(std::numbers::pi)), 0, 0)};
  };
  double totals[2];
  for (const LoadRule rule : {LoadRule::trapezoidal, LoadRule::integrated}) {
    const LoadedBeam b(straight(), [&](LoadedBeam& l) {
      l.load = add_beam_load(l.builder, l.beam, {.rule = rule, .density = LoadLaw::of_time(spike)});
    });
    double& total = totals[rule == LoadRule::integrated];
    total = 0;
    for (int i = 0; i < b.beam->nodes(); ++i) total += b.nodal(i, 0).force[0];
  }
  EXPECT_LT(totals[0], 1e-10);
  EXPECT_NEAR(totals[1], 1, 1e-4);
}

/// Force and moment about the origin of all forces on the nodes, in space.
std::pair<Vector3d, Vector3d> resultant(const LoadedBeam& b, const State& x) {
  const VectorXd f = test::forces_of(*b.system, x.t, x.q, x.v);
  Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();
  for (int i = 0; i < b.beam->nodes(); ++i) {
    const Pose pose = NodeFrame(b.system->space(), b.beam->at(i)).pose(x.q);
    force += pose.R * f.segment<3>(6 * i + 3);
    moment += pose.R * f.segment<3>(6 * i) + pose.x.cross(pose.R * f.segment<3>(6 * i + 3));
  }
  return {force, moment};
}

TEST(BeamLoad, PointLoadBetweenNodesActsWhereItIs) {
  const Vector3d F(1, -2, 0.5), M(0.3, 0.1, -0.7);
  for (const double s : {0.0, 1.25, 1.9, 4.99, 5.0}) {
    const LoadedBeam b(straight(), [&](LoadedBeam& l) {
      add_beam_point_load(l.builder, l.beam, "push", s, LoadFrame::space, LoadLaw::constant({.force = F, .moment = M}));
    });
    const auto [force, moment] = resultant(b, b.start());
    const Vector3d at = Vector3d(1, 0, 0) + s / 5 * Vector3d(0, 3, 4);
    EXPECT_LT((force - F).norm(), 1e-12) << s;
    EXPECT_LT((moment - M - at.cross(F)).norm(), 1e-12) << s;
  }
}

TEST(BeamLoad, WeightIsThatOfTheWholeBeamAtItsMiddle) {
  BeamOptions o = straight();
  o.mass_per_length = {0.7};
  const LoadedBeam b(o, [](LoadedBeam& l) { add_weight(*add_gravity(l.builder, Vector3d(0, 0, -9.81)), *l.beam); });
  const auto [force, moment] = resultant(b, b.start());
  const Vector3d weight(0, 0, -9.81 * 0.7 * 5);
  EXPECT_LT((force - weight).norm(), 1e-12);
  EXPECT_LT((moment - Vector3d(1, 1.5, 2).cross(weight)).norm(), 1e-11);
}

TEST(BeamLoad, RefusesPlacesThatAreNotOnTheBeamAndMissingDensities) {
  SystemBuilder builder;
  const auto beam = add_beam(builder, straight());
  EXPECT_THROW(add_beam_point_load(builder, beam, "push", 5.1, LoadFrame::space, LoadLaw::constant({})),
               std::invalid_argument);
  EXPECT_THROW(add_beam_load(builder, beam, {}), std::invalid_argument);
  EXPECT_THROW(add_beam_load(builder, beam, {.points_per_segment = 12, .density = of_s}), std::invalid_argument);
}

TEST(BeamLoad, LawsThatTakeManyPointsAreAskedOnceAndGiveTheSame) {
  const Dependence sees{.position = true, .velocity = true};
  const auto one = [](const PointMotion& m) -> LoadValue {
    return {.force = m.s * m.velocity + Vector3d(m.t, 0, 0), .moment = m.position.cross(m.velocity)};
  };
  for (const LoadRule rule : {LoadRule::trapezoidal, LoadRule::integrated, LoadRule::segment_mean}) {
    int calls = 0;
    const auto many = [&](std::span<const PointMotion> at, std::span<LoadValue> out) {
      ++calls;
      for (std::size_t k = 0; k < at.size(); ++k) out[k] = one(at[k]);
    };
    const auto loaded = [&](const LoadLaw& law) {
      return LoadedBeam(straight(), [&](LoadedBeam& l) {
        l.load = add_beam_load(l.builder, l.beam, {.rule = rule, .density = law});
      });
    };
    const LoadedBeam a = loaded(LoadLaw::of_motion(one, sees)), b = loaded(LoadLaw::of_many(many, sees));
    const State x = test::random_state(*a.system, 5);
    const auto forces = [&](const System& s) {
      VectorXd f = VectorXd::Zero(s.size_v());
      s.forces(x.t, x.q, x.v, f);
      return f;
    };
    const VectorXd expected = forces(*a.system);
    calls = 0;
    EXPECT_EQ(forces(*b.system), expected);
    EXPECT_EQ(calls, 1);
    test::expect_force_derivatives(*b.system, x, 1e-6);
    const auto here = a.load->values(x), there = b.load->values(x);
    ASSERT_EQ(here.size(), there.size());
    for (std::size_t k = 0; k < here.size(); ++k) EXPECT_EQ(here[k].force, there[k].force);
  }
}

}  // namespace
}  // namespace filum::parts
