/// The command line of filum: arguments in, exit code out. User document: docs/guide/first-run.md.
#include "exit_code.hpp"
#include "folders.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "study.hpp"

#include <filum/scenario/builtin.hpp>
#include <filum/scenario/read.hpp>
#include <filum/scenario/simulation.hpp>
#include <filum/study/mpi.hpp>

#include <CLI/CLI.hpp>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>

namespace filum::app {
namespace {

std::atomic<bool> interrupt{false};

/// The first Ctrl-C asks the run to end after its step, the second ends the program.
void watch_signals() {
  struct sigaction action {};
  action.sa_handler = [](int) { interrupt = true; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

/// A run that a study has started does not outlive it: whoever resumes the study starts the run again.
void end_with_parent() {
  const char* parent = std::getenv("FILUM_PARENT");
  if (!parent) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (std::to_string(getppid()) != parent) std::raise(SIGKILL);  // it has ended already
}

struct Arguments {
  std::string scenario, folder;
  std::vector<std::string> overrides;
  bool quiet = false, force = false, no_report = false;
  std::vector<std::string> folders;  ///< of `filum report`
  std::string page;
};

int report(const record::Run& result, const std::string& folder, bool quiet) {
  if (result.outcome != record::Outcome::done) std::cerr << "filum: " << result.message << "\n";
  if (!quiet) {
    if (result.outcome == record::Outcome::done && result.message.empty())
      std::printf("done: %ld steps in %.3g s, output %.3g s\n", result.summary.statistics.accepted,
                  result.summary.seconds_integration, result.summary.seconds_output);
    else if (result.outcome == record::Outcome::done)
      std::printf("%s\n", result.message.c_str());
    std::printf("results are in %s\n", folder.c_str());
  }
  switch (result.outcome) {
    case record::Outcome::stopped: return stopped;
    case record::Outcome::interrupted: return interrupted;
    default: return done;
  }
}

template <class Run>
int with_progress(const Arguments& a, const Run& run) {
  watch_signals();
  end_with_parent();
  ProgressDisplay display(a.quiet);
  const scenario::SimulationOptions options{
      .folder = a.folder, .force = a.force, .interrupt = &interrupt, .progress = [&](const auto& p) { display(p); }};
  const record::Run result = run(options);
  display.clear();
  const int code = report(result, a.folder, a.quiet);
  if (!a.no_report) report_after_run(a.folder, a.quiet);
  return code;
}

int run(Arguments a) {
  const scenario::Scenario s = scenario::read_scenario(a.scenario, a.overrides);
  if (a.folder.empty()) a.folder = free_folder(a.scenario);
  return with_progress(a, [&](const scenario::SimulationOptions& options) { return scenario::simulate(s, options); });
}

int resume(const Arguments& a) {
  return with_progress(a, [](const scenario::SimulationOptions& options) { return scenario::resume(options); });
}

int check(const Arguments& a) {
  scenario::Scenario s = scenario::read_scenario(a.scenario, a.overrides);
  std::cout << scenario::describe(s);
  return done;
}

int list(const std::string& name) {
  if (!name.empty()) {
    const scenario::BuiltinScenario* found = scenario::find_builtin(name);
    const std::string text = found ? std::string(found->text) : study_text(name);
    if (text.empty()) {
      std::cerr << "filum: there is no built-in scenario or study '" << name << "'\n";
      return bad_input;
    }
    std::cout << text;
    return done;
  }
  std::puts("scenarios (filum run NAME):");
  for (const scenario::BuiltinScenario& b : scenario::builtin_scenarios())
    std::printf("%-30s %s\n", std::string(b.name).c_str(), b.title().c_str());
  std::puts("\nstudies (filum study NAME):");
  list_studies();
  return done;
}

/// Commands of the interface that come later.
int missing(const std::string& command) {
  std::cerr << "filum: this version does not have `filum " << command << "`\n";
  return bad_input;
}

int dispatch(int argc, char** argv) {
  CLI::App cli("Dynamics of constrained mechanical systems on Lie groups.", "filum");
  cli.set_version_flag("--version", "filum " + record::version());
  cli.require_subcommand(1);
  int code = done;
  Arguments a;
  StudyArguments studied;
  std::string shown;

  const auto scenario_options = [&](CLI::App* command) {
    command->add_option("SCENARIO", a.scenario, "a file, or the name of a built-in scenario")->required();
    command->add_option("--set", a.overrides, "override a key: --set time.step=2^-9")
        ->type_name("KEY=VALUE")
        ->expected(1)
        ->take_all();
  };
  CLI::App* command = cli.add_subcommand("run", "integrate a scenario");
  scenario_options(command);
  command->add_option("-o,--output", a.folder, "folder of the results (default: a new one in results/)")
      ->type_name("DIR");
  command->add_flag("--quiet", a.quiet, "print nothing but errors");
  command->add_flag("--force", a.force, "replace results that are in the folder already");
  command->add_flag("--no-report", a.no_report, "do not make report.html");
  command->callback([&] { code = run(a); });

  command = cli.add_subcommand("check", "validate only: the model in words");
  scenario_options(command);
  command->callback([&] { code = check(a); });

  command = cli.add_subcommand("resume", "continue a run from its last checkpoint");
  command->add_option("DIR", a.folder, "folder of the results")->required();
  command->add_flag("--quiet", a.quiet, "print nothing but errors");
  command->add_flag("--no-report", a.no_report, "do not make report.html");
  command->callback([&] { code = resume(a); });

  command = cli.add_subcommand("report", "build report.html from the result files; of two folders, a comparison");
  command->add_option("DIR", a.folders, "folder of the results, or two folders to compare")->required()->expected(1, 2);
  command->add_option("-o,--output", a.page, "the page (default: report.html in the folder, comparison.html in the first of two)")->type_name("FILE");
  command->callback([&] { code = make_report(a.folders, a.page); });

  command = cli.add_subcommand("list", "built-in scenarios and studies");
  command->add_option("NAME", shown, "print this one, to copy from");
  command->callback([&] { code = list(shown); });

  CLI::App* const study_command = command = cli.add_subcommand("study", "parameter sweep or convergence study");
  CLI::Option* which = command->add_option("STUDY", studied.study, "a file, or the name of a built-in study");
  command->add_option("-o,--output", studied.folder, "folder of the results (default: a new one in results/)")
      ->type_name("DIR");
  command->add_option("--jobs", studied.jobs, "runs at the same time (default: one for every core; under MPI, one for every rank)")
      ->check(CLI::PositiveNumber);
  command->add_flag("--resume", studied.resume, "go on with a study that was interrupted");
  command->add_flag("--force", studied.force, "replace a study that is in the folder already");
  command->add_flag("--short", studied.short_form, "the short form of the study");
  command->add_flag("--isolate", studied.isolate, "every run in a process of its own: a crash is a row of the table");
  command->add_flag("--quiet", studied.quiet, "print nothing but errors and checks that fail");
  CLI::Option* all = command->add_flag("--all", studied.all, "every built-in study");
  all->excludes(which);
  command->callback([&] {
    if (!studied.all && studied.study.empty()) throw CLI::RequiredError("STUDY or --all");
    watch_signals();
    code = run_study(studied, interrupt);
  });

  for (const char* name : {"static", "modes"}) {
    command = cli.add_subcommand(name, "not in this version");
    command->allow_extras();
    command->callback([&code, name] { code = missing(name); });
  }
  try {
    cli.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (study_command->parsed() && study::is_started_as_another_rank()) return done;  // the first one says it
    return cli.exit(error) == 0 ? done : bad_input;
  }
  return code;
}

}  // namespace
}  // namespace filum::app

int main(int argc, char** argv) {
  using namespace filum;
  try {
    return app::dispatch(argc, argv);
  } catch (const config::InputError& error) {
    std::cerr << error.what() << "\n";
    return app::bad_input;
  } catch (const record::FileTrouble& error) {
    std::cerr << "filum: " << error.what() << "\n";
    return app::internal_error;
  } catch (const std::exception& error) {
    std::cerr << "filum: unexpected error: " << error.what() << "\n";
    return app::internal_error;
  }
}
