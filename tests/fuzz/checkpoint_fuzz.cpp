/// Fuzz target: a checkpoint is read, or refused with a message. User document: docs/guide/results.md, "Resuming".
#include "input_file.hpp"

#include <filum/config/fingerprint.hpp>
#include <filum/record/checkpoint.hpp>
#include <filum/record/hdf5_file.hpp>
#include <filum/record/marks.hpp>

#include <cstdlib>

namespace {

using namespace filum;

/// What stands before the checksum at the end of every checkpoint: taken from one, so that it is that of this version.
const std::string& before_checksum() {
  static const std::string words = [] {
    const auto folder = fuzz::folder_with("checkpoint.h5", nullptr, 0);
    record::save_checkpoint(folder / "checkpoint.h5", {});
    const std::string bytes = record::text_of_file(folder / "checkpoint.h5");
    std::filesystem::remove_all(folder);
    constexpr std::size_t checksum = 17;  // 16 digits and the end of the line
    const std::size_t begin = bytes.rfind("filum checkpoint");
    if (begin == std::string::npos) std::abort();
    return bytes.substr(begin, bytes.size() - checksum - begin);
  }();
  return words;
}

void load(const std::string& bytes) {
  const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  const auto folder = fuzz::folder_with("checkpoint.h5", data, bytes.size());
  try {
    record::load_checkpoint(folder / "checkpoint.h5");
  } catch (const record::FileTrouble& error) {
    if (std::string(error.what()).empty()) std::abort();
  }
  std::filesystem::remove_all(folder);
}

}  // namespace

/// As it is, and with a checksum that fits: nearly nothing gets past one that does not.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  load(bytes);
  const std::string image = bytes.substr(0, bytes.rfind("filum checkpoint"));
  load(image + before_checksum() + config::fingerprint(image) + "\n");
  return 0;
}
