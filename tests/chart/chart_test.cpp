/// Charts: what is drawn stands where the data say, and every input gives a file that can be read.
#include "chart_reading.hpp"

#include <filum/chart/chart.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace filum::chart {
namespace {

using filum::testing::count_of;
using filum::testing::first_match;
using filum::testing::markup_problem;

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();

std::map<std::string, Chart> charts() {
  std::map<std::string, Chart> all;
  all["no curves"] = {};
  all["no curves, log"] = log_log({}, {2});
  all["one point"] = log_log({{"a", {{1, 1}}}}, {1});
  all["all equal"] = Chart{"t", {}, {}, {{"a", {{0, 5}, {1, 5}, {2, 5}}}}};
  all["all zero"] = Chart{"t", {}, {}, {{"a", {{0, 0}, {0, 0}}}}};
  all["not finite"] =
      log_log({{"a", {{nan, 1}, {1, infinity}, {0, 1}, {1, -1}, {-infinity, nan}, {2, 3}}}}, {nan, infinity, 0});
  all["nothing to show"] = log_log({{"a", {{-1, -1}, {nan, 0}}}}, {2});
  all["huge and tiny, log"] = log_log({{"a", {{1e-16, 1e300}, {1, 1}, {1e300, 5e-324}}}}, {2, -1});
  all["largest, linear"] = Chart{"t", {}, {}, {{"a", {{-1.7e308, 1.7e308}, {1.7e308, -1.7e308}, {0, 1e-300}}}}};
  all["tiny, linear"] = Chart{"t", {}, {}, {{"a", {{0, 5e-324}, {1e-310, 0}, {3e-305, 1e-308}}}}};
  all["tiny, short log"] = log_log({{"a", {{1e-320, 1.7e308}, {2e-320, 1.6e308}}}});
  all["almost equal"] = Chart{"t", {}, {}, {{"a", {{1e15, 1}, {1e15 + 0.125, 1 + 2e-16}}}}};
  all["strange text"] =
      Chart{"<&>\"' \x01 \xff\xc3( λ⁻¹", {"x<y"}, {"a&b"}, {{"</text>", {{0, 1, "]]> <note>"}, {1, 2}}}}};
  all["names"] = Chart{"t", {}, {}, {{"a", {{0, 1}, {1, 3}, {7, 2}}}}};
  all["names"].x.categories = {"one", "two & three",
                               "a-name-so-long-that-it-must-be-turned-or-cut-somewhere-on-its-way"};
  all["names upwards"] = all["names"];
  std::swap(all["names upwards"].x, all["names upwards"].y);
  all["shapes"] = Chart{"t", {"x"}, {"y"}, {{"a", {{0, 0}, {100, 1}}}}};
  all["shapes"].equal_axes = true;
  all["many"] = log_log({}, {1, 2, 3});
  for (int k = 0; k < 40; ++k) all["many"].curves.push_back(power_law("curve " + std::to_string(k), 1, 0.2 * k));
  all["wrong range"] = log_log({power_law("a", 1, 2)});
  all["wrong range"].x.range = {{1, -1}};
  all["wrong range"].y.range = {{0, infinity}};
  all["far outside"] = Chart{"t", {}, {}, {{"a", {{0, 0}, {1, 1e300}, {2, 0}}}}};
  all["far outside"].y.range = {{0, 1e-3}};
  return all;
}

TEST(Chart, IsWellFormedForEveryInput) {
  for (const auto& [name, chart] : charts()) {
    const std::string svg = to_svg(chart);
    EXPECT_EQ(markup_problem(svg), "") << name;
    EXPECT_TRUE(all_matches(svg, R"re([">\s:M-](?:nan|inf)(?:[\s"<]|$))re").empty()) << name;
    for (const std::string& path : all_between(svg, " d=\"", "\""))
      for (const double n : numbers_in(path)) EXPECT_LE(std::abs(n), 1e6) << name;
  }
}

TEST(Chart, TicksStandInsideThePlotAndTheirLabelsApart) {
  for (const auto& [name, chart] : charts()) {
    const std::string svg = to_svg(chart);
    const auto [left, top, right, bottom] = plot_of(svg);
    double last = -1e9;
    for (const DrawnTick& tick : ticks_of(svg, 'y')) {
      EXPECT_GE(tick.at, top - 0.1) << name;
      EXPECT_LE(tick.at, bottom + 0.1) << name;
    }
    if (!chart.x.categories.empty()) continue;
    for (const DrawnTick& tick : ticks_of(svg, 'x')) {
      EXPECT_GE(tick.at, left - 0.1) << name;
      EXPECT_LE(tick.at, right + 0.1) << name;
      if (tick.label.empty()) continue;
      const double half = 3.3 * static_cast<double>(tick.label.size());
      EXPECT_GT(tick.at - half, last) << name << ": " << tick.label;
      last = tick.at + half;
    }
  }
}

TEST(Chart, LinearTicksStandWhereTheyAre) {
  Chart chart{"t", {"x"}, {"y"}, {{"a", {{0, 0}, {10, 1}}}}};
  chart.x.range = {{0, 10}};
  const std::string svg = to_svg(chart);
  const auto plot = plot_of(svg);
  const auto ticks = ticks_of(svg, 'x');
  ASSERT_GE(ticks.size(), 5U);
  for (const DrawnTick& tick : ticks)
    EXPECT_NEAR(tick.at, plot[0] + std::stod(tick.label) / 10 * (plot[2] - plot[0]), 0.02) << tick.label;
}

TEST(Chart, LogarithmicTicksArePowersOfTenAtEqualDistances) {
  Chart chart = log_log({{"a", {{1e-4, 1e-12}, {1, 1}}}});
  chart.x.range = {{1e-4, 1}};
  const std::string svg = to_svg(chart);
  const auto plot = plot_of(svg);
  const auto ticks = ticks_of(svg, 'x');
  ASSERT_EQ(ticks.size(), 5U);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(ticks[static_cast<std::size_t>(i)].label, "10^" + std::to_string(i - 4));
    EXPECT_NEAR(ticks[static_cast<std::size_t>(i)].at, plot[0] + i * (plot[2] - plot[0]) / 4, 0.02);
  }
}

TEST(Chart, AShortLogarithmicAxisHasTwosAndFives) {
  Chart chart = log_log({{"a", {{1, 2e-9}, {50, 9e-8}}}});
  chart.x.range = {{1, 60}};
  const std::string svg = to_svg(chart);
  std::vector<std::string> labels;
  for (const DrawnTick& tick : ticks_of(svg, 'x')) labels.push_back(tick.label);
  EXPECT_EQ(labels, (std::vector<std::string>{"1", "2", "5", "10", "20", "50"}));
  const auto vertical = ticks_of(svg, 'y');
  EXPECT_TRUE(std::any_of(vertical.begin(), vertical.end(), [](const DrawnTick& t) { return t.label == "5·10^-9"; }));
}

TEST(Chart, LabelsThatShareManyDigitsShowTheirDifference) {
  const std::string svg = to_svg(Chart{"t", {}, {}, {{"a", {{0, 1234.56780}, {1, 1234.56790}}}}});
  EXPECT_NE(svg.find("×10"), svg.npos);
  const double factor = std::pow(10.0, -std::stod(first_match(svg, "×10<tspan[^>]*>−(\\d+)")));
  const double offset = std::stod(first_match(svg, R"(\+ (1234\.\d+)</tspan>)"));
  for (const DrawnTick& tick : ticks_of(svg, 'y')) {
    EXPECT_LE(tick.label.size(), 6U);
    EXPECT_NEAR(offset + factor * std::stod(tick.label), 1234.56785, 0.6e-4);
  }
}

TEST(Chart, TrianglesHaveTheirSlope) {
  const std::vector<double> slopes{2, 1, -3, 0.5};
  Chart chart = log_log(
      {power_law("two", 1, 2), power_law("one", 1, 1), power_law("half", 1, 0.5), power_law("-3", 1e-5, -3)}, slopes);
  const std::string svg = to_svg(chart);
  const auto x = ticks_of(svg, 'x'), y = ticks_of(svg, 'y');
  const auto per_decade = [](const std::vector<DrawnTick>& t) {
    return (t.back().at - t.front().at) / (std::stod(t.back().label.substr(3)) - std::stod(t.front().label.substr(3)));
  };
  const auto triangles = triangles_of(svg);
  ASSERT_EQ(triangles.size(), slopes.size());
  const auto plot = plot_of(svg);
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    const auto n = numbers_in(triangles[i]);
    ASSERT_EQ(n.size(), 6U);
    const double slope = (n[5] - n[1]) / per_decade(y) / ((n[4] - n[0]) / per_decade(x));
    EXPECT_NEAR(slope, slopes[i], 0.01 * std::abs(slopes[i]));
    EXPECT_TRUE((n[2] == n[0] && n[3] == n[5]) || (n[2] == n[4] && n[3] == n[1])) << "no right angle: " << triangles[i];
    for (std::size_t k = 0; k < 6; k += 2) {
      EXPECT_GT(n[k], plot[0]);
      EXPECT_LT(n[k], plot[2]);
      EXPECT_GT(n[k + 1], plot[1]);
      EXPECT_LT(n[k + 1], plot[3]);
    }
  }
}

