/// Checks of a study as a whole. User document: docs/guide/studies.md.
#pragma once

#include <filum/study/study.hpp>

namespace filum::study {

std::vector<config::Problem> find_problems(const Study& study);

/// The quantities of [convergence] that are words; everything with a slash is a series of result.h5.
const std::vector<std::string>& quantity_words();

}  // namespace filum::study
