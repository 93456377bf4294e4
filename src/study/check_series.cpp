/// Series that a study asks for, looked up before anything runs. User document: docs/guide/studies.md, "Series and
/// measures".
#include "check_series.hpp"

#include <filum/model/built_model.hpp>
#include <filum/scenario/read.hpp>
#include <filum/scenario/simulation.hpp>
#include <filum/study/run_data.hpp>

#include <functional>
#include <map>

namespace filum::study {
namespace {

/// Series of every run, beside those of its objects (record/recorder.cpp).
constexpr const char* common[] = {
    "time",      "energy/kinetic", "energy/potential", "energy/total", "constraint/position", "constraint/velocity",
    "step/size", "step/newton",    "step/rejected",    "step/error"};

/// Names and shapes, without numbers.
using Catalogue = std::map<std::string, Recorded>;

Catalogue catalogue_of(const Run& run) {
  scenario::Scenario scenario = scenario::parse_scenario(run.scenario, run.hash);
  const model::BuiltModel& built = scenario::build(scenario);
  const mechanics::VectorXd eta = mechanics::VectorXd::Zero(built.system().size_rows());
  const model::Layout layout = built.layout(&eta);
  Catalogue known;
  for (const char* name : common) known[name];
  const auto add = [&](const model::Channel& c) { known[c.name] = {{}, c.shape, c.size()}; };
  for (const model::Channel& c : layout.channels) add(c);
  for (const model::SensorChannel& s : layout.sensors) add(s.channel);
  for (const model::FixedArray& a : layout.arrays) known[a.name] = {{}, {static_cast<int>(a.values.size())}, 1};
  return known;
}

class SeriesCheck {
 public:
  SeriesCheck(const Study& study, const CaseList& list) : study_(study), list_(list) {}

  std::vector<config::Problem> run() {
    for (const Series& s : study_.series)
      for (const Setting& of : s.of) {
        constexpr std::string_view reference = "reference:";
        entry(of.value.starts_with(reference) ? of.value.substr(reference.size()) : of.value, "series." + s.name, true);
      }
    for (const Measure& m : study_.measures) entry(m.series, "measure." + m.name + ".series", true);
    for (const Plot& p : study_.plots) {
      const std::string at = "plot." + p.name;
      if (p.kind == PlotKind::shapes) entry(p.object + "/position", at + ".object", false);
      if (p.kind != PlotKind::series) continue;
      if (!p.x.empty()) entry(p.x, at + ".x", true);
      for (const std::string& y : p.y) entry(y, at + ".y", true);
    }
    if (study_.convergence)
      for (const std::string& q : study_.convergence->quantities) entry(q, "convergence.quantities", false);
    return std::move(problems_);
  }

 private:
  /// The catalogues one after the other, until one satisfies.
  bool any_run(const std::function<bool(const Catalogue&)>& satisfies) {
    for (std::size_t i = 0;; ++i) {
      while (i == catalogues_.size())
        if (!read_next()) return false;
      if (satisfies(catalogues_[i])) return true;
    }
  }
  /// A run that cannot be built says why when its turn comes.
  bool read_next() {
    if (next_ == list_.runs.size()) return false;
    const Run& run = list_.runs[next_++];
    if (!run.refusal.empty()) return true;
    try {
      catalogues_.push_back(catalogue_of(run));
    } catch (const config::InputError&) {
    }
    return true;
  }

  /// Names without a slash are those of [[series]], errors and quantities, which have been checked already.
  void entry(const std::string& name, const std::string& at, bool is_one_number) {
    if (name.find('/') == std::string::npos || name.starts_with("error.")) return;
    std::string trouble;
    const bool found = any_run([&](const Catalogue& known) {
      const std::string found_here = objection(name, known, is_one_number);
      if (trouble.empty()) trouble = found_here;
      return found_here.empty();
    });
    if (!found && !trouble.empty()) problems_.push_back(study_.problem(at, trouble));
  }

  static std::string objection(const std::string& name, const Catalogue& known, bool is_one_number) {
    try {
      const Entry entry = parse_entry(name);
      const auto series = known.find(entry.series);
      if (series == known.end()) {
        std::vector<std::string> names;
        for (const auto& [other, recorded] : known) names.push_back(other);
        return "result.h5 will have no series '" + config::shortened(entry.series) + "'" +
               config::suggestion(entry.series, names);
      }
      const std::size_t count = places_of(entry, series->second).size();
      if (is_one_number && count != 1)
        return "'" + config::shortened(name) + "' is " + std::to_string(count) +
               " numbers per frame: choose one, as in NAME[0]";
    } catch (const std::invalid_argument& trouble) {
      return trouble.what();
    }
    return {};
  }

  const Study& study_;
  const CaseList& list_;
  std::vector<Catalogue> catalogues_;
  std::size_t next_ = 0;
  std::vector<config::Problem> problems_;
};

}  // namespace

void check_series(const Study& study, const CaseList& list) {
  if (study.modes) return;
  std::vector<config::Problem> problems = SeriesCheck(study, list).run();
  if (!problems.empty()) throw config::InputError(std::move(problems));
}

}  // namespace filum::study
