/// A beam with a nonlinear constraint on its strains in time. Theory: docs/theory/beam.md, (BM.14).
#include "integrate/tolerances.hpp"
#include "support/beam_systems.hpp"
#include "support/convergence.hpp"
#include "support/odd_law.hpp"

#include <filum/integrate/bliedf.hpp>
#include <filum/integrate/generalized_alpha.hpp>
#include <filum/integrate/half_explicit_rk.hpp>
#include <filum/integrate/radau.hpp>
#include <filum/integrate/rattlie.hpp>

#include <gtest/gtest.h>

namespace filum::integrate {
namespace {

using test::BeamBenchmark;
using test::Convergence;
using test::GroupId;
using test::within;

BeamBenchmark lawful_spaghetti(GroupId group) {
  return test::flying_spaghetti({.segments = 4,
                                 .group = group,
                                 .held = parts::cosserat,
                                 .law = std::make_shared<test::OddLaw>(),
                                 .smooth = true});
}

class LawfulBeam : public testing::TestWithParam<GroupId> {
 protected:
  static constexpr double end = 2;

  template <class Make>
  void expect_order(double order, std::initializer_list<int> steps, Make&& make) const {
    const Convergence c = test::convergence(make, b.start, exact, steps);
    EXPECT_NEAR(c.order_q(), order, 0.15) << c.table();
    EXPECT_NEAR(c.order_v(), order, 0.15) << c.table();
    EXPECT_GT(c.order_lambda(), order - 0.15) << c.table();
    EXPECT_LT(c.order_lambda(), order + 0.35) << c.table();  // half-explicit: from above
  }

  const BeamBenchmark b = lawful_spaghetti(GetParam());
  HalfExplicitRk reference{*b.system, {}};
  const std::vector<State> exact = test::trajectory(reference, b.start, end, 4096, 4);
};
INSTANTIATE_TEST_SUITE_P(Groups, LawfulBeam, testing::Values(GroupId::S3sdR3, GroupId::SE3, GroupId::S3xR3),
                         [](const auto& p) { return test::group_name(p.param); });

TEST_P(LawfulBeam, ConvergesWithTheOrderOfTheMethod) {
  expect_order(2, {512, 1024, 2048},
               [&] { return std::make_unique<Rattlie>(*b.system, RattlieOptions{.newton = within(1e-12)}); });
  for (const Formulation f : {Formulation::stabilized_index_2, Formulation::index_3})
    expect_order(2, {512, 1024, 2048}, [&] {
      return std::make_unique<GeneralizedAlpha>(*b.system,
                                                GeneralizedAlphaOptions{.formulation = f, .newton = within(1e-12)});
    });
  expect_order(2, {512, 1024, 2048},
               [&] { return std::make_unique<Bliedf>(*b.system, BliedfOptions{.newton = within(1e-12)}); });
  expect_order(3, {512, 1024, 2048},
               [&] { return std::make_unique<HalfExplicitRk>(*b.system, HalfExplicitOptions{.order = 3}); });
}

// The law ties torsion to bending: without it the beam bends alike, but hardly twists.
TEST_P(LawfulBeam, ObeysItsLawAndMovesDifferentlyForIt) {
  const State x = exact.back();
  double torsion = 0;
  for (int m = 0; m < b.beam->segments(); ++m) {
    const parts::Vector6d w = b.beam->strain(x.q, m);
    const double s = 0.5 * (b.beam->arc_length(m) + b.beam->arc_length(m + 1));
    EXPECT_NEAR(w.tail<3>().norm(), 1, 1e-9);
    EXPECT_NEAR(w[2], (1 + s) * w[0] * w[1], 1e-9);
    torsion = std::max(torsion, std::abs(w[2]));
  }
  EXPECT_GT(torsion, 1e-3);
}

}  // namespace
}  // namespace filum::integrate
