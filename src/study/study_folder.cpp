/// The folder of a study. User document: docs/guide/studies.md, "Results".
#include "study_folder.hpp"

#include "case_files.hpp"

#include <filum/record/marks.hpp>
#include <filum/record/replace_file.hpp>
#include <filum/record/simulate.hpp>

namespace filum::study {
namespace {

using config::refuse_input;
using std::filesystem::path;

/// Creates the folders, too: a lock needs one.
path made(const path& folder, const path& cases) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  std::filesystem::create_directories(cases, error);
  if (!std::filesystem::is_directory(folder) || !std::filesystem::is_directory(cases))
    refuse_input(folder.string(), "cannot create the folder of the study (" + error.message() + ")");
  return folder;
}

std::vector<path> entries_of(const path& folder) {
  std::vector<path> entries;
  std::error_code error;
  if (!std::filesystem::is_directory(std::filesystem::symlink_status(folder, error))) return entries;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    entries.push_back(at->path());
  return entries;
}

/// What a study writes, if it is there.
std::vector<path> outputs_in(const path& folder) {
  std::vector<path> files;
  std::error_code error;
  for (const char* name : {"study.toml", "study.csv", "study.html"})
    if (std::filesystem::exists(std::filesystem::symlink_status(folder / name, error))) files.push_back(folder / name);
  for (const path& file : entries_of(folder / "plots"))
    if (file.extension() == ".svg") files.push_back(file);
  return files;
}

bool is_run_name(const path& folder) {
  const std::string name = folder.filename().string();
  return name.size() == 16 && name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

void remove_cases(const path& cases) {
  std::error_code error;
  for (const path& folder : entries_of(cases)) {
    if (!is_run_name(folder)) continue;
    for (const path& inner : {folder / "repeat", folder}) {
      record::remove_results(inner);
      for (const char* name : case_files)
        if (record::is_ours(inner / name)) std::filesystem::remove(inner / name, error);
      std::filesystem::remove(inner, error);  // if nothing else is in it
    }
  }
}

}  // namespace

StudyFolder::StudyFolder(const StudyOptions& options, const path& cases, const std::string& text)
    : lock_(made(options.folder, cases)) {
  const path &folder = options.folder, file = folder / "study.toml";
  const std::vector<path> outputs = outputs_in(folder);
  if (!outputs.empty() && !options.resume && !options.force)
    refuse_input(folder.string(),
                 "the folder already contains a study (" + outputs.front().filename().string() +
                     "); continue it with --resume, replace it with --force, or choose another folder with -o");
  for (const path& output : outputs)
    if (!record::is_ours(output) && !(output == file && record::text_of_file(file) == text))
      refuse_input(
          output.string(),
          "this file was not written by filum, or has been changed since, and the study would replace it; move "
          "it away, or choose another folder with -o");
  if (options.force && !options.resume) {
    std::error_code error;
    for (const path& output : outputs)
      if (output != file) std::filesystem::remove(output, error);
    if (options.cases.empty()) remove_cases(cases);
  }
  record::remove_abandoned_drafts(folder);
  const std::string copy = record::signed_toml(record::without_signature(text));
  if (record::text_of_file(file) != copy) record::replace_file(file, copy, "the study file");
}

}  // namespace filum::study
