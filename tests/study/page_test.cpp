/// The data of study.html: everything that it was given, as JSON. How it is shown: viewer/test/study_test.mjs.
#include <filum/study/page.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>

namespace filum::study {
namespace {

using Json = nlohmann::json;

Page page_example() {
  Page page;
  page.title = "Heavy <top>";
  page.facts = {{"cases", "12"}};
  page.checks = {{"order of q", "1.99", "2 ± 0.1", true}, {"order of λ", "0.7", "2 ± 0.1", false}};
  const double none = std::numeric_limits<double>::quiet_NaN();
  Chart chart{.title = "Errors", .x = {.label = "h", .logarithmic = true}, .y = {.label = "e", .range = {{-1, 2}}}};
  chart.curves = {{.label = "a", .points = {{0.1, -0.25, "first"}, {0.01, none}}}, {.label = "", .points = {}}};
  chart.curves[1].is_reference = true;
  chart.slopes = {2};
  page.plots = {{"errors", "Errors", chart}};
  page.tables = {{.title = "Cases", .head = {"case"}, .rows = {{"1"}, {"2"}}, .links = {"cases/1/report.html", ""}}};
  page.source = "title = \"x\" # \xff";  // not UTF-8: it is shown all the same
  return page;
}

TEST(Page, HasNumbersAsTheyAreAndNothingWhereThereIsNone) {
  const Json plot = Json::parse(page_text(page_example()))["plots"][0];
  EXPECT_EQ(plot["curves"][0]["y"][0], -0.25);
  EXPECT_TRUE(plot["curves"][0]["y"][1].is_null());
  EXPECT_EQ(plot["curves"][0]["notes"][0], "first");
  EXPECT_TRUE(plot["curves"][1]["reference"]);
  EXPECT_EQ(plot["slopes"], Json({2.0}));
  EXPECT_EQ(plot["x"]["log"], true);
  EXPECT_EQ(plot["y"]["range"], Json({-1.0, 2.0}));
}

TEST(Page, HasChecksTablesAndLinks) {
  const Json page = Json::parse(page_text(page_example()));
  EXPECT_EQ(page["title"], "Heavy <top>");
  EXPECT_EQ(page["facts"], Json::parse(R"([["cases", "12"]])"));
  EXPECT_EQ(page["checks"][1]["holds"], false);
  EXPECT_EQ(page["tables"][0]["links"][0], "cases/1/report.html");
  EXPECT_EQ(page["tables"][0]["rows"].size(), 2U);
}

}  // namespace
}  // namespace filum::study
