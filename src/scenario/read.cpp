/// Reading a scenario: overrides, keys, objects. User document: docs/guide/scenarios.md.
#include "object_tables.hpp"
#include "schema.hpp"

#include <filum/config/enclosing.hpp>
#include <filum/scenario/builtin.hpp>
#include <filum/scenario/read.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>

namespace filum::scenario {

using config::Override;
using config::Problem;
using config::refuse_input;
using config::suggestion;

namespace {

/// A scenario while it is being read.
struct ScenarioFile {
  Scenario* scenario;
  model::ModelOptions* model;
  std::vector<PendingObject>* objects;
  Purpose purpose = Purpose::run;
};

void fields(config::Reader& a, ScenarioFile& x) {
  Scenario& s = *x.scenario;
  MethodTable method{&s.method, &s.chooses};
  a("schema", s.schema, config::Rule{.required = true, .advice = "schema = 1 in the first line"});
  a("title", x.model->title);
  a("gravity", x.model->gravity);
  a("units", x.model->units);
  a.symbols(s.symbols);
  if (x.purpose == Purpose::run || a.has("time")) a("time", s.time, required);
  a("integrator", method);
  a("newton", s.newton);
  a("output", s.output);
  a("static", s.statics);
  for (const TableKind& kind : table_kinds()) kind.read(a, *x.objects);
}

std::string rounded(double value) {
  std::ostringstream text;
  text.precision(3);
  text << value;
  return text.str();
}

/// A step that is lost in rounding would never reach the end.
template <class Complain>
void check_rounding(const Time& t, const Complain& complain) {
  const double least = std::max(1e-300, 2e-13 * std::max(std::abs(t.start), std::abs(t.end)));
  if (!(t.end > t.start)) return;
  if (t.end - t.start < least)
    complain("time.end", "expected a time at least " + rounded(least) + " after time.start: less is lost in rounding");
  else if (t.step > 0 && t.step < least)
    complain("time.step", "expected a step of at least " + rounded(least) + ": less is lost in rounding");
}

/// Too many frames are refused before they fill the disk.
template <class Complain>
void check_output_interval(const Scenario& s, const Complain& complain) {
  constexpr double most_frames = 1e8, most_frames_a_step = 1000;
  const Time& t = s.time;
  if (!(t.output_every.value > 0) || !(t.end > t.start) || !(t.step > 0)) return;
  const double frames = (t.end - t.start) / t.output_every.value;
  const double in_a_step = std::min(t.step, t.end - t.start) / t.output_every.value;
  if (frames > most_frames)
    complain("time.output_every", "the run would have " + rounded(frames) + " frames; at most 1e8 are recorded");
  else if (in_a_step > (1 + 1e-9) * most_frames_a_step && t.grid == integrate::Grid::fixed && !s.is_adaptive())
    complain("time.output_every",
             "every step would have " + rounded(in_a_step) + " frames between its ends; at most 1000 are recorded");
}

/// What is wrong with time and method.
std::vector<Problem> find_problems(const Scenario& s, Purpose purpose, bool has_time) {
  std::vector<Problem> problems;
  const auto complain = [&](const std::string& key, const std::string& message) {
    problems.push_back(s.problem(key, message));
  };
  if (s.schema != 1)
    complain("schema", "expected 1, the only schema this version knows, found " + std::to_string(s.schema));
  if (has_time && !(s.time.end > s.time.start)) complain("time.end", "expected a time after time.start");
  if (s.time.step > 0 && !((s.time.end - s.time.start) / s.time.step < 1e12))
    complain("time.step", "the step is too small: more than 1e12 steps would be needed");
  check_rounding(s.time, complain);
  check_output_interval(s, complain);
  if (const auto objection = integrate::objection(s.complete_method()); objection && !s.chooses)
    complain(key_of_option(objection->option), objection->text);
  if (s.statics.path == analysis::PathKind::time && purpose == Purpose::analysis && !has_time)
    complain("static.path", "a path in time needs time.end: add [time] with end, and start where it is not 0");
  if (purpose == Purpose::run && !s.chooses && !(s.time.step > 0))
    complain("time.step", "this key is missing; without it the program chooses, with integrator.method = \"auto\"");
  if (!s.chooses && s.time.accuracy)
    complain("time.accuracy", "needs integrator.method = \"auto\"; this method has its own tolerances");
  if (s.is_adaptive() && s.time.grid == integrate::Grid::random)
    complain("time.grid", "an adaptive method chooses its own steps; use grid = \"fixed\"");
  return problems;
}

/// Adds the objects, those that others refer to first; mistakes are collected.
std::vector<Problem> add_objects(Scenario& s, std::vector<PendingObject> pending, const std::vector<Problem>& known,
                                 Purpose purpose) {
  std::vector<Problem> problems;
  // Of a table with mistakes only the name is worth another message: the rest follows from what could not be read.
  const config::Enclosing faulty(known);
  const auto is_sound = [&](const PendingObject& o) { return !faulty.contains(o.path); };
  std::stable_sort(pending.begin(), pending.end(),
                   [](const PendingObject& a, const PendingObject& b) { return a.order < b.order; });
  Declared declared;
  for (const PendingObject& o : pending)
    if (!o.name.empty()) declared.others.emplace(o.name, o.kind);
  declared.is_complete = std::none_of(table_kinds().begin(), table_kinds().end(), [&](const TableKind& kind) {
    return std::any_of(known.begin(), known.end(), [&](const Problem& p) { return p.key == kind.key; });
  });
  auto earlier = pending.begin();  // objects refer to those of lower order only
  TableContext context(s.model, s.symbols, [&]() -> const Declared& { return declared; });
  const auto complain = [&](const PendingObject& o, const std::string& option, const std::string& message) {
    if (option != "name" && !is_sound(o)) return;
    problems.push_back(s.problem(option.empty() ? o.path : o.path + "." + option, message));
  };
  for (const PendingObject& o : pending) {
    for (; earlier->order < o.order; ++earlier)
      if (!earlier->name.empty()) declared.others.erase(earlier->name), declared.partners.insert(earlier->name);
    try {
      const model::Object& object = s.model.object(o.add(context));
      s.paths[std::string(object.kind()) + " " + object.name()] = o.path;
    } catch (const model::ModelError& error) {
      for (const model::ObjectProblem& p : error.problems()) complain(o, p.option, p.message);
    } catch (const model::OptionError& error) {
      complain(o, error.option, error.what());
    }
    for (const model::OptionError& error : context.take_errors()) complain(o, error.option, error.what());
  }
  if (!problems.empty() || !known.empty() || purpose == Purpose::draft) return problems;
  try {
    s.model.check();
  } catch (const model::ModelError& error) {
    return s.located(error).problems();
  }
  return problems;
}

/// Overrides may change what is there in [parameters] and [functions], and add nothing.
void apply(config::Node& root, const Override& assignment, std::vector<Problem>& problems) {
  config::apply_override(root, assignment, {{"parameters", "parameter"}, {"functions", "function"}}, problems);
}

Scenario read(const config::Node& root, std::vector<Problem> problems, Purpose purpose) {
  const config::Table* top = root.as<config::Table>();
  if (const config::Table::Entry* entry = top ? top->find("scenario") : nullptr)
    refuse_input(entry->place.source, "this is a study, not a scenario; try: filum study " + entry->place.source);
  config::ReadingContext context;
  context.problems = std::move(problems);
  context.variables = {"t", "s", "x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz", "length", "rate", "s1", "s2", "G"};
  Scenario scenario;
  model::ModelOptions options;
  std::vector<PendingObject> objects;
  ScenarioFile file{&scenario, &options, &objects, purpose};
  config::read_document(root, file, context);
  if (top && !top->find("integrator") && !(scenario.time.step > 0)) scenario.chooses = true;
  scenario.places = std::move(context.places);
  scenario.model = model::Model(options);
  config::add_unless_known(context.problems,
                           find_problems(scenario, purpose, purpose == Purpose::run || (top && top->find("time"))));
  config::add_unless_known(context.problems, add_objects(scenario, std::move(objects), context.problems, purpose));
  config::refuse_problems(std::move(context.problems));
  return scenario;
}

}  // namespace

Scenario parse_scenario(std::string_view text, const std::string& source, const std::vector<Override>& overrides,
                        Purpose purpose) {
  config::Node root = config::parse_document(text, source);
  std::vector<Problem> problems;
  for (const Override& assignment : overrides) apply(root, assignment, problems);
  return read(root, std::move(problems), purpose);
}

void change_tree(config::Node& tree, const Override& assignment) {
  std::vector<Problem> problems;
  apply(tree, assignment, problems);
  config::refuse_problems(std::move(problems));
}

Scenario read_tree(const config::Node& tree, Purpose purpose) { return read(tree, {}, purpose); }

namespace {

/// The text of a scenario, and what messages call it.
std::pair<std::string, std::string> find_text(const std::string& file_or_name) {
  std::error_code error;
  if (const auto text = config::input_text(file_or_name)) return {*text, file_or_name};
  if (const BuiltinScenario* builtin = find_builtin(file_or_name))
    return {std::string(builtin->text), "scenarios/" + file_or_name + ".toml"};
  if (std::filesystem::is_directory(file_or_name, error))
    refuse_input(file_or_name, "expected a scenario file, found a folder");
  config::Words names;
  for (const BuiltinScenario& b : builtin_scenarios()) names.emplace_back(b.name);
  refuse_input(file_or_name, "there is no such file, and no built-in scenario of this name" +
                                 (suggestion(file_or_name, names).empty() ? ";" : suggestion(file_or_name, names)) +
                                 " `filum list` shows the built-in ones");
}

}  // namespace

Scenario read_scenario(const std::string& file_or_name, const std::vector<Override>& overrides, Purpose purpose) {
  const auto [text, source] = find_text(file_or_name);
  return parse_scenario(text, source, overrides, purpose);
}

config::Node scenario_tree(const std::string& file_or_name) {
  const auto [text, source] = find_text(file_or_name);
  return config::parse_document(text, source);
}

}  // namespace filum::scenario
