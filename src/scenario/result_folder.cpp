/// The folder of a run. User document: docs/guide/results.md.
#include "result_folder.hpp"

#include <filum/record/hdf5_file.hpp>
#include <filum/scenario/simulation.hpp>

#include <fstream>

namespace filum::scenario {

const std::vector<std::string>& result_files() {
  static const std::vector<std::string> names{
      "summary.json",  "result.h5",     "sensors.csv",      "result.pvd",        "frames",         "report.html",
      "scenario.toml", "checkpoint.h5", "summary.json.new", "checkpoint.h5.new", "report.html.new"};
  return names;
}

void write_text(const std::filesystem::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::trunc | std::ios::binary);
  out << text;
  out.close();
  if (!out) throw record::FileTrouble(file.string() + ": the file cannot be written; is the disk full?");
}

void prepare_folder(const std::filesystem::path& folder, bool force) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error || !std::filesystem::is_directory(folder))
    refuse_input(folder.string(), "the result folder cannot be made (" + error.message() + ")");
  for (const std::string& name : result_files()) {
    if (!std::filesystem::exists(folder / name)) continue;
    if (!force)
      refuse_input(folder.string(), "the folder contains results already (" + name +
                                        "); choose another one with -o, or replace them with --force");
  }
  const std::filesystem::path probe = folder / ".filum-probe";
  if (!std::ofstream(probe)) refuse_input(folder.string(), "the result folder is not writable");
  std::filesystem::remove(probe, error);
  for (const std::string& name : result_files()) std::filesystem::remove_all(folder / name, error);
}

}  // namespace filum::scenario
