/// Texts of problems and the search for similar words. User document: docs/guide/error-messages.md.
#include <filum/config/enclosing.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <sstream>

namespace filum::config {
namespace {

constexpr std::string_view override_mark = "--set ";

std::string all_texts(const std::vector<Problem>& problems) {
  constexpr std::size_t most = 20;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, problems.size()); ++i)
    text += (text.empty() ? "" : "\n") + problems[i].text();
  if (problems.size() > most) text += "\n... and " + std::to_string(problems.size() - most) + " more";
  return text;
}

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

/// Insertions, deletions, replacements and swaps of neighbours; upper and lower case count as equal.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), row(b.size() + 1), next(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    next[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      next[j] = std::min({row[j] + 1, next[j - 1] + 1, row[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
        next[j] = std::min(next[j], before[j - 2] + 1);
    }
    before.swap(row);
    row.swap(next);
  }
  return row[b.size()];
}

}  // namespace

bool Place::is_override(std::string_view key) const {
  if (!source.starts_with(override_mark)) return false;
  const std::string_view assignment = std::string_view(source).substr(override_mark.size());
  return key.empty() || (assignment.starts_with(key) && assignment.substr(key.size()).starts_with("="));
}

Place override_place(const std::string& assignment) { return {std::string(override_mark) + assignment, 0, 0}; }

std::string Problem::text() const {
  constexpr std::size_t most = 120, longest_file = 4096, longest_message = 2000;
  std::string text = shortened(place.source, place.is_override() ? most : longest_file);
  if (place.line > 0) text += ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
  if (!text.empty()) text += ": ";
  if (!key.empty()) text += shortened(key, most) + ": ";
  return text + shortened(message, longest_message);
}

InputError::InputError(std::vector<Problem> problems)
    : std::runtime_error(all_texts(problems)), problems_(std::move(problems)) {}

void refuse_input(const std::string& source, const std::string& message, int line, int column) {
  throw InputError({Problem{{source, line, column}, "", message}});
}

void add_unless_known(std::vector<Problem>& problems, std::vector<Problem> more) {
  const Enclosing known(problems);
  for (Problem& p : more)
    if (p.key.empty() || !known.concerns(p.key)) problems.push_back(std::move(p));
}

void refuse_problems(std::vector<Problem> problems) {
  if (problems.empty()) return;
  const auto rank = [](const Problem& p) {
    return std::pair(p.place.line == 0 ? 1 << 30 : p.place.line, p.place.column);
  };
  std::stable_sort(problems.begin(), problems.end(),
                   [&](const Problem& a, const Problem& b) { return rank(a) < rank(b); });
  throw InputError(std::move(problems));
}

Place Places::find(std::string_view key) const {
  while (true) {
    if (const auto found = places_.find(key); found != places_.end()) return found->second;
    if (key.empty()) return {};
    key = enclosing_key(key);
  }
}

Words Places::overridden(std::string_view key) const {
  Words keys;
  const std::string inside = std::string(key) + ".";
  for (auto at = places_.lower_bound(inside); at != places_.end() && at->first.starts_with(inside); ++at)
    if (at->second.is_override()) keys.push_back(at->first);
  return keys;
}

std::optional<std::string> input_text(const std::string& name) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(name, error)) return {};
  constexpr std::uintmax_t largest = 256 << 20;
  if (const std::uintmax_t size = std::filesystem::file_size(name, error); !error && size > largest)
    refuse_input(name, "the file has " + std::to_string(size >> 20) + " MB; at most 256 MB are read");
  std::ifstream file(name, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) refuse_input(name, "the file cannot be read");
  return text.str();
}

std::string nearest_word(std::string_view typed, const Words& words) {
  constexpr std::size_t longest_compared = 64, most_compared = 1000;
  if (typed.size() > longest_compared) return {};
  // Further off is a guess, not a hint; so is a word that shares no letter.
  std::size_t best = std::min(typed.size(), 1 + std::max<std::size_t>(1, typed.size() / 3));
  std::string nearest;
  for (std::size_t i = 0; i < std::min(most_compared, words.size()); ++i) {
    const std::string& word = words[i];
    const std::size_t longer = std::max(word.size(), typed.size()) - std::min(word.size(), typed.size());
    if (longer >= best) continue;
    if (const std::size_t distance = edit_distance(typed, word); distance < best) best = distance, nearest = word;
  }
  return nearest;
}

std::string suggestion(std::string_view typed, const Words& words) {
  const std::string word = nearest_word(typed, words);
  return word.empty() ? "" : "; did you mean '" + word + "'?";
}

std::string alternatives(const Words& words) {
  constexpr std::size_t most = 40;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, words.size()); ++i)
    text += (i == 0 ? "'" : i + 1 == words.size() ? " or '" : ", '") + shortened(words[i]) + "'";
  if (words.size() > most) text += " or one of " + std::to_string(words.size() - most) + " more";
  return text;
}

std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  std::size_t end = most - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // not inside a character
  return std::string(text.substr(0, end)) + "...";
}

}  // namespace filum::config
