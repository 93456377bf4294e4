/// Study files to structs, and their short forms. User document: docs/guide/studies.md.
#include "check_study.hpp"
#include "schema.hpp"

#include <filum/scenario/builtin.hpp>
#include <filum/study/read.hpp>

#include <algorithm>
#include <filesystem>

namespace filum::study {

using scenario::refuse_input;

Study parse_study(std::string_view text, const std::string& source) {
  scenario::ReadingContext context{.source = source, .symbols = {}, .places = {}, .problems = {}, .overridden = {}};
  toml::table root;
  try {
    root = toml::parse(text, source);
  } catch (const toml::parse_error& error) {
    const scenario::Place at = context.place(error.source());
    refuse_input(source, "not valid TOML: " + std::string(error.description()), at.line, at.column);
  }
  context.places.set("", {source, 1, 1});
  Study study;
  scenario::TomlReader reader(context, root, "");
  fields(reader, study);
  reader.finish();
  study.places = std::move(context.places);
  study.name = std::filesystem::path(source).stem().string();
  study.folder = std::filesystem::path(source).parent_path().string();
  if (study.title.empty()) study.title = study.name;
  for (Vary& v : study.vary)
    if (v.name.empty()) v.name = v.key;
  if (context.problems.empty()) context.problems = find_problems(study);
  if (!context.problems.empty()) throw scenario::ScenarioError(std::move(context.problems));
  return study;
}

Study read_study(const std::string& file_or_name) {
  std::error_code error;
  if (const auto text = scenario::input_text(file_or_name)) return parse_study(*text, file_or_name);
  if (const BuiltinStudy* builtin = find_builtin(file_or_name))
    return parse_study(builtin->text, "studies/" + file_or_name + ".toml");
  if (std::filesystem::is_directory(file_or_name, error))
    refuse_input(file_or_name, "expected a study file, found a folder");
  scenario::Words names;
  for (const BuiltinStudy& b : builtin_studies()) names.emplace_back(b.name);
  std::string message = "there is no such file, and no built-in study of this name";
  if (scenario::find_builtin(file_or_name))
    message += "; it is a scenario: `filum run " + file_or_name + "` runs it";
  else
    message += (scenario::suggestion(file_or_name, names).empty() ? ";" : scenario::suggestion(file_or_name, names)) +
               " `filum list` shows the built-in ones";
  refuse_input(file_or_name, message);
}

namespace {

/// Fewer values of a key, or fewer of the labels.
void shorten(Vary& vary, const Vary& to) {
  if (vary.options.empty()) {
    vary.values = to.values;
    return;
  }
  std::vector<Option> kept;
  for (const scenario::ValueText& label : to.values)
    for (const Option& o : vary.options)
      if (o.label == label.text) kept.push_back(o);
  vary.options = kept;
}

}  // namespace

Study shortened(const Study& study) {
  if (!study.short_form) throw scenario::ScenarioError({study.problem("", "this study has no short form: [short]")});
  Study result = study;
  result.is_short = true;
  for (const Vary& to : study.short_form->vary)
    for (Vary& vary : result.vary)
      if (vary.name == to.name || (!to.key.empty() && vary.key == to.key)) shorten(vary, to);
  // Selections may name what the short form leaves out: then there is nothing to draw or to check.
  const auto is_left_out = [&](const Selection& selection) {
    return std::any_of(selection.begin(), selection.end(), [&](const Setting& s) {
      const auto vary = std::find_if(result.vary.begin(), result.vary.end(), [&](const Vary& v) { return v.name == s.key; });
      const auto is_value = [&](const scenario::ValueText& v) { return v.text == s.value; };
      const auto is_option = [&](const Option& o) { return o.label == s.value; };
      return std::none_of(vary->values.begin(), vary->values.end(), is_value) &&
             std::none_of(vary->options.begin(), vary->options.end(), is_option);
    });
  };
  std::erase_if(result.checks, [&](const Check& c) { return c.full_only || is_left_out(c.where) || is_left_out(c.over); });
  std::erase_if(result.plots, [&](const Plot& p) { return is_left_out(p.where); });
  for (Check& c : result.checks)
    if (c.between_short) c.between = c.between_short;
  return result;
}

std::string BuiltinStudy::title() const { return scenario::title_of(text); }

const BuiltinStudy* find_builtin(std::string_view name) {
  const auto& all = builtin_studies();
  const auto found = std::find_if(all.begin(), all.end(), [&](const BuiltinStudy& b) { return b.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace filum::study
