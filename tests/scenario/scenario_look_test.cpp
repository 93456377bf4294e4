/// Units and meshes in scenarios, and what is said about unknown keys beside a decision.
#include "scenario/texts.hpp"

#include <filum/model/body.hpp>
#include <filum/scenario/read.hpp>

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

namespace filum::scenario {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string looks = R"toml(schema = 1
UNITS
[time]
end = 0.01
step = 1e-3
[integrator]
method = "rattlie"
[[body]]
name = "ball"
mass = 1
inertia = [1, 1, 1]
SHAPE
[[sensor]]
name = "place"
on = "ball"
quantity = "velocity"
)toml";

std::string with(const std::string& units, const std::string& shape) {
  std::string text = looks;
  text.replace(text.find("UNITS"), 5, units);
  return text.replace(text.find("SHAPE"), 5, shape);
}
std::string look_refusal(const std::string& text, const std::string& source = "looks.toml") {
  try {
    parse_scenario(text, source);
    return "";
  } catch (const config::InputError& error) {
    return error.what();
  }
}

TEST(ScenarioUnits, AreReadWrittenAndReadBack) {
  for (const std::string& units : {std::string(R"(units = "SI")"),
                                   std::string(R"(units = { length = "mm", mass = "t", time = "s", force = "N" })"),
                                   std::string(R"(units = { length = "cubit", mass = "stone", time = "day" })")}) {
    Scenario s = parse_scenario(with(units, ""), "looks.toml");
    const std::string written = to_toml(s);
    EXPECT_THAT(written, HasSubstr(units + "\n"));
    EXPECT_EQ(parse_scenario(written, "back.toml").model.options().units, s.model.options().units);
  }
  EXPECT_THAT(to_toml(parse_scenario(with("", ""), "looks.toml")), Not(HasSubstr("units")));
}

TEST(ScenarioUnits, GoToPlotsAndSensors) {
  Scenario s = parse_scenario(with(R"(units = "SI")", ""), "looks.toml");
  const model::Layout layout = s.model.build().layout();
  EXPECT_EQ(layout.facts.axis.unit, "s");
  EXPECT_EQ(layout.facts.plots.at(0).units, std::vector<std::string>{"m/s"});
  EXPECT_THAT(layout.sensors.at(0).channel.attributes,
              ::testing::Contains(std::pair<std::string, std::string>("unit", "m/s")));
}

TEST(ScenarioUnits, ThatMeanNothingAreRefusedWhereTheyStand) {
  EXPECT_THAT(look_refusal(with(R"(units = "Si")", "")),
              HasSubstr("looks.toml:2:9: units: expected \"SI\" or a table such as { length"));
  EXPECT_THAT(look_refusal(with(R"(units = { length = "m", mas = "kg", time = "s" })", "")),
              AllOf(HasSubstr("units.mas: unknown key; did you mean 'mass'?"), HasSubstr("units.mass: this key")));
  EXPECT_THAT(look_refusal(with(R"(units = { length = "m m", mass = "kg", time = "s" })", "")),
              HasSubstr("looks.toml:2:20: units.length: expected the name of a unit"));
  EXPECT_THAT(look_refusal(with(R"(units = { length = "mm", mass = "kg", time = "s", force = "N" })", "")),
              HasSubstr("looks.toml:2:9: units: 1 kg mm/s² is 0.001 N"));
  EXPECT_THAT(look_refusal(with("units = 3", "")), HasSubstr("units: expected \"SI\" or a table"));
}

class ScenarioMesh : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) / "scenario_look_test";
    std::filesystem::create_directories(folder_ / "parts");
    std::ofstream(folder_ / "parts" / "wedge.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n";
  }
  std::filesystem::path folder_;
};

TEST_F(ScenarioMesh, IsFoundFromTheFolderOfTheFileAndFromEverywhereAfterwards) {
  const std::string text = with("", R"(shape = { mesh = "parts/wedge.obj", scale = 0.5 })");
  const Scenario s = parse_scenario(text, (folder_ / "looks.toml").string());
  const auto& look = dynamic_cast<const model::ObjectOf<model::Body>&>(s.model.object(0)).options().look;
  ASSERT_TRUE(look.mesh);
  EXPECT_EQ(look.mesh->triangles->corners.size(), 6U);
  EXPECT_FLOAT_EQ(look.mesh->triangles->points[3], 0.5f);
  const std::string written = to_toml(s);
  EXPECT_THAT(written, HasSubstr("{ mesh = \"" + std::filesystem::canonical(folder_).string() +
                                 "/parts/wedge.obj\", scale = 0.5 }"));
  EXPECT_EQ(to_toml(parse_scenario(written, "/elsewhere/scenario.toml")), written);
}

TEST_F(ScenarioMesh, ThatIsWrongIsRefusedWhereItStands) {
  const std::string file = (folder_ / "looks.toml").string();
  EXPECT_THAT(look_refusal(with("", R"(shape = { mesh = "wedge.obj" })"), file),
              AllOf(HasSubstr("looks.toml:12:18: body.ball.shape.mesh: the mesh cannot be used: "),
                    HasSubstr("there is no such file")));
  EXPECT_THAT(look_refusal(with("", R"(shape = { mesh = "parts/wedge.obj", size = 2 })"), file),
              HasSubstr("body.ball.shape.size: unknown key; expected 'mesh' or 'scale'"));
  EXPECT_THAT(look_refusal(with("", R"(shape = { mesh = "parts/wedge.obj", scale = 0 })"), file),
              HasSubstr("body.ball.shape.scale: expected a positive number"));
}

TEST(ScenarioDecision, UnknownKeysAreNamedBesideAMissingChoice) {
  const std::string beam = R"toml(schema = 1
[time]
end = 1
step = 0.1
[integrator]
method = "rattlie"
[[beam]]
name = "rod"
from = [0, 0, 0]
to = [1, 0, 0]
segments = 4
section = { circle = 0.1, width = 2, E = 1, nu = 0.3, rho = 1 }
)toml";
  EXPECT_THAT(look_refusal(beam),
              AllOf(HasSubstr("beam.rod.section.shape: this key"), HasSubstr("beam.rod.section.circle: unknown key"),
                    Not(HasSubstr("section.width"))));
  std::string method = beam;
  method.replace(method.find("\"rattlie\""), 9, "\"ratlie\"\nstepps = 2\nsteps = 2");
  EXPECT_THAT(look_refusal(method), AllOf(HasSubstr("integrator.method: expected"),
                                          HasSubstr("integrator.stepps: unknown key; did you mean 'steps'?"),
                                          Not(HasSubstr("integrator.steps"))));
}

}  // namespace
}  // namespace filum::scenario
