/// The folder of a study: whose it is, and who is writing to it. User document: docs/guide/studies.md, "Results".
#pragma once

#include "folder_lock.hpp"

#include <filum/study/run_study.hpp>

namespace filum::study {

/// Makes the folder and holds it until the end. Throws config::InputError when it contains a study that is neither resumed nor
/// replaced, or another process is writing to it.
class StudyFolder {
 public:
  StudyFolder(const StudyOptions& options, const std::filesystem::path& cases, const std::string& text);

 private:
  FolderLock lock_;
};

}  // namespace filum::study
