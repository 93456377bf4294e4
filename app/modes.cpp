/// `filum modes`: a table on the terminal, files in a folder. User document: docs/guide/modes.md.
#include "modes.hpp"

#include "exit_code.hpp"
#include "folders.hpp"
#include "report.hpp"

#include <filum/chart/chart.hpp>
#include <filum/record/marks.hpp>
#include <filum/record/replace_file.hpp>
#include <filum/scenario/modes.hpp>
#include <filum/scenario/read.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <utility>

namespace filum::app {
namespace {

/// None for the start.
std::optional<double> time_of(const std::string& at) {
  if (at == "start" || at == "static") return std::nullopt;
  std::size_t end = 0;
  double time = 0;
  try {
    time = std::stod(at, &end);
  } catch (const std::exception&) {
    end = 0;
  }
  if (end == 0 || end != at.size())
    config::refuse_input("--at", "expected start, static or a time, found '" + at + "'");
  return time;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ':')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

std::vector<std::pair<std::string, std::string>> pairs_of(const std::vector<std::string>& texts) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& text : texts) {
    const auto parts = split(text);
    if (parts.size() != 2 || parts[0].empty() || parts[1].empty())
      config::refuse_input("--response", "expected LOAD:SENSOR, such as shaker.fz:tip.z, found '" + text + "'");
    pairs.emplace_back(parts[0], parts[1]);
  }
  return pairs;
}

/// Evenly on a logarithmic axis.
std::vector<double> omegas_of(const std::string& text) {
  if (text.empty()) return {};
  const auto parts = split(text);
  double numbers[] = {0, 0, 400};
  bool good = parts.size() == 2 || parts.size() == 3;
  for (std::size_t k = 0; good && k < parts.size(); ++k) {
    char* end = nullptr;
    numbers[k] = std::strtod(parts[k].c_str(), &end);
    good = !parts[k].empty() && *end == '\0';
  }
  if (!good || !(numbers[0] > 0) || !(numbers[1] > numbers[0]) || !(numbers[2] >= 2 && numbers[2] < 1e6))
    config::refuse_input("--omega", "expected FROM:TO or FROM:TO:COUNT with 0 < FROM < TO, found '" + text + "'");
  std::vector<double> omegas;
  const int count = static_cast<int>(numbers[2]);
  for (int k = 0; k < count; ++k)
    omegas.push_back(numbers[0] * std::pow(numbers[1] / numbers[0], static_cast<double>(k) / (count - 1)));
  return omegas;
}

/// response.svg: magnitudes over omega.
void draw_responses(const record::ModesRun& result, const std::filesystem::path& folder) {
  chart::Chart chart{.title = "Frequency response",
                     .x = {.label = "omega", .logarithmic = true},
                     .y = {.label = "magnitude", .logarithmic = true},
                     .curves = {}};
  for (const record::Response& r : result.responses) {
    chart::ChartCurve curve{.label = r.output + " / " + r.input, .points = {}, .has_markers = false};
    for (std::size_t k = 0; k < r.values.size(); ++k)
      curve.points.push_back({result.omegas[k], std::abs(r.values[k]), {}});
    chart.curves.push_back(std::move(curve));
  }
  record::replace_file(folder / "response.svg", std::string(record::xml_mark) + "\n" + chart::to_svg(chart),
                       "the frequency response");
}

void print(const record::ModesRun& result) {
  const auto& list = result.modes.modes;
  std::printf("%4s  %-10s %14s %14s %12s\n", "mode", "kind", "omega", "frequency", "damping");
  for (std::size_t k = 0; k < list.size(); ++k) {
    const analysis::Mode& m = list[k];
    const std::string kind(analysis::name(m.kind));
    if (m.kind == analysis::ModeKind::rigid)
      std::printf("%4zu  %-10s %s\n", k + 1, kind.c_str(), m.name.c_str());
    else
      std::printf("%4zu  %-10s %14.9g %14.9g %12.4g\n", k + 1, kind.c_str(), m.omega(), m.frequency(),
                  std::abs(m.damping()) < 1e-12 ? 0 : m.damping());  // the rest is rounding
  }
  if (!result.modes.remark.empty()) std::printf("%s\n", result.modes.remark.c_str());
}

}  // namespace

int find_modes(ModesArguments a) {
  const std::optional<double> time = time_of(a.at);
  const scenario::Scenario s =
      scenario::read_scenario(a.scenario, a.overrides, time ? scenario::Purpose::run : scenario::Purpose::analysis);
  if (time && !(*time >= s.time.start && *time <= s.time.end))
    config::refuse_input("--at", "expected a time between time.start and time.end of the scenario, found " + a.at);
  std::optional<NewFolder> made;
  if (a.folder.empty()) a.folder = made.emplace(a.scenario).path();
  try {
    record::ModesRunOptions what{
        .modes = a.modes, .time = time, .at_equilibrium = a.at == "static", .matrices = a.matrices};
    what.responses = pairs_of(a.responses);
    what.omegas = omegas_of(a.omegas);
    const record::ModesRun result = scenario::find_modes(
        s, std::move(what),
        {.folder = a.folder, .force = a.force, .input = a.scenario, .report = false, .threads = a.threads});
    if (!result.responses.empty()) draw_responses(result, a.folder);
    if (!a.quiet) print(result);
  } catch (const analysis::NoModes& reason) {
    std::cerr << "filum: no modes: " << reason.what() << "\n";
    return stopped;
  } catch (const record::NoEquilibrium& reason) {
    std::cerr << "filum: no modes: " << reason.what() << "\n";
    return stopped;
  } catch (const record::NoState& reason) {
    std::cerr << "filum: no modes: " << reason.what() << "\n";
    return stopped;
  }
  if (!a.quiet) std::printf("results are in %s\n", a.folder.c_str());
  if (a.report) report_after_run(a.folder, a.quiet);
  return done;
}

}  // namespace filum::app
