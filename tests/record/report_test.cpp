/// What a report page carries. User document: docs/guide/results.md, "The report page".
#include <filum/record/facts_json.hpp>
#include <filum/record/report.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <libdeflate.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <memory>
#include <sstream>

namespace filum::record {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

/// A page, taken apart as the browser does it.
struct Page {
  json about;
  std::string bytes, text;

  explicit Page(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    text = out.str();
    about = json::parse(between("id=\"filum-report\">", "</script>"));
    bytes = inflated(decoded(between("id=\"filum-numbers\">", "</script>")));
  }
  std::string between(const std::string& first, const std::string& last) const {
    const std::size_t from = text.find(first) + first.size();
    return text.substr(from, text.find(last, from) - from);
  }
  static std::string decoded(const std::string& base64) {
    const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    unsigned word = 0, bits = 0;
    for (const char c : base64) {
      if (c == '=') break;
      word = word << 6 | static_cast<unsigned>(digits.find(c));
      if ((bits += 6) >= 8) out += static_cast<char>(word >> (bits -= 8) & 255);
    }
    return out;
  }
  static std::string inflated(const std::string& packed) {
    std::string out(1 << 24, 0);
    std::size_t size = 0;
    const std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> inflater(
        libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
    EXPECT_EQ(libdeflate_zlib_decompress(inflater.get(), packed.data(), packed.size(), out.data(), out.size(), &size),
              LIBDEFLATE_SUCCESS);
    return out.substr(0, size);
  }
  const json& entry(const std::string& name) const {
    for (const json& e : about["arrays"])
      if (e["name"] == name) return e;
    throw std::runtime_error("the page has no array " + name);
  }
  std::vector<double> array(const std::string& name) const {
    const json& e = entry(name);
    std::size_t count = 1;
    for (const json& n : e["shape"]) count *= n.get<std::size_t>();
    return e["type"] == "f8" ? numbers<double>(e["at"], count) : numbers<float>(e["at"], count);
  }
  template <class T>
  std::vector<double> numbers(std::size_t at, std::size_t count) const {
    std::vector<double> out(count);
    for (std::size_t i = 0; i < count; ++i) {
      char raw[sizeof(T)];
      for (std::size_t k = 0; k < sizeof(T); ++k) raw[k] = bytes.at(at + k * count + i);
      T value;
      std::memcpy(&value, raw, sizeof(T));
      out[i] = static_cast<double>(value);
    }
    return out;
  }
};

/// One ball, which can be coloured by how far it is from 1, and a push on it.
Facts ball_facts() {
  Facts facts{.title = "ball", .method = "rattlie", .step = 0.1};
  facts.objects = {
      {.name = "ball",
       .kind = "marble",
       .kinds = "marbles",
       .nodes = 1,
       .fields = {{"speed", "Speed", "ball/velocity", 6, {3, 4, 5}, 0.25}, {"x", "x", "ball/position", 3, {0}, 1}},
       .drawings = {drawing::Solid{.shape = drawing::Shape::sphere, .size = {1, 1, 1}}}},
      {.name = "push",
       .kind = "load",
       .kinds = "loads",
       .drawings = {drawing::Arrows{.series = "loads/push/force", .at = {{.object = "ball"}}}}}};
  return facts;
}

/// Result folders with one ball that moves along x as `motion` says.
class Report : public testing::Test {
 protected:
  Report() : folder_(fs::temp_directory_path() / ("filum-report-" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    std::ofstream(folder_ / "template.html") << "<html><!-- filum: data --></html>";
  }
  ~Report() override { fs::remove_all(folder_); }

  template <class Motion>
  fs::path make(const std::string& name, int frames, double step, const Motion& motion,
                const std::string& facts = facts_text(ball_facts())) const {
    const fs::path folder = folder_ / name;
    fs::create_directories(folder);
    std::ofstream(folder / "scenario.toml") << "title = \"</script>\"\n";
    fs::remove(folder / "result.h5");
    Hdf5File file(folder / "result.h5", Hdf5File::Mode::create);
    std::vector<double> time, x, p, v, zero(static_cast<std::size_t>(frames), 0.0), energy;
    for (int f = 0; f < frames; ++f) {
      time.push_back(f * step);
      x.insert(x.end(), {motion(f * step), 0, 0});
      p.insert(p.end(), {1, 0, 0, 0});
      v.insert(v.end(), {0, 0, 0, 1, 0, 0});
      energy.push_back(1000 + motion(f * step));
    }
    const auto write = [&](const char* series, const std::vector<double>& values, const std::vector<int>& shape) {
      const int id = file.make_series(series, shape, 64);
      file.write_frames(id, 0, static_cast<std::uint64_t>(frames), values.data());
    };
    write("time", time, {});
    write("ball/position", x, {1, 3});
    write("ball/orientation", p, {1, 4});
    write("ball/velocity", v, {1, 6});
    for (const char* series : {"energy/kinetic", "energy/potential", "constraint/position", "constraint/velocity",
                               "step/size", "step/newton", "step/rejected"})
      write(series, zero, {});
    write("energy/total", energy, {});
    write("loads/push/force", x, {1, 3});
    if (!facts.empty()) file.set_attribute("/", "facts", facts);
    file.close();
    return folder;
  }
  Page page(const std::vector<fs::path>& folders, const ReportLimits& limits = {}) const {
    write_report(folder_ / "page.html", folder_ / "template.html", folders, limits);
    return Page(folder_ / "page.html");
  }

  fs::path folder_;
};

TEST_F(Report, CarriesTheMotionInSinglePrecision) {
  const Page p = page({make("a", 100, 0.1, [](double t) { return 5 * std::sin(t); })});
  const auto time = p.array("0:time"), x = p.array("0:ball/position");
  ASSERT_EQ(time.size(), 100u);
  EXPECT_EQ(time[37], 37 * 0.1);
  for (std::size_t f = 0; f < time.size(); ++f) EXPECT_NEAR(x[3 * f], 5 * std::sin(time[f]), 5e-6);
}

TEST_F(Report, DriftIsTakenBeforeRounding) {
  const Page p = page({make("a", 100, 0.1, [](double t) { return 1e-9 * t; })});
  // In single precision 1000 and 1000 + 1e-8 are the same.
  EXPECT_NEAR(p.array("0:plot/energy/drift").back(), 9.9e-9, 1e-12);
}

TEST_F(Report, ThinsLongRunsButKeepsTheirExtremes) {
  const auto spike = [](double t) { return t == 777 ? 42.0 : t == 4321 ? -17.0 : 0.0; };
  const Page p = page({make("a", 10000, 1, spike)}, {.motion_frames = 100, .plot_frames = 500});
  EXPECT_EQ(p.about["runs"][0]["frames"]["recorded"], 10000);
  EXPECT_LE(p.array("0:time").size(), 101u);
  EXPECT_EQ(p.array("0:time").back(), 9999);
  const auto drift = p.array("0:plot/energy/drift"), time = p.array("0:plot/time");
  EXPECT_LE(drift.size(), 520u);
  EXPECT_EQ(*std::max_element(drift.begin(), drift.end()), 42);
  EXPECT_EQ(*std::min_element(drift.begin(), drift.end()), -17);
  EXPECT_EQ(time[static_cast<std::size_t>(std::max_element(drift.begin(), drift.end()) - drift.begin())], 777);
}

TEST_F(Report, LimitsTheNumbersOfTheMotion) {
  const Page p = page({make("a", 1000, 1, [](double t) { return t; })}, {.motion_numbers = 700});
  EXPECT_LE(p.array("0:ball/position").size(), 3 * 101u);
}

TEST_F(Report, DifferencesAreThoseAtCommonTimes) {
  const fs::path a = make("a", 11, 0.1, [](double t) { return t; });
  const fs::path b = make("b", 6, 0.2, [](double t) { return t + 1e-10 * t; });
  const Page p = page({a, b});
  const auto time = p.array("difference:time"), apart = p.array("difference:position/ball");
  ASSERT_EQ(time.size(), 6u);
  for (std::size_t f = 0; f < time.size(); ++f) EXPECT_NEAR(apart[f], 1e-10 * time[f], 1e-15);
}

TEST_F(Report, WithoutCommonTimesThereIsNothingToCompare) {
  const Page p = page({make("a", 3, 1, [](double t) { return t; }), make("b", 1, 1, [](double t) { return t; })});
  EXPECT_EQ(p.about["difference"]["times"], 1);
}

TEST_F(Report, NumbersTooLargeForSinglePrecisionStayWhatTheyAre) {
  const Page p = page({make("a", 3, 1, [](double t) { return 1e100 * t; })});
  EXPECT_EQ(p.entry("0:plot/energy/total")["type"], "f8");
  EXPECT_EQ(p.array("0:plot/energy/total")[2], 2e100);
}

TEST_F(Report, TextsCannotEndTheScriptTheyStandIn) {
  const Page p = page({make("a", 3, 1, [](double t) { return t; })});
  EXPECT_EQ(p.about["runs"][0]["scenario"], "title = \"</script>\"\n");
}

TEST_F(Report, ARunWithoutSummaryHasNone) {
  const Page p = page({make("a", 3, 1, [](double t) { return t; })});
  EXPECT_TRUE(p.about["runs"][0]["summary"].is_null());
}

TEST_F(Report, RefusesATemplateWithoutAPlaceForData) {
  const fs::path a = make("a", 3, 1, [](double t) { return t; });
  std::ofstream(folder_ / "template.html") << "<html></html>";
  try {
    page({a});
    FAIL() << "it was taken";
  } catch (const FileTrouble& trouble) {
    EXPECT_THAT(trouble.what(), HasSubstr("template.html: this is not the template"));
  }
}

std::string trouble_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const FileTrouble& trouble) {
    return trouble.what();
  }
  return "it was taken";
}
const auto straight = [](double t) { return t; };

TEST_F(Report, FieldsAreNormsOrSingleNumbersLessAnOffset) {
  const Page p = page({make("a", 5, 1, straight)});
  EXPECT_THAT(p.array("0:ball/field/speed"), testing::Each(0.75));
  EXPECT_THAT(p.array("0:ball/field/x"), testing::ElementsAre(-1, 0, 1, 2, 3));
}

TEST_F(Report, CarriesFactsAndTheSeriesOfArrows) {
  const Page p = page({make("a", 5, 1, straight)});
  EXPECT_EQ(p.about["runs"][0]["facts"], json::parse(facts_text(ball_facts())));
  EXPECT_EQ(p.array("0:loads/push/force").at(6), 2);
}

TEST_F(Report, ShowsTheRestOfARunWithUnknownDrawings) {
  json facts = json::parse(facts_text(ball_facts()));
  facts["objects"][0]["drawings"].push_back({{"type", "hologram"}});
  const Page p = page({make("a", 5, 1, straight, facts.dump())});
  EXPECT_EQ(p.about["runs"][0]["facts"], json::parse(facts_text(ball_facts())));
}

TEST_F(Report, NeedsResultsWithFacts) {
  EXPECT_THAT(trouble_of([&] { page({folder_ / "nothing"}); }),
              HasSubstr("there are no results to report: result.h5 is missing"));
  EXPECT_THAT(trouble_of([&] { page({make("old", 3, 1, straight, "")}); }),
              HasSubstr("from an older version of filum"));
}

TEST_F(Report, RefusesFactsThatDoNotFitTheFile) {
  const auto with = [&](const std::function<void(Facts&)>& change) {
    Facts facts = ball_facts();
    change(facts);
    return trouble_of([&] { page({make("a", 3, 1, straight, facts_text(facts))}); });
  };
  EXPECT_THAT(with([](Facts& f) { f.objects[0].nodes = 2; }), HasSubstr("ball/position has another shape"));
  EXPECT_THAT(with([](Facts& f) { f.objects[0].parameters = {"time"}; }),
              HasSubstr("time does not have a number for each node"));
  EXPECT_THAT(with([](Facts& f) { f.objects[0].fields[0].source = "nothing"; }),
              HasSubstr("the dataset nothing is missing"));
  EXPECT_THAT(with([](Facts& f) { f.objects[0].fields[0].size = 7, f.objects[0].fields[0].components = {6}; }),
              HasSubstr("7 numbers for each place"));
  EXPECT_THAT(with([](Facts& f) {
                f.plots = {{"g", "title", "label", "ball"}};
              }),
              HasSubstr("there is no dataset ball"));
  EXPECT_THAT(with([](Facts& f) { std::get<drawing::Arrows>(f.objects[1].drawings[0]).at.clear(); }),
              HasSubstr("three numbers for each place"));
}

TEST_F(Report, ASummaryThatIsNoneIsLeftOut) {
  const fs::path folder = make("a", 3, 1, straight);
  for (const char* text :
       {"", "[]", "{\"filum\": 1}",
        "{\"filum\": \"1\", \"title\": \"\", \"status\": \"done\", \"method\": \"x\", \"steps\": 3}"}) {
    std::ofstream(folder / "summary.json") << text;
    EXPECT_TRUE(page({folder}).about["runs"][0]["summary"].is_null()) << text;
  }
}

// Copying and writing JSON takes stack for every level.
TEST_F(Report, RefusesWhatIsNestedWithoutEnd) {
  const std::string open(1000000, '['), close(1000000, ']');
  const fs::path folder = make("a", 3, 1, straight);
  std::ofstream(folder / "summary.json")
      << R"({"filum": "1", "title": "[[", "status": "done", "method": "x", "static": {"a": )" << open << close << "}}";
  EXPECT_TRUE(page({folder}).about["runs"][0]["summary"].is_null());
  {
    Hdf5File file(folder / "result.h5", Hdf5File::Mode::append);
    file.set_attribute("/", "modes", open + close);
    file.close();
  }
  EXPECT_THAT(trouble_of([&] { page({folder}); }), HasSubstr("the attribute modes is not a list"));
  EXPECT_THAT(trouble_of([&] { page({make("b", 3, 1, straight, open + close)}); }), HasSubstr("the text is not JSON"));
}

}  // namespace
}  // namespace filum::record
