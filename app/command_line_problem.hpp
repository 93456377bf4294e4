/// What is wrong with a command line, in a sentence. User document: docs/guide/error-messages.md.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace filum::app {

/// Names the argument to blame, and the nearest word that would do.
std::string problem_of(const CLI::App& cli, const CLI::Error& error);

/// A whole number of at least 1.
CLI::Validator at_least_one();
/// A whole number from 1 to `most`.
CLI::Validator from_one_to(int most);

}  // namespace filum::app
