/// Texts of problems and the search for similar words. User document: docs/guide/error-messages.md.
#include <filum/scenario/problem.hpp>

#include <algorithm>
#include <cctype>
#include <numeric>

namespace filum::scenario {
namespace {

std::string all_texts(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& p : problems) text += (text.empty() ? "" : "\n") + p.text();
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

std::string Problem::text() const {
  std::string text = place.source;
  if (place.line > 0) text += ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
  if (!text.empty()) text += ": ";
  if (!key.empty()) text += key + ": ";
  return text + message;
}

ScenarioError::ScenarioError(std::vector<Problem> problems)
    : std::runtime_error(all_texts(problems)), problems_(std::move(problems)) {}

void refuse_input(const std::string& source, const std::string& message, int line, int column) {
  std::vector<Problem> problems(1);
  problems[0].place = {source, line, column};
  problems[0].message = message;
  throw ScenarioError(std::move(problems));
}

Place Places::find(std::string_view key) const {
  while (true) {
    if (const auto found = places_.find(key); found != places_.end()) return found->second;
    const auto cut = key.find_last_of(".[");
    if (cut == std::string_view::npos) break;
    key = key.substr(0, cut);
  }
  const auto top = places_.find("");
  return top == places_.end() ? Place{} : top->second;
}

std::string nearest_word(std::string_view typed, const std::vector<std::string>& words) {
  constexpr std::size_t longest_compared = 64;
  if (typed.size() > longest_compared) return {};
  std::size_t best = 1 + std::max<std::size_t>(1, typed.size() / 3);  // further off is a guess, not a hint
  std::string nearest;
  for (const std::string& word : words)
    if (const std::size_t distance = edit_distance(typed, word); distance < best) best = distance, nearest = word;
  return nearest;
}

std::string suggestion(std::string_view typed, const std::vector<std::string>& words) {
  const std::string word = nearest_word(typed, words);
  return word.empty() ? "" : "; did you mean '" + word + "'?";
}

std::string alternatives(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "'" : i + 1 == words.size() ? " or '" : ", '") + words[i] + "'";
  return text;
}

}  // namespace filum::scenario
