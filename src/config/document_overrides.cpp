/// --set KEY=VALUE: changes to a file before it is read. User document: docs/guide/scenarios.md, "Overrides".
#include <filum/config/document.hpp>

#include <algorithm>
#include <charconv>

namespace filum::config {
namespace {

std::vector<std::string> split(std::string_view key) {
  std::vector<std::string> words;
  std::size_t begin = 0;
  for (std::size_t dot = 0; (dot = key.find('.', begin)) != std::string_view::npos; begin = dot + 1)
    words.emplace_back(key.substr(begin, dot - begin));
  words.emplace_back(key.substr(begin));
  return words;
}

/// Files are UTF-8, and so is what is written into them.
bool is_utf8(std::string_view text) {
  const auto at = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  for (std::size_t i = 0; i < text.size();) {
    const unsigned c = at(i);
    const std::size_t length = c < 0x80                ? 1
                               : c >= 0xC2 && c < 0xE0 ? 2
                               : c >= 0xE0 && c < 0xF0 ? 3
                               : c >= 0xF0 && c < 0xF5 ? 4
                                                       : 0;
    if (length == 0) return false;
    for (std::size_t k = 1; k < length; ++k)
      if ((at(i + k) & 0xC0) != 0x80) return false;
    const unsigned next = at(i + 1);  // longer than needed, half of a pair, or beyond the last character
    if ((c == 0xE0 && next < 0xA0) || (c == 0xED && next >= 0xA0) || (c == 0xF0 && next < 0x90) ||
        (c == 0xF4 && next >= 0x90))
      return false;
    i += length;
  }
  return true;
}

/// A TOML value if it is one, otherwise a text: formulas and names need no quotes on the command line.
Node parsed_value(const std::string& value, const Place& origin) {
  const auto source = std::make_shared<const std::string>(origin.source);
  Node result(value, source, 0, 0);
  try {
    Node document = parse_document("x = " + value, origin.source);
    Table& table = *document.as<Table>();
    if (table.size() == 1 && table.find("x")) result = std::move(table.find("x")->value);
  } catch (const InputError&) {  // then it is a text
  }
  result.set_place(source, 0, 0);
  return result;
}

/// The element of a list with this number or name.
Node* element(List& list, const std::string& word, Words& names) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), index);
  if (error == std::errc() && end == word.data() + word.size()) return index < list.size() ? &list[index] : nullptr;
  for (Node& node : list)
    if (Table* table = node.as<Table>())
      if (const Table::Entry* entry = table->find("name"))
        if (const auto* name = entry->value.as<std::string>()) {
          if (*name == word) return &node;
          names.push_back(*name);
        }
  return nullptr;
}

class Assignment {
 public:
  Assignment(const Override& text, const std::vector<ClosedTable>& closed, std::vector<Problem>& problems)
      : text_(text), origin_(override_place(text)), closed_(closed), problems_(problems) {}

  void apply(Node& root) {
    constexpr std::size_t most_parts = 64;
    const std::size_t equals = text_.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text_.size())
      return complain("expected KEY=VALUE, such as time.step=2^-9");
    if (!is_utf8(text_)) return complain("this text is not UTF-8");
    words_ = split(std::string_view(text_).substr(0, equals));
    if (words_.size() > most_parts)
      return complain("a key may have at most 64 parts, this one has " + std::to_string(words_.size()));
    follow(root, 0, "", parsed_value(text_.substr(equals + 1), origin_));
  }

 private:
  void complain(const std::string& message) { problems_.push_back({origin_, path_, message}); }

  /// Follows the words from number i on, and puts the value where the last one leads. `before` is the path so far.
  void follow(Node& at, std::size_t i, const std::string& before, const Node& value) {
    path_ = before + (before.empty() ? "" : ".") + words_[i];
    if (words_[i].empty()) return complain("a part of the key is empty");
    if (Table* table = at.as<Table>()) return into_table(*table, i, value);
    if (List* list = at.as<List>()) return into_list(*list, i, value);
    complain("this key goes into a value that is neither a table nor a list");
  }

  bool is_last(std::size_t i) const { return i + 1 == words_.size(); }

  void into_table(Table& table, std::size_t i, const Node& value) {
    Table::Entry* entry = table.find(words_[i]);
    if (!entry && !may_add(table, i)) return;
    if (is_last(i)) {
      table.set(words_[i], value, origin_);
      return;
    }
    // A table the file left out, such as [newton], begins empty.
    Node& next =
        entry ? entry->value
              : table.set(words_[i], Node(Table(), std::make_shared<const std::string>(origin_.source), 0, 0), origin_);
    follow(next, i + 1, std::string(path_), value);  // a copy: path_ changes on the way
  }

  void into_list(List& list, std::size_t i, const Node& value) {
    const std::string here = path_;
    const auto into = [&](Node& node) {
      if (is_last(i))
        node = value;
      else
        follow(node, i + 1, here, value);
    };
    if (words_[i] == "*") {
      if (list.empty()) complain("there is no entry for '*' to match");
      for (Node& node : list) into(node);
      return;
    }
    Words names;
    if (Node* node = element(list, words_[i], names)) return into(*node);
    complain("there is no such entry among " + std::to_string(list.size()) +
             (names.empty() ? "" : ": expected a number or " + alternatives(names)) + suggestion(words_[i], names));
  }

  bool may_add(const Table& table, std::size_t i) {
    if (i != 1) return true;
    for (const ClosedTable& closed : closed_) {
      if (words_[0] != closed.key) continue;
      Words names;
      for (const Table::Entry& entry : table.entries()) names.push_back(entry.key);
      const std::string hint = suggestion(words_[1], names);
      complain("there is no " + closed.kind + " '" + shortened(words_[1]) + "'" +
               (!hint.empty() || names.empty() ? hint : "; expected " + alternatives(names)));
      return false;
    }
    return true;
  }

  const Override& text_;
  Place origin_;
  const std::vector<ClosedTable>& closed_;
  std::vector<Problem>& problems_;
  std::vector<std::string> words_;
  std::string path_;  ///< as far as it was followed, for messages
};

}  // namespace

void apply_override(Node& root, const Override& assignment, const std::vector<ClosedTable>& closed,
                    std::vector<Problem>& problems) {
  Assignment(assignment, closed, problems).apply(root);
}

}  // namespace filum::config
