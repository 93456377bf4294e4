/// TOML text to a tree, with toml++. User document: docs/guide/scenarios.md.
#include <filum/config/document.hpp>

// Some wrong texts, such as "[[[", fail an assertion of toml++ before they get its message.
#define TOML_ASSERT(condition) static_cast<void>(0)
#include <toml++/toml.h>

namespace filum::config {
namespace {

constexpr int most_levels = 64;

/// toml++ recurses once for every part of a dotted key and for every list in a list, also when it destroys the tree: a
/// key of a hundred thousand parts would exhaust the stack. So depth is counted before it sees the text. Only keys have
/// more than two dots outside of texts and comments. There toml++ is also undefined where it tells letters from spaces
/// in characters from U+00A1 on, which TOML does not allow anyway; and in texts of many lines behind a backslash.
class TextCheck {
 public:
  TextCheck(std::string_view text, const std::string& source) : text_(text), source_(source) {}

  void run() {
    int dots = 0, nesting = 0;
    char before = '\n';                              // the last character that is no space
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;  // the mark of UTF-8
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      const bool can_begin = std::string_view("=,[{.\n").find(before) != std::string_view::npos;
      if (std::string_view(" \t\r").find(c) == std::string_view::npos) before = c;
      if (c == '#') {
        before = '\n';
        at_ = std::min(text_.find('\n', at_), text_.size()) - 1;
      } else if ((c == '"' || c == '\'') && can_begin) {  // elsewhere toml++ takes it for a part of something else
        skip_text(c);
      } else if (c == '.') {
        if (++dots >= most_levels) refuse("a key has more than 64 parts");
      } else if (std::string_view("=,[]{}\n").find(c) != std::string_view::npos) {
        dots = 0;
        if (c == '\n') end_line();
        if (c == '[' || c == '{') ++nesting;
        if (c == ']' || c == '}') --nesting;
        if (nesting > most_levels) refuse("values are nested more than 64 levels deep");
      } else if (static_cast<unsigned char>(c) > 0x7F) {
        refuse(
            "not valid TOML: a character that is not ASCII outside of quotes; try: quotes around the key, or another "
            "kind of space");
      }
    }
  }

 private:
  [[noreturn]] void refuse(const char* message) const {
    refuse_input(source_, message, line_, static_cast<int>(at_ - line_begin_) + 1);
  }
  void end_line() {
    ++line_;
    line_begin_ = at_ + 1;
  }

  /// To the closing quote; a text that is not closed is for the parser to complain about.
  void skip_text(char quote) {
    const std::string three(3, quote);
    if (text_.substr(at_, 3) == three) return skip_long_text(quote);
    for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_) {
      if (text_[at_] == '\\' && quote == '"' && text_.substr(at_ + 1, 1) != "\n") {
        ++at_;
      } else if (text_[at_] == '\n') {
        --at_;  // the line ends here, whatever follows
        return;
      }
    }
  }

  /// Up to two quotes may stand before the three that close: """a""""" ends behind the fifth.
  void skip_long_text(char quote) {
    for (at_ += 3; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\n') end_line();
      if (text_[at_] == '\\' && quote == '"') {
        const std::size_t next = text_.find_first_not_of(" \t\r\n", at_ + 1);
        if (next != std::string_view::npos && static_cast<unsigned char>(text_[next]) > 0x7F)
          refuse("a backslash before a character that is not ASCII; try: the text in one line");
        if (text_.substr(at_ + 1, 1) != "\n") ++at_;  // what follows means itself; a line that ends is counted
        continue;
      }
      if (text_[at_] != quote) continue;
      const std::size_t end = std::min(text_.find_first_not_of(quote, at_), text_.size());
      if (end - at_ >= 3) {
        at_ += std::min<std::size_t>(end - at_, 5) - 1;
        return;
      }
      at_ = end - 1;
    }
  }

  std::string_view text_;
  const std::string& source_;
  std::size_t at_ = 0, line_begin_ = 0;
  int line_ = 1;
};

class Converter {
 public:
  explicit Converter(const std::string& source) : source_(std::make_shared<const std::string>(source)) {}

  Node converted(const toml::node& node, int level = 0) const {
    const auto [line, column] = position(node.source());
    if (level > most_levels) refuse_input(*source_, "values are nested more than 64 levels deep", line, column);
    return {value(node, level), source_, line, column};
  }

 private:
  static std::pair<int, int> position(const toml::source_region& region) {
    return {static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)};
  }

  Node::Value value(const toml::node& node, int level) const {
    if (const auto* x = node.as_boolean()) return x->get();
    if (const auto* x = node.as_integer()) return x->get();
    if (const auto* x = node.as_floating_point()) return x->get();
    if (const auto* x = node.as_string()) return x->get();
    if (const toml::array* array = node.as_array()) {
      List list;
      list.reserve(array->size());
      for (const toml::node& element : *array) list.push_back(converted(element, level + 1));
      return list;
    }
    if (const toml::table* table = node.as_table()) {
      Table result;
      for (auto&& [key, element] : *table) {  // ordered by key
        const auto [line, column] = position(key.source());
        result.set(key.str(), converted(element, level + 1), {*source_, line, column});
      }
      return result;
    }
    return Date{};
  }

  std::shared_ptr<const std::string> source_;
};

/// What toml++ says, in our words where its own do not tell what to do.
std::string reason(std::string_view description) {
  constexpr std::string_view prefix = "Error while parsing ", line_end = "'\\n'";
  if (description.starts_with(prefix))
    if (const std::size_t colon = description.find(": "); colon != std::string_view::npos)
      description.remove_prefix(colon + 2);
  std::string text(description);
  if (const std::size_t at = text.find(line_end); at != std::string::npos)
    text.replace(at, line_end.size(), "the end of the line");
  constexpr std::pair<std::string_view, std::string_view> advice[] = {
      {"control characters other than TAB", "the closing quote is missing on this line"},
      {"could not determine value type", "this is no value; try: quotes around words and formulas"},
      {"expected key or closing '}', saw the end", "a table in braces { } has to end on the line where it begins"}};
  for (const auto& [said, meant] : advice)
    if (text.find(said) != std::string::npos) return std::string(meant);
  for (const std::string_view number : {"expected a comment or whitespace", "expected digit", "expected decimal digit"})
    if (text.starts_with(number)) return text + "; try: a plain number without a unit, or a formula in quotes";
  return text;
}

}  // namespace

Node parse_document(std::string_view text, const std::string& source) {
  TextCheck(text, source).run();
  try {
    const toml::table table = toml::parse(text, source);
    return Converter(source).converted(table);
  } catch (const toml::parse_error& error) {
    refuse_input(source, "not valid TOML: " + reason(error.description()), static_cast<int>(error.source().begin.line),
                 static_cast<int>(error.source().begin.column));
  }
}

}  // namespace filum::config
