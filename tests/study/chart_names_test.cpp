/// Files of plots: no two charts share one, whatever their labels are; studies are bounded.
#include <filum/study/chart_names.hpp>
#include <filum/study/read.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace filum::study {
namespace {

TEST(ChartNames, DifferWhereLabelsDoNotAsFiles) {
  const std::string long_label(300, 'x');
  Study study = parse_study(R"(schema = 1
scenario = "pendulum"
[[vary]]
name = "v"
options = [{ label = "a+b", set = { "time.step" = 0.01 } }, { label = "a b", set = { "time.step" = 0.005 } }, { label = ")" +
                                long_label + R"(", set = { "time.step" = 0.004 } }, { label = ")" + long_label +
                                R"(y", set = { "time.step" = 0.002 } }]
[[plot]]
name = "p"
kind = "series"
panel = "v"
y = ["energy/total"]
[[plot]]
name = "p-a-b"
kind = "series"
y = ["energy/total"]
)",
                            "test.toml");
  const CaseList list = expand(study);
  const ChartNames names(study, list);
  std::set<std::string> files{names.of(1, list.cases[0])};
  EXPECT_EQ(*files.begin(), "p-a-b");
  for (const Case& c : list.cases) {
    const std::string& name = names.of(0, c);
    EXPECT_TRUE(files.insert(name).second) << name;
    EXPECT_LT(name.size(), 120U);
  }
  EXPECT_EQ(files.size(), 5U);
}

TEST(Studies, OfTooManyCasesAreRefusedWithTheNumber) {
  std::string text = "schema = 1\nscenario = \"pendulum\"\n";
  for (const char* key : {"time.step", "time.end", "body.bar.mass", "gravity.0", "gravity.1"}) {
    text += std::string("[[vary]]\nkey = \"") + key + "\"\nvalues = [";
    for (int k = 1; k <= 30; ++k) text += (k > 1 ? ", " : "") + std::to_string(k);
    text += "]\n";
  }
  try {
    expand(parse_study(text, "test.toml"));
    FAIL();
  } catch (const config::InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("vary: all combinations of the variables are 2.43e+07 cases"));
  }
}

}  // namespace
}  // namespace filum::study
