/// What study.html shows, as JSON. User document: docs/guide/studies.md.
#include <filum/study/page.hpp>

#include <nlohmann/json.hpp>

namespace filum::study {
namespace {

using chart::ChartAxis;
using chart::ChartCurve;
using chart::ChartPoint;
using PageJson = nlohmann::ordered_json;

PageJson to_json(const ChartAxis& axis) {
  PageJson json{{"title", axis.label}, {"log", axis.logarithmic}};
  if (axis.range) json["range"] = *axis.range;
  if (!axis.categories.empty()) json["categories"] = axis.categories;
  return json;
}

/// What is not a finite number becomes null.
PageJson to_json(const ChartCurve& curve) {
  PageJson x = PageJson::array(), y = PageJson::array(), notes = PageJson::array();
  bool has_notes = false;
  for (const ChartPoint& p : curve.points) {
    x.push_back(p.x);
    y.push_back(p.y);
    notes.push_back(p.note);
    has_notes = has_notes || !p.note.empty();
  }
  PageJson json{{"label", curve.label}, {"x", x}, {"y", y}, {"line", curve.has_line}, {"markers", curve.has_markers}};
  if (curve.is_reference) json["reference"] = true;
  if (curve.style >= 0) json["style"] = curve.style;
  if (has_notes) json["notes"] = notes;
  return json;
}

PageJson to_json(const PagePlot& plot) {
  PageJson curves = PageJson::array();
  for (const ChartCurve& curve : plot.chart.curves) curves.push_back(to_json(curve));
  return {{"name", plot.name},
          {"title", plot.title},
          {"x", to_json(plot.chart.x)},
          {"y", to_json(plot.chart.y)},
          {"slopes", plot.chart.slopes},
          {"equal", plot.chart.equal_axes},
          {"curves", curves}};
}

PageJson to_json(const PageCheck& c) {
  return {{"claim", c.claim}, {"found", c.found}, {"expected", c.expected}, {"holds", c.holds}};
}

PageJson to_json(const PageTable& t) {
  return {{"title", t.title}, {"head", t.head},        {"rows", t.rows},
          {"note", t.note},   {"folded", t.is_folded}, {"links", t.links}};
}

template <class T>
PageJson all(const std::vector<T>& values) {
  PageJson json = PageJson::array();
  for (const T& value : values) json.push_back(to_json(value));
  return json;
}

}  // namespace

std::string page_text(const Page& page) {
  PageJson facts = PageJson::array();
  for (const auto& [name, value] : page.facts) facts.push_back({name, value});
  const PageJson json{{"title", page.title},      {"subtitle", page.subtitle},  {"facts", facts},
                      {"alarm", page.alarm},      {"warnings", page.warnings},  {"checks", all(page.checks)},
                      {"plots", all(page.plots)}, {"tables", all(page.tables)}, {"source", page.source}};
  return json.dump(-1, ' ', false, PageJson::error_handler_t::replace);
}

}  // namespace filum::study
