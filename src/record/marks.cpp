/// Marks of files that filum wrote. User document: docs/guide/security.md.
#include <filum/config/fingerprint.hpp>
#include <filum/record/hdf5_file.hpp>
#include <filum/record/marks.hpp>

#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>

namespace filum::record {
namespace {

constexpr std::string_view signature = "# Written by filum, checksum ";

std::string signature_line(std::string_view text) { return std::string(signature) + config::fingerprint(text) + "\n"; }

std::string beginning(const std::filesystem::path& file, std::size_t most) {
  std::string text(most, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(text.data(), static_cast<std::streamsize>(most));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

bool is_signed(const std::string& text) {
  return text.starts_with(signature) && text.starts_with(signature_line(without_signature(text)));
}

/// Summaries say the version and the status; the file of repeated times has nothing but times.
bool is_our_json(const std::string& text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) return false;
  return (json.contains("filum") && json.contains("status")) ||
         (json.size() == 3 && json.contains("seconds") && json.contains("cpu") && json.contains("runs"));
}

bool is_our_hdf5(const std::filesystem::path& file) {
  try {
    return Hdf5File(file, Hdf5File::Mode::read).has_attribute("/", "filum");
  } catch (const FileTrouble&) {
    return false;
  }
}

/// sensors.csv belongs to the result file beside it, which has the same first line; study.csv has its own.
bool is_our_table(const std::filesystem::path& file) {
  std::string line;
  std::ifstream in(file, std::ios::binary);
  std::getline(in, line);
  if (file.filename() == "modes.csv" && line.starts_with("mode,omega,frequency,")) return true;
  if (file.filename() == "response.csv" && line.starts_with("omega,frequency,")) return true;
  if (line.starts_with("case,role,") && line.ends_with(",reason")) return true;
  try {
    const Hdf5File result(file.parent_path() / "result.h5", Hdf5File::Mode::read);
    return result.has_attribute("/", "sensors.csv") && result.text_attribute("/", "sensors.csv") == line;
  } catch (const FileTrouble&) {
    return false;
  }
}

}  // namespace

std::string signed_toml(std::string_view text) { return signature_line(text) + std::string(text); }

std::string_view without_signature(std::string_view text) {
  if (!text.starts_with(signature)) return text;
  const std::size_t end = text.find('\n');
  return end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
}

std::string text_of_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return in ? text.str() : "";
}

bool is_ours(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(std::filesystem::symlink_status(file, error))) return false;
  const std::string kind = file.extension().string();
  if (kind == ".toml") return is_signed(text_of_file(file));
  if (kind == ".json") return is_our_json(text_of_file(file));
  if (kind == ".h5") return is_our_hdf5(file);
  if (kind == ".csv") return is_our_table(file);
  constexpr std::size_t head = 4096;
  const std::string start = beginning(file, head);
  if (kind == ".mtx") return start.find("\n" + std::string(matrix_mark) + "\n") != std::string::npos;
  if (kind == ".npy") return is_ours(std::filesystem::path(file).replace_extension(".mtx"));
  if (kind == ".html") return start.find("<meta name=\"generator\" content=\"filum\"") != std::string::npos;
  if (kind == ".txt") return start.starts_with("refused: ") || start.starts_with("failed: ");
  return start.find(xml_mark) != std::string::npos;
}

}  // namespace filum::record
