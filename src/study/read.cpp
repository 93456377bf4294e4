/// Study files to structs, and their short forms. User document: docs/guide/studies.md.
#include "check_study.hpp"
#include "schema.hpp"

#include <filum/scenario/builtin.hpp>
#include <filum/study/read.hpp>

#include <algorithm>
#include <filesystem>

namespace filum::study {

using config::refuse_input;

Study parse_study(std::string_view text, const std::string& source) {
  const config::Node root = config::parse_document(text, source);
  if (const config::Table* top = root.as<config::Table>(); top && !top->find("scenario") && top->find("time"))
    refuse_input(source, "this is a scenario, not a study; try: filum run " + source);
  config::ReadingContext context;
  context.leading = {"integrator.method"};  // decides which other keys there are
  Study study;
  config::read_document(root, study, context);
  study.places = std::move(context.places);
  study.name = std::filesystem::path(source).stem().string();
  study.folder = std::filesystem::path(source).parent_path().string();
  if (study.title.empty()) study.title = study.name;
  for (Vary& v : study.vary)
    if (v.name.empty()) v.name = v.key;
  if (context.problems.empty()) context.problems = find_problems(study);
  config::refuse_problems(std::move(context.problems));
  return study;
}

Study read_study(const std::string& file_or_name) {
  std::error_code error;
  if (const auto text = config::input_text(file_or_name)) return parse_study(*text, file_or_name);
  if (const BuiltinStudy* builtin = find_builtin(file_or_name))
    return parse_study(builtin->text, "studies/" + file_or_name + ".toml");
  if (std::filesystem::is_directory(file_or_name, error))
    refuse_input(file_or_name, "expected a study file, found a folder");
  config::Words names;
  for (const BuiltinStudy& b : builtin_studies()) names.emplace_back(b.name);
  std::string message = "there is no such file, and no built-in study of this name";
  if (scenario::find_builtin(file_or_name))
    message += "; it is a scenario: `filum run " + file_or_name + "` runs it";
  else
    message += (config::suggestion(file_or_name, names).empty() ? ";" : config::suggestion(file_or_name, names)) +
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
  for (const config::ValueText& label : to.values)
    for (const Option& o : vary.options)
      if (o.label == label.text) kept.push_back(o);
  vary.options = kept;
}

}  // namespace

Study shortened(const Study& study) {
  if (!study.short_form) throw config::InputError({study.problem("", "this study has no short form: [short]")});
  Study result = study;
  result.is_short = true;
  for (const Vary& to : study.short_form->vary)
    for (Vary& vary : result.vary)
      if (vary.name == to.name || (!to.key.empty() && vary.key == to.key)) shorten(vary, to);
  // Selections may name what the short form leaves out: then there is nothing to draw or to check.
  const auto is_left_out = [&](const Selection& selection) {
    return std::any_of(selection.begin(), selection.end(), [&](const Setting& s) {
      const auto vary =
          std::find_if(result.vary.begin(), result.vary.end(), [&](const Vary& v) { return v.name == s.key; });
      const auto is_value = [&](const config::ValueText& v) { return v.text == s.value; };
      const auto is_option = [&](const Option& o) { return o.label == s.value; };
      return std::none_of(vary->values.begin(), vary->values.end(), is_value) &&
             std::none_of(vary->options.begin(), vary->options.end(), is_option);
    });
  };
  std::erase_if(result.checks,
                [&](const Check& c) { return c.full_only || is_left_out(c.where) || is_left_out(c.over); });
  std::erase_if(result.plots, [&](const Plot& p) { return is_left_out(p.where); });
  for (Check& c : result.checks) {
    if (c.between_short) c.between = c.between_short;
    if (c.left_out_short) c.left_out = c.left_out_short;
  }
  return result;
}

std::string BuiltinStudy::title() const { return scenario::title_of(text); }
bool BuiltinStudy::is_of_paper() const {
  const config::Node root = config::parse_document(text, std::string(name));
  return root.as<config::Table>()->find("figure") != nullptr;
}

const BuiltinStudy* find_builtin(std::string_view name) {
  const auto& all = builtin_studies();
  const auto found = std::find_if(all.begin(), all.end(), [&](const BuiltinStudy& b) { return b.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace filum::study
