/// A study from file to results. User document: docs/guide/studies.md.
#pragma once

#include <filum/record/report.hpp>
#include <filum/study/execute.hpp>
#include <filum/study/results.hpp>

#include <filesystem>
#include <string>

namespace filum::study {

struct StudyOptions {
  std::filesystem::path folder;                                     ///< of study.csv, study.html and the plots
  std::filesystem::path cases;                                      ///< of the runs; empty: folder/cases
  bool resume = false;                                              ///< continue in a folder that already has a study
  bool force = false;                                               ///< replace what is there
  std::filesystem::path page_template = record::report_template();  ///< of study.html; empty: it is not made
  bool reports = false;                                             ///< report.html of every case too
  ExecuteOptions execute;                                           ///< its `cases` is set here
};

enum class StudyOutcome { done, interrupted };

struct StudyResult {
  StudyOutcome outcome = StudyOutcome::done;
  Results results;
  std::filesystem::path folder;
};

/// Throws config::InputError for bad input, a folder that cannot be used included, and record::FileTrouble.
StudyResult run_study(const Study& study, const std::string& text, const StudyOptions& options);

}  // namespace filum::study
