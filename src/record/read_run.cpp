/// Results of a run in a folder, read back. User document: docs/python/README.md, "Results".
#include <filum/config/problem.hpp>
#include <filum/record/hdf5_file.hpp>
#include <filum/record/read_run.hpp>

#include <algorithm>

namespace filum::record {

StoredResults read_run(const std::filesystem::path& folder) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(folder / "result.h5", error))
    throw FileTrouble(folder.string() + ": there are no results: result.h5 is missing; expected the folder of a run");
  const Hdf5File file(folder / "result.h5", Hdf5File::Mode::read);
  StoredResults results;
  const std::size_t frames = file.read("time").size();
  for (const std::string& name : file.datasets()) {
    const std::vector<std::uint64_t> shape = file.shape(name);
    Series series;
    for (std::size_t k = 1; k < shape.size(); ++k) series.shape.push_back(static_cast<int>(shape[k]));
    series.values = file.read(name);
    if (file.is_series(name)) series.values.resize(std::min(series.values.size(), frames * series.size()));
    results.series.emplace(name, std::move(series));
  }
  results.summary = config::input_text((folder / "summary.json").string()).value_or("");
  return results;
}

}  // namespace filum::record