bool is_in_triangle(const std::vector<double>& t, double x, double y) {
  const auto side = [&](std::size_t a, std::size_t b) {
    return (t[b] - t[a]) * (y - t[a + 1]) - (t[b + 1] - t[a + 1]) * (x - t[a]);
  };
  const bool left = side(0, 2) > 0;
  return (side(2, 4) > 0) == left && (side(4, 0) > 0) == left;
}

TEST(Chart, TrianglesStandFreeOfCurves) {
  // So close that a triangle between two of them would touch one.
  const std::string svg =
      to_svg(log_log({power_law("a", 1, 2), power_law("b", 0.6, 2), power_law("c", 0.36, 2)}, {2, 2}));
  const auto triangles = triangles_of(svg);
  ASSERT_EQ(triangles.size(), 2U);
  for (const std::string& triangle : triangles)
    for (const std::string& group : curve_groups(svg)) {
      const auto n = numbers_in(line_of(group));
      for (std::size_t i = 2; i < n.size(); i += 2)
        for (double t = 0; t <= 1; t += 0.02)
          EXPECT_FALSE(is_in_triangle(numbers_in(triangle), n[i - 2] + t * (n[i] - n[i - 2]),
                                      n[i - 1] + t * (n[i + 1] - n[i - 1])));
    }
}

