/// What is wrong with a scenario, and where. User document: docs/guide/error-messages.md.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace filum::scenario {

/// A place in a scenario file, or an override of the command line; lines and columns count from 1.
struct Place {
  std::string source;  ///< file name, or "--set KEY=VALUE"
  int line = 0, column = 0;
};

struct Problem {
  Place place;
  std::string key;      ///< dotted path; empty when the file as a whole is meant
  std::string message;  ///< what was expected, what was found, the nearest valid word
  /// "FILE:LINE:COLUMN: KEY: message".
  std::string text() const;
};

/// Bad input: everything that is wrong with it, in the order of the file.
class ScenarioError : public std::runtime_error {
 public:
  explicit ScenarioError(std::vector<Problem> problems);
  const std::vector<Problem>& problems() const { return problems_; }

 private:
  std::vector<Problem> problems_;
};

/// Throws a ScenarioError about a file or folder as a whole.
[[noreturn]] void refuse_input(const std::string& source, const std::string& message, int line = 0, int column = 0);

/// Where the keys of a scenario stand, by dotted path. Paths that are not known are looked up by their beginnings.
class Places {
 public:
  void set(const std::string& key, Place place) { places_[key] = std::move(place); }
  Place find(std::string_view key) const;

 private:
  std::map<std::string, Place, std::less<>> places_;
};

/// The word of the list that is nearest to what was typed, by edit distance; empty when none is near.
std::string nearest_word(std::string_view typed, const std::vector<std::string>& words);
/// "; did you mean 'X'?" or nothing.
std::string suggestion(std::string_view typed, const std::vector<std::string>& words);
/// "'a', 'b' or 'c'".
std::string alternatives(const std::vector<std::string>& words);

}  // namespace filum::scenario
