/// Fuzz target: a checkpoint is read, or refused with a message. User document: docs/guide/results.md, "Resuming".
#include "input_file.hpp"

#include <filum/record/checkpoint.hpp>
#include <filum/record/hdf5_file.hpp>

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace filum;
  const auto folder = fuzz::folder_with("checkpoint.h5", data, size);
  try {
    record::load_checkpoint(folder / "checkpoint.h5");
  } catch (const record::FileTrouble& error) {
    if (std::string(error.what()).empty()) std::abort();
  }
  std::filesystem::remove_all(folder);
  return 0;
}
