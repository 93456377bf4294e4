/// Interpolation between steps, summaries, checkpoints and ParaView frames. User document: docs/guide/results.md.
#include "support/benchmark_systems.hpp"
#include "support/reference_motion.hpp"

#include <filum/config/fingerprint.hpp>
#include <filum/config/problem.hpp>
#include <filum/record/checkpoint.hpp>
#include <filum/record/interpolate.hpp>
#include <filum/record/recorder.hpp>
#include <filum/record/summary.hpp>
#include <filum/record/vtk.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <fstream>
#include <sstream>

namespace filum::record {
namespace {

namespace fs = std::filesystem;
namespace drawing = model::drawing;
using model::NodePose;
using testing::HasSubstr;

fs::path temporary(const std::string& name) {
  return fs::temp_directory_path() / ("filum-" + std::to_string(getpid()) + name);
}

std::string content(const fs::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(Interpolator, HasOrderFourInPositionsAndThreeInVelocities) {
  for (const auto group : {lie::GroupId::S3sdR3, lie::GroupId::SO3xR3}) {
    const test::Benchmark top = test::heavy_top(test::TopSpeed::slow, group);
    Interpolator between(*top.system);
    double q_error[2], v_error[2];
    for (int k = 0; k < 2; ++k) {
      const double h = 0.1 / (1 + k);
      State a = top.start, b, middle;
      test::advance_reference(*top.system, a, 0.01, 40);
      middle = b = a;
      test::advance_reference(*top.system, b, h / 64, 64);
      test::advance_reference(*top.system, middle, h / 64, 20);
      const State& found = between.at(middle.t, a, b);
      q_error[k] = (found.q - middle.q).norm();
      v_error[k] = (found.v - middle.v).norm();
      EXPECT_LT((found.lambda - middle.lambda).norm(), 1e-1 * middle.lambda.norm());
      const auto violation = [&](const State& x) {
        VectorXd phi(3);
        top.system->constraint(x.t, x.q, phi);
        return phi.lpNorm<Eigen::Infinity>();
      };
      EXPECT_LT(violation(found), std::max(violation(a), violation(b)) + 1e-13) << "no more than at both ends";
    }
    EXPECT_NEAR(std::log2(q_error[0] / q_error[1]), 4, 0.4);
    EXPECT_NEAR(std::log2(v_error[0] / v_error[1]), 3, 0.4);
  }
}

TEST(Summary, IsJsonWithSeventeenDigits) {
  Summary s;
  s.version = "0.1.0";
  s.title = "a \"b\"\n";
  s.status = "done";
  s.method = "rattlie";
  s.time = 0.1;
  s.statistics.accepted = 7;
  s.objects.push_back({"bar", {{{1, 2, 1.0 / 3}}, {{1, 0, 0, 0}}, {{0, 0, 0, 0, 0, 0}}, {{0, 0, 0, 0, 0, 0}}}});
  s.multipliers.push_back({"pivot", {{1, std::nan("")}}, true});
  const std::string text = summary_text(s);
  const auto written = nlohmann::json::parse(text);
  EXPECT_EQ(written["title"], s.title);
  EXPECT_EQ(written["steps"]["accepted"], 7);
  EXPECT_EQ(written["final"]["objects"]["bar"]["position"][0][2], 1.0 / 3);
  EXPECT_TRUE(written["final"]["multipliers"]["pivot"][1].is_null());
  EXPECT_THAT(text, HasSubstr("0.33333333333333331"));
  EXPECT_FALSE(written.contains("message"));
}

/// Long lists go to the file in pieces, one line per node.
TEST(Summary, OfALongBeamIsTheSameInAFileAndAsText) {
  Summary s;
  s.version = s.title = s.status = s.method = "x";
  ObjectSummary beam;
  std::vector<std::vector<double>> multipliers;
  for (int k = 0; k < 5000; ++k) {
    beam.position.push_back({k / 3.0, 0, -k / 7.0});
    multipliers.push_back({std::sqrt(k), 1e300 * k});
  }
  s.objects = {{"beam", beam}, {"nothing", {}}};
  s.multipliers = {{"beam", multipliers, false}, {"pivot", {{1, 2}}, true}};
  const fs::path path = temporary("summary.json");
  write_summary(path, s);
  const std::string text = content(path);
  EXPECT_EQ(text, summary_text(s));
  EXPECT_THAT(text, HasSubstr("\n    \"position\": [\n     [0, 0, 0],\n     [0.33333333333333331, 0, "));
  EXPECT_THAT(text, HasSubstr("\n   \"pivot\": [1, 2]\n  }"));
  EXPECT_GT(std::count(text.begin(), text.end(), '\n'), 10000);
  const auto ended = nlohmann::json::parse(text)["final"];
  EXPECT_EQ(ended["objects"]["beam"]["position"].get<decltype(beam.position)>(), beam.position);
  EXPECT_EQ(ended["multipliers"]["beam"].get<decltype(multipliers)>(), multipliers);
  EXPECT_TRUE(ended["objects"]["nothing"]["velocity"].empty());
  fs::remove(path);
}

TEST(Checkpoint, GivesBackEveryNumber) {
  const fs::path path = temporary("checkpoint.h5");
  Checkpoint c;
  c.version = "9.9";
  c.scenario = config::fingerprint("text");
  c.method = "bliedf";
  c.state.t = 1.0 / 3;
  c.state.q = Eigen::VectorXd::LinSpaced(7, 0.1, 0.2);
  c.state.v = Eigen::VectorXd::LinSpaced(6, -1, 1);
  c.state.a = c.state.v * 3;
  c.memory = {1, 2, 3};
  c.statistics.accepted = 123456789012345;
  c.statistics.grid.index = 42;
  c.statistics.grid.next_step = 1e-7;
  c.frames = {.recorded = 10, .extremes = {.drift_max = 1e-300}, .next = 11, .last = 0.25};
  save_checkpoint(path, c);
  const Checkpoint d = load_checkpoint(path);
  EXPECT_EQ(d.version, c.version);
  EXPECT_EQ(d.scenario, c.scenario);
  EXPECT_EQ(d.state.t, c.state.t);
  EXPECT_EQ(d.state.q, c.state.q);
  EXPECT_EQ(d.state.a, c.state.a);
  EXPECT_EQ(d.state.lambda.size(), 0);
  EXPECT_EQ(d.memory, c.memory);
  EXPECT_EQ(d.statistics.accepted, c.statistics.accepted);
  EXPECT_EQ(d.statistics.grid.index, 42);
  EXPECT_EQ(d.statistics.grid.next_step, 1e-7);
  EXPECT_EQ(d.frames.recorded, 10u);
  EXPECT_EQ(d.frames.extremes.drift_max, 1e-300);
  EXPECT_EQ(d.frames.next, 11);
  EXPECT_EQ(d.frames.last, 0.25);
  fs::remove(path);
}

TEST(Checkpoint, OfAnUnknownFormatIsRefused) {
  const fs::path path = temporary("other.h5");
  std::ofstream(path) << "something, filum checkpoint 7, checksum 0123456789abcdef\n";
  try {
    load_checkpoint(path);
    FAIL();
  } catch (const FileTrouble& error) {
    EXPECT_THAT(error.what(), HasSubstr("'filum checkpoint 7', this version reads 'filum checkpoint 6'"));
  }
  fs::remove(path);
}

/// Two frames of a top.
Extremes two_frames(const test::Benchmark& top, const fs::path& folder, double velocity) {
  Recorder recorder(*top.system, Layout(), {.folder = folder});
  State x = top.start;
  recorder.record(x, {});
  x.v[0] += velocity;
  recorder.record(x, {});
  recorder.close();
  return recorder.extremes();
}

TEST(Recorder, KnowsItsFramesAgain) {
  const test::Benchmark top = test::heavy_top(test::TopSpeed::slow, lie::GroupId::S3sdR3);
  const fs::path one = temporary("one"), other = temporary("other");
  fs::create_directories(one), fs::create_directories(other);
  const Extremes known = two_frames(top, one, 0.5);
  EXPECT_EQ(known.sum, two_frames(top, other, 0.5).sum);
  EXPECT_NO_THROW(Recorder(*top.system, Layout(), {.folder = one}, 2, known));
  fs::remove_all(other), fs::create_directories(other);
  two_frames(top, other, std::nextafter(0.5, 1));
  fs::copy_file(other / "result.h5", one / "result.h5", fs::copy_options::overwrite_existing);
  try {
    Recorder(*top.system, Layout(), {.folder = one}, 2, known);
    FAIL() << "frames of another run were continued";
  } catch (const config::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("its frames are not those of this run"));
  }
  fs::remove_all(one), fs::remove_all(other);
}

TEST(Recorder, GivesUpAfterAnInterruptionAndLeavesNothing) {
  const test::Benchmark top = test::heavy_top(test::TopSpeed::slow, lie::GroupId::S3sdR3);
  const fs::path folder = temporary("interrupted");
  fs::create_directories(folder);
  const std::atomic<bool> interrupt{true};
  {
    Recorder recorder(*top.system, Layout(), {.folder = folder, .interrupt = &interrupt, .patience = -1});
    recorder.record(top.start, {});
    EXPECT_ANY_THROW(recorder.sync());
  }
  EXPECT_TRUE(fs::is_empty(folder));
  {
    Recorder recorder(*top.system, Layout(), {.folder = folder, .interrupt = &interrupt, .patience = 1000});
    recorder.record(top.start, {});
    EXPECT_NO_THROW(recorder.close()) << "a small file is completed";
  }
  EXPECT_EQ(Hdf5File(folder / "result.h5", Hdf5File::Mode::read).shape("time")[0], 1u);
  fs::remove_all(folder);
}

TEST(Fingerprint, TellsTextsApart) {
  EXPECT_EQ(config::fingerprint("").size(), 16u);
  EXPECT_NE(config::fingerprint("a"), config::fingerprint("b"));
  EXPECT_EQ(config::fingerprint("a"), "af63dc4c8601ec8c");  // the published value of FNV-1a
}

/// A line of three nodes drawn as a tube, and a box on a node.
Layout rod_and_box() {
  const auto at = [](const State&, int i) { return NodePose{.position = {0, 0, static_cast<double>(i)}}; };
  Layout layout;
  layout.facts.objects = {
      {.name = "rod", .kind = "spine", .kinds = "spines", .nodes = 3, .drawings = {drawing::Tube{.radius = 0.1}}},
      {.name = "box", .kind = "brick", .kinds = "bricks", .nodes = 1, .drawings = {drawing::Solid{.size = {1, 1, 1}}}}};
  layout.poses = {{"rod", 0, 3, at}, {"box", 3, 1, at}};
  return layout;
}

TEST(Vtk, WritesTubesAndBoxesAndTheirTimes) {
  const fs::path folder = temporary("vtk");
  const Layout layout = rod_and_box();
  State x;
  fs::create_directories(folder);
  const std::vector<double> times{0.0, 0.25, 0.5};
  {
    VtkIndex list(folder);
    for (const double t : times) {
      x.t = t;
      write_vtk_frame(folder, static_cast<std::uint64_t>(t * 4), x, layout);
    }
    list.add(0, times);
  }
  const std::string frame = content(folder / "frames" / "0000001.vtp"), index = content(folder / "result.pvd");
  EXPECT_THAT(frame, HasSubstr("NumberOfPoints=\"44\""));  // three rings of twelve, and eight corners
  EXPECT_THAT(frame, HasSubstr("NumberOfPolys=\"30\""));   // two rows of twelve, and six sides
  EXPECT_THAT(frame, HasSubstr("Name=\"d3\""));
  EXPECT_THAT(index, HasSubstr("timestep=\"0.25\" file=\"frames/0000001.vtp\""));
  fs::remove(folder / "frames/0000000.vtp");
  VtkIndex list(folder);  // resumed after the second frame, when the first was gone
  list.restore(times, 2);
  list.add(2, std::vector<double>{0.75});
  EXPECT_THAT(content(folder / "result.pvd"), testing::Not(HasSubstr("0000000.vtp")));
  EXPECT_THAT(content(folder / "result.pvd"), HasSubstr("timestep=\"0.25\""));
  EXPECT_THAT(content(folder / "result.pvd"), HasSubstr("timestep=\"0.75\" file=\"frames/0000002.vtp\""));
  fs::remove_all(folder);
}

TEST(Vtk, DrawsEverySolidAndSurface) {
  const fs::path folder = temporary("vtk-shapes");
  Layout layout;
  layout.facts.objects = {
      {.name = "net",
       .kind = "net",
       .kinds = "nets",
       .nodes = 6,
       .drawings = {drawing::Surface{.grid = {3, 2}, .closes_first = true},
                    drawing::Tube{.rectangle = Eigen::Vector2d(1, 2)},
                    drawing::Solid{.node = 5, .shape = drawing::Shape::disk, .size = {2, 2, 0}},
                    drawing::Solid{.shape = drawing::Shape::sphere, .size = {1, 1, 1}}, drawing::Plane{},
                    drawing::Mesh{.node = 1,
                                  .triangles = std::make_shared<const model::Triangles>(
                                      model::Triangles{{0, 0, 0, 1, 0, 0, 0, 1, 0}, {0, 1, 2, 2, 1, 0}})}}},
      {.name = "elsewhere", .kind = "sign", .kinds = "signs", .drawings = {drawing::Plane{}}}};
  layout.poses = {{"net", 0, 0, [](const State&, int i) {
                     return NodePose{.position = {static_cast<double>(i % 3), std::floor(i / 3.0), 0}};
                   }}};
  fs::create_directories(folder);
  const VtkIndex list(folder);
  write_vtk_frame(folder, 0, State{}, layout);
  const std::string frame = content(folder / "frames" / "0000000.vtp");
  EXPECT_THAT(frame, HasSubstr("NumberOfPoints=\"" + std::to_string(6 + 6 * 4 + 2 * 32 + 17 * 32 + 3) + "\""));
  EXPECT_THAT(frame, HasSubstr("NumberOfPolys=\"" + std::to_string(3 + 5 * 4 + (32 + 2) + 16 * 32 + 2) + "\""));
  fs::remove_all(folder);
}

/// A sheet of two cells between a rod and a box: its stress is there for every face, and not a number on theirs.
TEST(Vtk, WritesWhatASurfaceRecordsByCell) {
  const fs::path folder = temporary("vtk-cells");
  Layout layout = rod_and_box();
  layout.facts.objects.insert(
      layout.facts.objects.begin() + 1,
      {.name = "sheet",
       .kind = "shell",
       .kinds = "shells",
       .nodes = 6,
       .fields = {{"moment", "Moment", "sheet/stress", 2, {0}}, {"speed", "Speed", "sheet/velocity", 1, {0}}},
       .drawings = {drawing::Surface{.grid = {3, 2}}}});
  layout.poses.push_back({"sheet", 0, 6, layout.poses[0].at});
  layout.channels = {{"sheet/stress", {2, 2}, [](const State&, double* out) { std::fill_n(out, 4, 1.5); }},
                     {"sheet/velocity", {6, 1}, [](const State&, double* out) { std::fill_n(out, 6, 0.); }}};
  fs::create_directories(folder);
  const VtkIndex list(folder);
  write_vtk_frame(folder, 0, State{}, layout);
  const std::string frame = content(folder / "frames" / "0000000.vtp");
  const std::string data = frame.substr(frame.find("<CellData>"), frame.find("</CellData>") - frame.find("<CellData>"));
  EXPECT_THAT(data, HasSubstr("Name=\"stress\" NumberOfComponents=\"2\""));
  EXPECT_THAT(data, testing::Not(HasSubstr("velocity")));  // of nodes
  EXPECT_EQ(data.find("<DataArray"), data.rfind("<DataArray"));
  // 32 faces of two floats, four bytes of length before them, in base 64; four floats of 1.5 = 0x3fc00000 among them
  const std::string numbers =
      data.substr(data.find("binary\">") + 8, data.find("</DataArray>") - data.find("binary\">") - 8);
  EXPECT_EQ(numbers.size(), (4 + 32 * 2 * 4 + 2) / 3 * 4);
  EXPECT_THAT(numbers, HasSubstr("wD8AAMA/AADAPwAAwD8"));
  fs::remove_all(folder);
}

}  // namespace
}  // namespace filum::record
