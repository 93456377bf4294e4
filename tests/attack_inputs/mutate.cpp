/// Texts with mistakes.
#include "mutate.hpp"

#include <algorithm>
#include <iterator>

namespace filum::attack {
namespace {

constexpr std::string_view hostile[] = {"0",
                                        "-1",
                                        "-0.0",
                                        "nan",
                                        "inf",
                                        "-inf",
                                        "1e308",
                                        "-1e308",
                                        "5e-324",
                                        "1e-300",
                                        "1e12",
                                        "123456789012345678901.0",
                                        "9223372036854775807",
                                        "2",
                                        "3",
                                        "0.1",
                                        "true",
                                        "\"\"",
                                        "\" \"",
                                        "\"ground\"",
                                        "\"system\"",
                                        "\"auto\"",
                                        "\"consistent\"",
                                        "\"rest\"",
                                        "\"step\"",
                                        "\"1/0\"",
                                        "\"0/0\"",
                                        "\"t\"",
                                        "\"s\"",
                                        "\"sin\"",
                                        "\"sqrt(t - 1)\"",
                                        "\"t < 0.01 ? 0 : 1\"",
                                        "\"body-1\"",
                                        "\"load-1\"",
                                        "\"rod:end\"",
                                        "\"rod@1e999\"",
                                        "\"\\u0000\"",
                                        "\"\\u00e4\\u2028\"",
                                        "[]",
                                        "[0, 0, 0]",
                                        "[1, 0]",
                                        "[[1, 2], [3]]",
                                        "[nan, 0, 0]",
                                        "{}",
                                        "{ time = 0 }",
                                        "{ points = [[0, 0], [1, 1]] }",
                                        "{ axis = [0, 0, 1], angle = 1 }",
                                        "1979-05-27",
                                        "''",
                                        "'''a''''",
                                        "\"\"\"\"a\"\"\"\"\""};
/// Values that often make sense: what is accepted has to be tried as well.
constexpr std::string_view mild[] = {"0.5",         "1",           "2",           "10",         "0.001",
                                     "[0, 0, 1]",   "[1, 2, 3]",   "[0.1, 0, 0]", "\"2*1.5\"",  "\"SE3\"",
                                     "\"index-3\"", "\"rattlie\"", "\"bliedf\"",  "\"random\"", "false"};
constexpr std::string_view characters = "\"'[]{}=.,#\n\\ \t0159-+eE_azAZ~\x7f\x01\xc3\xa4\xff";

using Lines = std::vector<std::string>;

Lines lines_of(const std::string& text) {
  Lines lines;
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    lines.push_back(text.substr(begin, end - begin));
  lines.push_back(text.substr(begin));
  return lines;
}

std::string joined(const Lines& lines) {
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) text += (i == 0 ? "" : "\n") + lines[i];
  return text;
}

/// A line "key = value" at or after a drawn one; the number of lines when there is none.
std::size_t some_entry(const Lines& lines, Draw& draw) {
  const std::size_t first = draw(lines.size());
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const std::size_t i = (first + k) % lines.size();
    if (lines[i].find(" = ") != std::string::npos && lines[i][0] != '#') return i;
  }
  return lines.size();
}

void replace_value(Lines& lines, Draw& draw, const std::string& value) {
  const std::size_t i = some_entry(lines, draw);
  if (i == lines.size()) return;
  const std::size_t at = lines[i].find(" = ") + 3;
  // A whole value, or an entry of a list.
  const std::size_t open = lines[i].find('[', at), comma = lines[i].find(',', at);
  if (open != std::string::npos && comma != std::string::npos && draw(2) == 0)
    lines[i].replace(open + 1, comma - open - 1, value);
  else
    lines[i].replace(at, std::string::npos, value);
}

void mutate_lines(Lines& lines, Draw& draw) {
  const std::size_t i = draw(lines.size()), j = draw(lines.size());
  switch (draw(8)) {
    case 0: lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(i)); break;
    case 1: lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(i), std::string(lines[j])); break;
    case 2: std::swap(lines[i], lines[j]); break;
    case 3: {  // the value of another key
      const std::size_t from = some_entry(lines, draw);
      if (from < lines.size()) replace_value(lines, draw, lines[from].substr(lines[from].find(" = ") + 3));
      break;
    }
    case 4: {  // another key
      const std::size_t a = some_entry(lines, draw), b = some_entry(lines, draw);
      if (a < lines.size() && b < lines.size())
        lines[a] = lines[b].substr(0, lines[b].find(" = ")) + lines[a].substr(lines[a].find(" = "));
      break;
    }
    case 5: replace_value(lines, draw, std::string(draw.of(mild))); break;
    default: replace_value(lines, draw, std::string(draw.of(hostile))); break;
  }
}

void mutate_character(std::string& text, Draw& draw) {
  if (text.empty()) return;
  const std::size_t at = draw(text.size());
  const char c = characters[draw(characters.size())];
  switch (draw(3)) {
    case 0: text[at] = c; break;
    case 1: text.insert(at, 1, c); break;
    default: text.erase(at, 1 + draw(3)); break;
  }
}

}  // namespace

std::string mutated(std::string text, Draw& draw) {
  for (std::size_t n = draw(2) == 0 ? 1 : 1 + draw(4); n > 0; --n) {
    if (draw(5) == 0) {
      mutate_character(text, draw);
      continue;
    }
    Lines lines = lines_of(text);
    mutate_lines(lines, draw);
    text = joined(lines);
  }
  return text;
}

std::string random_formula(Draw& draw, int depth) {
  static constexpr std::string_view leaves[] = {"t", "s", "x", "pi", "e", "1", "0", "2.5", "1e300", "1e-300", "p", "q"};
  static constexpr std::string_view operators[] = {" + ", " - ",  " * ",  "/",    "^",
                                                   " < ", " >= ", " == ", " && ", " || "};
  static constexpr std::string_view functions[] = {"sin", "cos", "tan",  "asin", "acos", "atan", "sinh", "exp",
                                                   "ln",  "log", "sqrt", "abs",  "sign", "rint", "f",    "g"};
  if (depth == 0 || draw(6) == 0) return std::string(draw.of(leaves));
  const auto inner = [&] { return random_formula(draw, depth - 1); };
  switch (draw(6)) {
    case 0: return "-" + inner();
    case 1: return "(" + inner() + ")";
    case 2: return std::string(draw.of(functions)) + "(" + inner() + ")";
    case 3: return "max(" + inner() + ", " + inner() + ")";
    case 4: return "(" + inner() + " ? " + inner() + " : " + inner() + ")";
    default: return "(" + inner() + std::string(draw.of(operators)) + inner() + ")";
  }
}

}  // namespace filum::attack
