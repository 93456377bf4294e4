/// The command line of filum: arguments in, exit code out. User document: docs/guide/first-run.md.
#include "command_line_problem.hpp"
#include "exit_code.hpp"
#include "folders.hpp"
#include "modes.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "signals.hpp"
#include "study.hpp"

#include <filum/scenario/builtin.hpp>
#include <filum/scenario/read.hpp>
#include <filum/scenario/simulation.hpp>
#include <filum/study/mpi.hpp>
#include <filum/study/read.hpp>

#include <CLI/CLI.hpp>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <optional>

namespace filum::app {
namespace {

/// A run started by a study ends with it; resuming the study starts the run again.
void end_with_parent() {
  const char* parent = std::getenv("FILUM_PARENT");
  if (!parent) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (std::to_string(getppid()) == parent) return;
  config::refuse_input("FILUM_PARENT=" + config::shortened(parent),
                       "the study that started this run has ended: resume the study; if no study started it, unset "
                       "FILUM_PARENT");
}

struct Arguments {
  std::string scenario, folder;
  std::vector<std::string> overrides;
  bool quiet = false, force = false, no_report = false;
  int threads = 0;
  std::vector<std::string> folders;  ///< of `filum report`
  std::string page;
};

/// How a run went, for the terminal.
void print_run(const record::Run& result, const std::string& folder) {
  const record::Summary& s = result.summary;
  if (s.choice) {
    std::printf("chosen: %s\n", s.choice->reason.c_str());
    for (const auto& [time, method] : s.choice->changes) std::printf("  from t = %.4g: %s\n", time, method.c_str());
  }
  for (const std::string& remark : s.remarks) std::printf("note: %s\n", remark.c_str());
  if (result.outcome == record::Outcome::done && result.message.empty())
    std::printf("done: %ld steps in %.3g s, output %.3g s\n", s.statistics.accepted, s.seconds_integration,
                s.seconds_output);
  else if (result.outcome == record::Outcome::done)
    std::printf("%s\n", result.message.c_str());
  std::printf("results are in %s\n", folder.c_str());
}

int report(const record::Run& result, const std::string& folder, bool quiet) {
  if (result.outcome != record::Outcome::done) std::cerr << "filum: " << result.message << "\n";
  if (!quiet) print_run(result, folder);
  switch (result.outcome) {
    case record::Outcome::stopped: return stopped;
    case record::Outcome::interrupted: return interrupted;
    default: return done;
  }
}

template <class Run>
int with_progress(const Arguments& a, const Run& run) {
  end_with_parent();
  set_listener(Listener::soon);
  ProgressDisplay display(a.quiet);
  const auto progress = [&](const record::Progress& p) {
    set_listener(p.is_over ? Listener::end : Listener::run);
    if (!p.is_over) display(p);
  };
  const scenario::SimulationOptions options{.folder = a.folder,
                                            .force = a.force,
                                            .input = a.scenario,
                                            .interrupt = &interrupt(),
                                            .progress = progress,
                                            .threads = a.threads};
  const record::Run result = run(options);
  set_listener(Listener::none);
  display.clear();
  const int code = report(result, a.folder, a.quiet);
  if (!a.no_report && result.is_written) report_after_run(a.folder, a.quiet);
  return code;
}

int run(Arguments a) {
  const scenario::Scenario s = scenario::read_scenario(a.scenario, a.overrides);
  std::optional<NewFolder> made;
  if (a.folder.empty()) a.folder = made.emplace(a.scenario).path();
  return with_progress(a, [&](const scenario::SimulationOptions& options) { return scenario::simulate(s, options); });
}

/// The outcome of a path in a few lines.
void print_path(const record::Run& run, bool is_time) {
  const analysis::StaticPath& path = *run.summary.path;
  const int negative = path.negative_directions;
  const char* parameter = is_time ? "time" : "factor";
  std::printf("%s %.9g after %d step%s, %d iterations: ", parameter, is_time ? path.state.t : path.factor, path.steps,
              path.steps == 1 ? "" : "s", path.iterations);
  if (negative == 0)
    std::puts("stable");
  else
    std::printf("%d negative direction%s\n", negative, negative == 1 ? "" : "s");
  for (const analysis::CriticalPoint& c : path.critical)
    std::printf("  %s at %s %.9g\n", c.kind == analysis::CriticalKind::limit_point ? "limit point" : "bifurcation",
                parameter, is_time ? c.state.t : c.factor);
  for (const std::string& remark : path.remarks) std::printf("  %s\n", remark.c_str());
}

int follow(Arguments a) {
  const scenario::Scenario s = scenario::read_scenario(a.scenario, a.overrides, scenario::Purpose::analysis);
  std::optional<NewFolder> made;
  if (a.folder.empty()) a.folder = made.emplace(a.scenario).path();
  return with_progress(a, [&](const scenario::SimulationOptions& options) {
    const record::Run result = scenario::follow_path(s, options);
    if (!a.quiet && result.outcome == record::Outcome::done)
      print_path(result, s.statics.path == analysis::PathKind::time);
    return result;
  });
}

int resume(const Arguments& a) {
  return with_progress(a, [](const scenario::SimulationOptions& options) { return scenario::resume(options); });
}

int check(const Arguments& a) {
  scenario::Scenario s = scenario::read_scenario(a.scenario, a.overrides);
  std::cout << scenario::describe(s);
  return done;
}

int list(const std::string& name, bool with_papers) {
  if (!name.empty()) {
    const scenario::BuiltinScenario* found = scenario::find_builtin(name);
    const std::string text = found ? std::string(found->text) : study_text(name);
    if (text.empty()) {
      config::Words names;
      for (const scenario::BuiltinScenario& b : scenario::builtin_scenarios()) names.emplace_back(b.name);
      for (const study::BuiltinStudy& b : study::builtin_studies()) names.emplace_back(b.name);
      std::cerr << "filum: there is no built-in scenario or study '" << name << "'" << config::suggestion(name, names)
                << "\n";
      return bad_input;
    }
    std::cout << text;
    return done;
  }
  std::puts("scenarios (filum run NAME):");
  for (const scenario::BuiltinScenario& b : scenario::builtin_scenarios())
    std::printf("%-30s %s\n", std::string(b.name).c_str(), b.title().c_str());
  std::puts("\nstudies (filum study NAME):");
  list_studies(false);
  if (!with_papers) {
    std::puts("\nStudies that reproduce figures of papers: filum list --papers");
    return done;
  }
  std::puts("\nstudies that reproduce figures of papers (filum study NAME):");
  list_studies(true);
  return done;
}

int dispatch(int argc, char** argv) {
  CLI::App cli("Dynamics of constrained mechanical systems on Lie groups.", "filum");
  cli.set_version_flag("--version", "filum " + record::version());
  cli.require_subcommand(1);
  cli.failure_message(
      [](const CLI::App* app, const CLI::Error& error) { return "filum: " + problem_of(*app, error) + "\n"; });
  int code = done;
  Arguments a;
  StudyArguments studied;
  std::string shown;
  bool with_papers = false;

  const auto scenario_options = [&](CLI::App* command) {
    command->add_option("SCENARIO", a.scenario, "a file, or the name of a built-in scenario")->required();
    command->add_option("--set", a.overrides, "change a key: --set time.step=2^-9")
        ->type_name("KEY=VALUE")
        ->expected(1)
        ->take_all();
  };
  const auto result_options = [&](CLI::App* command) {
    command->add_option("-o,--output", a.folder, "folder of the results (default: a new one in results/)")
        ->type_name("DIR");
    command->add_flag("--quiet", a.quiet, "print nothing but errors");
    command->add_flag("--force", a.force, "replace results that are already in the folder");
    command->add_flag("--no-report", a.no_report, "do not write report.html");
  };
  const auto thread_option = [&](CLI::App* command) {
    command
        ->add_option(
            "--threads", a.threads,
            "threads that share the work, with the same numbers (default: one for a small model, up to one per "
            "core for a large one)")
        ->check(from_one_to(1024));
  };
  CLI::App* command = cli.add_subcommand("run", "integrate a scenario");
  scenario_options(command);
  result_options(command);
  thread_option(command);
  command->callback([&] { code = run(a); });

  command = cli.add_subcommand("static", "find static equilibria along a path of loads, time or arc length");
  scenario_options(command);
  result_options(command);
  thread_option(command);
  command->callback([&] { code = follow(a); });

  command = cli.add_subcommand("check", "validate a scenario and describe its model, without running it");
  scenario_options(command);
  command->callback([&] { code = check(a); });

  command = cli.add_subcommand("resume", "continue a run from its last checkpoint");
  command->add_option("DIR", a.folder, "folder of the results")->required();
  command->add_flag("--quiet", a.quiet, "print nothing but errors");
  command->add_flag("--no-report", a.no_report, "do not write report.html");
  thread_option(command);
  command->callback([&] { code = resume(a); });

  command = cli.add_subcommand("report", "build report.html from result files, or compare two runs");
  command->add_option("DIR", a.folders, "folder of the results, or two folders to compare")->required()->expected(1, 2);
  command
      ->add_option("-o,--output", a.page,
                   "the page (default: report.html in the folder, comparison.html in the first of two)")
      ->type_name("FILE");
  command->callback([&] { code = make_report(a.folders, a.page); });

  command = cli.add_subcommand("list", "list built-in scenarios and studies");
  command->add_option("NAME", shown, "print this one, as a template");
  command->add_flag("--papers", with_papers, "also list the studies that reproduce figures of papers");
  command->callback([&] { code = list(shown, with_papers); });

  CLI::App* const study_command = command = cli.add_subcommand("study", "run a parameter sweep or convergence study");
  CLI::Option* which = command->add_option("STUDY", studied.study, "a file, or the name of a built-in study");
  command->add_option("-o,--output", studied.folder, "folder of the results (default: a new one in results/)")
      ->type_name("DIR");
  command
      ->add_option("--jobs", studied.jobs, "number of runs at a time (default: one per core; under MPI, one per rank)")
      ->check(at_least_one());
  command->add_flag("--resume", studied.resume, "continue an interrupted study");
  command->add_flag("--force", studied.force, "replace a study that is already in the folder");
  command->add_flag("--short", studied.short_form, "run the short form of the study");
  command->add_flag("--reports", studied.reports, "write report.html for every case; study.html links to them");
  command->add_flag("--isolate", studied.isolate,
                    "run every case in its own process: a crash becomes a row of the table");
  command->add_flag("--quiet", studied.quiet, "print nothing but errors and checks that fail");
  CLI::Option* all = command->add_flag("--all", studied.all, "run every built-in study");
  all->excludes(which);
  command->callback([&] {
    if (!studied.all && studied.study.empty()) throw CLI::RequiredError("STUDY or --all");
    code = run_study(studied, interrupt());
  });

  ModesArguments sounding;
  command = cli.add_subcommand("modes", "compute frequencies, damping and mode shapes of small motions");
  scenario_options(command);
  command->add_option("-n,--count", sounding.modes.count, "number of modes, slowest first (default: 12)")
      ->check(at_least_one());
  command->add_option("--at", sounding.at, "about the start, the static equilibrium, or the state of the run at a time")
      ->type_name("start|static|TIME");
  command
      ->add_option("--response", sounding.responses,
                   "frequency response from a load to a sensor: shaker.fz:tip.z, or shaker:tip for all components")
      ->type_name("LOAD:SENSOR")
      ->expected(1)
      ->take_all();
  command->add_option("--omega", sounding.omegas, "angular frequencies of the response: from, to, and how many")
      ->type_name("FROM:TO[:COUNT]");
  command->add_flag("--matrices", sounding.matrices, "write the linearised system for HDF5, NumPy and MatrixMarket");
  command->add_flag("--undamped", sounding.modes.undamped, "leave out damping and gyroscopic terms");
  result_options(command);
  thread_option(command);
  command->callback([&] {
    sounding.threads = a.threads;
    sounding.scenario = a.scenario, sounding.overrides = a.overrides, sounding.folder = a.folder;
    sounding.quiet = a.quiet, sounding.force = a.force, sounding.report = !a.no_report;
    code = find_modes(sounding);
  });

  try {
    cli.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (study_command->parsed() && study::is_started_as_another_rank()) return done;  // rank 0 reports it
    return cli.exit(error) == 0 ? done : bad_input;
  }
  return code;
}

}  // namespace
}  // namespace filum::app

int main(int argc, char** argv) {
  using namespace filum;
  app::watch_signals();
  try {
    return app::dispatch(argc, argv);
  } catch (const config::InputError& error) {
    std::cerr << error.what() << "\n";
    return app::bad_input;
  } catch (const record::FileTrouble& error) {
    std::cerr << "filum: " << error.what() << "\n";
    return app::internal_error;
  } catch (const std::bad_alloc&) {
    std::cerr << "filum: not enough memory for this model\n";
    return app::internal_error;
  } catch (const std::exception& error) {
    std::cerr << "filum: unexpected error: " << error.what() << "\n";
    return app::internal_error;
  }
}
