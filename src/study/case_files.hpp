/// What a study writes beside the results of a run. User document: docs/guide/studies.md, "Running".
#pragma once

#include <array>

namespace filum::study {

/// Why a run has no summary: one line, "refused: REASON" or "failed: REASON".
inline constexpr const char* reason_file = "reason.txt";
/// The shortest times of a repeated run.
inline constexpr const char* timing_file = "timing.json";
/// The input of a run in its own process.
inline constexpr const char* input_file = "case.toml";

inline constexpr std::array case_files{reason_file, timing_file, input_file};

}  // namespace filum::study
