/// Modes of a model and their files. User document: docs/guide/modes.md.
#include "hdf5_replace.hpp"
#include "linear_model.hpp"
#include "mode_shapes.hpp"
#include "result_folder.hpp"
#include "run_threads.hpp"
#include "summary_json.hpp"
#include "summary_of.hpp"

#include <filum/config/problem.hpp>
#include <filum/record/linear_files.hpp>
#include <filum/record/modes.hpp>
#include <filum/record/recorder.hpp>
#include <filum/record/replace_file.hpp>
#include <filum/record/report.hpp>

#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>

namespace filum::record {
namespace {

using analysis::Mode;
using analysis::ModeKind;
using Json = nlohmann::ordered_json;

const model::BuiltModel& build(model::Model& model, const ModesRunOptions& o) {
  return model.build(o.run.start, o.at_equilibrium ? model::StartVelocities::fitted : model::StartVelocities::given);
}

State state_of(model::Model& model, const integrate::MethodOptions& method, const ModesRunOptions& o) {
  const model::BuiltModel& built = build(model, o);
  if (o.at_equilibrium) return equilibrium_of(built, o.run.regularize);
  if (!o.time || *o.time == o.run.start) return built.start();
  SimulateOptions way = o.run;
  way.end = *o.time;
  way.keep = false;
  way.folder.clear();
  const Run run = simulate(model, method, way);
  if (!run.is_done()) throw NoState(run.message);
  return run.final;
}

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

std::string table(const std::vector<Mode>& modes) {
  std::string out = "mode,omega,frequency,damping,real,imaginary,kind,name\n";
  for (std::size_t k = 0; k < modes.size(); ++k) {
    const Mode& m = modes[k];
    out += std::to_string(k + 1);
    for (const double x : {m.omega(), m.frequency(), m.damping(), m.s.real(), m.s.imag()}) out += "," + number(x);
    out += "," + std::string(analysis::name(m.kind)) + ",\"" + m.name + "\"\n";
  }
  return out;
}

/// What files say about the modes, for people and for the report page.
Json to_json(const std::vector<Mode>& modes) {
  Json list = Json::array();
  for (const Mode& m : modes) {
    Json entry{{"omega", m.omega()},
               {"frequency", m.frequency()},
               {"damping", m.damping()},
               {"kind", std::string(analysis::name(m.kind))}};
    if (!m.name.empty()) entry["name"] = m.name;
    list.push_back(std::move(entry));
  }
  return list;
}

void add_modes(const ModesRun& r, Hdf5File& file) {
  const int count = static_cast<int>(r.modes.modes.size());
  std::vector<double> eigenvalues;
  for (const Mode& m : r.modes.modes) eigenvalues.insert(eigenvalues.end(), {m.s.real(), m.s.imag()});
  file.set_attribute("/", "modes", to_json(r.modes.modes).dump());
  file.make_group("modes");
  file.write("modes/eigenvalue", eigenvalues, {count, 2});
  for (const auto& [name, series] : r.shapes) {
    file.make_group("modes/" + name.substr(0, name.rfind('/')));
    file.write("modes/" + name, series.values, {count, series.shape[0], series.shape[1]});
  }
}

/// The state as a run of one frame, the modes beside it.
void write_result(const ModesRun& r, model::Layout layout, const SimulateOptions& o) {
  layout.selected = r.model.rows();
  layout.attributes.emplace_back("method", "modes");
  layout.attributes.emplace_back("filum", version());
  layout.facts.method = "modes";
  layout.facts.settings = o.settings;
  Recorder recorder(r.model.system(), std::move(layout), {.folder = o.folder, .vtk = o.vtk, .keep = false});
  recorder.record(r.state, {});
  recorder.close();
  change_file(o.folder / "result.h5", [&r](Hdf5File& file) { add_modes(r, file); });
}

void summarize(ModesRun& r, const model::Layout& layout) {
  Summary& s = r.summary;
  summarize_model(r.model, {layout.poses, layout.rows}, r.state, s);
  s.status = "done";
  s.method = "modes";
  s.frames = 1;  // the state itself
  s.message = r.modes.remark;
}

/// Numbers of the names that are `wanted`, or components of it.
std::vector<int> find(const std::vector<std::string>& names, const std::string& wanted, const char* what) {
  std::vector<int> found;
  for (std::size_t k = 0; k < names.size(); ++k)
    if (names[k] == wanted || names[k].starts_with(wanted + ".")) found.push_back(static_cast<int>(k));
  if (found.empty())
    throw std::invalid_argument(std::string("there is no ") + what + " '" + wanted + "'" +
                                config::suggestion(wanted, names));
  return found;
}

std::vector<double> default_omegas(const std::vector<Mode>& modes) {
  double low = std::numeric_limits<double>::infinity(), high = 0;
  for (const Mode& m : modes)
    if (m.kind != ModeKind::rigid) low = std::min(low, m.omega()), high = std::max(high, m.omega());
  if (!(high > 0)) low = high = 1;
  constexpr int count = 400;
  std::vector<double> out;
  for (int k = 0; k < count; ++k)
    out.push_back(0.1 * low * std::pow(20 * high / low, static_cast<double>(k) / (count - 1)));
  return out;
}

void add_responses(ModesRun& r, const analysis::LinearModel& model, const ModesRunOptions& o) {
  r.omegas = o.omegas.empty() ? default_omegas(r.modes.modes) : o.omegas;
  struct Pair {
    int input, output;
  };
  std::vector<Pair> pairs;
  for (const auto& [input, output] : o.responses)
    for (const int i : find(model.input_names, input, "load"))
      for (const int k : find(model.output_names, output, "sensor")) {
        pairs.push_back({i, k});
        r.responses.push_back(
            {model.input_names[static_cast<std::size_t>(i)], model.output_names[static_cast<std::size_t>(k)], {}});
      }
  for (const Eigen::MatrixXcd& H : analysis::frequency_response(model, r.omegas))
    for (std::size_t p = 0; p < pairs.size(); ++p) r.responses[p].values.push_back(H(pairs[p].output, pairs[p].input));
}

std::string response_table(const ModesRun& r) {
  std::string out = "omega,frequency";
  for (const Response& p : r.responses)
    for (const char* what : {"real", "imaginary"}) out += "," + p.output + "/" + p.input + " " + what;
  out += "\n";
  for (std::size_t k = 0; k < r.omegas.size(); ++k) {
    out += number(r.omegas[k]) + "," + number(r.omegas[k] / (2 * std::numbers::pi));
    for (const Response& p : r.responses) out += "," + number(p.values[k].real()) + "," + number(p.values[k].imag());
    out += "\n";
  }
  return out;
}

void write_files(const ModesRun& r, model::Layout layout, const SimulateOptions& o,
                 const analysis::LinearModel* matrices) {
  const RunFolder folder(o.folder, o.force, o.input, o.source);
  write_result(r, std::move(layout), o);
  replace_file(o.folder / "modes.csv", table(r.modes.modes), "the table of modes");
  if (!r.responses.empty()) replace_file(o.folder / "response.csv", response_table(r), "the frequency response");
  if (matrices) write_linear_model(o.folder, *matrices);
  JsonTree summary = summary_json(r.summary);
  summary.json["modes"] = to_json(r.modes.modes);
  replace_files({{o.folder / "summary.json", "the summary",
                  [&](Draft& out) { print(summary, [&](std::string_view piece) { out.write(piece); }); }}},
                Durability::lasting);
  if (const std::filesystem::path page = report_template(); o.report && !page.empty())
    write_report(o.folder / "report.html", page, {o.folder});
}

}  // namespace

ModesRun find_modes(model::Model& model, const integrate::MethodOptions& method, const ModesRunOptions& options) {
  State x = state_of(model, method, options);
  const model::BuiltModel built = build(model, options);
  RunThreads threads(options.run.threads, built.system());
  const linalg::TeamInUse use(threads.team());
  const analysis::Linearization lin = analysis::linearize_about(built.system(), x, built.rows());
  ModesRun out{.modes = analysis::find_modes(lin, options.modes), .model = built, .state = std::move(x)};
  model::Layout layout = built.layout();
  out.shapes = mode_shapes(built.system(), out.state, layout.poses, out.modes);
  summarize(out, layout);
  out.summary.threads = threads.count();
  const bool has_folder = !options.run.folder.empty();
  if (options.responses.empty() && !options.matrices) {
    if (has_folder) write_files(out, std::move(layout), options.run, nullptr);
    return out;
  }
  const analysis::LinearModel linear = linear_model(lin, layout);
  if (!options.responses.empty()) add_responses(out, linear, options);
  if (has_folder) write_files(out, std::move(layout), options.run, options.matrices ? &linear : nullptr);
  return out;
}

}  // namespace filum::record
