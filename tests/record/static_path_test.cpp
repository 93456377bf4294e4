/// Paths of models in memory and in files. User document: docs/guide/statics.md.
#include "record/folder.hpp"

#include <filum/model/beam.hpp>
#include <filum/model/body.hpp>
#include <filum/model/drive.hpp>
#include <filum/model/joint.hpp>
#include <filum/model/load.hpp>
#include <filum/model/sensor.hpp>
#include <filum/model/spring.hpp>
#include <filum/record/hdf5_file.hpp>
#include <filum/record/simulate.hpp>
#include <filum/record/static_path.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <fstream>
#include <numbers>

namespace filum::record {
namespace {

namespace fs = std::filesystem;
using model::Beam;
using model::Handle;
using model::Joint;
using model::Load;
using model::Model;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// Along e3, clamped, compressed by 1 at its end.
struct Column {
  Model model{{.title = "column"}};
  Handle beam = model.add(
      Beam{.name = "column",
           .shape = model::Line{.to = {0, 0, 1}},
           .segments = 8,
           .held = parts::inextensible,
           .section = model::SectionValues{.mass_per_length = 1.0,
                                           .inertia_per_length = model::Matrix3d(0.01 * model::Matrix3d::Identity()),
                                           .stiffness = model::diagonal_stiffness(1, 4, 1, 1, 1, 1)}});
  Handle clamp = model.add(Joint{.type = model::JointType::fixed, .second = beam.start()});
  Handle load = model.add(Load{.on = beam.end(), .force = {0, 0, -1}});
};

TEST(StaticPathRun, FramesArePointsOfThePathWithTheirFactors) {
  Column c;
  const record::Run run = follow_path(c.model, {.path = {.to = 3}});
  ASSERT_TRUE(run.is_done()) << run.message;
  ASSERT_TRUE(run.summary.path);
  EXPECT_EQ(run.series("factor").frames(), static_cast<std::size_t>(run.summary.path->steps) + 1);
  EXPECT_EQ(run.series("factor").values.front(), 0);
  EXPECT_EQ(run.series("factor").values.back(), 3);
  EXPECT_EQ(run.series("path/negative_directions").values.back(), 1);
  ASSERT_EQ(run.summary.path->critical.size(), 1u);
  EXPECT_NEAR(run.summary.path->critical[0].factor, std::numbers::pi * std::numbers::pi / 4, 0.01);
}

TEST(StaticPathRun, LoadsAreRecordedAsTheyAct) {
  Column c;
  const record::Run run = follow_path(c.model, {.path = {.to = 3}});
  const auto& factor = run.series("factor").values;
  const auto& force = run.series("loads/load-1/force").values;
  ASSERT_EQ(force.size(), 3 * factor.size());
  for (std::size_t k = 0; k < factor.size(); ++k) EXPECT_EQ(force[3 * k + 2], -factor[k]);
}

TEST(StaticPathRun, FilesAreThoseOfARun) {
  Column c;
  const fs::path where = folder("files");
  const record::Run run = follow_path(c.model, {.path = {.to = 3}, .folder = where, .report = false});
  ASSERT_TRUE(run.is_done()) << run.message;
  const auto summary = nlohmann::json::parse(std::ifstream(where / "summary.json"));
  EXPECT_EQ(summary["method"], "static");
  EXPECT_EQ(summary["static"]["factor"], 3.0);
  EXPECT_EQ(summary["static"]["stable"], false);
  EXPECT_EQ(summary["static"]["critical"][0]["kind"], "bifurcation");
  EXPECT_EQ(summary["final"]["objects"]["column"]["position"].size(), 9u);
  const Hdf5File file(where / "result.h5", Hdf5File::Mode::read);
  EXPECT_EQ(file.read("factor").size(), file.read("time").size());
  fs::remove_all(where);
}

TEST(StaticPathRun, WhatCanMoveFreelyIsNamed) {
  Model m;
  m.add(model::Body{.name = "brick", .mass = 1, .inertia = model::Matrix3d::Identity()});
  const record::Run run = follow_path(m);
  EXPECT_EQ(run.outcome, Outcome::stopped);
  EXPECT_THAT(run.message, HasSubstr("brick (3 translations and 3 rotations)"));
}

/// A bar on a hinge with a rotational spring is turned by a drive of its own: loads are functions of time.
TEST(StaticPathRun, APathInTimeFollowsLoadsSlowly) {
  Model m;
  const Handle bar =
      m.add(model::Body{.name = "bar", .mass = 1, .inertia = model::Matrix3d::Identity(), .position = {1, 0, 0}});
  m.add(Joint{.type = model::JointType::prismatic,
              .second = bar,
              .at = Eigen::Vector3d(1, 0, 0),
              .axis = Eigen::Vector3d(1, 0, 0)});
  m.add(model::Spring{.first = model::ground, .second = bar, .stiffness = 2, .length = 1});
  m.add(Load{.on = bar, .force = [](double t) { return Eigen::Vector3d(t * t, 0, 0); }});
  const record::Run run = follow_path(m, {.path = {.kind = analysis::PathKind::time, .end = 3}});
  ASSERT_TRUE(run.is_done()) << run.message;
  const auto& x = run.series("bar/position").values;
  for (std::size_t k = 0; k < run.time().size(); ++k)
    EXPECT_NEAR(x[3 * k], 1 + run.time()[k] * run.time()[k] / 2, 1e-9);
  EXPECT_EQ(run.time().back(), 3);
}

/// At the start two drives say the same, so that one is left out; later they do not.
TEST(StaticPathRun, DrivesThatContradictEachOtherAreRefused) {
  Model m;
  const Handle block = m.add(model::Body{.name = "block", .mass = 1, .inertia = model::Matrix3d::Identity()});
  for (const double a : {1.0, 2.0})
    m.add(model::MotionDrive{
        .on = block,
        .position = std::array<model::OfTime, 3>{[=](double t) {
                                                   return parts::DriveValue{a * t * t, 2 * a * t, 2 * a};
                                                 },
                                                 0.0, 0.0},
        .rotation = std::array<model::OfTime, 3>{}});
  const record::Run run = follow_path(m, {.path = {.kind = analysis::PathKind::time, .end = 1}});
  EXPECT_EQ(run.outcome, Outcome::stopped);
  EXPECT_THAT(run.message, HasSubstr("contradicts"));
}

TEST(StaticPathRun, ARunFromEquilibriumStaysThere) {
  Model m{{.gravity = {0, 0, -10}}};
  const Handle beam = m.add(
      Beam{.name = "beam",
           .shape = model::Line{.to = {1, 0, 0}},
           .segments = 4,
           .section = model::SectionValues{.mass_per_length = 1.0,
                                           .inertia_per_length = model::Matrix3d(0.01 * model::Matrix3d::Identity()),
                                           .stiffness = model::diagonal_stiffness(5, 5, 5, 1e3, 1e3, 1e3)}});
  m.add(Joint{.type = model::JointType::fixed, .second = beam.start()});
  const record::Run run = simulate(m, integrate::GeneralizedAlphaOptions{},
                                   {.end = 0.5, .step = 0.01, .start_from = StartFrom::equilibrium});
  ASSERT_TRUE(run.is_done()) << run.message;
  const auto& x = run.series("beam/position").values;
  const std::size_t size = x.size() / run.time().size();
  EXPECT_LT(x[size - 1], -0.05);
  for (std::size_t k = 0; k < size; ++k) EXPECT_NEAR(x[x.size() - size + k], x[k], 1e-9);
}

TEST(StaticPathRun, ARunCannotBeginInAnEquilibriumThatDoesNotExist) {
  Model m;
  m.add(model::Body{.name = "brick", .mass = 1, .inertia = model::Matrix3d::Identity()});
  EXPECT_THAT([&] { simulate(m, integrate::RattlieOptions{}, {.start_from = StartFrom::equilibrium}); },
              ThrowsMessage<NoEquilibrium>(HasSubstr("brick")));
}

}  // namespace
}  // namespace filum::record
