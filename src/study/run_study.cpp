/// A study from file to results. User document: docs/guide/studies.md.
#include "check_series.hpp"
#include "mpi_pool.hpp"
#include "study_folder.hpp"
#include "unsynced_runs.hpp"

#include <filum/study/run_study.hpp>

namespace filum::study {

StudyResult run_study(const Study& study, const std::string& text, const StudyOptions& options) {
  CaseList list = expand(study);
  check_series(study, list);
  ExecuteOptions execute_options = options.execute;
  execute_options.cases = options.cases.empty() ? options.folder / "cases" : options.cases;
  execute_options.repeat = study.repeat;
  if (study.repeat > 1) execute_options.jobs = 1;  // times are compared: nothing else may run

  const StudyFolder folder(options, execute_options.cases, text);
  reopen_lost_runs(execute_options.cases);
  bool is_complete = true;
  if (mpi_size() > 1) execute_options.isolated = true;  // a run that crashes must not take the job with it
  if (mpi_size() > 1 && study.repeat == 1)
    is_complete = execute_with_mpi(list, execute_options);
  else
    execute(list, execute_options);
  if (options.execute.interrupt && options.execute.interrupt->load()) is_complete = false;

  StudyResult result{is_complete ? StudyOutcome::done : StudyOutcome::interrupted, {}, options.folder};
  result.results = analyse(study, std::move(list), execute_options.cases);
  write_results(study, text, result.results,
                {options.folder, execute_options.cases, options.page_template, options.reports});
  return result;
}

}  // namespace filum::study
