/// Reading scenarios: what is understood, and what is said about mistakes. User document: docs/guide/error-messages.md.
#include "scenario/built.hpp"
#include "scenario/texts.hpp"

#include <filum/model/beam.hpp>
#include <filum/model/body.hpp>
#include <filum/model/joint.hpp>
#include <filum/model/load.hpp>
#include <filum/scenario/builtin.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace filum::scenario {
namespace {

using test::cantilever;
using test::complaints;
using test::options_of;
using test::parse;
using test::pendulum;
using test::replaced;
using testing::HasSubstr;
using testing::StartsWith;

TEST(Reader, ReadsWhatIsThereAndFillsInTheRest) {
  const Scenario s = parse(pendulum);
  EXPECT_EQ(options_of<model::Body>(s, "bar").inertia(2, 2), 0.0834);
  EXPECT_EQ(options_of<model::Joint>(s, "hinge").type, model::JointType::revolute);
  ASSERT_TRUE(std::holds_alternative<integrate::RattlieOptions>(s.method));
  EXPECT_EQ(std::get<integrate::RattlieOptions>(s.method).control.atol, 1e-4);
  EXPECT_EQ(s.newton.max_iterations, 20);
  EXPECT_DOUBLE_EQ(s.simulate_options().output_every, 0.01);
  EXPECT_DOUBLE_EQ(parse(pendulum, {"time.grid=random"}).simulate_options().output_every, 0.01)
      << "frames that came more often would shorten the steps";
}

TEST(Reader, TakesFormulasWhereverNumbersStand) {
  const Scenario s = parse(replaced(cantilever, "L = 2", "L = \"2*H\"\nH = \"1/2 + 1/2\""));
  EXPECT_EQ(std::get<model::Line>(options_of<model::Beam>(s, "rod").shape).to[0], 2);
  EXPECT_EQ(parse(pendulum, {"time.step=2^-7"}).time.step, 1.0 / 128);
}

TEST(Reader, KeepsFormulasOfTimeAndArcLength) {
  const Scenario s = parse(cantilever + "[[load]]\non = \"rod\"\nforce = [\"t*s\", 0, \"1 + 1\"]\n");
  const auto& force = *options_of<model::Load>(s, "load-1").force.numbers();
  EXPECT_EQ(force[0](3, 5), 15);
  EXPECT_TRUE(force[2].is_constant());
}

TEST(Reader, SaysWhereAnUnknownKeyIsAndWhichOneIsNear) {
  EXPECT_EQ(complaints(replaced(pendulum, "mass = 1", "masss = 1")),
            "test.toml:9:1: body.bar.mass: this key is missing\n"
            "test.toml:11:1: body.bar.masss: unknown key; did you mean 'mass'?");
}

TEST(Reader, PointsIntoAFormula) {
  EXPECT_EQ(complaints(replaced(cantilever, "to = [\"L\"", "to = [\"2*LL\"")),
            "test.toml:13:10: beam.rod.to[0]: in the formula '2*LL': unknown name 'LL'; did you mean 'L'?");
}

TEST(Reader, SuggestsTheNearestWordAndObject) {
  EXPECT_THAT(complaints(replaced(pendulum, "\"rattlie\"", "\"ratlie\"")), HasSubstr("did you mean 'rattlie'?"));
  EXPECT_THAT(complaints(replaced(pendulum, "\"ground\", \"bar\"", "\"ground\", \"baar\"")),
              HasSubstr("joint.hinge.connects[1]: there is nothing called 'baar'; did you mean 'bar'?"));
  EXPECT_THAT(complaints(replaced(cantilever, "rod:start", "rod:strat")), HasSubstr("did you mean 'start'?"));
}

TEST(Reader, ReportsTenMistakesOfOneFileInTenLines) {
  const std::string text = R"(schema = 1
titel = "one"
gravity = [0, 0]
[parameters]
a = "b + 1"
[time]
end = -1
step = 0
[integrator]
method = "newmark"
[[body]]
name = "ground"
mass = "heavy"
inertia = [1, 1, 1]
orientation = [1, 1, 0, 0]
[[joint]]
name = "hinge"
type = "revolute"
connects = ["ground", "nobody"]
at = [0, 0, 0]
axis = [0, 0, 0]
)";
  const std::string expected[] = {"test.toml:2:1: titel: unknown key; did you mean 'title'?",
                                  "test.toml:3:11: gravity: expected a list of 3 numbers, found a list of 2",
                                  "test.toml:5:6: parameters.a: in the formula 'b + 1': unknown name 'b'",
                                  "test.toml:7:1: time.end: expected a time after time.start",
                                  "test.toml:8:8: time.step: expected a positive number, found 0",
                                  "test.toml:10:10: integrator.method: expected 'auto', 'rattlie'",
                                  "test.toml:12:1: body.ground.name: the name 'ground' is reserved; choose another",
                                  "test.toml:13:9: body.ground.mass: in the formula 'heavy': unknown name 'heavy'",
                                  "test.toml:15:15: body.ground.orientation: expected a quaternion of length 1",
                                  "test.toml:19:1: joint.hinge.connects[1]: there is nothing called 'nobody'",
                                  "test.toml:21:1: joint.hinge.axis: the axis must not be zero"};
  std::istringstream lines(complaints(text));
  for (const std::string& line : expected) {
    std::string found;
    std::getline(lines, found);
    EXPECT_THAT(found, StartsWith(line));
  }
  EXPECT_EQ(lines.get(), EOF);
}

