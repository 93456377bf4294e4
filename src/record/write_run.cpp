/// Results that were kept in memory as the files of a run. User document: docs/python/README.md, "Results".
#include <filum/record/facts_json.hpp>
#include <filum/record/hdf5_file.hpp>
#include <filum/record/simulate.hpp>
#include <filum/record/write_run.hpp>

#include <algorithm>

namespace filum::record {

void write_run(const std::filesystem::path& folder, const Run& run) {
  if (run.all.empty()) throw std::invalid_argument("the series of this run were not kept in memory");
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw FileTrouble(folder.string() + ": cannot create the folder: " + error.message());
  Hdf5File file(folder / "result.h5", Hdf5File::Mode::create);
  file.set_attribute("/", "facts", facts_text(run.facts));
  file.set_attribute("/", "method", run.summary.method);
  file.set_attribute("/", "filum", version());
  constexpr int most_frames = 256;
  for (const auto& [name, series] : run.all) {
    if (name.find('/') != std::string::npos) file.make_group(name.substr(0, name.rfind('/')));
    const int s = file.make_series(name, series.shape, std::clamp(static_cast<int>(series.frames()), 1, most_frames));
    file.write_frames(s, 0, series.frames(), series.values.data());
  }
  for (const model::FixedArray& a : run.arrays) {
    if (a.name.find('/') != std::string::npos) file.make_group(a.name.substr(0, a.name.rfind('/')));
    file.write(a.name, a.values);
  }
  file.close();
  write_summary(folder / "summary.json", run.summary);
}

}  // namespace filum::record
