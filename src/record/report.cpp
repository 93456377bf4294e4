/// report.html. User document: docs/guide/results.md, "The report page".
#include "report_run.hpp"
#include "write_journal.hpp"

#include <filum/record/folder_lock.hpp>
#include <filum/record/replace_file.hpp>
#include <filum/record/report.hpp>

#include <fstream>
#include <sstream>

namespace filum::record {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view mark = "<!-- filum: data -->";  // in viewer/page.html

std::string read_template(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in || text.str().find(mark) == std::string::npos)
    throw FileTrouble(file.string() + ": this is not the template of the report page");
  return text.str();
}

/// Nothing in it may look like the end of a script to a browser.
std::string for_script(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

}  // namespace

namespace {

std::filesystem::path first_template(std::initializer_list<std::filesystem::path> folders) {
  std::error_code error;
  for (const std::filesystem::path& folder : folders)
    if (std::filesystem::is_regular_file(folder / "report-template.html", error))
      return folder / "report-template.html";
  return {};
}

}  // namespace

std::filesystem::path report_template_of_program() {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  return first_template({folder, folder / "../share/filum"});
}

std::filesystem::path report_template() {
  const std::filesystem::path own = report_template_of_program();
  return own.empty() ? first_template({FILUM_BUILD_DIR, FILUM_SHARE_DIR}) : own;
}

namespace {

/// A file torn by a kill is read here as if it were whole, but other readers fail: it is repaired if the folder is
/// writable.
void mend(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "result.h5";
  std::error_code error;
  if (!std::filesystem::exists(WriteJournal::path_of(file), error)) return;
  try {
    const FolderLock lock(folder);
    complete_write(file);
  } catch (const FolderRefused&) {  // another process is writing, or the folder is read-only
  }
}

}  // namespace

std::string missing_template_text() {
  return "report-template.html is missing: filum was built without npm, which bundles its pages; install nodejs and "
         "npm "
         "(Debian: apt-get install nodejs npm), configure and build again, then ";
}

void write_page(const std::filesystem::path& page, const std::filesystem::path& page_template, const std::string& id,
                const std::string& json, const std::string& more_elements) {
  std::string text = read_template(page_template);
  text.replace(text.find(mark), mark.size(),
               "<script type=\"application/json\" id=\"" + id + "\">" + for_script(json) + "</script>" + more_elements);
  replace_file(page, text, "the page", Durability::quick);  // it can be made again
}

void write_report(const std::filesystem::path& page, const std::filesystem::path& page_template,
                  const std::vector<std::filesystem::path>& folders, const ReportLimits& limits) {
  ReportArrays arrays;
  Json json;
  json["runs"] = Json::array();
  std::vector<RunReader> readers;
  readers.reserve(folders.size());
  for (const auto& folder : folders) {
    mend(folder);
    readers.emplace_back(folder);
    json["runs"].push_back(add_run(arrays, std::to_string(readers.size() - 1) + ":", readers.back(), limits));
  }
  if (readers.size() == 2) json["difference"] = add_differences(arrays, "difference:", readers[0], readers[1], limits);
  json["arrays"] = arrays.index();
  write_page(page, page_template, "filum-report", json.dump(-1, ' ', false, Json::error_handler_t::replace),
             "\n<script type=\"text/plain\" id=\"filum-numbers\">" + arrays.packed() + "</script>");
}

}  // namespace filum::record
