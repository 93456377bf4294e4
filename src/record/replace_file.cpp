/// Writing a file in one stroke. User document: docs/guide/results.md.
#include <filum/record/hdf5_file.hpp>
#include <filum/record/replace_file.hpp>

#include <fstream>

namespace filum::record {

void replace_file(const std::filesystem::path& file, const std::string& text, const std::string& what) {
  const std::filesystem::path draft = file.string() + ".new";
  std::ofstream out(draft, std::ios::trunc | std::ios::binary);
  out << text;
  out.close();
  if (!out) throw FileTrouble(file.string() + ": " + what + " cannot be written; is the disk full?");
  std::error_code error;
  std::filesystem::rename(draft, file, error);
  if (error) throw FileTrouble(file.string() + ": " + what + " cannot be replaced (" + error.message() + ")");
}

}  // namespace filum::record
