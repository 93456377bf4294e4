/// What is wrong with a file or an override, and where. User document: docs/guide/error-messages.md.
#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace filum::config {

using Words = std::vector<std::string>;

/// A place in a file, or an override of the command line; lines and columns count from 1.
struct Place {
  std::string source;  ///< file name, or "--set KEY=VALUE"
  int line = 0, column = 0;
  /// Whether this is an override of `key`, or of anything when no key is given.
  bool is_override(std::string_view key = {}) const;
};

/// What messages call KEY=VALUE of the command line.
Place override_place(const std::string& assignment);

struct Problem {
  Place place;
  std::string key;      ///< dotted path; empty when the file as a whole is meant
  std::string message;  ///< what was expected, what was found, the nearest valid word
  /// "FILE:LINE:COLUMN: KEY: message".
  std::string text() const;
};

/// Bad input: everything that is wrong with it, in the order of the file. The text has the first 20 problems.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Problem> problems);
  const std::vector<Problem>& problems() const { return problems_; }

 private:
  std::vector<Problem> problems_;
};

/// Throws an InputError about a file or folder as a whole.
[[noreturn]] void refuse_input(const std::string& source, const std::string& message, int line = 0, int column = 0);

/// Adds problems that checks found after reading. Keys that already have a message need no second one about what
/// follows from it.
void add_unless_known(std::vector<Problem>& problems, std::vector<Problem> more);

/// Throws an InputError with the problems in the order of the file, overrides last, if there are any.
void refuse_problems(std::vector<Problem> problems);

/// Where the keys of a file stand, by dotted path. Paths that are not known are looked up by their beginnings.
class Places {
 public:
  void set(const std::string& key, Place place) { places_[key] = std::move(place); }
  Place find(std::string_view key) const;
  /// The keys inside of `key` that overrides have set: the first suspects when something about all of it is wrong.
  Words overridden(std::string_view key) const;

 private:
  std::map<std::string, Place, std::less<>> places_;
};

/// The text of a file, nothing if there is no such file. Throws InputError when it cannot be read.
std::optional<std::string> input_text(const std::string& file);

/// The word of the list that is nearest to what was typed, by edit distance; empty when none is near.
std::string nearest_word(std::string_view typed, const Words& words);
/// "; did you mean 'X'?" or nothing.
std::string suggestion(std::string_view typed, const Words& words);
/// "'a', 'b' or 'c'".
std::string alternatives(const Words& words);
/// The beginning of a text that is too long for a message.
std::string shortened(std::string_view text, std::size_t most = 60);

}  // namespace filum::config
