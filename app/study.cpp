/// `filum study` from the command line. User document: docs/guide/studies.md.
#include "study.hpp"

#include "exit_code.hpp"
#include "folders.hpp"
#include "signals.hpp"

#include <filum/record/report.hpp>
#include <filum/study/mpi.hpp>
#include <filum/study/read.hpp>
#include <filum/study/run_study.hpp>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <optional>

namespace filum::app {
namespace {

using std::filesystem::path;

/// Progress of a study: a counting line on a terminal, a line every few seconds elsewhere.
class StudyProgress {
 public:
  explicit StudyProgress(bool quiet) : quiet_(quiet) {}

  void operator()(int finished, int all) {
    if (quiet_) return;
    const auto now = std::chrono::steady_clock::now();
    if (is_terminal_) {
      std::fprintf(stderr, "\r%d of %d runs", finished, all);
      is_shown_ = true;
    } else if (now - told_ > std::chrono::seconds(5)) {
      std::fprintf(stderr, "%d of %d runs\n", finished, all);
      told_ = now;
    }
  }
  void clear() {
    if (is_shown_) std::fprintf(stderr, "\r\033[K");
    is_shown_ = false;
  }

 private:
  bool quiet_, is_shown_ = false;
  bool is_terminal_ = isatty(STDERR_FILENO) != 0;
  std::chrono::steady_clock::time_point told_ = std::chrono::steady_clock::now();
};

std::string file_text(const std::string& file_or_name) {
  const auto text = config::input_text(file_or_name);
  return text ? *text : study_text(file_or_name);
}

std::string order_text(double order) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", order);
  return std::isfinite(order) ? text : "none";
}

/// A summary for the terminal. Returns the number of checks that do not hold.
int tell(const study::StudyResult& result, bool quiet) {
  const study::Results& r = result.results;
  int not_done = 0, failed_checks = 0;
  for (const study::CaseResult& c : r.cases) not_done += c.state != study::RunState::done;
  for (const study::CheckResult& c : r.checks) failed_checks += !c.holds;
  for (const study::CheckResult& c : r.checks)
    if (!quiet || !c.holds)
      std::fprintf(c.holds ? stdout : stderr, "  %s  %s: %s (expected %s)\n", c.holds ? "holds" : "FAILS",
                   c.check.claim.c_str(), c.found.c_str(), c.expected.c_str());
  if (quiet) return failed_checks;
  for (const study::CurveOrder& o : r.orders)
    if (o.quantity.starts_with("error."))
      std::printf("  order %5s  %s%s%s\n", order_text(o.fit.order).c_str(), o.quantity.substr(6).c_str(),
                  o.label.empty() ? "" : (", " + o.label).c_str(),
                  o.fit.remark.empty() ? "" : (" (" + o.fit.remark + ")").c_str());
  for (const std::string& remark : r.remarks) std::printf("  note: %s\n", remark.c_str());
  std::printf("%zu case%s, %s; results are in %s\n", r.cases.size(), r.cases.size() == 1 ? "" : "s",
              not_done == 0 ? "all done" : (std::to_string(not_done) + " not done").c_str(), result.folder.c_str());
  if (const path page = result.folder / "study.html"; std::filesystem::exists(page))
    std::printf("page: %s\n", page.c_str());
  return failed_checks;
}

/// Runs that left no results because of the machine: crashes, full disks.
int tell_failures(const study::StudyResult& result) {
  int failures = 0;
  std::string reason;
  const auto look = [&](study::RunState state, const std::string& why) {
    if (state != study::RunState::failed && state != study::RunState::missing) return;
    if (failures++ == 0 || reason.empty()) reason = why;
  };
  for (const study::CaseResult& c : result.results.cases) look(c.state, c.reason);
  for (const auto& [run, outcome] : result.results.references) look(outcome.state, outcome.reason);
  if (failures > 0)
    std::cerr << "filum: " << failures << (failures == 1 ? " run has" : " runs have")
              << " failed: " << (reason.empty() ? "the results could not be written; is the disk full?" : reason)
              << "; to try again: the same command with -o " << result.folder.string() << " --resume\n";
  return failures;
}

path this_program() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error);
}