TEST(Reader, RefusesSyntaxErrorsWithTheirPlace) {
  EXPECT_THAT(complaints("schema = 1\nmass = = 3\n"), StartsWith("test.toml:2:8: not valid TOML"));
}

TEST(Reader, RefusesOptionsOfOtherMethods) {
  EXPECT_THAT(complaints(pendulum, {"integrator.rho_infinity=0.5"}),
              StartsWith("--set integrator.rho_infinity=0.5: integrator.rho_infinity: unknown key"));
}

TEST(Reader, FindsParametersThatDependOnThemselves) {
  EXPECT_THAT(complaints("[parameters]\na = \"b\"\nb = \"a\"\n" + pendulum),
              HasSubstr("parameters.a: its formula depends on itself"));
}

// Objects are added by kind: what comes later is known, but nothing can be attached to it.
TEST(Reader, RefusesWhatIsAttachedToSensorsLoadsAndStops) {
  const std::string sensor = pendulum + "[[sensor]]\nname = \"tip\"\non = \"bar\"\nquantity = \"position\"\n";
  const auto attached = [&](const std::string& table) { return complaints(sensor + table); };
  EXPECT_THAT(attached("[[load]]\non = \"tip\"\nforce = [0, 0, 1]\n"),
              HasSubstr("load.0.on: 'tip' is a sensor; expected 'ground', 'bar' or 'hinge'"));
  EXPECT_THAT(attached("[[spring]]\nconnects = [\"ground\", \"tip\"]\nstiffness = 1\n"),
              HasSubstr("spring.0.connects[1]: 'tip' is a sensor"));
  EXPECT_THAT(attached("[[sensor]]\non = \"tip\"\nquantity = \"position\"\n"),
              HasSubstr("sensor.2.on: 'tip' is a sensor"));
  EXPECT_THAT(attached("[[load]]\nname = \"push\"\non = \"push\"\nforce = [0, 0, 1]\n"),
              HasSubstr("load.push.on: 'push' is a load"));
}

TEST(Reader, DoesNotSearchForNamesInTablesThatItCannotRead) {
  EXPECT_EQ(complaints(replaced(pendulum, "[[body]]", "[body]")),
            "test.toml:9:1: body: expected [[body]], a list of tables, found a table");
}

TEST(Reader, TellsStudiesFromScenarios) {
  EXPECT_EQ(complaints("schema = 1\nscenario = \"pendulum\"\n"),
            "test.toml: this is a study, not a scenario; try: filum study test.toml");
}

TEST(Reader, SaysHowAFileBegins) {
  EXPECT_THAT(complaints(replaced(pendulum, "schema = 1\n", "")),
              HasSubstr("schema: this key is missing; try: schema = 1"));
}

TEST(Reader, RefusesReferencesThatMakeNoSense) {
  EXPECT_THAT(complaints(replaced(cantilever, "rod:start", "rod@3")), HasSubstr("has arc lengths from 0 to 2"));
  EXPECT_THAT(complaints(replaced(cantilever, "rod:start", "rod")), HasSubstr("expected a place on the beam"));
  EXPECT_THAT(complaints(replaced(pendulum, "connects = [\"ground\", \"bar\"]", "connects = [\"bar\", \"bar\"]")),
              HasSubstr("both partners are the same"));
  EXPECT_THAT(complaints(replaced(pendulum, "on = \"hinge\"", "on = \"hing\"")), HasSubstr("did you mean 'hinge'?"));
  EXPECT_THAT(complaints(replaced(pendulum, "quantity = \"angle\"", "quantity = \"strain\"")),
              HasSubstr("cannot be measured on a joint"));
}

