/// Series of a run by name. User document: docs/guide/cpp.md, "Results".
#include <filum/config/problem.hpp>
#include <filum/record/run.hpp>

#include <stdexcept>

namespace filum::record {

const Series& Run::series(std::string_view name) const {
  const auto found = all.find(name);
  if (found != all.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& entry : all) names.push_back(entry.first);
  throw std::out_of_range(all.empty()
                              ? "the series of this run were not kept in memory"
                              : "the run has no series '" + std::string(name) + "'" + config::suggestion(name, names));
}

}  // namespace filum::record
