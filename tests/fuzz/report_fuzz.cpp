/// Fuzz target: a result file becomes a page, or is refused with a message. User document: docs/guide/results.md, "The
/// report page".
#include "input_file.hpp"

#include <filum/record/hdf5_file.hpp>
#include <filum/record/report.hpp>

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace filum;
  const auto folder = fuzz::folder_with("result.h5", data, size);
  const auto page_template = folder / "template.html";
  std::ofstream(page_template) << "<html><!-- filum: data --></html>";
  try {
    record::write_report(folder / "report.html", page_template, {folder},
                         {.motion_frames = 10, .motion_numbers = 10000, .plot_frames = 10});
  } catch (const record::FileTrouble& error) {
    if (std::string(error.what()).empty()) std::abort();
  }
  std::filesystem::remove_all(folder);
  return 0;
}