study::StudyOptions options_of(const StudyArguments& a, const std::atomic<bool>& interrupt) {
  study::StudyOptions options;
  options.resume = a.resume;
  options.force = a.force;
  options.page_template = record::report_template_of_program();
  options.reports = a.reports;
  options.execute.jobs = a.jobs;
  options.execute.isolated = a.isolate;
  options.execute.interrupt = &interrupt;
  options.execute.program = this_program();
  return options;
}

int run_one(const StudyArguments& a, const std::string& name, study::StudyOptions options) {
  if (study::mpi_size() == 1) set_listener(Listener::soon);
  study::Study s = study::read_study(name);
  if (a.short_form) s = study::shortened(s);
  std::optional<NewFolder> made;
  if (options.folder.empty()) options.folder = made.emplace(name).path();
  StudyProgress progress(a.quiet);
  options.execute.progress = [&](int finished, int all) {
    // What comes after the last run is done again by --resume.
    set_listener(finished < all ? Listener::run : Listener::none);
    progress(finished, all);
  };
  if (!a.quiet) std::printf("%s\n", s.title.c_str());
  const study::StudyResult result = study::run_study(s, file_text(name), options);
  progress.clear();
  const int failed = tell(result, a.quiet);
  if (result.outcome == study::StudyOutcome::interrupted) {
    std::cerr << "filum: interrupted; to continue: the same command with -o " << result.folder.string()
              << " --resume\n";
    return interrupted;
  }
  if (tell_failures(result) > 0) return internal_error;
  const auto& cases = result.results.cases;
  const bool any =
      std::any_of(cases.begin(), cases.end(), [](const auto& c) { return c.state == study::RunState::done; });
  if (!any) std::cerr << "filum: none of the cases ran to the end; the column `reason` of study.csv says why\n";
  return failed > 0 || !any ? check_failed : done;
}

/// All built-in studies; runs that they share are done once.
int run_all(const StudyArguments& a, const std::atomic<bool>& interrupt) {
  std::optional<NewFolder> made;
  if (a.folder.empty() && !a.resume) made.emplace("studies");
  const path folder = made ? path(made->path()) : a.folder.empty() ? path("results/studies") : path(a.folder);
  int code = done;
  for (const study::BuiltinStudy& b : study::builtin_studies()) {
    study::StudyOptions options = options_of(a, interrupt);
    options.folder = folder / b.name;
    options.cases = folder / "cases";
    const int one = run_one(a, std::string(b.name), options);
    if (one == interrupted) return one;
    code = std::max(code, one);
  }
  return code;
}

}  // namespace

int run_study(const StudyArguments& a, const std::atomic<bool>& interrupt) {
  const study::MpiSession mpi;
  if (study::mpi_size() > 1) set_listener(Listener::run);  // all ranks stop together
  if (study::mpi_rank() > 0) {
    study::work_for_rank_0(this_program(), interrupt);
    return done;
  }
  if (a.all) return run_all(a, interrupt);
  study::StudyOptions options = options_of(a, interrupt);
  options.folder = a.folder.empty() && a.resume ? path("results") / path(a.study).stem() : path(a.folder);
  return run_one(a, a.study, options);
}

void list_studies(bool of_papers) {
  for (const study::BuiltinStudy& b : study::builtin_studies())
    if (b.is_of_paper() == of_papers) std::printf("%-30s %s\n", std::string(b.name).c_str(), b.title().c_str());
}

std::string study_text(const std::string& name) {
  const study::BuiltinStudy* found = study::find_builtin(name);
  return found ? std::string(found->text) : "";
}

}  // namespace filum::app
