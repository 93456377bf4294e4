/// One run as the report page wants it. User document: docs/guide/results.md, "The report page".
#include "report_run.hpp"

#include "json_reader.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

namespace filum::record {
namespace {

using Json = nlohmann::ordered_json;
using Kind = ReportArrays::Kind;

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Texts of a list, as far as they are texts.
Json texts_of(const Json& list) {
  Json texts = Json::array();
  if (list.is_array())
    for (const Json& text : list)
      if (text.is_string()) texts.push_back(text);
  return texts;
}

/// Why the program chose a method, and which methods it changed to; null when this is something else.
Json choice_of(const Json& found) {
  if (!found.is_object() || !found.contains("reason") || !found["reason"].is_string()) return nullptr;
  Json choice{{"reason", found["reason"]}, {"changes", Json::array()}};
  if (found.contains("changes") && found["changes"].is_array())
    for (const Json& c : found["changes"])
      if (c.is_object() && c.contains("time") && c["time"].is_number() && c.contains("method") &&
          c["method"].is_string())
        choice["changes"].push_back({{"time", c["time"]}, {"method", c["method"]}});
  return choice;
}

/// What the page shows of summary.json; null when that is missing or something else.
Json summary_of(const std::filesystem::path& file) {
  const Json found = shallow_json(text_of(file));
  if (!found.is_object()) return nullptr;
  Json summary = Json::object();
  for (const char* key : {"filum", "title", "status", "method"}) {
    if (!found.contains(key) || !found[key].is_string()) return nullptr;
    summary[key] = found[key];
  }
  if (found.contains("message") && found["message"].is_string()) summary["message"] = found["message"];
  const std::pair<const char*, std::vector<const char*>> tables[] = {
      {"steps", {"accepted", "rejected"}},           {"newton", {"iterations", "max_per_step", "jacobians"}},
      {"seconds", {"integration", "output"}},        {"size", {"velocities", "constraints"}},
      {"energy", {"initial", "final", "drift_max"}}, {"constraint", {"position_max", "velocity_max"}}};
  for (const auto& [table, keys] : tables)
    for (const char* key : keys) {
      const Json::json_pointer at(std::string("/") + table + "/" + key);
      if (!found.contains(at) || !(found[at].is_number() || found[at].is_null())) return nullptr;
      summary[table][key] = found[at];
    }
  if (found.contains("remarks")) summary["remarks"] = texts_of(found["remarks"]);
  if (found.contains("choice"))
    if (Json choice = choice_of(found["choice"]); !choice.is_null()) summary["choice"] = std::move(choice);
  if (found.contains("static") && found["static"].is_object()) summary["static"] = found["static"];
  return summary;
}

double value_of(const Field& field, const double* numbers) {
  if (field.components.size() == 1) return numbers[field.components[0]] - field.offset;
  double sum = 0;
  for (const int k : field.components) sum += numbers[k] * numbers[k];
  return std::sqrt(sum) - field.offset;
}

class RunWriter {
 public:
  RunWriter(ReportArrays& arrays, std::string prefix, const RunReader& run, const ReportLimits& limits)
      : arrays_(arrays), prefix_(std::move(prefix)), run_(run), limits_(limits) {}

  Json write() {
    const std::size_t most = std::clamp<std::size_t>(
        limits_.motion_numbers / std::max<std::size_t>(1, numbers_a_frame()), 2, limits_.motion_frames);
    shown_ = thinned(run_.frames(), most);
    add("time", shown_, {1, run_.time()}, Kind::exact);
    for (const ObjectFacts& object : run_.facts().objects) motion(object);
    if (run_.modes().is_array()) modes();
    plots();
    Json json;
    json["folder"] = run_.folder().string();
    json["scenario"] = text_of(run_.folder() / "scenario.toml");
    json["facts"] = Json::parse(facts_text(run_.facts()));
    if (run_.modes().is_array()) json["facts"]["modes"] = run_.modes();
    json["frames"] = {{"recorded", run_.frames()}, {"shown", shown_.size()}, {"plotted", plotted_}};
    json["summary"] = summary_of(run_.folder() / "summary.json");
    return json;
  }

 private:
  std::size_t numbers_a_frame() const {
    std::size_t sum = 0;
    for (const ObjectFacts& object : run_.facts().objects)
      sum += (7 + object.fields.size()) * static_cast<std::size_t>(object.nodes);
    return sum;
  }

