/// How far two runs are apart. User document: docs/guide/results.md, "The report page".
#include "report_run.hpp"

#include <algorithm>
#include <cmath>

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
    objects(a_.run().bodies, b_.run().bodies, false);
    objects(a_.run().beams, b_.run().beams, true);
    for (const char* name : {"energy/total"})
      pair(name, "energy", "total energy", 1,
           [](const double* x, const double* y, std::size_t) { return std::abs(*x - *y); });
    for (const std::string& name : a_.run().sensors)
      if (std::count(b_.run().sensors.begin(), b_.run().sensors.end(), name))
        pair("sensors/" + name, "sensors", name, 0, distance);
    return json_;
  }

 private:
  void objects(const std::vector<std::string>& in_a, const std::vector<std::string>& in_b, bool beams) {
    for (const std::string& name : in_a) {
      if (!std::count(in_b.begin(), in_b.end(), name)) continue;
      Pairs nodes{{0, 0}};
      if (beams) {
        const auto sa = a_.array(name + "/arc_length"), sb = b_.array(name + "/arc_length");
        nodes = common(sa, sb, 1e-9 * sa.back());
      }
      worst_node(name, "position", nodes, 3, [](const double* x, const double* y) { return distance(x, y, 3); });
      worst_node(name, "orientation", nodes, 4, angle);
      const std::size_t dim = a_.size_of(name + "/velocity") / (a_.size_of(name + "/position") / 3);
      if (dim == b_.size_of(name + "/velocity") / (b_.size_of(name + "/position") / 3))
        worst_node(name, "velocity", nodes, dim,
                   [dim](const double* x, const double* y) { return distance(x, y, dim); });
    }
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

  template <class Measure>
  void pair(const std::string& name, const char* quantity, const std::string& label, std::size_t size,
            const Measure& measure) {
    const ReadSeries a = a_.series(name), b = b_.series(name);
    if (a.size != b.size || (size && a.size != size)) return;
    std::vector<double> values;
    for (const auto& [fa, fb] : frames_) values.push_back(measure(a.frame(fa).data(), b.frame(fb).data(), a.size));
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
