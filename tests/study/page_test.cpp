/// The page of a study: complete in itself, and everything it was given is on it.
#include "markup.hpp"

#include <filum/study/chart.hpp>
#include <filum/study/page.hpp>

#include <gtest/gtest.h>

namespace filum::study {
namespace {

using filum::testing::all_matches;
using filum::testing::between;
using filum::testing::count_of;
using filum::testing::first_match;
using filum::testing::markup_problem;

Page example() {
  Page page;
  page.title = "Heavy <top>";
  page.subtitle = "two methods";
  page.facts = {{"cases", "12"}, {"wall time", "3 s"}};
  page.warnings = {"one case <failed>"};
  page.checks = {{"order of q", "1.99", "2 ± 0.1", true}, {"order of λ", "0.7", "2 ± 0.1", false}};
  const Chart chart{"Errors", {"h", true}, {"e", true}, {{"a", {{0.1, 0.01}, {0.01, 0.0001}}}}};
  page.plots = {{"errors", "Errors", to_svg(chart)},
                {"other", "Another \"title\"", "<?xml version=\"1.0\"?>\n" + to_svg({})}};
  page.tables = {
      {"Orders", {"method", "h", "q"}, {{"rattlie", "2^-5", "−1.5e-3"}, {"a & b", "2^-6", "–"}}, "fine & good", false},
      {"Cases", {"case"}, {{"1"}}, "", true}};
  page.source = "title = \"x\" # </pre><script>";
  return page;
}

TEST(Page, IsWellFormed) {
  EXPECT_EQ(markup_problem(to_html(example()), true), "");
  EXPECT_EQ(markup_problem(to_html({}), true), "");
}

TEST(Page, NeedsNoOtherFile) {
  const std::string html = to_html(example());
  EXPECT_TRUE(all_matches(html, R"((?:src|href)=)").empty());
  EXPECT_TRUE(all_matches(html, R"(@import|url\((?!#)|fetch\()").empty());
  for (const std::string& address : all_matches(html, R"(https?://[^"'\s]*)"))
    EXPECT_EQ(address, "http://www.w3.org/2000/svg");
}

TEST(Page, ShowsWhatItWasGivenInOrder) {
  const std::string html = to_html(example());
  std::size_t last = 0;
  for (const char* part :
       {"<h1>Heavy &lt;top&gt;</h1>", "two methods", "wall time", "one case &lt;failed&gt;", "order of λ",
        "data-name=\"errors\"", "<svg", "data-name=\"other\"", "Another &quot;title&quot;", "Orders", "fine &amp; good",
        "a &amp; b", "Cases", "&lt;/pre&gt;&lt;script&gt;"}) {
    const std::size_t at = html.find(part, last);
    ASSERT_NE(at, html.npos) << part;
    last = at;
  }
  EXPECT_EQ(html.find("<?xml"), html.npos);
}

TEST(Page, ChecksAreMarkedByWords) {
  const std::string html = to_html(example());
  EXPECT_EQ(count_of(html, "✓ holds</span>"), 1U);
  EXPECT_EQ(count_of(html, "✗ fails</span>"), 1U);
  EXPECT_NE(html.find("Checks: 1 of 2 hold"), html.npos);
  EXPECT_LT(html.find("✓ holds"), html.find("✗ fails"));
}

std::string name_of(const std::string& html, const std::string& plot) {
  return between(between(html, "<figure data-name=\"" + plot, "</figure>"), "<span class=\"name\">", "<");
}

TEST(Page, ATitleThatTheChartCarriesIsNotRepeated) {
  const std::string html = to_html(example());
  EXPECT_EQ(name_of(html, "errors"), "errors");
  EXPECT_EQ(name_of(html, "other"), "Another &quot;title&quot; · other");
}

TEST(Page, NumbersStandToTheRight) {
  const std::string html = to_html(example());
  EXPECT_NE(html.find("<td>rattlie</td><td class=\"number\">2^-5</td><td class=\"number\">−1.5e-3</td>"), html.npos);
  EXPECT_NE(html.find("<th scope=\"col\">method</th><th scope=\"col\" class=\"number\">h</th>"), html.npos);
}

TEST(Page, FoldedTablesAndTheStudyFileAreDetails) {
  const std::string html = to_html(example());
  EXPECT_EQ(count_of(html, "<details"), 2U);
  EXPECT_FALSE(first_match(html, R"re(<details class="card"><summary id="table-1">(Cases)[^\n]*</summary>)re").empty());
  EXPECT_FALSE(first_match(html, R"re(<div class="card"><h3 id="table-0">(Orders)</h3>)re").empty());
}

TEST(Page, RegionsAreNamedByElementsThatExistOnce) {
  const std::string html = to_html(example());
  for (const std::string& names : all_matches(html, R"re(aria-labelledby="([^"]*)")re"))
    for (const std::string& name : all_matches(names, R"([^ ]+)"))
      EXPECT_EQ(count_of(html, " id=\"" + name + "\""), 1U) << name;
}

TEST(Page, EmptyPartsLeaveNoHeadings) {
  Page page;
  page.title = "t";
  const std::string html = to_html(page);
  EXPECT_EQ(count_of(html, "<h2"), 0U);
  EXPECT_EQ(count_of(html, "<section"), 0U);
  EXPECT_EQ(count_of(html, "<li"), 0U);
}

}  // namespace
}  // namespace filum::study
