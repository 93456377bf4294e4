/// Messages by MPI, once its module is loaded. User document: docs/guide/studies.md, "Many machines".
#include "mpi_channel.hpp"

#include "mpi_functions.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>

namespace filum::study::channel {
namespace {

using std::filesystem::path;

const MpiFunctions* mpi = nullptr;  // loaded once, never unloaded

/// Beside the program or where it is installed; for programs of others, where it was built or is to be installed.
path module_file() {
  std::error_code error;
  const path program = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  for (const path& folder :
       {program, program / ".." / FILUM_LIB_NAME / "filum", path(FILUM_BUILD_DIR), path(FILUM_LIB_DIR)})
    if (const path file = folder / "filum-mpi.so"; std::filesystem::is_regular_file(file, error)) return file;
  return {};
}

}  // namespace

std::string load() {
  if (mpi) return {};
  const path file = module_file();
  if (file.empty()) return "filum-mpi.so, which connects processes, is missing: this filum was built without MPI";
  // Open MPI's own plugins look for its symbols among the global ones.
  void* module = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  void* symbol = module ? dlsym(module, mpi_functions_symbol) : nullptr;
  if (!symbol) {
    const char* reason = dlerror();
    return "filum-mpi.so, which connects processes, cannot be loaded (" +
           std::string(reason ? reason : "no reason given") + ")";
  }
  mpi = reinterpret_cast<const MpiFunctions* (*)()>(symbol)();
  return {};
}

void open() { mpi->open(); }
void close() { mpi->close(); }

void abort() {
  mpi->abort();
  std::abort();
}

bool is_open() { return mpi && mpi->is_open(); }
int rank() { return mpi->rank(); }
int size() { return mpi->size(); }

void send(int to, Tag tag, const std::string& text) {
  mpi->send(to, static_cast<int>(tag), text.data(), static_cast<int>(text.size()));
}

std::optional<Message> received() {
  int from = 0, tag = 0, count = 0;
  if (!mpi->probe(from, tag, count)) return std::nullopt;
  Message message{from, static_cast<Tag>(tag), std::string(static_cast<std::size_t>(count), '\0')};
  mpi->receive(from, tag, message.text.data(), count);
  return message;
}

}  // namespace filum::study::channel