  void add(const std::string& name, const std::vector<std::size_t>& frames, const ReadSeries& series, Kind kind) {
    std::vector<double> values;
    values.reserve(frames.size() * series.size);
    for (const std::size_t f : frames) values.insert(values.end(), series.frame(f).begin(), series.frame(f).end());
    arrays_.add(prefix_ + name, {frames.size(), series.size}, values, kind);
  }

  void motion(const ObjectFacts& object) {
    if (object.nodes > 0)
      for (const char* what : {"/position", "/orientation"})
        add(object.name + what, shown_, run_.series(object.name + what), Kind::drawing);
    for (const std::string& name : object.parameters) {
      const std::vector<double> values = run_.array(name);
      arrays_.add(prefix_ + name, {values.size()}, values);
    }
    for (const Field& field : object.fields) add_field(object, field);
    for (const Drawing& d : object.drawings)
      if (const auto* arrows = std::get_if<drawing::Arrows>(&d))
        add(arrows->series, shown_, run_.series(arrows->series), Kind::drawing);
  }

  void modes() {
    const std::size_t count = run_.modes().size();
    for (const ObjectFacts& object : run_.facts().objects)
      for (const char* what : {"/position", "/rotation", "/position_imaginary", "/rotation_imaginary"}) {
        const std::string name = "modes/" + object.name + what;
        if (object.nodes > 0 && run_.has(name))
          arrays_.add(prefix_ + name, {count, static_cast<std::size_t>(object.nodes), 3}, run_.array(name),
                      Kind::drawing);
      }
  }

  void add_field(const ObjectFacts& object, const Field& field) {
    const ReadSeries source = run_.series(field.source);
    const std::size_t stride = static_cast<std::size_t>(field.size);
    ReadSeries made{source.size / stride, std::vector<double>(source.values.size() / stride)};
    for (std::size_t i = 0; i < made.values.size(); ++i)
      made.values[i] = value_of(field, source.values.data() + i * stride);
    add(object.name + "/field/" + field.name, shown_, made, Kind::drawing);
  }

  /// However few frames are kept, the extremes of every plot are among them.
  void plots() {
    const std::vector<std::size_t> even = thinned(run_.frames(), limits_.plot_frames);
    std::set<std::size_t> kept(even.begin(), even.end());
    std::vector<std::pair<std::string, ReadSeries>> all;
    for (const std::string& name : run_.plotted()) all.emplace_back(name, run_.series(name));
    if (kept.size() < run_.frames())
      for (const auto& entry : all) keep_extremes(entry.second, kept);
    const std::vector<std::size_t> frames(kept.begin(), kept.end());
    plotted_ = frames.size();
    add("plot/time", frames, {1, run_.time()}, Kind::exact);
    for (const auto& [name, series] : all) add("plot/" + name, frames, series, Kind::plain);
  }

  static void keep_extremes(const ReadSeries& series, std::set<std::size_t>& kept) {
    const std::size_t frames = series.size > 0 ? series.values.size() / series.size : 0;
    for (std::size_t k = 0; k < series.size; ++k) {
      std::size_t low = 0, high = 0;
      for (std::size_t f = 1; f < frames; ++f) {
        if (series.frame(f)[k] < series.frame(low)[k]) low = f;
        if (series.frame(f)[k] > series.frame(high)[k]) high = f;
      }
      kept.insert({low, high});
    }
  }

  ReportArrays& arrays_;
  std::string prefix_;
  const RunReader& run_;
  const ReportLimits& limits_;
  std::vector<std::size_t> shown_;
  std::size_t plotted_ = 0;
};

}  // namespace

std::vector<std::size_t> thinned(std::size_t frames, std::size_t most) {
  std::vector<std::size_t> kept;
  const std::size_t stride = frames <= most ? 1 : (frames + most - 1) / most;
  for (std::size_t f = 0; f < frames; f += stride) kept.push_back(f);
  if (!kept.empty() && kept.back() + 1 != frames) kept.push_back(frames - 1);
  return kept;
}

nlohmann::ordered_json add_run(ReportArrays& arrays, const std::string& prefix, const RunReader& run,
                               const ReportLimits& limits) {
  return RunWriter(arrays, prefix, run, limits).write();
}

}  // namespace filum::record
