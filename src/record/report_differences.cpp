/// How far two runs are apart. User document: docs/guide/results.md, "The report page".
#include "report_run.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace filum::record {
namespace {

using Json = nlohmann::ordered_json;
using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

/// Indices of equal numbers in two ascending lists.
Pairs common(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  Pairs pairs;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (std::abs(a[i] - b[j]) <= tolerance)
      pairs.emplace_back(i++, j++);
    else
      a[i] < b[j] ? ++i : ++j;
  }
  return pairs;
}

/// Nodes at the same place. Objects may have thousands of nodes: those of b are sorted by their first parameter.
Pairs common_nodes(const std::vector<std::vector<double>>& a, const std::vector<std::vector<double>>& b) {
  if (a.front().size() != b.front().size()) return {};
  double extent = 0;
  for (const auto& place : a)
    for (const double s : place) extent = std::max(extent, std::abs(s));
  const double tolerance = 1e-9 * extent;
  std::vector<std::size_t> order(b.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return b[i][0] < b[j][0]; });
  Pairs pairs;
  for (std::size_t i = 0; i < a.size(); ++i) {
    auto at =
        std::partition_point(order.begin(), order.end(), [&](std::size_t j) { return b[j][0] < a[i][0] - tolerance; });
    for (; at != order.end() && b[*at][0] <= a[i][0] + tolerance; ++at) {
      const bool same = std::equal(a[i].begin(), a[i].end(), b[*at].begin(),
                                   [&](double x, double y) { return std::abs(x - y) <= tolerance; });
      if (same) {
        pairs.emplace_back(i, *at);
        break;
      }
    }
  }
  return pairs;
}

double distance(const double* a, const double* b, std::size_t n) {
  double sum = 0;
  for (std::size_t k = 0; k < n; ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return std::sqrt(sum);
}

/// Angle between two orientations; p and −p are the same.
double angle(const double* p, const double* q) {
  double minus[4];
  for (int k = 0; k < 4; ++k) minus[k] = -q[k];
  return 4 * std::asin(std::min(1.0, std::min(distance(p, q, 4), distance(p, minus, 4)) / 2));
}

class DifferenceWriter {
 public:
  DifferenceWriter(ReportArrays& arrays, std::string prefix, const RunReader& a, const RunReader& b,
                   const ReportLimits& limits)
      : arrays_(arrays), prefix_(std::move(prefix)), a_(a), b_(b) {
    const double span = std::max(a.time().back() - a.time().front(), b.time().back() - b.time().front());
    const Pairs all = common(a.time(), b.time(), 1e-9 * span);
    for (const std::size_t i : thinned(all.size(), limits.plot_frames)) frames_.push_back(all[i]);
  }

  Json write() {
    json_["times"] = frames_.size();
    json_["series"] = Json::array();
    if (frames_.empty()) return json_;
    std::vector<double> time;
    for (const auto& [fa, fb] : frames_) time.push_back(a_.time()[fa]);
    arrays_.add(prefix_ + "time", {time.size(), 1}, time, ReportArrays::Kind::exact);
    for (const ObjectFacts& object : a_.facts().objects)
      if (const ObjectFacts* other = partner(object)) compare(object, *other);
    pair("energy/total", "energy", "total energy");
    for (const PlotFacts& plot : a_.facts().plots)
      if (is_plotted_in_b(plot.series)) pair(plot.series, plot.group, plot.label);
    return json_;
  }

 private:
  const ObjectFacts* partner(const ObjectFacts& object) const {
    for (const ObjectFacts& other : b_.facts().objects)
      if (other.name == object.name && other.nodes > 0 && object.nodes > 0) return &other;
    return nullptr;
  }
  bool is_plotted_in_b(const std::string& series) const {
    const auto& plots = b_.facts().plots;
    return std::any_of(plots.begin(), plots.end(), [&](const PlotFacts& p) { return p.series == series; });
  }

  void compare(const ObjectFacts& object, const ObjectFacts& other) {
    const Pairs nodes = common_nodes(places(a_, object), places(b_, other));
    if (nodes.empty()) return;
    const std::string& name = object.name;
    worst_node(name, "position", nodes, 3, [](const double* x, const double* y) { return distance(x, y, 3); });
    worst_node(name, "orientation", nodes, 4, angle);
    const std::size_t dim = a_.size_of(name + "/velocity") / static_cast<std::size_t>(object.nodes);
    if (dim == b_.size_of(name + "/velocity") / static_cast<std::size_t>(other.nodes))
      worst_node(name, "velocity", nodes, dim, [dim](const double* x, const double* y) { return distance(x, y, dim); });
  }

  /// Of every node: its parameters, or its number where it has none.
  static std::vector<std::vector<double>> places(const RunReader& run, const ObjectFacts& object) {
    std::vector<std::vector<double>> places(static_cast<std::size_t>(object.nodes));
    for (const std::string& name : object.parameters) {
      const std::vector<double> values = run.array(name);
      for (std::size_t i = 0; i < places.size(); ++i) places[i].push_back(values[i]);
    }
    if (object.parameters.empty())
      for (std::size_t i = 0; i < places.size(); ++i) places[i].push_back(static_cast<double>(i));
    return places;
  }

  /// The largest difference over all nodes that both have.
  template <class Measure>
  void worst_node(const std::string& object, const char* quantity, const Pairs& nodes, std::size_t dim,
                  const Measure& measure) {
    const ReadSeries a = a_.series(object + "/" + quantity), b = b_.series(object + "/" + quantity);
    std::vector<double> values;
    for (const auto& [fa, fb] : frames_) {
      double worst = 0;
      for (const auto& [na, nb] : nodes)
        worst = std::max(worst, measure(a.frame(fa).data() + dim * na, b.frame(fb).data() + dim * nb));
      values.push_back(worst);
    }
    add(quantity, object, values);
  }

  void pair(const std::string& name, const std::string& quantity, const std::string& label) {
    const ReadSeries a = a_.series(name), b = b_.series(name);
    if (a.size != b.size) return;
    std::vector<double> values;
    for (const auto& [fa, fb] : frames_) values.push_back(distance(a.frame(fa).data(), b.frame(fb).data(), a.size));
    add(quantity, label, values);
  }

  void add(const std::string& quantity, const std::string& label, const std::vector<double>& values) {
    const std::string name = prefix_ + quantity + "/" + label;
    arrays_.add(name, {values.size(), 1}, values);
    json_["series"].push_back({{"array", name}, {"quantity", quantity}, {"label", label}});
  }

  ReportArrays& arrays_;
  std::string prefix_;
  const RunReader &a_, &b_;
  Pairs frames_;
  Json json_ = Json::object();
};

}  // namespace

nlohmann::ordered_json add_differences(ReportArrays& arrays, const std::string& prefix, const RunReader& a,
                                       const RunReader& b, const ReportLimits& limits) {
  return DifferenceWriter(arrays, prefix, a, b, limits).write();
}

}  // namespace filum::record
