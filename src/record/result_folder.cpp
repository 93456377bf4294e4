/// The folder of a run. User document: docs/guide/results.md.
#include "result_folder.hpp"

#include <filum/config/problem.hpp>
#include <filum/record/simulate.hpp>

#include <fstream>

namespace filum::record {

using config::refuse_input;

const std::vector<std::string>& result_files() {
  static const std::vector<std::string> names{"summary.json",  "result.h5",     "sensors.csv",      "result.pvd",        "frames",         "report.html",
                                              "scenario.toml", "checkpoint.h5", "summary.json.new", "checkpoint.h5.new", "report.html.new", "scenario.toml.new"};
  return names;
}

void prepare_folder(const std::filesystem::path& folder, bool force) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error || !std::filesystem::is_directory(folder))
    refuse_input(folder.string(), "the result folder cannot be made (" + error.message() + ")");
  for (const std::string& name : result_files())
    if (!force && std::filesystem::exists(folder / name))
      refuse_input(folder.string(), "the folder contains results already (" + name + "); choose another one with -o, or replace them with --force");
  const std::filesystem::path probe = folder / ".filum-probe";
  if (!std::ofstream(probe)) refuse_input(folder.string(), "the result folder is not writable");
  std::filesystem::remove(probe, error);
  for (const std::string& name : result_files()) std::filesystem::remove_all(folder / name, error);
}

}  // namespace filum::record
