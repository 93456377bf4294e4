/// Marks of runs that are not on the disk yet. User document: docs/guide/studies.md, "Running".
#include "unsynced_runs.hpp"

#include <filum/record/hdf5_file.hpp>
#include <filum/record/marks.hpp>
#include <filum/record/replace_file.hpp>

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <charconv>
#include <string>

namespace filum::study {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = ".unsynced-";

/// Differs after every start of the machine; empty when unknown.
std::string this_start() {
  std::string text = record::text_of_file("/proc/sys/kernel/random/boot_id");
  return text.substr(0, text.find('\n'));
}

bool is_running(const fs::path& mark) {
  const std::string name = mark.filename().string();
  pid_t process = 0;
  std::from_chars(name.data() + prefix.size(), name.data() + name.size(), process);
  return process > 0 && (kill(process, 0) == 0 || errno == EPERM);
}

std::vector<fs::path> marks_in(const fs::path& cases) {
  std::vector<fs::path> marks;
  std::error_code error;
  for (fs::directory_iterator at(cases, error), end; !error && at != end; at.increment(error))
    if (at->path().filename().string().starts_with(prefix)) marks.push_back(at->path());
  return marks;
}

bool is_whole(const fs::path& file) {
  try {
    const record::Hdf5File results(file, record::Hdf5File::Mode::read);
    for (const std::string& name : results.datasets())
      if (results.is_series(name)) results.verify(name);
    return true;
  } catch (const record::FileTrouble&) {
    return false;
  }
}

/// A run whose results are whole is continued, at its end if it had ended; of others nothing stays. Damaged files do
/// not show who wrote them: the mark does.
void reopen(const fs::path& run) {
  std::error_code error;
  if (is_whole(run / "result.h5")) {
    if (const fs::path summary = run / "summary.json"; record::is_ours(summary)) fs::remove(summary, error);
    return;
  }
  if (!fs::exists(run / "result.h5", error)) return;
  for (const char* name : {"summary.json", "checkpoint.h5", "scenario.toml", "sensors.csv", "result.h5"})
    fs::remove(run / name, error);
}

void wait_for_disk(const fs::path& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  syncfs(descriptor);
  close(descriptor);
}

}  // namespace

void reopen_lost_runs(const fs::path& cases) {
  std::vector<fs::path> lost = marks_in(cases);
  std::erase_if(lost, [start = this_start() + "\n"](const fs::path& m) { return record::text_of_file(m) == start; });
  if (lost.empty()) return;
  std::error_code error;
  for (fs::directory_iterator at(cases, error), end; !error && at != end; at.increment(error))
    if (fs::is_directory(at->symlink_status())) reopen(at->path());
  for (const fs::path& mark : lost) fs::remove(mark, error);
}

UnsyncedRuns::UnsyncedRuns(const fs::path& cases) : cases_(cases) {
  const std::string start = this_start();
  if (start.empty()) return;
  for (const fs::path& mark : marks_in(cases))
    if (!is_running(mark)) marks_.push_back(mark);
  const fs::path own = cases / (std::string(prefix) + std::to_string(getpid()));
  record::replace_file(own, start + "\n", "the mark of runs that are not on the disk");
  marks_.push_back(own);
}

UnsyncedRuns::~UnsyncedRuns() {
  if (marks_.empty()) return;
  wait_for_disk(cases_);
  std::error_code error;
  for (const fs::path& mark : marks_) fs::remove(mark, error);
}

record::Durability UnsyncedRuns::durability() const {
  return marks_.empty() ? record::Durability::lasting : record::Durability::quick;
}

}  // namespace filum::study
