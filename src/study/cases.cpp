/// From variables to runs. User document: docs/guide/studies.md.
#include <filum/config/fingerprint.hpp>
#include <filum/config/formula.hpp>
#include <filum/scenario/read.hpp>
#include <filum/study/cases.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>
#include <string_view>

namespace filum::study {
namespace {

constexpr const char* method_key = "integrator.method";

struct Choice {
  std::string label;
  Settings set;
};

std::vector<Choice> choices_of(const Vary& vary) {
  std::vector<Choice> choices;
  for (const config::ValueText& v : vary.values) choices.push_back({v.text, {{vary.key, v.text}}});
  for (const Option& o : vary.options) choices.push_back({o.label, o.set});
  return choices;
}

/// Steps times size, roughly: enough to begin with the longest runs.
double cost_of(const scenario::Scenario& s) {
  double size = 0;
  for (int k = 0; k < s.model.size(); ++k) size += s.model.object(k).expected_nodes();
  return (s.time.end - s.time.start) / s.time.step * std::max(1.0, size);
}

/// What distinguishes two runs of the same scenario.
std::string task_text(const Study& study) {
  if (!study.modes) return {};
  return "# modes " + std::to_string(study.modes->count) + " " + std::to_string(static_cast<int>(study.modes->at));
}

class Expansion {
 public:
  explicit Expansion(const Study& study) : study_(study) {
    for (const Vary& v : study.vary) {
      choices_.push_back(choices_of(v));
      Variable& variable = list_.variables.emplace_back();
      variable.name = v.name;
      variable.follows = leader(list_.variables.size() - 1) != list_.variables.size() - 1;
      for (const Choice& c : choices_.back()) {
        variable.labels.push_back(c.label);
        variable.numbers.push_back(v.options.empty() ? config::number_of(c.label)
                                                     : std::numeric_limits<double>::quiet_NaN());
      }
    }
  }

  CaseList list() {
    refuse_too_many();
    std::vector<int> choice(list_.variables.size(), 0);
    combine(0, choice);
    const bool any = std::any_of(list_.runs.begin(), list_.runs.end(), [](const Run& r) { return r.refusal.empty(); });
    if (!any) throw in_study(first_error_);
    return std::move(list_);
  }

 private:
  void refuse_too_many() const {
    constexpr double most = 100000;
    double count = 1;
    for (std::size_t v = 0; v < choices_.size(); ++v)
      if (leader(v) == v) count *= static_cast<double>(choices_[v].size());
    if (!(count > most)) return;
    std::ostringstream text;
    text << "all combinations of the variables are " << count << " cases; at most 100000 are run";
    throw config::InputError({study_.problem("vary", text.str())});
  }

  /// The place in the study file that makes a scenario invalid.
  config::InputError in_study(const config::InputError& error) const {
    std::vector<config::Problem> problems;
    for (const config::Problem& p : error.problems()) {
      std::string at;
      if (p.place.is_override()) {
        at = "set";
        for (const Vary& v : study_.vary)
          if (!v.key.empty() && p.place.is_override(v.key)) at = "vary." + v.name;
      } else if (p.place.source == study_.scenario && p.place.line == 0) {
        at = "scenario";
      }
      if (at.empty())
        problems.push_back(p);  // in the scenario file itself
      else
        problems.push_back(
            study_.problem(at, (at == "scenario" ? "'" + study_.scenario + "'" : p.key) + ": " + p.message));
    }
    return config::InputError(std::move(problems));
  }

  /// The leader of a zip group counts, the others follow.
  std::size_t leader(std::size_t variable) const {
    const std::string& zip = study_.vary[variable].zip;
    if (zip.empty()) return variable;
    for (std::size_t i = 0; i < variable; ++i)
      if (study_.vary[i].zip == zip) return i;
    return variable;
  }

  void combine(std::size_t variable, std::vector<int>& choice) {
    if (variable == choice.size()) return add_case(choice);
    if (const std::size_t first = leader(variable); first != variable) {
      choice[variable] = choice[first];
      return combine(variable + 1, choice);
    }
    for (std::size_t i = 0; i < choices_[variable].size(); ++i) {
      choice[variable] = static_cast<int>(i);
      combine(variable + 1, choice);
    }
  }

