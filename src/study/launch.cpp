/// What process starters leave in the environment. User document: docs/guide/studies.md, "Many machines".
#include "launch.hpp"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>

namespace filum::study {
namespace {

std::optional<int> number(const char* name) {
  const char* text = std::getenv(name);
  if (!text) return std::nullopt;
  int value = 0;
  const char* end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, value);
  if (error != std::errc{} || stop != end || value < 0) return std::nullopt;
  return value;
}

}  // namespace

Launch launch_of_environment() {
  // Open MPI, MPICH and Slurm's PMI-2, steps of Slurm. SLURM_PROCID alone is no sign: batch scripts have it, too.
  static constexpr struct {
    const char *rank, *size;
  } starters[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                  {"PMI_RANK", "PMI_SIZE"},
                  {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}};
  for (const auto& s : starters)
    if (const auto rank = number(s.rank), size = number(s.size); rank && size) return {*rank, *size, s.rank};
  if (const auto rank = number("PMIX_RANK")) return {*rank, 0, "PMIX_RANK"};
  return {};
}

}  // namespace filum::study