TEST(Reader, WantsACompleteBeam) {
  EXPECT_THAT(complaints(replaced(cantilever, "segments = 4\n", "")),
              HasSubstr("beam.rod.segments: this key is missing"));
  EXPECT_THAT(complaints(replaced(cantilever, "to = [\"L\", 0, 0]\n", "")), HasSubstr("the beam has no shape"));
  EXPECT_THAT(complaints(replaced(cantilever, "segments = 4\n", "nodes = [0, 1, 0.5, 2]\n")),
              HasSubstr("arc lengths must increase"));
  EXPECT_THAT(complaints(replaced(cantilever, "segments = 4\n", "nodes = [0, 1]\n")),
              HasSubstr("the last arc length must be the length of the beam"));
  EXPECT_THAT(complaints(replaced(cantilever, "mass_per_length = 1\n", "")), HasSubstr("and so is `section`"));
}

TEST(Overrides, ReachElementsByNameAndNumber) {
  EXPECT_EQ(options_of<model::Body>(parse(pendulum, {"body.bar.mass=3"}), "bar").mass, 3);
  EXPECT_EQ(options_of<model::Body>(parse(pendulum, {"body.0.mass=4"}), "bar").mass, 4);
  EXPECT_EQ(parse(pendulum, {"gravity.2=-1"}).model.options().gravity[2], -1);
  EXPECT_EQ(parse(pendulum, {"gravity=[1, 2, 3]"}).model.options().gravity[0], 1);
  EXPECT_EQ(parse(pendulum, {"newton.atol=1e-12"}).newton.atol, 1e-12);
  EXPECT_EQ(parse(pendulum, {"title=a b"}).model.options().title, "a b");
}

TEST(Overrides, AreNamedWhenTheyAreWrong) {
  EXPECT_EQ(complaints(pendulum, {"time.stpe=1"}), "--set time.stpe=1: time.stpe: unknown key; did you mean 'step'?");
  EXPECT_EQ(complaints(pendulum, {"body.baar.mass=1"}),
            "--set body.baar.mass=1: body.baar: there is no such entry among 1: expected a number or 'bar'; did you "
            "mean 'bar'?");
  EXPECT_EQ(complaints(pendulum, {"time"}), "--set time: expected KEY=VALUE, such as time.step=2^-9");
  EXPECT_THAT(complaints(pendulum, {"time.step.x=1"}),
              HasSubstr("goes into a value that is neither a table nor a list"));
  EXPECT_THAT(complaints(pendulum, {"time.step=quick"}),
              StartsWith("--set time.step=quick: time.step: in the formula 'quick': unknown name 'quick'"));
}

TEST(Overrides, MayNotInventParameters) {
  EXPECT_EQ(complaints(cantilever, {"parameters.LL=3"}),
            "--set parameters.LL=3: parameters.LL: there is no parameter 'LL'; did you mean 'L'?");
  EXPECT_EQ(std::get<model::Line>(options_of<model::Beam>(parse(cantilever, {"parameters.L=3"}), "rod").shape).to[0],
            3);
}

TEST(Overrides, AreBlamedForEveryRuleTheyBreak) {
  const std::vector<std::string> alpha{"integrator={method = \"generalized-alpha\"}"};
  const auto with = [&](const std::string& further) { return std::vector<std::string>{alpha[0], further}; };
  EXPECT_THAT(complaints(pendulum, with("integrator.rho_infinity=1.5")),
              StartsWith("--set integrator.rho_infinity=1.5"));
  EXPECT_THAT(complaints(pendulum, {"joint.hinge.axis.1=0"}), StartsWith("--set joint.hinge.axis.1=0"));
  EXPECT_THAT(complaints(pendulum, {"joint.hinge.connects.1=baar"}), StartsWith("--set joint.hinge.connects.1=baar"));
}

TEST(Writer, WritesEveryDefaultAndReadsBackTheSame) {
  for (const BuiltinScenario& b : builtin_scenarios()) {
    const std::string once = to_toml(parse_scenario(b.text, "a")), twice = to_toml(parse_scenario(once, "b"));
    EXPECT_EQ(once, twice) << b.name;
    EXPECT_THAT(once, HasSubstr("max_iterations = 20")) << b.name;
  }
}

TEST(Writer, KeepsEveryBitOfANumber) {
  const Scenario s = parse(pendulum, {"time.step=1/3", "body.bar.mass=0.1 + 0.2"});
  const Scenario again = parse(to_toml(s));
  EXPECT_EQ(again.time.step, 1.0 / 3);
  EXPECT_EQ(options_of<model::Body>(again, "bar").mass, 0.1 + 0.2);
}

TEST(NearestWord, IgnoresWhatIsTooFarAway) {
  EXPECT_EQ(config::nearest_word("lenght", {"length", "radius"}), "length");
  EXPECT_EQ(config::nearest_word("xyz", {"length", "radius"}), "");
}

}  // namespace
}  // namespace filum::scenario
