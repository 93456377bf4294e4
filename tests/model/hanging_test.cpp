/// Hanging shapes of beams. Theory: docs/theory/statics.md, (EQ.18).
#include <filum/analysis/equilibrium.hpp>
#include <filum/model/beam.hpp>
#include <filum/model/joint.hpp>
#include <filum/model/model.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace filum::model {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr double sag = 0.26543750913982;  // of the catenary of length 1 over a span of 0.8

/// Inextensible, straight at rest, hinged at both ends.
struct Cable {
  Model model{{.gravity = {0, 0, -10}}};
  Handle beam;
  int segments;

  Cable(int n, double EI, const Vector3d& to = {0.8, 0, 0}, double length = 1) : segments(n) {
    beam = model.add(Beam{.name = "cable",
                          .shape = Hanging{.from = Vector3d::Zero(), .to = to, .length = length},
                          .segments = n,
                          .held = parts::inextensible,
                          .section = SectionValues{.mass_per_length = 1.0,
                                                   .inertia_per_length = Matrix3d(1e-4 * Matrix3d::Identity()),
                                                   .stiffness = diagonal_stiffness(EI, EI, EI, 1, 1, 1)},
                          .rest = Rest::straight});
    for (const Point& end : {beam.start(), beam.end()})
      model.add(Joint{.type = JointType::revolute, .second = end, .axis = Vector3d(0, 1, 0)});
  }
  double lowest(const State& x) {
    double z = 0;
    for (int i = 0; i <= segments; ++i) z = std::min(z, model.build().position(beam.at(1.0 * i / segments), x)[2]);
    return z;
  }
};

TEST(Hanging, NodesApproachTheCatenaryWithOrderTwo) {
  double before = 0;
  for (const int n : {16, 32, 64}) {
    Cable c(n, 1e-3);
    const double error = std::abs(-c.lowest(c.model.build().start()) - sag);
    if (n > 16) {
      EXPECT_NEAR(before / error, 4, 0.2) << n;
    }
    before = error;
  }
  EXPECT_LT(before, 1e-3);
}

TEST(Hanging, HeldStrainsAndEndsAreExact) {
  for (const Vector3d& to : {Vector3d(0.8, 0, 0), Vector3d(0.3, 0.2, 0.6), Vector3d(0.1, 0, -0.9)}) {
    Cable c(9, 1e-3, to);
    const BuiltModel& m = c.model.build();
    EXPECT_LT(m.consistency().position_off, 1e-12) << to.transpose();
    EXPECT_LT((m.position(c.beam.end(), m.start()) - to).norm(), 1e-12) << to.transpose();
  }
}

TEST(Hanging, ACableWithLittleStiffnessHangsThere) {
  Cable c(32, 1e-7);
  const BuiltModel& m = c.model.build();
  const analysis::Equilibrium e = analysis::find_equilibrium(m.system(), m.start(), m.rows());
  ASSERT_TRUE(e.is_found()) << e.message;
  EXPECT_NEAR(-c.lowest(e.state), sag, 2e-3);
  EXPECT_NEAR(-c.lowest(e.state), -c.lowest(m.start()), 1e-3);
}

/// Sag of the catenary itself in the limit of many segments and no bending stiffness.
TEST(Hanging, ACableOfAThousandSegmentsHangs) {
  Cable c(1000, 1e-9);
  const BuiltModel& m = c.model.build();
  const analysis::Equilibrium e = analysis::find_equilibrium(m.system(), m.start(), m.rows());
  ASSERT_TRUE(e.is_found()) << e.message;
  EXPECT_NEAR(-c.lowest(e.state), sag, 1e-7);
}

TEST(Hanging, ImpossibleCablesAreRefused) {
  EXPECT_THAT([] { Cable(8, 1, {2, 0, 0}).model.build(); }, ThrowsMessage<ModelError>(HasSubstr("distance")));
  EXPECT_THAT([] { Cable(8, 1, {0, 0, 0.5}).model.build(); }, ThrowsMessage<ModelError>(HasSubstr("above or below")));
}

}  // namespace
}  // namespace filum::model
