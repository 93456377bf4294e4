/// Norms of differences that are known: bodies beside each other, circles on two grids.
#include "study_runs.hpp"

#include <filum/record/facts_json.hpp>
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

// Paper 002, sec. 3.3: half the reference is off by as much as itself, measured with its own size.
TEST(Comparison, RelativeToTheRunItselfDividesByItsNorm) {
  const Runs runs;
  const RunData a = runs.data(flight, {"body.box.position=[1, 0, 0]", "body.box.velocity=[0, 0, 0]"}),
                b = runs.data(flight, {"body.box.position=[2, 0, 0]", "body.box.velocity=[0, 0, 0]"});
  const ErrorSeries e = compare(a, b, "position");
  EXPECT_NEAR(e.relative.front(), 0.5, 1e-14);
  EXPECT_NEAR(e.relative_own.front(), 1, 1e-14);
}

// (ST.3a) A rotation by 0.7 about one axis and a way of 0.5 in space: in a direct product these are the logarithms.
TEST(Comparison, InTheLieAlgebraIsTheLogarithmOfTheDifference) {
  const Runs runs;
  const std::string direct = "body.box.group=S3xR3";
  const RunData a = runs.data(flight, {direct, "body.box.orientation={axis = [1, 2, 2], angle = 0.7}",
                                       "body.box.position=[0.3, 0, 0.4]"}),
                b = runs.data(flight, {direct});
  EXPECT_NEAR(compare(a, b, "algebra").l2.front(), std::sqrt((0.49 + 0.25) / 6), 1e-14);
  const RunData c = runs.data(flight, {"body.box.group=S3sdR3", "body.box.position=[0.3, 0, 0.4]"}),
                d = runs.data(flight, {"body.box.group=S3sdR3"});
  EXPECT_NEAR(compare(c, d, "algebra").l2.front(), std::sqrt(0.25 / 6), 1e-14) << "no rotation: the same way";
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

/// Results of a straight beam, written by hand: velocities and multipliers are linear functions of the arc length.
RunData linear_beam(const std::filesystem::path& cases, const std::vector<double>& grid) {
  const Run run = make_run(arc, {"beam.arc.segments=" + std::to_string(grid.size() - 1)});
  std::filesystem::create_directories(cases / run.hash);
  record::Hdf5File file(cases / run.hash / "result.h5", record::Hdf5File::Mode::create);
  const int nodes = static_cast<int>(grid.size());
  std::vector<double> x, p, v, multipliers;
  for (const double s : grid) {
    x.insert(x.end(), {s, 0, 0});
    p.insert(p.end(), {1, 0, 0, 0});
    v.insert(v.end(), {s, 2 * s, 3 - s, 1, s, 0});
  }
  for (std::size_t m = 0; m + 1 < grid.size(); ++m) {
    const double middle = (grid[m] + grid[m + 1]) / 2;
    multipliers.insert(multipliers.end(), {5 * middle, 1 - middle});
  }
  record::Facts facts;
  facts.objects = {{.name = "arc",
                    .kind = "beam",
                    .kinds = "beams",
                    .nodes = nodes,
                    .parameters = {"arc/arc_length"},
                    .is_semidirect = true,
                    .multiplier = "arc/multiplier"}};
  file.set_attribute("/", "facts", record::facts_text(facts));
  file.write("time", std::vector<double>{0});
  file.write("arc/arc_length", grid);
  file.write("arc/position", x, {1, nodes, 3});
  file.write("arc/orientation", p, {1, nodes, 4});
  file.write("arc/velocity", v, {1, nodes, 6});
  file.write("arc/multiplier", multipliers, {1, nodes - 1, 2});
  file.close();
  return RunData(run, cases);
}

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

TEST(Comparison, AtFixedPointsInterpolatesBothRuns) {
  const Runs runs;
  const RunData a = runs.data(arc), b = runs.data(arc, {"beam.arc.segments=6"});
  EXPECT_LT(compare(a, b, "position", 17).l2.front(), 1e-3) << "arcs between nodes, in both";
  EXPECT_EQ(compare(a, b, "position", 17).l2.front(), compare(b, a, "position", 17).l2.front());
  const TestFolder folder;
  const RunData coarse = linear_beam(folder.path(), {0, 1, 2}), fine = linear_beam(folder.path(), {0, 0.7, 1.3, 2});
  for (const char* quantity : {"position", "velocity", "multiplier"})
    EXPECT_LT(compare(coarse, fine, quantity, 9).largest.front(), 1e-14) << quantity;
}

TEST(Comparison, IsTheSameInBothDirections) {
  const Runs runs;
  const RunData a = runs.data(arc), b = runs.data(arc, {"beam.arc.segments=6"});
  EXPECT_DOUBLE_EQ(compare(a, b, "position").l2.front(), compare(b, a, "position").l2.front());
}

TEST(ErrorNorms, AreWhatTheirNamesSay) {
  const ErrorSeries e{{0, 1, 2, 3}, {9, 1, 4, 1}, {8, 2, 3, 1}, {4, 3, 7, 1}, {7, 6, 5, 2}};
  EXPECT_EQ(norm_of(e, Norm::max_l2, 0), 9);
  EXPECT_EQ(norm_of(e, Norm::max_l2, 0.5), 4);
  EXPECT_EQ(norm_of(e, Norm::max_l2_relative, 0.5), 3);
  EXPECT_EQ(norm_of(e, Norm::max_l2_relative_own, 0.5), 7);
  EXPECT_EQ(norm_of(e, Norm::final_l2, 0), 1);
  EXPECT_EQ(norm_of(e, Norm::mean_l2, 0.5), 2);
  EXPECT_EQ(norm_of(e, Norm::final_max, 0), 2);
  EXPECT_EQ(norm_of(e, Norm::max_max, 0.5), 6);
  EXPECT_TRUE(std::isnan(norm_of(e, Norm::max_l2, 4)));
  EXPECT_TRUE(std::isnan(norm_of({}, Norm::final_l2, 0)));
}

TEST(Comparison, OfLinearFunctionsOnTwoGridsIsExact) {
  const TestFolder folder;
  const RunData coarse = linear_beam(folder.path(), {0, 1, 2}), fine = linear_beam(folder.path(), {0, 0.7, 1.3, 2});
  for (const char* quantity : {"position", "velocity", "multiplier"}) {
    EXPECT_LT(compare(coarse, fine, quantity).largest.front(), 1e-14) << quantity;
    EXPECT_LT(compare(fine, coarse, quantity).largest.front(), 1e-14) << quantity;
  }
}

}  // namespace
}  // namespace filum::study
