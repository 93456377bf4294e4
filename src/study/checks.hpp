/// Statements of a study about its numbers. User document: docs/guide/studies.md, "Checks".
#pragma once

#include <filum/study/results.hpp>

namespace filum::study {

std::vector<CheckResult> evaluate_checks(const Study& study, const Results& results);

/// Few digits, for people.
std::string short_number(double value);

}  // namespace filum::study
