/// What is wrong with a command line, in a sentence. User document: docs/guide/error-messages.md.
#include "command_line_problem.hpp"

#include <filum/config/problem.hpp>
#include <filum/scenario/builtin.hpp>
#include <filum/study/read.hpp>

#include <algorithm>
#include <filesystem>
#include <limits>

namespace filum::app {
namespace {

config::Words command_words(const CLI::App& cli) {
  config::Words words;
  for (const CLI::App* command : cli.get_subcommands([](const CLI::App*) { return true; }))
    words.push_back(command->get_name());
  return words;
}

config::Words option_words(const CLI::App& command) {
  config::Words words;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
  return words;
}

bool is_option(const std::string& argument) { return argument.starts_with("-"); }

/// Of the options in what was not understood, the first; otherwise the first argument.
std::string to_blame(const std::vector<std::string>& arguments) {
  const auto option = std::find_if(arguments.begin(), arguments.end(), is_option);
  return option == arguments.end() ? arguments.front() : *option;
}

std::string unknown_option(const CLI::App& command, const std::string& option) {
  return "there is no option '" + config::shortened(option) + "'" + config::suggestion(option, option_words(command));
}

std::string no_command(const CLI::App& cli) {
  const std::vector<std::string> rest = cli.remaining(true);
  if (rest.empty()) return "a command is missing; try: filum run pendulum";
  const std::string word = to_blame(rest);
  if (is_option(word)) return unknown_option(cli, word);
  std::string text = "there is no command '" + config::shortened(word) + "'";
  if (scenario::find_builtin(word) || std::filesystem::is_regular_file(word)) return text + "; try: filum run " + word;
  if (study::find_builtin(word)) return text + "; try: filum study " + word;
  return text + config::suggestion(word, command_words(cli));
}

/// Empty when the text is a whole number from 1 to `most`.
std::string objection(const std::string& text, int most, const std::string& range) {
  int number = 0;
  if (CLI::detail::lexical_cast(text, number) && number >= 1 && number <= most) return {};
  return "expected a whole number " + range + ", found '" + config::shortened(text) + "'";
}

}  // namespace

std::string problem_of(const CLI::App& cli, const CLI::Error& error) {
  const std::vector<CLI::App*> given = cli.get_subcommands();
  if (given.empty()) return no_command(cli) + "\n`filum --help` lists the commands";
  const CLI::App& command = *given.front();
  const std::vector<std::string> rest = cli.remaining(true);
  std::string text = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) && !rest.empty()) {
    const std::string word = to_blame(rest);
    text = is_option(word) ? unknown_option(command, word) : "unexpected argument '" + config::shortened(word) + "'";
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) && text.ends_with(" missing"))
    text = text.substr(0, text.find(':')) + " needs a value";
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) && text.find(": At Most") != std::string::npos)
    text = text.substr(0, text.find(':')) + ": too many arguments";
  return text + "\n`filum " + command.get_name() + " --help` lists arguments and options";
}

CLI::Validator at_least_one() {
  constexpr int most = std::numeric_limits<int>::max();
  return {[](const std::string& text) { return objection(text, most, "of at least 1"); }, "", "at least 1"};
}

CLI::Validator from_one_to(int most) {
  const std::string range = "from 1 to " + std::to_string(most);
  return {[=](const std::string& text) { return objection(text, most, range); }, "", range};
}

}  // namespace filum::app
