/// Runs every file of the given folders through the fuzz target once.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

// Every target is compiled together with this file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,  // NOLINT(readability-redundant-declaration)
                                      std::size_t size);

int main(int argc, char** argv) {
  int count = 0;
  for (int k = 1; k < argc; ++k)
    for (const auto& entry : std::filesystem::directory_iterator(argv[k])) {
      std::ifstream in(entry.path(), std::ios::binary);
      const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
      std::printf("%s\n", entry.path().c_str());
      std::fflush(stdout);
      LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
      ++count;
    }
  std::printf("%d files\n", count);
  return count > 0 ? 0 : 1;
}