  void add_case(const std::vector<int>& choice) {
    Case c;
    c.choice = choice;
    Settings settings = study_.set;
    for (std::size_t i = 0; i < choice.size(); ++i)
      for (const Setting& s : choices_[i][static_cast<std::size_t>(choice[i])].set) settings.push_back(s);
    if (study_.is_short) append(settings, study_.short_form->set);
    c.run = run_of(settings);
    if (study_.reference) {
      append(settings, study_.reference->set);
      if (study_.is_short) append(settings, study_.short_form->reference);
      c.reference = run_of(settings);
    }
    list_.cases.push_back(std::move(c));
  }

  static void append(Settings& settings, const Settings& more) {
    settings.insert(settings.end(), more.begin(), more.end());
  }

  int run_of(const Settings& settings) {
    Run run;
    try {
      const scenario::Scenario s = scenario::read_scenario(scenario_of(settings), overrides_of(settings));
      run.scenario = scenario::to_toml(s);
      run.modes = study_.modes;
      run.hash = config::fingerprint(run.scenario + task_text(study_));
      run.cost = cost_of(s);
    } catch (const config::InputError& error) {
      if (list_.runs.empty()) first_error_ = error;
      run.refusal = error.problems().front().text();
      std::string text;
      for (const Setting& s : settings) text += s.text() + "\n";
      run.hash = config::fingerprint(text);
    }
    const auto [known, is_new] = numbers_.try_emplace(run.hash, static_cast<int>(list_.runs.size()));
    if (is_new) list_.runs.push_back(std::move(run));
    return known->second;
  }

  /// Beside the study file, or as given: a path or the name of a built-in one.
  std::string scenario_of(const Settings& settings) const {
    std::string name = study_.scenario;
    for (const Setting& s : settings)
      if (s.key == "scenario") name = s.value;
    const std::filesystem::path beside = std::filesystem::path(study_.folder) / name;
    std::error_code error;
    return std::filesystem::is_regular_file(beside, error) ? beside.string() : name;
  }

  const Study& study_;
  std::vector<std::vector<Choice>> choices_;
  CaseList list_;
  std::map<std::string, int> numbers_;
  config::InputError first_error_{std::vector<config::Problem>{}};
};

}  // namespace

std::vector<config::Override> overrides_of(const Settings& settings) {
  std::vector<config::Override> overrides;
  std::size_t chosen = settings.size();
  for (std::size_t i = 0; i < settings.size(); ++i)
    if (settings[i].key == method_key) chosen = i;
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const Setting& s = settings[i];
    if (s.key == "scenario") continue;
    if (i == chosen)
      overrides.push_back("integrator={method = \"" + s.value + "\"}");
    else if (chosen == settings.size() || i > chosen || !s.key.starts_with("integrator."))
      overrides.push_back(s.text());
  }
  return overrides;
}

int Variable::find(const std::string& label) const {
  const auto found = std::find(labels.begin(), labels.end(), label);
  return found == labels.end() ? -1 : static_cast<int>(found - labels.begin());
}

int CaseList::variable(const std::string& name) const {
  const auto found =
      std::find_if(variables.begin(), variables.end(), [&](const Variable& v) { return v.name == name; });
  return found == variables.end() ? -1 : static_cast<int>(found - variables.begin());
}

bool CaseList::matches(const Case& c, const Selection& selection) const {
  return std::all_of(selection.begin(), selection.end(), [&](const Setting& s) {
    const int i = variable(s.key);
    if (i < 0) return false;
    const auto at = static_cast<std::size_t>(i);
    return variables[at].labels[static_cast<std::size_t>(c.choice[at])] == s.value;
  });
}

int CaseList::partner(const Case& c, const Selection& over) const {
  std::vector<int> wanted = c.choice;
  for (const Setting& s : over) {
    const auto v = static_cast<std::size_t>(variable(s.key));
    wanted[v] = variables[v].find(s.value);
  }
  const auto found =
      std::find_if(cases.begin(), cases.end(), [&](const Case& other) { return other.choice == wanted; });
  return found == cases.end() ? -1 : static_cast<int>(found - cases.begin());
}

CaseList expand(const Study& study) { return Expansion(study).list(); }

}  // namespace filum::study
