/// Series that only some methods fill: error estimates and η. User document: docs/guide/results.md.
#include "scenario/result_files.hpp"
#include "scenario/texts.hpp"

#include <filum/record/facts_json.hpp>
#include <filum/scenario/builtin.hpp>
#include <filum/scenario/simulation.hpp>

#include <gtest/gtest.h>

namespace filum::scenario {
namespace {

using Eigen::Vector3d;
using record::Hdf5File;
using test::Folder;
using test::has_series;
using test::largest;
using test::parse;
using test::pendulum;
using test::series;

// Paper 003, Fig. 10: steps of one size, so that the estimate of order h⁵ shows.
TEST(Series, RecordsTheLargestErrorEstimateSinceTheFrameBefore) {
  const auto estimates = [](const std::string& step, const std::string& every) {
    const Folder folder;
    simulate(parse(pendulum,
                   {"integrator={method=\"half-explicit-rk\", adaptive=true, atol=1, rtol=0, max_step=" + step + "}",
                    "time.step=" + step, "time.output_every=" + every}),
             {.folder = folder});
    return series(folder, "step/error");
  };
  const std::vector<double> fine = estimates("0.01", "step"), coarse = estimates("0.02", "step"),
                            frames = estimates("0.01", "0.04");
  ASSERT_EQ(fine.size(), 17u);
  ASSERT_EQ(frames.size(), 5u);
  EXPECT_EQ(fine[0], 0);
  EXPECT_NEAR(std::log2(largest(coarse) / largest(fine)), 5, 0.3);
  for (std::size_t f = 1; f < frames.size(); ++f)
    EXPECT_NEAR(frames[f], *std::max_element(&fine[4 * f - 3], &fine[4 * f] + 1), 1e-6 * frames[f]) << f;
}

TEST(Series, ErrorEstimatesAreAtMostOneAndZeroForMethodsWithoutThem) {
  const auto estimates = [](const std::string& integrator) {
    const Folder folder;
    simulate(parse(pendulum, {"integrator={" + integrator + "}", "time.output_every=step"}), {.folder = folder});
    return series(folder, "step/error");
  };
  EXPECT_EQ(largest(estimates("method=\"half-explicit-rk\"")), 0);
  EXPECT_EQ(largest(estimates("method=\"generalized-alpha\"")), 0);
  for (const char* method : {"half-explicit-rk", "rattlie"}) {
    const double found = largest(estimates(std::string("method=\"") + method + "\", adaptive=true"));
    EXPECT_LE(found, 1) << method;
    EXPECT_GT(found, 0.01) << method;
  }
}

// Paper 002, Fig. 14: second order in SO(3)×R³, rounding errors in SE(3).
TEST(Series, RecordsEtaOfStabilizedMethods) {
  const auto eta = [](const char* group, const char* method, const char* step) {
    const Folder folder;
    simulate(
        parse_scenario(find_builtin("heavy-top-fast")->text, "top",
                       {std::string("body.top.group=") + group, std::string("integrator={method=\"") + method + "\"}",
                        "time.end=0.1", std::string("time.step=") + step, "time.output_every=step",
                        "newton={atol=1e-10, rtol=1e-10}"}),
        {.folder = folder});
    const std::vector<double> values = series(folder, "joints/pivot/eta");
    EXPECT_EQ(values[0], 0);
    return largest(values);
  };
  EXPECT_NEAR(eta("SO3xR3", "generalized-alpha", "1e-3"), 8.65e-3, 0.03 * 8.65e-3);
  EXPECT_NEAR(eta("SO3xR3", "generalized-alpha", "5e-4"), 2.17e-3, 0.03 * 2.17e-3);
  EXPECT_NEAR(eta("SO3xR3", "bliedf", "1e-3") / eta("SO3xR3", "bliedf", "5e-4"), 4, 0.1);
  EXPECT_LT(eta("SE3", "generalized-alpha", "1e-3"), 1e-8);
}

TEST(Series, RecordsEtaBesideEveryMultiplierAndOnlyWhereThereIsOne) {
  const Folder stabilized, index_3, rattlie;
  simulate(parse(test::cantilever), {.folder = stabilized});
  simulate(parse(test::cantilever, {"integrator.formulation=index-3"}), {.folder = index_3});
  simulate(parse(test::cantilever, {"integrator={method=\"rattlie\"}", "time.step=1e-3"}), {.folder = rattlie});
  for (const char* name : {"rod", "joints/clamp"}) {
    const std::string eta = std::string(name) + "/eta", multiplier = std::string(name) + "/multiplier";
    const Hdf5File file(stabilized / "result.h5", Hdf5File::Mode::read);
    EXPECT_EQ(file.shape(eta), file.shape(multiplier));
    EXPECT_FALSE(has_series(index_3, eta));
    EXPECT_FALSE(has_series(rattlie, eta));
  }
}

TEST(Series, LoadsRecordForceAndMomentWhereTheyAct) {
  const Folder folder;
  simulate(parse(pendulum + "[[load]]\nname = \"push\"\non = \"bar\"\nforce = [0, \"2*t\", 3]\n"), {.folder = folder});
  const std::vector<double> time = series(folder, "time"), force = series(folder, "loads/push/force");
  ASSERT_EQ(force.size(), 3 * time.size());
  for (std::size_t f = 0; f < time.size(); ++f) {
    EXPECT_EQ(force[3 * f + 1], 2 * time[f]);
    EXPECT_EQ(force[3 * f + 2], 3);
  }
  EXPECT_EQ(largest(series(folder, "loads/push/moment")), 0);
  const Folder other;
  simulate(parse(test::cantilever + "[[load]]\nname = \"wind\"\non = \"rod\"\nforce = [0, \"s\", 0]\n"),
           {.folder = other});
  EXPECT_EQ(Hdf5File(other / "result.h5", Hdf5File::Mode::read).shape("loads/wind/force")[1], 9u);
  EXPECT_EQ(series(other, "loads/wind/force")[3 * 4 + 1], 1);  // in the middle of the length 2
}

TEST(Facts, OfARunSayWhereItsJointsAre) {
  const Folder folder;
  simulate(parse(pendulum), {.folder = folder});
  const record::Facts facts = record::read_facts(Hdf5File(folder / "result.h5", Hdf5File::Mode::read));
  EXPECT_EQ(facts.title, "test");
  EXPECT_EQ(facts.step, 0.01);
  ASSERT_EQ(facts.objects.size(), 2u);
  EXPECT_EQ(facts.objects[0].nodes, 1);
  EXPECT_TRUE(facts.objects[0].is_semidirect);
  EXPECT_EQ(facts.objects[1].multiplier, "joints/hinge/multiplier");
  const auto& symbol = std::get<record::drawing::Symbol>(facts.objects[1].drawings.at(0));
  EXPECT_EQ(symbol.symbol, "revolute");
  EXPECT_EQ(symbol.at.object, "bar");
  EXPECT_LT((symbol.at.point - Vector3d(-0.5, 0, 0)).norm(), 1e-15);
  EXPECT_LT((symbol.axis - Vector3d(0, 1, 0)).norm(), 1e-15);
  ASSERT_EQ(symbol.partners.size(), 2u);
  EXPECT_TRUE(symbol.partners[0].is_ground());
  ASSERT_EQ(facts.plots.size(), 4u);
  EXPECT_EQ(facts.plots[0].series, "joints/hinge/force");
  EXPECT_EQ(facts.plots[1].series, "joints/hinge/moment");
  EXPECT_EQ(facts.plots[1].rank, record::PlotRank::reaction);
  EXPECT_EQ(facts.plots[2].components.size(), 5u);
  EXPECT_EQ(facts.plots[2].rank, record::PlotRank::multiplier);
  EXPECT_EQ(facts.plots[3].series, "sensors/angle");
  EXPECT_EQ(facts.plots[3].quantity, "angle");
  EXPECT_EQ(facts.plots[3].rank, record::PlotRank::measured);
}

TEST(Series, ForceAndMomentOfAJointAreThoseThatSensorsMeasure) {
  const Folder folder;
  std::string sensors;
  for (const char* quantity : {"force", "moment"})
    sensors +=
        std::string("[[sensor]]\nname = \"") + quantity + "\"\non = \"hinge\"\nquantity = \"" + quantity + "\"\n";
  simulate(parse(pendulum + sensors), {.folder = folder});
  for (const std::string quantity : {"force", "moment"}) {
    const std::vector<double> found = series(folder, "joints/hinge/" + quantity);
    EXPECT_EQ(found, series(folder, "sensors/" + quantity)) << quantity;
    EXPECT_EQ(found.size(), 3 * series(folder, "time").size()) << quantity;
  }
  EXPECT_GT(largest(series(folder, "joints/hinge/force")), 0);
}

TEST(Facts, SayWhetherTheSectionOfABeamWasGiven) {
  const auto tube = [](const std::string& text) {
    const Folder folder;
    simulate(parse(text), {.folder = folder});
    const record::Facts facts = record::read_facts(Hdf5File(folder / "result.h5", Hdf5File::Mode::read));
    return std::get<record::drawing::Tube>(facts.objects.at(0).drawings.at(0));
  };
  EXPECT_TRUE(tube(test::cantilever).is_estimated);
  const auto wire = tube(
      "schema = 1\n[time]\nend = 1e-4\nstep = 1e-5\n[integrator]\nmethod = \"generalized-alpha\"\n[[beam]]\nname = "
      "\"wire\"\n"
      "from = [0, 0, 0]\nto = [1, 0, 0]\nsegments = 4\n"
      "section = { shape = \"circle\", radius = 0.01, E = 2e11, nu = 0.3, rho = 7800 }\n");
  EXPECT_FALSE(wire.is_estimated);
  EXPECT_EQ(wire.radius, 0.01);
}

}  // namespace
}  // namespace filum::scenario
