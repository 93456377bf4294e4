/// `filum study` from the command line. User document: docs/guide/studies.md.
#pragma once

#include <atomic>
#include <string>

namespace filum::app {

struct StudyArguments {
  std::string study, folder;
  int jobs = 0;
  bool resume = false, force = false, quiet = false;
  bool all = false;  ///< every built-in study
  bool short_form = false;
  bool isolate = false;
  bool reports = false;  ///< of every case
};

/// The exit code.
int run_study(const StudyArguments& arguments, const std::atomic<bool>& interrupt);

/// Names and titles of the built-in studies, one line each: of those that reproduce figures of papers, or of the
/// others.
void list_studies(bool of_papers);
/// The text of a built-in study, or nothing.
std::string study_text(const std::string& name);

}  // namespace filum::app
