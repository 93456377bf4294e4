/// summary.json. User document: docs/guide/results.md.
#include "summary_json.hpp"

#include <filum/record/replace_file.hpp>
#include <filum/record/summary.hpp>

#include <array>
#include <cmath>
#include <cstdio>

namespace filum::record {
namespace {

using Json = nlohmann::ordered_json;

std::string json_number(double value) {
  if (!std::isfinite(value)) return "null";
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.17g", value);
  return text.data();
}

/// nlohmann writes the shortest number that reads back exactly; the contract says 17 digits. Lists of numbers and
/// objects of numbers stay in one line.
bool is_flat(const Json& json) {
  for (const Json& child : json)
    if (child.is_structured()) return false;
  return true;
}
void print(const Json& json, int depth, std::string& out) {
  if (json.is_number_float()) {
    out += json_number(json.get<double>());
  } else if (!json.is_structured()) {
    out += json.dump(-1, ' ', false, Json::error_handler_t::replace);
  } else {
    const bool flat = is_flat(json), object = json.is_object();
    const auto new_line = [&](int indent) {
      if (flat) return;
      out += '\n';
      out.append(static_cast<std::size_t>(indent), ' ');
    };
    out += object ? "{" : "[";
    bool first = true;
    for (const auto& item : json.items()) {
      if (!first) out += flat ? ", " : ",";
      first = false;
      new_line(depth + 1);
      if (object) out += Json(item.key()).dump() + ": ";
      print(item.value(), depth + 1, out);
    }
    new_line(depth);
    out += object ? "}" : "]";
  }
}

Json to_json(const ObjectSummary& o) {
  return {{"position", o.position},
          {"orientation", o.orientation},
          {"velocity", o.velocity},
          {"acceleration", o.acceleration}};
}

Json to_json(const analysis::StaticPath& p) {
  Json critical = Json::array();
  for (const analysis::CriticalPoint& c : p.critical)
    critical.push_back({{"factor", c.factor},
                        {"kind", c.kind == analysis::CriticalKind::limit_point ? "limit point" : "bifurcation"},
                        {"time", c.state.t},
                        {"path_length", c.path_length},
                        {"negative_directions", {c.negative_before, c.negative_after}}});
  Json json{{"factor", p.factor},
            {"steps", p.steps},
            {"iterations", p.iterations},
            {"negative_directions", p.negative_directions},
            {"stable", p.is_done() && p.negative_directions == 0},
            {"conservative", p.is_conservative},
            {"critical", critical}};
  if (!p.remarks.empty()) json["remarks"] = p.remarks;
  return json;
}

}  // namespace

nlohmann::ordered_json summary_json(const Summary& s) {
  Json objects = Json::object(), multipliers = Json::object();
  for (const auto& [name, object] : s.objects) objects[name] = to_json(object);
  for (const ObjectMultipliers& m : s.multipliers)
    multipliers[m.object] = m.is_flat ? Json(m.values.front()) : Json(m.values);
  Json json;
  json["filum"] = s.version;
  json["title"] = s.title;
  json["status"] = s.status;
  if (!s.message.empty()) json["message"] = s.message;
  if (!s.ended_by.empty()) json["ended_by"] = s.ended_by;
  json["method"] = s.method;
  if (s.choice) {
    Json changes = Json::array();
    for (const ChoiceSummary::Change& c : s.choice->changes)
      changes.push_back({{"time", c.time}, {"method", c.method}});
    json["choice"] = {{"reason", s.choice->reason}, {"accuracy", s.choice->accuracy}, {"changes", changes}};
  }
  json["steps"] = {{"accepted", s.statistics.accepted}, {"rejected", s.statistics.rejected}};
  json["newton"] = {{"iterations", s.statistics.newton_iterations},
                    {"max_per_step", s.statistics.max_newton_per_step},
                    {"jacobians", s.statistics.matrices}};
  json["seconds"] = {{"integration", s.seconds_integration}, {"output", s.seconds_output}, {"cpu", s.seconds_cpu}};
  json["threads"] = s.threads;
  if (!s.remarks.empty()) json["remarks"] = s.remarks;
  json["size"] = {{"velocities", s.velocities}, {"constraints", s.constraints}};
  json["frames"] = s.frames;
  json["final"] = {{"time", s.time}, {"objects", objects}, {"multipliers", multipliers}};
  json["energy"] = {
      {"initial", s.extremes.energy_initial}, {"final", s.extremes.energy_final}, {"drift_max", s.extremes.drift_max}};
  json["constraint"] = {{"position_max", s.extremes.position_max}, {"velocity_max", s.extremes.velocity_max}};
  if (s.path) json["static"] = to_json(*s.path);
  return json;
}

std::string json_text(const nlohmann::ordered_json& json) {
  std::string text;
  print(json, 0, text);
  return text + "\n";
}

std::string summary_text(const Summary& summary) { return json_text(summary_json(summary)); }

void write_summary(const std::filesystem::path& path, const Summary& summary) {
  replace_file(path, summary_text(summary), "the summary");
}

}  // namespace filum::record