TEST(Chart, SemilogarithmicChartsHaveNoTriangles) {
  Chart chart = log_log({power_law("a", 1, 2)}, {2});
  EXPECT_EQ(count_of(to_svg(chart), "data-slope"), 1U);
  chart.x.logarithmic = false;
  EXPECT_EQ(count_of(to_svg(chart), "data-slope"), 0U);
}

TEST(Chart, CurvesDifferInMarkerDashAndColour) {
  Chart chart = log_log({});
  for (int k = 0; k < 8; ++k) chart.curves.push_back(power_law("c" + std::to_string(k), 1, k));
  const std::string svg = to_svg(chart);
  std::set<std::string> shapes, dashes, classes;
  for (const std::string& group : curve_groups(svg)) {
    shapes.insert(first_match(group, R"re(class="(?:open|filled)" d="M[-\d.]+ [-\d.]+(m[^"]*)")re"));
    dashes.insert(first_match(group, R"re(stroke-dasharray="([^"]*)")re"));
    classes.insert(first_match(group, R"(^(s\d+))"));
  }
  EXPECT_EQ(shapes.size(), 8U);
  EXPECT_EQ(dashes.size(), 8U);
  EXPECT_EQ(classes.size(), 8U);
  const auto colours = all_matches(svg, R"(\.s\d\{color:(#\w{6}))");
  EXPECT_EQ(std::set<std::string>(colours.begin(), colours.end()).size(), 16U) << "light and dark";
}

TEST(Chart, NeighbouringColoursDifferInLuminance) {
  Chart chart = log_log({});
  for (int k = 0; k < 8; ++k) chart.curves.push_back(power_law("c" + std::to_string(k), 1, k));
  const auto colours = all_matches(to_svg(chart), R"(\.s\d\{color:#(\w{6}))");
  ASSERT_EQ(colours.size(), 16U);
  const auto lightness = [](const std::string& hex) {
    const auto linear = [&hex](std::size_t i) {
      return std::pow(std::stoi(hex.substr(i, 2), nullptr, 16) / 255.0, 2.2);
    };
    return 116 * std::cbrt(0.2126 * linear(0) + 0.7152 * linear(2) + 0.0722 * linear(4)) - 16;
  };
  for (std::size_t i = 1; i < 16; ++i)
    EXPECT_GT(std::abs(lightness(colours[i]) - lightness(colours[i == 8 ? 9 : i - 1])), 11) << colours[i];
}

TEST(Chart, TheSameStyleLooksAlikeAndFreeOnesAreLeftAlone) {
  Chart chart = log_log({power_law("a", 1, 1), power_law("b", 1, 2), power_law("c", 1, 3), power_law("d", 1, 4)});
  chart.curves[0].style = chart.curves[2].style = 0;
  std::vector<std::string> classes;
  for (const std::string& group : curve_groups(to_svg(chart))) classes.push_back(first_match(group, R"(^(s\d+))"));
  EXPECT_EQ(classes, (std::vector<std::string>{"s0", "s1", "s0", "s2"}));
}

TEST(Chart, ReferencesAreDrawnFirstAndTakeNoColour) {
  Chart chart = log_log({power_law("a", 1, 1), power_law("ref", 1, 2)});
  chart.curves[1].is_reference = true;
  const auto groups = curve_groups(to_svg(chart));
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].rfind("reference", 0), 0U);
  EXPECT_EQ(groups[1].rfind("s0", 0), 0U);
}

TEST(Chart, TextIsEscaped) {
  const std::string svg = to_svg(Chart{"a < b & \"c\"", {"<x>"}, {}, {{"<l>", {{0, 1, "n & m"}, {1, 2}}}}});
  EXPECT_NE(svg.find("a &lt; b &amp; &quot;c&quot;"), svg.npos);
  EXPECT_NE(svg.find("&lt;l&gt;\n&lt;x&gt;: 0\n1\nn &amp; m</title>"), svg.npos) << "tooltip";
  EXPECT_EQ(svg.find("<l>"), svg.npos);
}

TEST(Chart, ThinningKeepsTheExtremes) {
  Chart chart{"t", {"t"}, {"E"}, {{"a", {}}}};
  for (int i = 0; i < 20000; ++i) chart.curves[0].points.push_back({i * 0.001, std::sin(0.37 * i)});
  chart.curves[0].points[7777].y = 9;
  chart.curves[0].points[12345].y = -7;
  chart.y.range = {{-10, 10}};
  const std::string svg = to_svg(chart), line = line_of(curve_groups(svg).at(0));
  const auto plot = plot_of(svg);
  const auto n = numbers_in(line);
  double top = 1e9, bottom = -1e9;
  for (std::size_t i = 1; i < n.size(); i += 2) {
    top = std::min(top, n[i]);
    bottom = std::max(bottom, n[i]);
  }
  const auto pixel = [&plot](double y) { return plot[3] - (y + 10) / 20 * (plot[3] - plot[1]); };
  EXPECT_NEAR(top, pixel(9), 0.011);
  EXPECT_NEAR(bottom, pixel(-7), 0.011);
  EXPECT_LT(n.size() / 2, 4 * 640U);
  EXPECT_EQ(count_of(curve_groups(svg)[0], "<title>"), 0U);
  EXPECT_LT(svg.size(), 60000U);
}

TEST(Chart, ThinnedPathsStayRound) {
  Chart chart{"t", {}, {}, {{"circle", {}}}};
  chart.equal_axes = true;
  for (int i = 0; i <= 20000; ++i) chart.curves[0].points.push_back({std::cos(0.001 * i), std::sin(0.001 * i)});
  const std::string svg = to_svg(chart);
  const auto n = numbers_in(line_of(curve_groups(svg).at(0)));
  const auto plot = plot_of(svg);
  const double cx = (plot[0] + plot[2]) / 2, cy = (plot[1] + plot[3]) / 2, radius = std::hypot(n[0] - cx, n[1] - cy);
  EXPECT_LT(n.size() / 2, 10000U);
  for (std::size_t i = 2; i < n.size(); i += 2) {
    EXPECT_NEAR(std::hypot(n[i] - cx, n[i + 1] - cy), radius, 0.1);
    EXPECT_LT(std::hypot(n[i] - n[i - 2], n[i + 1] - n[i - 1]), 1.0);
  }
}

TEST(Chart, PointsThatCannotBeShownBreakTheLine) {
  Chart chart = log_log({{"a", {{1, 1}, {2, 2}, {3, 0}, {4, 4}, {5, 5}, {6, nan}, {7, 7}}}});
  const std::string group = curve_groups(to_svg(chart)).at(0);
  EXPECT_EQ(count_of(line_of(group), "M"), 3U);
  EXPECT_EQ(markers_in(group).size(), 5U);
  chart.y.logarithmic = false;
  EXPECT_EQ(count_of(line_of(curve_groups(to_svg(chart)).at(0)), "M"), 2U) << "zero is a value on a linear axis";
}

TEST(Chart, MarkersOutsideAGivenRangeAreNotDrawn) {
  Chart chart{"t", {}, {}, {{"a", {{0, 1}, {1, 2}, {2, 3}}}}};
  chart.x.range = {{0.5, 3}};
  EXPECT_EQ(markers_in(curve_groups(to_svg(chart)).at(0)).size(), 2U);
}

TEST(Chart, FlagsOfACurveAreObeyed) {
  Chart chart = log_log({power_law("a", 1, 2)});
  chart.curves[0].has_line = false;
  EXPECT_EQ(line_of(curve_groups(to_svg(chart)).at(0)), "");
  chart.curves[0].has_line = true;
  chart.curves[0].has_markers = false;
  EXPECT_NE(line_of(curve_groups(to_svg(chart)).at(0)), "");
  EXPECT_TRUE(markers_in(to_svg(chart)).empty());
}

TEST(Chart, IdsAreUniqueAndRulesStayInTheirChart) {
  const Chart chart = log_log({power_law("a", 1, 2)});
  Chart other = chart;
  other.curves[0].points[0].y *= 1 + 1e-12;
  const auto ids = [](const std::string& svg) { return all_matches(svg, R"re( id="([^"]*)")re"); };
  const auto a = ids(to_svg(chart)), b = ids(to_svg(other));
  EXPECT_EQ(a, ids(to_svg(chart)));
  std::set<std::string> all(a.begin(), a.end());
  all.insert(b.begin(), b.end());
  EXPECT_EQ(all.size(), a.size() + b.size());
  for (const std::string& selector : all_matches(to_svg(chart), R"(\n([^\n{<]*)\{[^}]*\})"))
    EXPECT_EQ(selector.rfind("#" + a[0] + " ", 0), 0U) << selector;
  EXPECT_NE(to_svg(chart).find("prefers-color-scheme:dark"), std::string::npos);
}

TEST(Chart, TheLegendCoversNoMarker) {
  for (const double order : {-2.0, 0.0, 2.0}) {
    const std::string svg =
        to_svg(log_log({power_law("a", 1, order), power_law("b", 3, order), power_law("c", 9, order)}));
    const std::string legend = between(svg, "<g class=\"legend\"", "</svg>");
    const auto box = numbers_in(first_match(legend, R"re(<rect class="box" rx="3" (x=[^/]*)/>)re"));
    ASSERT_EQ(box.size(), 4U) << order;
    for (const auto& [x, y] : markers_in(svg.substr(0, svg.find("class=\"legend\""))))
      EXPECT_FALSE(x > box[0] && x < box[0] + box[2] && y > box[1] && y < box[1] + box[3]) << order;
  }
}

TEST(Chart, ALegendOfManyEntriesStandsBesideThePlot) {
  Chart chart = log_log({});
  for (int k = 0; k < 10; ++k) chart.curves.push_back(power_law("c" + std::to_string(k), 1, k));
  const std::string svg = to_svg(chart);
  const auto entries = all_matches(svg, R"re(class="entry s\d+" data-curve="\d+"><rect [^/]*?x="([-\d.]+)")re");
  ASSERT_EQ(entries.size(), 10U);
  for (const std::string& x : entries) EXPECT_GT(std::stod(x), plot_of(svg)[2]);
}

TEST(Chart, CurvesOfOneNameShareALegendEntry) {
  Chart chart =
      log_log({power_law("beam", 1, 1), power_law("", 1, 2), power_law("beam", 1, 3), power_law("other", 1, 4)});
  for (std::size_t i = 0; i < 3; ++i) chart.curves[i].style = 5;
  const std::string svg = to_svg(chart);
  EXPECT_EQ(count_of(svg, "class=\"entry"), 2U);
  EXPECT_EQ(count_of(svg, "class=\"curve s5\" data-curve=\"0\""), 3U);
}

TEST(Chart, EqualAxesHaveOneScale) {
  for (const double height : {0.01, 1.0, 3.0, 500.0}) {
    Chart chart{"t", {"x"}, {"y"}, {{"a", {{0, 0}, {4, height}}}}};
    chart.equal_axes = true;
    const std::string svg = to_svg(chart);
    const auto x = ticks_of(svg, 'x'), y = ticks_of(svg, 'y');
    const auto per_unit = [](const std::vector<DrawnTick>& t) {
      return std::abs((t.back().at - t.front().at) / (std::stod(t.back().label) - std::stod(t.front().label)));
    };
    ASSERT_GE(std::min(x.size(), y.size()), 2U) << height;
    EXPECT_NEAR(per_unit(x), per_unit(y), 1e-3 * per_unit(x)) << height;
  }
}

TEST(Chart, NamesStandAtTheirPlaces) {
  Chart chart{"t", {}, {}, {{"a", {{0, 1}, {1, 2}, {2, 3}}}}};
  chart.x.categories = {"SO3", "S3", "SE3"};
  chart.curves[0].has_line = false;
  const std::string svg = to_svg(chart);
  const auto ticks = ticks_of(svg, 'x');
  const auto markers = markers_in(curve_groups(svg).at(0));
  ASSERT_EQ(ticks.size(), 3U);
  ASSERT_EQ(markers.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(ticks[i].label, chart.x.categories[i]);
    EXPECT_NEAR(ticks[i].at, markers[i][0], 0.011);
  }
}

}  // namespace
}  // namespace filum::chart
