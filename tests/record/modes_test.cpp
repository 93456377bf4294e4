/// Modes of models, their files, responses and matrices. User document: docs/guide/modes.md.
#include "record/folder.hpp"

#include <filum/model/beam.hpp>
#include <filum/model/body.hpp>
#include <filum/model/joint.hpp>
#include <filum/model/load.hpp>
#include <filum/model/sensor.hpp>
#include <filum/record/hdf5_file.hpp>
#include <filum/record/linear_files.hpp>
#include <filum/record/modes.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <sstream>

namespace filum::record {
namespace {

namespace fs = std::filesystem;
using integrate::RattlieOptions;
using model::Body;
using model::Handle;
using model::Joint;
using model::Load;
using model::Model;
using model::Sensor;

constexpr double inertia = 0.0834, mass = 1, length = 0.5, gravity = 9.81;
const double square = mass * gravity * length / (inertia + mass * length * length);

/// A bar that hangs on a hinge, with a shaker at its end.
struct ShakenPendulum {
  Model model{{.title = "pendulum", .gravity = {0, 0, -gravity}}};
  Handle bar = model.add(Body{.name = "bar",
                              .mass = mass,
                              .inertia = Eigen::Vector3d(inertia, inertia, 0.001).asDiagonal().toDenseMatrix(),
                              .position = {0, 0, -length}});
  Handle hinge = model.add(Joint{.name = "hinge",
                                 .type = model::JointType::revolute,
                                 .second = bar,
                                 .at = Eigen::Vector3d(0, 0, 0),
                                 .axis = Eigen::Vector3d(0, 1, 0)});
  Handle shaker = model.add(Load{.name = "shaker", .on = bar.at(Eigen::Vector3d(0, 0, -length)), .force = [](double t) {
                                   return Eigen::Vector3d(std::sin(t), 0, 0);
                                 }});
  Handle tip = model.add(Sensor{.name = "tip", .on = bar.at(Eigen::Vector3d(0, 0, -length)), .quantity = "position"});
};

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

TEST(ModesRun, ShapesAreDisplacementsInSpace) {
  ShakenPendulum p;
  const ModesRun run = find_modes(p.model, RattlieOptions{}, {});
  ASSERT_EQ(run.modes.modes.size(), 1u);
  EXPECT_NEAR(run.modes.modes[0].omega(), std::sqrt(square), 1e-10);
  // Modal mass 1: the angle is 1/√J, the centre of mass moves by it times the length.
  const double angle = 1 / std::sqrt(inertia + mass * length * length);
  const auto rotation = run.shapes.at("bar/rotation").frame(0), position = run.shapes.at("bar/position").frame(0);
  EXPECT_NEAR(std::abs(rotation[1]), angle, 1e-8);
  EXPECT_NEAR(rotation[1] * length, -position[0], 1e-8);
  EXPECT_EQ(run.shapes.count("bar/position_imaginary"), 0u);
}

TEST(ModesRun, ResponseOfAPendulumIsTheTextbookFormula) {
  ShakenPendulum p;
  const ModesRun run =
      find_modes(p.model, RattlieOptions{}, {.responses = {{"shaker.fx", "tip.x"}}, .omegas = {0.5, 3.0, 8.0}});
  ASSERT_EQ(run.responses.size(), 1u);
  const double J = inertia + mass * length * length, arm = 2 * length;
  for (std::size_t k = 0; k < run.omegas.size(); ++k) {
    const double expected = arm * arm / (J * (square - run.omegas[k] * run.omegas[k]));
    EXPECT_NEAR(run.responses[0].values[k].real(), expected, 1e-7 * std::abs(expected));
  }
  ShakenPendulum again;
  EXPECT_THROW(find_modes(again.model, RattlieOptions{}, {.responses = {{"shaker.fx", "top.x"}}}),
               std::invalid_argument);
}

/// Slowly, a load along a cantilever bends it as statics does: q L⁴ / 8 EI + q L² / 2 GA at the tip.
TEST(ModesRun, ALoadAlongABeamIsAnInput) {
  Model m;
  const Handle beam = m.add(model::Beam{
      .name = "beam",
      .shape = model::Line{.to = {2, 0, 0}},
      .segments = 40,
      .held = parts::cosserat,
      .section = model::SectionValues{.mass_per_length = 1.0,
                                      .inertia_per_length = Eigen::Matrix3d(1e-4 * Eigen::Matrix3d::Identity()),
                                      .stiffness = model::diagonal_stiffness(50, 50, 50, 1e4, 1e4, 1e4)}});
  m.add(Joint{.type = model::JointType::fixed, .second = beam.start()});
  m.add(Load{.name = "wind", .on = beam, .force = {0, 0, 0.1}});
  m.add(Sensor{.name = "tip", .on = beam.end(), .quantity = "position"});
  const ModesRun run =
      find_modes(m, RattlieOptions{}, {.responses = {{"wind.fy", "tip.y"}, {"wind.fy", "tip.z"}}, .omegas = {1e-4}});
  ASSERT_EQ(run.responses.size(), 2u);
  const double exact = 16.0 / (8 * 50) + 4.0 / (2 * 1e4);
  EXPECT_NEAR(run.responses[0].values[0].real(), exact, 1e-3 * exact);
  EXPECT_NEAR(run.responses[1].values[0].real(), 0, 1e-9);
}

TEST(ModesRun, WritesWhatTheGuideSays) {
  ShakenPendulum p;
  const fs::path at = folder("-files");
  ModesRunOptions options{.matrices = true, .responses = {{"shaker", "tip"}}};
  options.run.folder = at;
  options.run.report = false;
  const ModesRun run = find_modes(p.model, RattlieOptions{}, options);
  const auto summary = nlohmann::json::parse(text_of(at / "summary.json"));
  EXPECT_EQ(summary["status"], "done");
  ASSERT_EQ(summary["modes"].size(), 1u);
  EXPECT_NEAR(summary["modes"][0]["omega"].get<double>(), std::sqrt(square), 1e-10);
  EXPECT_EQ(summary["modes"][0]["kind"], "vibration");
  const Hdf5File result(at / "result.h5", Hdf5File::Mode::read);
  EXPECT_EQ(result.shape("modes/bar/position"), (std::vector<std::uint64_t>{1, 1, 3}));
  EXPECT_EQ(result.shape("modes/bar/rotation"), (std::vector<std::uint64_t>{1, 1, 3}));
  EXPECT_EQ(result.shape("bar/position"), (std::vector<std::uint64_t>{1, 1, 3}));
  EXPECT_THAT(text_of(at / "modes.csv"),
              testing::StartsWith("mode,omega,frequency,damping,real,imaginary,kind,name\n1,"));
  EXPECT_THAT(text_of(at / "response.csv"), testing::StartsWith("omega,frequency,tip.x/shaker.fx real,"));
  EXPECT_EQ(run.responses.size(), 18u);
  EXPECT_THAT(text_of(at / "linear" / "K.mtx"),
              testing::StartsWith("%%MatrixMarket matrix coordinate real general\n% Written by filum\n6 6 "));
  const std::string npy = text_of(at / "linear" / "state_A.npy");
  EXPECT_EQ(npy.substr(0, 6), "\x93NUMPY");
  EXPECT_THAT(npy, testing::HasSubstr("'shape': (2, 2)"));
  const Hdf5File linear(at / "linear.h5", Hdf5File::Mode::read);
  const std::vector<double> A = linear.read("state_A");
  ASSERT_EQ(A.size(), 4u);
  EXPECT_NEAR(A[0] * A[3] - A[1] * A[2], square, 1e-9);  // s² + ω² = 0
  fs::remove_all(at);
}

TEST(ModesRun, AboutATimeOfARunLinearisesThere) {
  ShakenPendulum p;
  ModesRunOptions options{.time = 0.2};
  options.run.step = 0.01;
  const ModesRun run = find_modes(p.model, RattlieOptions{}, options);
  EXPECT_EQ(run.state.t, 0.2);
  EXPECT_GT(run.state.v.norm(), 0);
  EXPECT_FALSE(run.modes.remark.empty());
}

}  // namespace
}  // namespace filum::record
