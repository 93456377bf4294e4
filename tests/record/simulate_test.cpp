/// Runs of models in memory and in files. User document: docs/guide/cpp.md, "Results".
#include "record/folder.hpp"

#include <filum/model/beam.hpp>
#include <filum/model/body.hpp>
#include <filum/model/joint.hpp>
#include <filum/model/sensor.hpp>
#include <filum/record/facts_json.hpp>
#include <filum/record/simulate.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <thread>

namespace filum::record {
namespace {

namespace fs = std::filesystem;
using integrate::GeneralizedAlphaOptions;
using integrate::RattlieOptions;
using model::Body;
using model::Handle;
using model::Joint;
using model::Model;
using model::Sensor;
using testing::HasSubstr;

/// A hinged bar, released from the horizontal.
struct Pendulum {
  Model model{{.title = "pendulum", .gravity = {0, 0, -9.81}}};
  Handle bar = model.add(Body{.name = "bar",
                              .mass = 1,
                              .inertia = Eigen::Vector3d(0.001, 0.0834, 0.0834).asDiagonal().toDenseMatrix(),
                              .position = {0.5, 0, 0}});
  Handle hinge = model.add(Joint{.name = "hinge",
                                 .type = model::JointType::revolute,
                                 .second = bar,
                                 .at = Eigen::Vector3d(0, 0, 0),
                                 .axis = Eigen::Vector3d(0, 1, 0)});
  Handle angle = model.add(Sensor{.name = "angle", .on = hinge, .quantity = "angle"});
};

TEST(Simulate, KeepsTheSeriesInMemoryAndWritesNothingWithoutAFolder) {
  Pendulum p;
  const record::Run run = simulate(p.model, RattlieOptions{}, {.end = 0.16, .step = 0.01});
  ASSERT_TRUE(run.is_done());
  EXPECT_EQ(run.time().size(), 17u);
  EXPECT_EQ(run.series("bar/position").shape, (std::vector<int>{1, 3}));
  EXPECT_EQ(run.series("bar/position").frames(), 17u);
  EXPECT_NEAR(run.series("sensors/angle").last()[0], 0.5 * 9.81 * 0.5 / (0.0834 + 0.25) * 0.16 * 0.16, 1e-3);
  EXPECT_EQ(run.final.t, 0.16);
  EXPECT_EQ(run.summary.title, "pendulum");
  try {
    run.series("bar/positon");
    FAIL();
  } catch (const std::out_of_range& error) {
    EXPECT_THAT(error.what(), HasSubstr("did you mean 'bar/position'?"));
  }
}

TEST(Simulate, WritesTheFilesOfTheProgramIntoAFolder) {
  Pendulum p;
  const fs::path out = folder("files");
  const record::Run run = simulate(p.model, RattlieOptions{}, {.end = 0.16, .step = 0.01, .folder = out});
  for (const char* name : {"summary.json", "result.h5", "sensors.csv", "checkpoint.h5"})
    EXPECT_TRUE(fs::exists(out / name)) << name;
  const Hdf5File file(out / "result.h5", Hdf5File::Mode::read);
  EXPECT_EQ(file.read("bar/position"), run.series("bar/position").values);
  EXPECT_EQ(read_facts(file).objects.front().name, "bar");
  EXPECT_THROW(simulate(p.model, RattlieOptions{}, {.end = 0.16, .step = 0.01, .folder = out}), std::runtime_error)
      << "results are not replaced";
  fs::remove_all(out);
}

/// With a checkpoint after every step the file grows; otherwise it is made in one go when this short run ends.
TEST(Simulate, WritesTheSameFilesStepByStepAndAtTheEnd) {
  const fs::path grown = folder("grown"), whole = folder("at-the-end");
  Pendulum a, b;
  simulate(a.model, RattlieOptions{}, {.end = 0.16, .step = 0.01, .folder = grown, .vtk = true, .checkpoint_every = 0});
  simulate(b.model, RattlieOptions{}, {.end = 0.16, .step = 0.01, .folder = whole, .vtk = true});
  const Hdf5File x(grown / "result.h5", Hdf5File::Mode::read), y(whole / "result.h5", Hdf5File::Mode::read);
  ASSERT_EQ(x.datasets(), y.datasets());
  for (const std::string& name : x.datasets()) {
    EXPECT_EQ(x.read(name), y.read(name)) << name;
    EXPECT_EQ(x.shape(name), y.shape(name)) << name;
    EXPECT_EQ(x.has_attribute(name, "components"), y.has_attribute(name, "components")) << name;
  }
  EXPECT_EQ(x.text_attribute("/", "facts"), y.text_attribute("/", "facts"));
  for (const char* name : {"sensors.csv", "result.pvd", "frames/0000016.vtp"}) {
    const auto text = [name](const fs::path& f) {
      std::ifstream in(f / name);
      return std::string(std::istreambuf_iterator<char>(in), {});
    };
    EXPECT_FALSE(text(grown).empty()) << name;
    EXPECT_EQ(text(grown), text(whole)) << name;
  }
  fs::remove_all(grown), fs::remove_all(whole);
}

TEST(Simulate, AnObserverIsAnyCallable) {
  Pendulum p;
  int steps = 0;
  simulate(p.model, RattlieOptions{},
           {.end = 0.1, .step = 0.01, .observer = [&](const mechanics::State&) { ++steps; }});
  EXPECT_EQ(steps, 10);
  const record::Run stopped =
      simulate(p.model, RattlieOptions{},
               {.end = 0.1, .step = 0.01, .observer = [&](const mechanics::State& x) { return x.t < 0.045; }});
  EXPECT_NEAR(stopped.final.t, 0.05, 1e-12);
}

TEST(Simulate, ResumesAModelBitForBit) {
  const fs::path whole = folder("whole"), pieces = folder("pieces");
  const auto options = [](const fs::path& f) {
    return SimulateOptions{.end = 0.16, .step = 0.01, .folder = f, .checkpoint_every = 0};
  };
  Pendulum a, b, c;
  simulate(a.model, GeneralizedAlphaOptions{}, options(whole));
  std::atomic<bool> interrupt{true};
  SimulateOptions first = options(pieces);
  first.interrupt = &interrupt;
  EXPECT_EQ(simulate(b.model, GeneralizedAlphaOptions{}, first).outcome, Outcome::interrupted);
  EXPECT_EQ(resume(c.model, GeneralizedAlphaOptions{}, options(pieces)).outcome, Outcome::done);
  const Hdf5File x(whole / "result.h5", Hdf5File::Mode::read), y(pieces / "result.h5", Hdf5File::Mode::read);
  for (const char* name : {"time", "bar/position", "bar/velocity", "joints/hinge/multiplier"})
    EXPECT_EQ(x.read(name), y.read(name)) << name;
  Pendulum other;
  other.model.add(Body{.name = "more", .mass = 1, .inertia = Eigen::Matrix3d::Identity()});
  EXPECT_THROW(resume(other.model, GeneralizedAlphaOptions{}, options(pieces)), std::runtime_error) << "another model";
  fs::remove_all(whole), fs::remove_all(pieces);
}

TEST(Simulate, ModelsRunInThreadsAtOnceAndGiveTheSameBits) {
  const auto end = [] {
    Pendulum p;
    return simulate(p.model, GeneralizedAlphaOptions{}, {.end = 0.3, .step = 1e-3}).final.q;
  };
  std::vector<Eigen::VectorXd> ends(4);
  std::vector<std::thread> threads;
  for (Eigen::VectorXd& q : ends) threads.emplace_back([&] { q = end(); });
  for (std::thread& t : threads) t.join();
  for (const Eigen::VectorXd& q : ends) EXPECT_EQ(q, ends[0]);
}

/// Twenty hanging yarns: enough nodes and parts for threads to share.
Model yarns() {
  Model m{{.title = "yarns", .gravity = {0, 0, -9.81}}};
  for (int k = 0; k < 20; ++k)
    m.add(model::Beam{.shape = model::Line{.from = {0, 0.1 * k, 0}, .to = {1, 0.1 * k, 0}},
                      .segments = 32,
                      .held = parts::cosserat,
                      .section = model::circle({.radius = 0.01 + 1e-4 * k, .material = model::rubber})});
  return m;
}

TEST(Simulate, ThreadsChangeNoBitAlsoOfARunThatIsResumedWithMore) {
  const fs::path pieces = folder("threads");
  const auto options = [](int threads, const fs::path& f = {}) {
    return SimulateOptions{.end = 8e-4, .step = 1e-4, .threads = threads, .folder = f, .checkpoint_every = 0};
  };
  Model a = yarns(), b = yarns(), c = yarns();
  const record::Run one = simulate(a, GeneralizedAlphaOptions{}, options(1));
  EXPECT_EQ(one.summary.threads, 1);
  EXPECT_EQ(simulate(a, GeneralizedAlphaOptions{}, options(0)).summary.threads, 1) << "the model is small";
  std::atomic<bool> interrupt{true};
  SimulateOptions first = options(2, pieces);
  first.interrupt = &interrupt;
  EXPECT_EQ(simulate(b, GeneralizedAlphaOptions{}, first).outcome, Outcome::interrupted);
  const record::Run rest = resume(c, GeneralizedAlphaOptions{}, options(3, pieces));
  EXPECT_EQ(rest.outcome, Outcome::done);
  EXPECT_EQ(rest.summary.threads, 3);
  EXPECT_EQ(rest.final.q, one.final.q);
  EXPECT_EQ(rest.final.v, one.final.v);
  EXPECT_EQ(rest.final.lambda, one.final.lambda);
  fs::remove_all(pieces);
}

TEST(Simulate, RefusesAMethodThatCannotTreatTheModel) {
  Pendulum p;
  EXPECT_THROW(simulate(p.model, GeneralizedAlphaOptions{.rho_infinity = 1}, {}), std::invalid_argument);
  EXPECT_THROW(simulate(p.model, RattlieOptions{}, {.start = 1, .end = 0}), std::invalid_argument);
}

TEST(Simulate, RefusesAStepThatWouldBlowUp) {
  Model model({.gravity = {0, 0, -9.81}});
  model.add(model::Beam{.name = "rod",
                        .shape = model::Line{},
                        .segments = 8,
                        .section = model::circle({.radius = 1e-3, .material = model::steel})});
  try {
    simulate(model, RattlieOptions{}, {.end = 1, .step = 1e-2});
    FAIL() << "it blows up";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("rattlie would blow up with the step 0.01"));
    EXPECT_THAT(error.what(), HasSubstr("try: "));
  }
}

}  // namespace
}  // namespace filum::record
