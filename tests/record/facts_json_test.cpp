/// Facts survive the way into a file and back, and files that lie are refused. User document: docs/guide/results.md,
/// "Facts".
#include <filum/record/facts_json.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <functional>

namespace filum::record {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

/// One of everything.
Facts example() {
  const Anchor end{"rod", 2, {0.1, 0.2, 0.3}}, ground{"", 0, {1, 2, 3}};
  Facts f{.title = "a \"b\" <ä>", .method = "rattlie", .is_adaptive = true, .step = 1.0 / 3, .gravity = {0, 0, -9.81}};
  f.settings = {{"time", {{"start", "0"}, {"end", "1"}}}, {"output", {}}};
  f.objects.push_back({.name = "rod",
                       .kind = "beam",
                       .kinds = "beams",
                       .nodes = 3,
                       .parameters = {"rod/arc_length"},
                       .is_semidirect = true,
                       .multiplier = "rod/multiplier",
                       .fields = {{"curvature", "Strain: curvature", "rod/strain", 6, {0, 1}, 0.5}},
                       .trails = {{"rod:end", 2, true}},
                       .drawings = {drawing::Tube{.radius = 0.1, .is_estimated = true},
                                    drawing::Tube{.rectangle = Eigen::Vector2d(1, 2), .color = "#00ff00"}}});
  f.objects.push_back({.name = "sheet",
                       .kind = "shell",
                       .kinds = "shells",
                       .nodes = 6,
                       .drawings = {drawing::Surface{.grid = {3, 2}, .closes_second = true, .thickness = 0.01}}});
  f.objects.push_back(
      {.name = "box",
       .kind = "body",
       .kinds = "bodies",
       .nodes = 1,
       .drawings = {drawing::Solid{.shape = drawing::Shape::cylinder,
                                   .size = {1, 2, 3},
                                   .position = {4, 5, 6},
                                   .orientation = {0, 1, 0, 0},
                                   .color = "#a0B1c2",
                                   .is_estimated = true},
                    drawing::Mesh{.triangles = std::make_shared<const model::Triangles>(
                                      model::Triangles{{0, 0, 0, 1.5f, 0, 0, 0, -2, 0, 7, 8, 9}, {0, 1, 2, 3, 2, 1}}),
                                  .color = "#123456"}}});
  f.objects.push_back(
      {.name = "pivot",
       .kind = "joint",
       .kinds = "joints",
       .multiplier = "joints/pivot/multiplier",
       .drawings = {drawing::Symbol{"revolute", end, {0, 1, 0}, {ground, end}}, drawing::Rod{ground, end},
                    drawing::Coil{end, ground},
                    drawing::Arrows{"loads/push/moment", drawing::Quantity::moment, drawing::Frame::body, {end}},
                    drawing::Plane{{0, 0, 1}, {1, 0, 0}}}});
  f.plots = {{"Sensors",
              "Sensor tip",
              "tip",
              "sensors/tip",
              {"x", "y"},
              "position of rod:end",
              "position",
              PlotRank::measured,
              {"m", "m/s"}}};
  f.units = {"mm", "t", "s", "N"};
  f.axis.unit = "s";
  f.objects[0].fields[0].unit = "1/mm";
  return f;
}

std::string refusal(const std::string& text) {
  try {
    parse_facts(text);
  } catch (const FileTrouble& trouble) {
    return trouble.what();
  }
  return "it was taken";
}
std::string refusal_of(const std::function<void(json&)>& change) {
  json changed = json::parse(facts_text(example()));
  change(changed);
  return refusal(changed.dump());
}

TEST(Facts, ComeBackFromText) {
  const Facts facts = example();
  EXPECT_EQ(parse_facts(facts_text(facts)), facts);
  EXPECT_EQ(parse_facts(facts_text({})), Facts{});
}

TEST(Facts, ComeBackFromAFileHoweverLongTheyAre) {
  const fs::path path = fs::temp_directory_path() / ("filum-facts-" + std::to_string(getpid()) + ".h5");
  Facts facts = example();
  for (int i = 0; i < 20000; ++i) facts.plots.push_back({"Sensors", "Sensor", std::to_string(i), "sensors/x"});  // 2 MB
  {
    Hdf5File file(path, Hdf5File::Mode::create);
    file.set_attribute("/", "facts", facts_text(facts));
    file.close();
  }
  Hdf5File(path, Hdf5File::Mode::stream).close();
  EXPECT_EQ(read_facts(Hdf5File(path, Hdf5File::Mode::read)), facts);
  fs::remove(path);
}

TEST(Facts, MissingInAFileAreExplained) {
  const fs::path path = fs::temp_directory_path() / ("filum-facts-" + std::to_string(getpid()) + ".h5");
  Hdf5File(path, Hdf5File::Mode::create).close();
  try {
    read_facts(Hdf5File(path, Hdf5File::Mode::read));
    FAIL() << "it was taken";
  } catch (const FileTrouble& trouble) {
    EXPECT_THAT(trouble.what(), HasSubstr("from an older version of filum. Run it again with `filum run`"));
  }
  fs::remove(path);
}

TEST(Facts, OfUnknownDrawingsKeepTheRest) {
  Facts expected = example();
  json changed = json::parse(facts_text(expected));
  changed["objects"][0]["drawings"][0] = {{"type", "hologram"}, {"depth", 7}};
  changed["objects"][0]["surprise"] = true;
  expected.objects[0].drawings.erase(expected.objects[0].drawings.begin());
  EXPECT_EQ(parse_facts(changed.dump()), expected);
}

TEST(Facts, OfOlderVersionsHaveNoRanksAndNoEstimates) {
  Facts expected = example();
  json changed = json::parse(facts_text(expected));
  for (const char* key : {"quantity", "rank"}) changed["plots"][0].erase(key);
  changed["objects"][0]["drawings"][0].erase("estimated");
  expected.plots[0].quantity.clear();
  expected.plots[0].rank = PlotRank::state;
  std::get<drawing::Tube>(expected.objects[0].drawings[0]).is_estimated = false;
  EXPECT_EQ(parse_facts(changed.dump()), expected);
}

TEST(Facts, ThatAreNotFactsAreRefused) {
  EXPECT_THAT(refusal(""), HasSubstr("not JSON"));
  EXPECT_THAT(refusal("{\"format\": 1"), HasSubstr("not JSON"));
  EXPECT_THAT(refusal("[]"), HasSubstr("facts: expected an object"));
  EXPECT_THAT(refusal("{}"), HasSubstr("facts: 'format' is missing"));
  EXPECT_THAT(refusal_of([](json& f) { f["format"] = 2; }), HasSubstr("the format is 2, this version reads 1"));
  EXPECT_THAT(refusal(std::string(100000, '[')), HasSubstr("not JSON"));
}

TEST(Facts, OfTheWrongTypeAreNamed) {
  EXPECT_THAT(refusal_of([](json& f) { f["objects"][0]["nodes"] = "three"; }),
              HasSubstr("facts.objects[0].nodes: expected a whole number"));
  EXPECT_THAT(refusal_of([](json& f) { f["objects"][0]["nodes"] = -1; }), HasSubstr("facts.objects[0].nodes"));
  EXPECT_THAT(refusal_of([](json& f) { f["objects"][0]["nodes"] = 1e300; }), HasSubstr("facts.objects[0].nodes"));
  EXPECT_THAT(refusal_of([](json& f) {
                f["gravity"] = {1, 2};
              }),
              HasSubstr("facts.gravity: expected a list of 3, found one of 2"));
  EXPECT_THAT(refusal_of([](json& f) { f["step"] = nullptr; }), HasSubstr("facts.step: expected a number, found null"));
  EXPECT_THAT(refusal_of([](json& f) { f["objects"][2]["drawings"][0]["shape"] = "teapot"; }), HasSubstr("'teapot'"));
  EXPECT_THAT(refusal_of([](json& f) { f["objects"][2]["drawings"][0]["color"] = "url(x)"; }),
              HasSubstr("expected a colour"));
  EXPECT_THAT(refusal_of([](json& f) { f["objects"][2]["drawings"][0].erase("type"); }),
              HasSubstr("'type' is missing"));
}

TEST(Facts, AboutWhatDoesNotExistAreRefused) {
  EXPECT_THAT(refusal_of([](json& f) { f["objects"][1]["name"] = "rod"; }), HasSubstr("empty or not unique"));
  EXPECT_THAT(refusal_of([](json& f) { f["objects"][0]["trails"][0]["node"] = 3; }),
              HasSubstr("object 'rod' has no node 3"));
  EXPECT_THAT(refusal_of([](json& f) { f["objects"][2]["drawings"][0]["node"] = 1; }),
              HasSubstr("object 'box' has no node 1"));
  EXPECT_THAT(refusal_of([](json& f) { f["objects"][3]["drawings"][0]["at"]["object"] = "nothing"; }),
              HasSubstr("node 2 of 'nothing', which does not exist"));
  EXPECT_THAT(refusal_of([](json& f) { f["objects"][0]["fields"][0]["components"] = {6}; }),
              HasSubstr("components that do not exist"));
  EXPECT_THAT(refusal_of([](json& f) { f["objects"][1]["drawings"][0]["grid"] = {2, 2}; }), HasSubstr("whose grid"));
  EXPECT_THAT(refusal_of([](json& f) {
                f["objects"][1]["drawings"][0]["grid"] = {65536, 65537};
              }),
              HasSubstr("whose grid"));
  EXPECT_THAT(refusal_of([](json& f) {
                f["objects"][2]["drawings"][0] = {{"type", "tube"}, {"radius", 1}, {"color", nullptr}};
              }),
              HasSubstr("needs two nodes"));
}

}  // namespace
}  // namespace filum::record
