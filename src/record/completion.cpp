/// Whether a run has ended. User document: docs/guide/results.md, "Resuming".
#include <filum/record/completion.hpp>
#include <filum/record/hdf5_file.hpp>
#include <filum/record/marks.hpp>

#include <nlohmann/json.hpp>

namespace filum::record {
namespace {

/// The times are written last: as many as there are, every series has.
bool has_frames(const std::filesystem::path& file, std::uint64_t frames) {
  try {
    return Hdf5File(file, Hdf5File::Mode::read).shape("time")[0] == frames;
  } catch (const FileTrouble&) {
    return false;
  }
}

}  // namespace

Completion completion_of(const std::filesystem::path& folder) {
  std::string text = text_of_file(folder / "summary.json");
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) return {};
  const auto status = json.find("status"), frames = json.find("frames");
  if (status == json.end() || !status->is_string() || frames == json.end() || !frames->is_number_unsigned()) return {};
  if (!has_frames(folder / "result.h5", frames->get<std::uint64_t>())) return {};
  return {status->get<std::string>(), std::move(text)};
}

}  // namespace filum::record
