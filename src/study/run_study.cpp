/// A study from file to results. User document: docs/guide/studies.md.
#include "mpi_pool.hpp"
#include "study_folder.hpp"

#include <filum/study/run_study.hpp>

namespace filum::study {

StudyResult run_study(const Study& study, const std::string& text, const StudyOptions& options) {
  CaseList list = expand(study);
  ExecuteOptions execute_options = options.execute;
  execute_options.cases = options.cases.empty() ? options.folder / "cases" : options.cases;
  execute_options.repeat = study.repeat;
  if (study.repeat > 1) execute_options.jobs = 1;  // times are compared: nothing else may run

  const bool is_first = mpi_rank() == 0;
  std::unique_ptr<StudyFolder> folder;
  if (is_first) folder = std::make_unique<StudyFolder>(options, execute_options.cases, text);
  if (mpi_size() > 1)
    execute_with_mpi(list, execute_options);
  else
    execute(list, execute_options);

  StudyResult result{StudyOutcome::done, {}, options.folder};
  if (!is_first) return result;
  if (options.execute.interrupt && options.execute.interrupt->load()) result.outcome = StudyOutcome::interrupted;
  result.results = analyse(study, std::move(list), execute_options.cases);
  write_results(study, text, result.results, options.folder);
  return result;
}

}  // namespace filum::study
