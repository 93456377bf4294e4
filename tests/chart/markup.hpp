/// Reading SVG and HTML in tests: is it well formed, and what does it draw.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace filum::testing {

/// One tag, read by hand: the standard library's expressions recurse once a character, and paths are long.
class Tag {
 public:
  explicit Tag(std::string_view from) : rest_(from) {
    rest_.remove_prefix(1);
    is_end = take("/");
    name = take_name();
    std::set<std::string> names;
    while (problem.empty() && take_blanks() && !rest_.empty() && rest_[0] != '>' && rest_[0] != '/') {
      const std::string attribute = take_name();
      if (!names.insert(attribute).second) problem = "twice: " + attribute;
      const std::size_t end = take("=\"") ? rest_.find_first_of("\"<") : rest_.npos;
      if (attribute.empty() || end == rest_.npos || rest_[end] == '<')
        problem = "attribute " + attribute;
      else
        rest_.remove_prefix(end + 1);
    }
    is_empty = take("/");
    if (!take(">") || name.empty()) problem = "no tag";
  }
  std::string_view rest() const { return rest_; }

  std::string name, problem;
  bool is_end = false, is_empty = false;

 private:
  bool take(std::string_view token) {
    const bool has = rest_.substr(0, token.size()) == token;
    if (has) rest_.remove_prefix(token.size());
    return has;
  }
  bool take_blanks() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_[0]))) rest_.remove_prefix(1);
    return true;
  }
  std::string take_name() {
    std::string out;
    for (; !rest_.empty() && (std::isalnum(static_cast<unsigned char>(rest_[0])) || rest_[0] == '-' || rest_[0] == ':');
         rest_.remove_prefix(1))
      out += rest_[0];
    return out;
  }
  std::string_view rest_;
};

/// Empty when tags balance, attributes are quoted and named once, and no "<" or "&" stands bare; else what is wrong.
/// HTML: elements without an end are known, and style and script are skipped.
inline std::string markup_problem(std::string_view text, bool is_html = false) {
  static const std::set<std::string> endless{"meta", "br", "hr", "img", "input", "link"};
  static const std::vector<std::string_view> entities{"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
  constexpr std::string_view doctype = "<!DOCTYPE html>";
  std::vector<std::string> open;
  if (is_html && text.substr(0, doctype.size()) == doctype) text.remove_prefix(doctype.size());
  while (!text.empty()) {
    const std::string here(text.substr(0, 60));
    if (text[0] == '&' && std::none_of(entities.begin(), entities.end(),
                                       [&text](std::string_view e) { return text.substr(0, e.size()) == e; }))
      return "bare & at: " + here;
    if (text[0] != '<') {
      text.remove_prefix(1);
      continue;
    }
    const Tag tag(text);
    if (!tag.problem.empty()) return tag.problem + " at: " + here;
    text = tag.rest();
    if (tag.is_end) {
      if (open.empty() || open.back() != tag.name) return "unexpected end: " + here;
      open.pop_back();
    } else if (!tag.is_empty && !(is_html && endless.count(tag.name) != 0)) {
      open.push_back(tag.name);
      if (is_html && (tag.name == "script" || tag.name == "style"))
        text.remove_prefix(std::min(text.find("</" + tag.name), text.size()));
    }
  }
  return open.empty() ? "" : "not closed: " + open.back();
}

/// Everything from each `start` up to the next `end`, without both.
inline std::vector<std::string> all_between(const std::string& text, const std::string& start, const std::string& end) {
  std::vector<std::string> out;
  for (std::size_t at = text.find(start); at != text.npos; at = text.find(start, at)) {
    at += start.size();
    const std::size_t stop = text.find(end, at);
    if (stop == text.npos) break;
    out.push_back(text.substr(at, stop - at));
  }
  return out;
}

inline std::string between(const std::string& text, const std::string& start, const std::string& end) {
  const auto all = all_between(text, start, end);
  return all.empty() ? "" : all.front();
}

/// The first group of every match, or the whole match. For short matches only.
inline std::vector<std::string> all_matches(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  std::vector<std::string> out;
  for (std::sregex_iterator m(text.begin(), text.end(), regex), end; m != end; ++m)
    out.push_back(m->size() > 1 ? (*m)[1] : (*m)[0]);
  return out;
}

inline std::string first_match(const std::string& text, const std::string& pattern) {
  const auto all = all_matches(text, pattern);
  return all.empty() ? "" : all.front();
}

inline std::vector<double> numbers_in(const std::string& text) {
  std::vector<double> out;
  for (const std::string& number : all_matches(text, R"(-?\d+(?:\.\d+)?)")) out.push_back(std::atof(number.c_str()));
  return out;
}

inline std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

}  // namespace filum::testing
