/// The folder of a run. User document: docs/guide/results.md.
#include "result_folder.hpp"

#include "write_journal.hpp"

#include <filum/record/folder_lock.hpp>
#include <filum/record/marks.hpp>
#include <filum/record/replace_file.hpp>
#include <filum/record/simulate.hpp>

#include <algorithm>
#include <cctype>
#include <functional>

namespace filum::record {
namespace {

using std::filesystem::path;

/// NUMBER.vtp in `frames`; whatever else is there stays.
bool is_frame_name(const path& file) {
  const std::string stem = file.stem().string();
  return file.extension() == ".vtp" && !stem.empty() &&
         std::all_of(stem.begin(), stem.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// The matrices of a linearised system, each .npy before the .mtx that it is known by.
std::vector<path> matrices_in(const path& folder) {
  std::vector<path> files;
  std::error_code error;
  if (!std::filesystem::is_directory(std::filesystem::symlink_status(folder, error))) return files;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->path().extension() == ".mtx" || at->path().extension() == ".npy") files.push_back(at->path());
  std::sort(files.begin(), files.end(), std::greater<>());
  return files;
}

std::vector<path> frames_in(const path& folder) {
  std::vector<path> files;
  std::error_code error;
  if (!std::filesystem::is_directory(std::filesystem::symlink_status(folder, error))) return files;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (is_frame_name(at->path()) && is_ours(at->path())) files.push_back(at->path());
  return files;
}

bool is_there(const path& file) {
  std::error_code error;
  return std::filesystem::exists(std::filesystem::symlink_status(file, error));
}

/// What --force would remove, in that order. Nothing is touched before all of it is known to be ours.
std::vector<path> removable(const path& folder, const path& input) {
  std::vector<path> files;
  for (const std::string& name : result_files()) {
    const path file = folder / name;
    std::error_code error;
    if (!is_there(file)) continue;
    if (!input.empty() && std::filesystem::equivalent(file, input, error))
      throw FolderRefused(folder,
                          "--force would remove " + name + ", the file to be run; choose another folder with -o");
    if (name == "frames") {
      const std::vector<path> frames = frames_in(file);
      files.insert(files.end(), frames.begin(), frames.end());
      continue;
    }
    for (const path& one : name == "linear" ? matrices_in(file) : std::vector{file})
      if (is_ours(one))
        files.push_back(one);
      else
        throw FolderRefused(folder, one.lexically_relative(folder).string() +
                                        " was not written by filum, or has been changed since: --force does not "
                                        "remove it; move it away, or choose another folder with -o");
  }
  return files;
}

}  // namespace

/// In the order in which they are removed: first what says that a run is complete, last what others are known by.
const std::vector<std::string>& result_files() {
  static const std::vector<std::string> names{
      "summary.json", "checkpoint.h5", "report.html", "result.pvd",    "frames",      "modes.csv", "response.csv",
      "response.svg", "linear",        "linear.h5",   "scenario.toml", "sensors.csv", "result.h5"};
  return names;
}

void remove_results(const path& folder) {
  std::error_code error;
  for (const path& file : frames_in(folder / "frames")) std::filesystem::remove(file, error);
  clean_up(folder);
  std::filesystem::remove(folder / "frames", error);
  for (const std::string& name : result_files())
    if (is_ours(folder / name)) std::filesystem::remove(folder / name, error);
  std::filesystem::remove(WriteJournal::path_of(folder / "result.h5"), error);
}

void clean_up(const path& folder) {
  remove_abandoned_drafts(folder);
  remove_abandoned_drafts(folder / "frames");
  remove_abandoned_drafts(folder / "linear");
}

void make_folder(const path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error || !std::filesystem::is_directory(folder))
    throw FolderRefused(folder, "cannot create the result folder (" + error.message() + ")");
}

void prepare_folder(const path& folder, bool force, const path& input) {
  for (const std::string& name : result_files())
    if (!force && is_there(folder / name))
      throw FolderRefused(folder, "the folder already contains results (" + name +
                                      "); choose another one with -o, or replace them with --force");
  std::error_code error;
  for (const path& file : removable(folder, input))
    if (!std::filesystem::remove(file, error) && error)
      throw FolderRefused(file, "the file cannot be removed (" + error.message() + ")");
  clean_up(folder);
  std::filesystem::remove(WriteJournal::path_of(folder / "result.h5"), error);
  for (const char* name : {"frames", "linear"}) std::filesystem::remove(folder / name, error);  // if nothing is left
}

RunFolder::RunFolder(const path& folder, bool force, const path& input, const std::string& source) {
  if (folder.empty()) return;
  make_folder(folder);
  lock_.emplace(folder);
  prepare_folder(folder, force, input);
  if (!source.empty()) replace_file(folder / "scenario.toml", signed_toml(source), "the scenario", Durability::quick);
}

}  // namespace filum::record
