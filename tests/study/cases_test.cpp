/// Variables, zip groups, references, hashes, refusals.
#include <filum/study/cases.hpp>
#include <filum/study/read.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace filum::study {
namespace {

using config::InputError;

Study study_of(const std::string& text) {
  return parse_study("schema = 1\nscenario = \"pendulum\"\n" + text, "test.toml");
}

std::string message_of(const std::string& text) {
  try {
    study_of(text);
  } catch (const config::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Cases, AreAllCombinationsAndTheLastVariableChangesFastest) {
  const CaseList list = expand(study_of(R"(
[[vary]]
key = "integrator.method"
values = ["rattlie", "bliedf"]
[[vary]]
key = "time.step"
values = [0.01, "2^-8", "1/200"]
)"));
  ASSERT_EQ(list.cases.size(), 6U);
  EXPECT_EQ(list.cases[1].choice, (std::vector<int>{0, 1}));
  EXPECT_EQ(list.cases[5].choice, (std::vector<int>{1, 2}));
  EXPECT_DOUBLE_EQ(list.variables[1].numbers[1], 0.00390625);
  EXPECT_DOUBLE_EQ(list.variables[1].numbers[2], 0.005);
  std::set<std::string> hashes;
  for (const study::Run& r : list.runs) hashes.insert(r.hash);
  EXPECT_EQ(hashes.size(), 6U);
}

TEST(Cases, OfAZipGroupAdvanceTogether) {
  const CaseList list = expand(study_of(R"(
[[vary]]
key = "time.step"
values = [0.01, 0.005]
zip = "a"
[[vary]]
key = "integrator.method"
values = ["rattlie", "bliedf", "shakelie"]
[[vary]]
key = "time.output_every"
values = [0.02, 0.01]
zip = "a"
)"));
  ASSERT_EQ(list.cases.size(), 6U);
  for (const Case& c : list.cases) EXPECT_EQ(c.choice[0], c.choice[2]);
}

TEST(Cases, WithEqualScenariosShareARun) {
  const CaseList list = expand(study_of(R"(
[[vary]]
key = "time.step"
values = ["1/128", "2^-7", 0.0078125]
)"));
  EXPECT_EQ(list.cases.size(), 3U);
  EXPECT_EQ(list.runs.size(), 1U);
}

TEST(Cases, ShareAReferenceUnlessTheyDifferInWhatItDoesNotSet) {
  const std::string text = R"(
[[vary]]
key = "integrator.method"
values = ["rattlie", "bliedf"]
[[vary]]
key = "time.end"
values = [1, 2]
[reference]
)";
  const auto references = [](const CaseList& list) {
    std::set<int> numbers;
    for (const Case& c : list.cases) numbers.insert(c.reference);
    return numbers.size();
  };
  EXPECT_EQ(references(expand(study_of(text + R"(set = { "integrator.method" = "half-explicit-rk" })"))), 2U);
  EXPECT_EQ(
      references(expand(study_of(text + R"(set = { "integrator.method" = "half-explicit-rk", "time.end" = 1 })"))), 1U);
}

TEST(Cases, ForgetTheOptionsOfAnotherMethod) {
  const CaseList list = expand(study_of(R"(
set = { "integrator.method" = "generalized-alpha", "integrator.rho_infinity" = 0.5 }
[[vary]]
key = "time.step"
values = [0.01]
[reference]
set = { "integrator.method" = "half-explicit-rk", "integrator.order" = 4 }
)"));
  const study::Run& run = list.runs[static_cast<std::size_t>(list.cases[0].run)];
  const study::Run& reference = list.runs[static_cast<std::size_t>(list.cases[0].reference)];
  EXPECT_EQ(run.refusal, "");
  EXPECT_EQ(reference.refusal, "");
  EXPECT_THAT(run.scenario, testing::HasSubstr("rho_infinity = 0.5"));
  EXPECT_THAT(reference.scenario, testing::HasSubstr("order = 4"));
}

TEST(Cases, WithOptionsSetSeveralKeysUnderOneLabel) {
  const CaseList list = expand(study_of(R"(
[[vary]]
name = "method"
options = [
  { label = "RATTLie", set = { "integrator.method" = "rattlie" } },
  { label = "index 3", set = { integrator.method = "generalized-alpha", integrator.formulation = "index-3" } },
]
)"));
  ASSERT_EQ(list.cases.size(), 2U);
  EXPECT_TRUE(list.matches(list.cases[1], {{"method", "index 3"}}));
  EXPECT_FALSE(list.matches(list.cases[0], {{"method", "index 3"}}));
  EXPECT_THAT(list.runs[1].scenario, testing::HasSubstr("formulation = \"index-3\""));
}

TEST(Cases, ThatMakeNoScenarioAreRowsWithTheirReason) {
  const CaseList list = expand(study_of(R"(
[[vary]]
key = "time.step"
values = [0.01, -1]
)"));
  EXPECT_EQ(list.runs[0].refusal, "");
  EXPECT_THAT(list.runs[1].refusal, testing::HasSubstr("positive"));
}

TEST(Cases, OfWhichNoneIsValidAreAnError) {
  const auto message = [](const std::string& text) -> std::string {
    try {
      expand(study_of(text));
    } catch (const config::InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message("[[vary]]\nkey = \"time.stepp\"\nvalues = [1, 2]\n"),
              testing::StartsWith("test.toml:3:3: vary.time.stepp: time.stepp: unknown key; did you mean 'step'?"));
  EXPECT_THAT(message("set = { \"time.ennd\" = 1 }\n"),
              testing::StartsWith("test.toml:3:1: set: time.ennd: unknown key"));
  EXPECT_THAT(message("set = { scenario = \"pendulun\" }\n"), testing::HasSubstr("did you mean 'pendulum'?"));
  EXPECT_EQ(message("set = { scenario = \"flying-spaghetti\" }\n[[vary]]\nkey = \"parameters.EII\"\nvalues = [1]\n"),
            "test.toml:4:3: vary.parameters.EII: parameters.EII: there is no parameter 'EII'; did you mean 'EI'?");
}

TEST(Cases, OfTheShortFormHaveFewerValues) {
  const Study study = study_of(R"(
[[vary]]
key = "time.step"
values = [0.01, 0.005, 0.002]
[[vary]]
name = "method"
options = [{ label = "A", set = { "integrator.method" = "rattlie" } }, { label = "B", set = { "integrator.method" = "bliedf" } }]
[[check]]
claim = "B takes steps"
value = "steps"
where = { method = "B" }
between = [1, 10]
[short]
set = { "time.end" = 0.5 }
[[short.vary]]
key = "time.step"
values = [0.01]
[[short.vary]]
name = "method"
values = ["A"]
)");
  EXPECT_EQ(expand(study).cases.size(), 6U);
  EXPECT_THAT(expand(study).runs[0].scenario, testing::Not(testing::HasSubstr("end = 0.5")))
      << "that is the short form's";
  const Study shorter = shortened(study);
  const CaseList list = expand(shorter);
  ASSERT_EQ(list.cases.size(), 1U);
  EXPECT_THAT(list.runs[0].scenario, testing::HasSubstr("end = 0.5"));
  EXPECT_TRUE(shorter.checks.empty()) << "it is about a label that is left out";
}

TEST(StudyFiles, SayWhatIsWrongAndWhere) {
  EXPECT_THAT(message_of("vari = 1\n"), testing::HasSubstr("test.toml:3:1: vari: unknown key; did you mean 'vary'?"));
  EXPECT_THAT(message_of("[[vary]]\nkey = \"time.step\"\n"), testing::HasSubstr("expected at least one of `values`"));
  EXPECT_THAT(message_of("[convergence]\nquantities = [\"position\"]\n"),
              testing::HasSubstr("errors need a [reference]"));
  EXPECT_THAT(message_of("[reference]\nset = { \"time.step\" = 1 }\n[convergence]\nquantities = [\"posttion\"]\n"),
              testing::HasSubstr("did you mean 'position'?"));
  EXPECT_THAT(
      message_of(
          "[[vary]]\nkey = \"a\"\nvalues = [1, 2]\nzip = \"z\"\n[[vary]]\nkey = \"b\"\nvalues = [1]\nzip = \"z\"\n"),
      testing::HasSubstr("different numbers of values"));
  EXPECT_THAT(message_of("[[check]]\nclaim = \"c\"\nvalue = \"error.position\"\nbetween = [0, 1]\n"),
              testing::HasSubstr("there is no number 'error.position'"));
  EXPECT_THAT(message_of("[[check]]\nclaim = \"c\"\nvalue = \"steps\"\nbetween = [0, 1]\nleft_out = 0\n"),
              testing::HasSubstr("only fits of orders leave points out"));
  EXPECT_THAT(message_of("[[vary]]\nkey = \"a\"\nvalues = [1]\n[[plot]]\nname = \"p\"\nx = \"a\"\ny = "
                         "[\"steps\"]\nwhere = { a = 2 }\n"),
              testing::HasSubstr("'a' is never '2'"));
  EXPECT_THAT(message_of("[[plot]]\nname = \"../p\"\nx = \"steps\"\ny = [\"steps\"]\n"),
              testing::HasSubstr("the name is also that of a file"));
  EXPECT_THAT(message_of("[[measure]]\nname = \"m\"\nseries = \"gap\"\n"),
              testing::HasSubstr("there is no [[series]] 'gap'"));
}

TEST(StudyFiles, ThatAreBuiltInLimitThePointsLeftOutOfEveryOrderTheyClaim) {
  for (const BuiltinStudy& builtin : builtin_studies())
    for (const Check& check : read_study(std::string(builtin.name)).checks)
      EXPECT_TRUE(!check.is_of_order() || check.left_out) << builtin.name << ": " << check.claim;
}

TEST(StudyFiles, AreNotScenarios) {
  try {
    read_study("pendulum");
    FAIL();
  } catch (const config::InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("it is a scenario"));
  }
}

TEST(BuiltinStudies, AreValidAndHaveAShortForm) {
  for (const BuiltinStudy& b : builtin_studies()) {
    SCOPED_TRACE(b.name);
    const Study study = read_study(std::string(b.name));
    EXPECT_FALSE(b.title().empty());
    const CaseList list = expand(shortened(study));
    for (const study::Run& r : list.runs) EXPECT_EQ(r.refusal, "");
  }
}

}  // namespace
}  // namespace filum::study
