/// HDF5 files that are made or changed in one stroke. User document: docs/guide/security.md.
#include "hdf5_replace.hpp"

#include <filum/record/replace_file.hpp>

namespace filum::record {
namespace {

namespace fs = std::filesystem;

void write_draft(const fs::path& file, const fs::path& draft, Hdf5File::Mode mode,
                 const std::function<void(Hdf5File&)>& write) {
  try {
    if (mode == Hdf5File::Mode::append) fs::copy_file(file, draft);
    Hdf5File out(draft, mode);
    write(out);
    out.close();
    rename_file(draft, file, "the result file");
  } catch (const fs::filesystem_error& error) {
    throw FileTrouble(file.string() + ": the file cannot be copied (" + error.code().message() + ")");
  }
}

void replace(const fs::path& file, Hdf5File::Mode mode, const std::function<void(Hdf5File&)>& write) {
  const fs::path draft = unguessable_name(file);
  try {
    write_draft(file, draft, mode, write);
  } catch (...) {
    std::error_code error;
    fs::remove(draft, error);
    throw;
  }
}

}  // namespace

void make_file(const fs::path& file, const std::function<void(Hdf5File&)>& make) {
  replace(file, Hdf5File::Mode::create, make);
}

void change_file(const fs::path& file, const std::function<void(Hdf5File&)>& change) {
  replace(file, Hdf5File::Mode::append, change);
}

}  // namespace filum::record
