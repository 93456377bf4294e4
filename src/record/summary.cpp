/// summary.json. User document: docs/guide/results.md.
#include "summary_json.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace filum::record {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<std::vector<double>>;

/// nlohmann writes the shortest number that reads back exactly; the contract says 17 digits. Lists of numbers and
/// objects of numbers stay in one line.
class Printer {
 public:
  Printer(const JsonTree& tree, const TextSink& sink) : tree_(tree), sink_(sink) {}

  void print() {
    print(tree_.json, 0);
    out_ += "\n";
    sink_(out_);
  }

 private:
  void print(const Json& json, int depth) {
    if (json.is_number_float()) {
      number(json.get<double>());
    } else if (json.is_binary()) {
      print(*tree_.lists[json.get_binary().subtype()], depth);
    } else if (json.is_structured()) {
      const bool object = json.is_object();
      out_ += object ? '{' : '[';
      each(json.items(), is_flat(json), depth, [&](const auto& item) {
        if (object) out_ += Json(item.key()).dump() + ": ";
        print(item.value(), depth + 1);
      });
      out_ += object ? '}' : ']';
    } else {
      out_ += json.dump(-1, ' ', false, Json::error_handler_t::replace);
    }
  }
  void print(const Rows& rows, int depth) {
    out_ += '[';
    each(rows, rows.empty(), depth, [&](const std::vector<double>& row) {
      out_ += '[';
      each(row, true, depth + 1, [&](double x) { number(x); });
      out_ += ']';
    });
    out_ += ']';
  }
  template <class Items, class F>
  void each(const Items& items, bool is_flat, int depth, F&& print_item) {
    bool is_first = true;
    for (const auto& item : items) {
      if (!is_first) out_ += is_flat ? ", " : ",";
      is_first = false;
      if (!is_flat) new_line(depth + 1);
      print_item(item);
    }
    if (!is_flat) new_line(depth);
  }
  void new_line(int indent) {
    constexpr std::size_t piece = 1 << 16;
    if (out_.size() > piece) {
      sink_(out_);
      out_.clear();
    }
    out_ += '\n';
    out_.append(static_cast<std::size_t>(indent), ' ');
  }
  void number(double value) {
    if (!std::isfinite(value)) {
      out_ += "null";
      return;
    }
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%.17g", value);
    out_ += text.data();
  }
  static bool is_flat(const Json& json) {
    return std::none_of(json.begin(), json.end(), [](const Json& j) { return j.is_structured() || j.is_binary(); });
  }

  const JsonTree& tree_;
  const TextSink& sink_;
  std::string out_;
};

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

JsonTree summary_json(const Summary& s) {
  JsonTree tree;
  const auto list = [&tree](const Rows& rows) {
    tree.lists.push_back(&rows);
    return Json::binary({}, tree.lists.size() - 1);
  };
  Json objects = Json::object(), multipliers = Json::object();
  for (const auto& [name, o] : s.objects)
    objects[name] = {{"position", list(o.position)},
                     {"orientation", list(o.orientation)},
                     {"velocity", list(o.velocity)},
                     {"acceleration", list(o.acceleration)}};
  for (const ObjectMultipliers& m : s.multipliers)
    multipliers[m.object] = m.is_flat ? Json(m.values.front()) : list(m.values);
  Json& json = tree.json;
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
  return tree;
}

void print(const JsonTree& tree, const TextSink& sink) { Printer(tree, sink).print(); }

std::string summary_text(const Summary& summary) {
  std::string text;
  print(summary_json(summary), [&text](std::string_view piece) { text += piece; });
  return text;
}

NewFile summary_file(const std::filesystem::path& path, const Summary& summary) {
  return {path, "the summary", [&summary](Draft& out) {
            print(summary_json(summary), [&out](std::string_view piece) { out.write(piece); });
          }};
}

void write_summary(const std::filesystem::path& path, const Summary& summary) {
  replace_files({summary_file(path, summary)}, Durability::lasting);
}

}  // namespace filum::record
