/// Which keys of a file have problems. User document: docs/guide/error-messages.md.
#pragma once

#include <filum/config/problem.hpp>

#include <set>

namespace filum::config {

/// The keys that problems are about, and those around them.
class Enclosing {
 public:
  explicit Enclosing(const std::vector<Problem>& problems);
  /// Whether a problem is about this key, or about something inside of it.
  bool contains(std::string_view key) const { return keys_.find(key) != keys_.end(); }
  /// The same, or about something around it.
  bool concerns(std::string_view key) const;

 private:
  std::set<std::string, std::less<>> keys_, exact_;
};

/// "beam.rod.to" of "beam.rod.to[0]", "beam.rod" of that, and so on to nothing.
std::string_view enclosing_key(std::string_view key);

}  // namespace filum::config
