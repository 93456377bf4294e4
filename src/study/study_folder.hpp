/// The folder of a study: whose it is, and who is writing to it. User document: docs/guide/studies.md, "Results".
#pragma once

#include <filum/record/folder_lock.hpp>
#include <filum/study/run_study.hpp>

namespace filum::study {

/// Makes the folder and holds it until the end. Throws config::InputError when it contains a study that is neither
/// resumed nor replaced, files that filum did not write and would have to replace, or when another process is writing
/// to it.
class StudyFolder {
 public:
  StudyFolder(const StudyOptions& options, const std::filesystem::path& cases, const std::string& text);

 private:
  record::FolderLock lock_;
};

}  // namespace filum::study
