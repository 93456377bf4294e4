/// Norms of differences that are known: bodies beside each other, circles on two grids.
#include "study_runs.hpp"

#include <filum/study/comparison.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace filum::study {
namespace {

TEST(Comparison, OfBodiesBesideEachOtherIsTheirDistance) {
  const Runs runs;
  const RunData a = runs.data(flight, {"body.box.position=[0.3, 0, 0.4]"}), b = runs.data(flight);
  const ErrorSeries e = compare(a, b, "position");
  ASSERT_EQ(e.times.size(), 5U);
  for (const double x : e.l2) EXPECT_NEAR(x, 0.5 / std::sqrt(3), 1e-14);
  for (const double x : e.largest) EXPECT_NEAR(x, 0.4, 1e-14);
  EXPECT_NEAR(norm_of(e, Norm::max_l2, 0), 0.5 / std::sqrt(3), 1e-14);
  EXPECT_NEAR(norm_of(e, Norm::max_max, 0), 0.4, 1e-14);
  EXPECT_NEAR(norm_of(e, Norm::final_l2, 0), 0.5 / std::sqrt(3), 1e-14);
  EXPECT_NEAR(e.relative.back(), 0.5 / 3, 1e-14);
  EXPECT_NEAR(norm_of(e, Norm::max_l2_relative, 0.9), 0.5 / 3, 1e-14);
  EXPECT_NEAR(norm_of(compare(a, b, "configuration"), Norm::max_l2, 0), 0.5 / std::sqrt(7), 1e-14);
  EXPECT_NEAR(norm_of(compare(a, b, "pose"), Norm::max_l2, 0), 0.5 / std::sqrt(12), 1e-14);
}

TEST(Comparison, OfOrientationsIgnoresTheSignOfQuaternions) {
  const Runs runs;
  const RunData a = runs.data(flight, {"body.box.orientation=[0, 0, 0, 1]"});
  const RunData b = runs.data(flight, {"body.box.orientation=[0, 0, 0, -1]"});
  EXPECT_LT(norm_of(compare(a, b, "orientation"), Norm::max_max, 0), 1e-15);
  EXPECT_LT(norm_of(compare(a, b, "pose"), Norm::max_max, 0), 1e-15);
}

TEST(Comparison, OfRotationsIsTheDistanceOfTheirMatrices) {
  const Runs runs;
  const double angle = 0.7;
  const RunData a = runs.data(flight, {"body.box.orientation={axis = [1, 2, 2], angle = 0.7}"}), b = runs.data(flight);
  const double frobenius = 2 * std::sqrt(2.0) * std::sin(angle / 2);
  EXPECT_NEAR(compare(a, b, "pose").l2.front(), frobenius / std::sqrt(12), 1e-14);
}

TEST(Comparison, OfVelocitiesOfDifferentGroupsIsInSpace) {
  const Runs runs;
  const std::string turned = "body.box.orientation={axis = [0, 0, 1], angle = 1}";
  const RunData a = runs.data(flight, {turned, "body.box.group=S3sdR3"});
  const RunData b = runs.data(flight, {turned, "body.box.group=SO3xR3"});
  EXPECT_LT(norm_of(compare(a, b, "velocity"), Norm::max_max, 0), 1e-14);
}

TEST(Comparison, CountsCommonTimesOnly) {
  const Runs runs;
  const RunData a = runs.data(flight, {"time.output_every=0.375"}), b = runs.data(flight);
  EXPECT_EQ(compare(a, b, "position").times, (std::vector<double>{0, 0.75, 1}));
}

TEST(Comparison, OfEntriesOfAFile) {
  const Runs runs;
  const RunData a = runs.data(flight, {"body.box.position=[0.3, 0, 0.4]"}), b = runs.data(flight);
  EXPECT_NEAR(compare(a, b, "box/position[0,0]").l2[0], 0.3, 1e-15);
  EXPECT_NEAR(compare(a, b, "box/position[-1,1:3]").l2[0], 0.4 / std::sqrt(2), 1e-15);
  EXPECT_THROW(compare(a, b, "box/position[0,3]"), std::invalid_argument);
  EXPECT_THROW(compare(a, b, "box/position[0,0,0]"), std::invalid_argument);
  EXPECT_THROW(compare(a, b, "box/colour"), std::invalid_argument);
  EXPECT_THROW(compare(a, b, "multiplier"), std::invalid_argument);
}

/// A quarter of a circle that rests.
constexpr const char* arc = R"toml(
schema = 1
[parameters]
R = 2
[time]
end = 0.01
step = 0.005
[integrator]
method = "generalized-alpha"
[[beam]]
name = "arc"
curve = ["R*sin(s/R)", "R*(1-cos(s/R))", "0"]
length = "R*pi/2"
segments = 4
mass_per_length = 1
inertia_per_length = [1, 1, 1]
stiffness = { bending = [1, 1], torsion = 1, shear = [1, 1], axial = 1 }
)toml";

TEST(Comparison, OfACircleOnTwoGridsIsExactInASemiDirectGroup) {
  const Runs runs;
  // Chords: the frames of a coarse node do not lie exactly as those of a fine one, but nodes of a circle do.
  for (const char* segments : {"beam.arc.segments=8", "beam.arc.segments=20"})
    EXPECT_LT(compare(runs.data(arc), runs.data(arc, {segments}), "position").l2.front(), 1e-12) << segments;
}

TEST(Comparison, InterpolatesTheFinerGridAlongItsGroup) {
  const Runs runs;
  const RunData coarse = runs.data(arc), fine = runs.data(arc, {"beam.arc.segments=6"});
  EXPECT_LT(compare(coarse, fine, "position").l2.front(), 1e-3) << "arcs between nodes";
  const RunData coarse_direct = runs.data(arc, {"beam.arc.group=S3xR3"});
  const RunData fine_direct = runs.data(arc, {"beam.arc.group=S3xR3", "beam.arc.segments=6"});
  const double sagitta = 2 * (1 - std::cos(0.5 * 1.5707963267948966 / 6));
  EXPECT_NEAR(compare(coarse_direct, fine_direct, "position").largest.front(), sagitta, 0.2 * sagitta)
      << "chords between nodes";
}

TEST(Comparison, IsTheSameInBothDirections) {
  const Runs runs;
  const RunData a = runs.data(arc), b = runs.data(arc, {"beam.arc.segments=6"});
  EXPECT_DOUBLE_EQ(compare(a, b, "position").l2.front(), compare(b, a, "position").l2.front());
}

}  // namespace
}  // namespace filum::study
