/// Facts as JSON. User document: docs/guide/results.md, "Facts".
#include "drawing_json.hpp"
#include "facts_check.hpp"

#include <filum/record/facts_json.hpp>

#include <algorithm>

namespace filum::record {
namespace {

using Eigen::Vector3d;
using Json = nlohmann::ordered_json;

constexpr int facts_format = 1;

Json to_json(const Field& f) {
  return {{"name", f.name}, {"label", f.label},           {"source", f.source},
          {"size", f.size}, {"components", f.components}, {"offset", f.offset},
          {"unit", f.unit}};
}
Field read_field(const JsonReader& json) {
  return {.name = json["name"].text(),
          .label = json["label"].text(),
          .source = json["source"].text(),
          .size = json["size"].integer(),
          .components = json["components"].list([](const JsonReader& x) { return x.integer(); }),
          .offset = json["offset"].number(),
          .unit = json.has("unit") ? json["unit"].text() : ""};
}

Json to_json(const Trail& t) { return {{"label", t.label}, {"node", t.node}, {"on", t.on}}; }
Trail read_trail(const JsonReader& json) {
  return {.label = json["label"].text(), .node = json["node"].integer(), .on = json["on"].flag()};
}

Json to_json(const Drawing& d) { return drawing_json(d); }
Json to_json(const ObjectFacts& o);
Json to_json(const PlotFacts& p);
Json to_json(const SettingsTable& table);

template <class T>
Json all(const std::vector<T>& values) {
  Json json = Json::array();
  for (const T& value : values) json.push_back(to_json(value));
  return json;
}

Json to_json(const ObjectFacts& o) {
  Json json{{"name", o.name}, {"kind", o.kind}, {"kinds", o.kinds}};
  if (o.nodes > 0) {
    json["nodes"] = o.nodes;
    json["parameters"] = o.parameters;
    json["semidirect"] = o.is_semidirect;
  }
  if (!o.multiplier.empty()) json["multiplier"] = o.multiplier;
  json["fields"] = all(o.fields);
  json["trails"] = all(o.trails);
  json["drawings"] = all(o.drawings);
  return json;
}
std::string read_text(const JsonReader& json) { return json.text(); }
ObjectFacts read_object(const JsonReader& json) {
  ObjectFacts o;
  o.name = json["name"].text();
  o.kind = json["kind"].text();
  o.kinds = json["kinds"].text();
  if (json.has("nodes")) {
    o.nodes = json["nodes"].integer();
    o.parameters = json["parameters"].list(read_text);
    o.is_semidirect = json["semidirect"].flag();
  }
  if (json.has("multiplier")) o.multiplier = json["multiplier"].text();
  o.fields = json["fields"].list(read_field);
  o.trails = json["trails"].list(read_trail);
  o.drawings = read_drawings(json["drawings"]);
  return o;
}

Json to_json(const PlotFacts& p) {
  return {{"group", p.group},
          {"title", p.title},
          {"label", p.label},
          {"series", p.series},
          {"components", p.components},
          {"note", p.note},
          {"quantity", p.quantity},
          {"rank", static_cast<int>(p.rank)},
          {"units", p.units}};
}
/// Files of older versions have no ranks.
PlotRank read_rank(const JsonReader& json) {
  if (!json.has("rank")) return PlotRank::state;
  return static_cast<PlotRank>(std::min(json["rank"].integer(), static_cast<int>(PlotRank::multiplier)));
}
PlotFacts read_plot(const JsonReader& json) {
  return {.group = json["group"].text(),
          .title = json["title"].text(),
          .label = json["label"].text(),
          .series = json["series"].text(),
          .components = json["components"].list(read_text),
          .note = json["note"].text(),
          .quantity = json.has("quantity") ? json["quantity"].text() : "",
          .rank = read_rank(json),
          .units = json.has("units") ? json["units"].list(read_text) : std::vector<std::string>{}};
}

Json to_json(const SettingsTable& table) {
  Json entries = Json::array();
  for (const auto& [key, value] : table.entries) entries.push_back(Json::array({key, value}));
  return {{"title", table.title}, {"entries", entries}};
}
SettingsTable read_settings(const JsonReader& json) {
  return {.title = json["title"].text(), .entries = json["entries"].list([](const JsonReader& entry) {
            entry.expect_size(2);
            return std::pair(entry.at(0).text(), entry.at(1).text());
          })};
}

model::AxisFacts read_axis(const JsonReader& json) {
  return {json["series"].text(), json["label"].text(), json.has("unit") ? json["unit"].text() : ""};
}

/// With what the page calls the numbers that every run has.
Json to_json(const model::Units& u) {
  if (!u.is_given()) return nullptr;
  return {{"length", u.length},
          {"mass", u.mass},
          {"time", u.time},
          {"force", u.force},
          {"energy", model::unit_of(u, model::dimension::energy)},
          {"velocity", model::unit_of(u, model::dimension::velocity)}};
}
model::Units read_units(const JsonReader& json) {
  if (json.is_null()) return {};
  return {.length = json["length"].text(),
          .mass = json["mass"].text(),
          .time = json["time"].text(),
          .force = json["force"].text()};
}

}  // namespace

std::string facts_text(const Facts& facts) {
  const Json json{{"format", facts_format},
                  {"title", facts.title},
                  {"method", facts.method},
                  {"axis", {{"series", facts.axis.series}, {"label", facts.axis.label}, {"unit", facts.axis.unit}}},
                  {"adaptive", facts.is_adaptive},
                  {"step", facts.step},
                  {"gravity", list(facts.gravity)},
                  {"units", to_json(facts.units)},
                  {"settings", all(facts.settings)},
                  {"objects", all(facts.objects)},
                  {"plots", all(facts.plots)}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Facts parse_facts(std::string_view text) {
  const Json parsed = shallow_json(text);
  if (parsed.is_discarded()) throw FileTrouble("facts: the text is not JSON");
  const JsonReader json(parsed, "facts");
  if (const int found = json["format"].integer(); found != facts_format)
    throw FileTrouble("facts: the format is " + std::to_string(found) + ", this version reads " +
                      std::to_string(facts_format));
  Facts facts;
  facts.title = json["title"].text();
  facts.method = json["method"].text();
  if (json.has("axis")) facts.axis = read_axis(json["axis"]);
  if (json.has("units")) facts.units = read_units(json["units"]);
  facts.is_adaptive = json["adaptive"].flag();
  facts.step = json["step"].number();
  facts.gravity = vector<Vector3d>(json["gravity"]);
  facts.settings = json["settings"].list(read_settings);
  facts.objects = json["objects"].list(read_object);
  facts.plots = json["plots"].list(read_plot);
  check_facts(facts);
  return facts;
}

Facts read_facts(const Hdf5File& file) {
  const std::string path = file.path().string();
  if (!file.has_attribute("/", "facts"))
    throw FileTrouble(path +
                      ": the file does not say what it contains (attribute \"facts\"): it is from an older version of "
                      "filum. Run it again with `filum run`");
  try {
    return parse_facts(file.text_attribute("/", "facts"));
  } catch (const FileTrouble& trouble) {
    throw FileTrouble(path + ": " + trouble.what());
  }
}

}  // namespace filum::record
