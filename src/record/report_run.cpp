/// One run as the report page wants it. User document: docs/guide/results.md, "The report page".
#include "report_run.hpp"

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

double length(const double* x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  return std::sqrt(sum);
}

/// Numbers by which a beam can be coloured, made from `size` numbers of each of its segments or nodes.
struct Field {
  const char *name, *source;
  int size;
  double (*value)(const double*);
};
constexpr Field fields[] = {
    {"curvature", "strain", 6, [](const double* w) { return length(w, 2); }},
    {"twist", "strain", 6, [](const double* w) { return w[2]; }},
    {"extension", "strain", 6, [](const double* w) { return w[5] - 1; }},
    {"moment", "stress", 6, [](const double* g) { return length(g, 2); }},
    {"torque", "stress", 6, [](const double* g) { return g[2]; }},
    {"axial_force", "stress", 6, [](const double* g) { return g[5]; }},
    {"speed", "velocity", 6, [](const double* v) { return length(v + 3, 3); }},
    {"energy", "energy", 1, [](const double* e) { return *e; }},
};

class RunWriter {
 public:
  RunWriter(ReportArrays& arrays, std::string prefix, const RunReader& run, const ReportLimits& limits)
      : arrays_(arrays), prefix_(std::move(prefix)), run_(run), limits_(limits) {}

  Json write() {
    const std::size_t most = std::clamp<std::size_t>(
        limits_.motion_numbers / std::max<std::size_t>(1, numbers_a_frame()), 2, limits_.motion_frames);
    shown_ = thinned(run_.frames(), most);
    motion();
    plots();
    const auto& folder = run_.run().folder;
    Json json;
    json["folder"] = folder.string();
    json["scenario"] = text_of(folder / "scenario.toml");
    json["scene"] = Json::parse(run_.run().scene);
    json["frames"] = {{"recorded", run_.frames()}, {"shown", shown_.size()}, {"plotted", plotted_}};
    json["summary"] = Json::parse(text_of(folder / "summary.json"), nullptr, false);
    if (json["summary"].is_discarded()) json["summary"] = nullptr;
    if (json["summary"].is_object()) json["summary"].erase("final");
    json["labels"] = labels();
    return json;
  }

 private:
  std::size_t numbers_a_frame() const {
    std::size_t sum = 0;
    for (const std::string& name : run_.run().bodies) sum += 7 * run_.size_of(name + "/position") / 3;
    for (const std::string& name : run_.run().beams)
      sum += (7 + std::size(fields)) * run_.size_of(name + "/position") / 3;
    return sum;
  }

  void add(const std::string& name, const std::vector<std::size_t>& frames, const ReadSeries& series, Kind kind) {
    std::vector<double> values;
    values.reserve(frames.size() * series.size);
    for (const std::size_t f : frames) values.insert(values.end(), series.frame(f).begin(), series.frame(f).end());
    arrays_.add(prefix_ + name, {frames.size(), series.size}, values, kind);
  }

  void motion() {
    add("time", shown_, {1, run_.time()}, Kind::exact);
    for (const auto* names : {&run_.run().bodies, &run_.run().beams})
      for (const std::string& name : *names)
        for (const char* what : {"/position", "/orientation"})
          add(name + what, shown_, run_.series(name + what), Kind::drawing);
    for (const std::string& name : run_.run().beams) {
      const std::vector<double> s = run_.array(name + "/arc_length");
      arrays_.add(prefix_ + name + "/arc_length", {s.size()}, s);
      for (const Field& field : fields) add_field(name, field);
    }
    for (const ReportSeries& x : run_.run().series) {
      std::vector<double> values(shown_.size() * static_cast<std::size_t>(x.size));
      for (std::size_t i = 0; i < shown_.size(); ++i)
        x.read(run_.time()[shown_[i]], values.data() + i * static_cast<std::size_t>(x.size));
      arrays_.add(prefix_ + x.name, {shown_.size(), static_cast<std::size_t>(x.size)}, values, Kind::drawing);
    }
  }

  void add_field(const std::string& beam, const Field& field) {
    if (!run_.contains(beam + "/" + field.source)) return;
    const ReadSeries source = run_.series(beam + "/" + field.source);
    const std::size_t stride = static_cast<std::size_t>(field.size);
    ReadSeries made{source.size / stride, std::vector<double>(source.values.size() / stride)};
    for (std::size_t i = 0; i < made.values.size(); ++i)
      made.values[i] = field.value(source.values.data() + i * stride);
    add(beam + "/field/" + field.name, shown_, made, Kind::drawing);
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
    const std::size_t frames = series.values.size() / series.size;
    for (std::size_t k = 0; k < series.size; ++k) {
      std::size_t low = 0, high = 0;
      for (std::size_t f = 1; f < frames; ++f) {
        if (series.frame(f)[k] < series.frame(low)[k]) low = f;
        if (series.frame(f)[k] > series.frame(high)[k]) high = f;
      }
      kept.insert({low, high});
    }
  }

  Json labels() const {
    Json json = Json::object();
    for (const std::string& name : run_.run().joints)
      if (run_.contains("joints/" + name + "/multiplier"))
        json["joints/" + name + "/multiplier"] = run_.attribute("joints/" + name + "/multiplier", "rows");
    for (const std::string& name : run_.run().sensors)
      json["sensors/" + name] = run_.attribute("sensors/" + name, "components");
    return json;
  }

  ReportArrays& arrays_;
  std::string prefix_;
  const RunReader& run_;
  const ReportLimits& limits_;
  std::vector<std::size_t> shown_;
  std::size_t plotted_ = 0;
};

}  // namespace

RunReader::RunReader(const ReportRun& run)
    : run_(&run), file_(run.folder / "result.h5", Hdf5File::Mode::read), time_(file_.read("time")) {
  std::size_t frames = time_.size();
  for (const std::string& name : plotted())
    if (name != "energy/drift") frames = std::min<std::size_t>(frames, file_.shape(name).at(0));
  for (const auto* names : {&run.bodies, &run.beams})
    for (const std::string& name : *names)
      for (const char* what : {"/position", "/orientation", "/velocity"})
        frames = std::min<std::size_t>(frames, file_.shape(name + what).at(0));
  if (frames == 0) throw FileTrouble((run.folder / "result.h5").string() + ": the file has no frames yet");
  time_.resize(frames);
}

std::size_t RunReader::size_of(const std::string& name) const {
  std::size_t size = 1;
  const auto shape = file_.shape(name);
  for (std::size_t k = 1; k < shape.size(); ++k) size *= shape[k];
  return size;
}

ReadSeries RunReader::series(const std::string& name) const {
  if (name == "energy/drift") {
    ReadSeries total = series("energy/total");
    const double first = total.values.front();
    for (double& x : total.values) x -= first;
    return total;
  }
  ReadSeries out{size_of(name), file_.read(name)};
  // A run that was killed may leave a series one block shorter than the others.
  out.values.resize(frames() * out.size, std::nan(""));
  return out;
}

std::vector<std::string> RunReader::plotted() const {
  std::vector<std::string> names{"energy/kinetic", "energy/potential",    "energy/total",
                                 "energy/drift",   "constraint/position", "constraint/velocity",
                                 "step/size",      "step/newton",         "step/rejected"};
  if (contains("step/error")) names.emplace_back("step/error");
  for (const std::string& name : run_->joints)
    if (contains("joints/" + name + "/multiplier")) names.push_back("joints/" + name + "/multiplier");
  for (const std::string& name : run_->sensors) names.push_back("sensors/" + name);
  return names;
}

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
