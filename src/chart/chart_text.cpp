/// Text for charts and pages: escaping, numbers, widths, line breaks. User document: docs/guide/studies.md, "Plots".
#include "chart_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace filum::chart {
namespace {

/// The first character of `text` with its bytes; no bytes: not valid UTF-8.
struct Character {
  char32_t code;
  std::size_t bytes;
};

Character first_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {0xFFFD, 0};
  auto code = static_cast<char32_t>(lead & (0xFF >> (bytes + 1)));
  for (std::size_t i = 1; i < bytes; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0) != 0x80) return {0xFFFD, 0};
    code = (code << 6) | (next & 0x3FU);
  }
  constexpr std::array<char32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
  if (code < smallest[bytes] || code > 0x10FFFF) return {0xFFFD, 0};
  return {code, bytes};
}

bool xml_forbids(char32_t c) {
  if (c < 0x20) return c != '\t' && c != '\n' && c != '\r';
  return c == 0x7F || (c >= 0xD800 && c <= 0xDFFF) || c == 0xFFFE || c == 0xFFFF;
}

double character_width(char32_t c) {
  constexpr std::string_view narrow = "iljtf.,:;'|!()[] /\\I", wide = "mwMW@%";
  if (c >= 0x0300 && c <= 0x036F) return 0;
  if (c >= 0x1100 && (c < 0x2000 || c >= 0x2E80)) return 1;
  const bool is_superscript = c == 0xB2 || c == 0xB3 || c == 0xB9 || (c >= 0x2070 && c <= 0x209F);
  if (is_superscript) return 0.42;
  if (c >= 0x80) return 0.66;
  const char letter = static_cast<char>(c);
  if (narrow.find(letter) != narrow.npos) return 0.37;
  if (wide.find(letter) != wide.npos) return 0.93;
  return letter >= 'A' && letter <= 'Z' ? 0.7 : 0.62;
}

std::string_view take_character(std::string_view& rest) {
  const std::string_view head = rest.substr(0, std::max<std::size_t>(first_character(rest).bytes, 1));
  rest.remove_prefix(head.size());
  return head;
}

/// A word that alone is too wide, cut.
void add_in_pieces(std::vector<std::string>& lines, std::string_view word, double font_size, double width) {
  while (!word.empty()) {
    const std::string_view head = take_character(word);
    if (!lines.back().empty() && text_width(lines.back() + std::string(head), font_size) > width) lines.emplace_back();
    lines.back() += head;
  }
}

}  // namespace

std::string escape_xml(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character c = first_character(text);
    if (c.bytes == 0 || xml_forbids(c.code))
      out += "\xEF\xBF\xBD";
    else if (c.code == '&')
      out += "&amp;";
    else if (c.code == '<')
      out += "&lt;";
    else if (c.code == '>')
      out += "&gt;";
    else if (c.code == '"')
      out += "&quot;";
    else if (c.code == '\'')
      out += "&#39;";
    else
      out += text.substr(0, c.bytes);
    text.remove_prefix(std::max<std::size_t>(c.bytes, 1));
  }
  return out;
}

std::string pixels(double value) {
  // What lies further out than this is cut off by the frame anyway.
  const double kept = std::isnan(value) ? 0 : std::clamp(value, -1e6, 1e6);
  const long long hundredths = std::llround(kept * 100);
  const long long size = std::llabs(hundredths);
  std::string out = hundredths < 0 ? "-" : "";
  out += std::to_string(size / 100);
  if (const long long rest = size % 100; rest != 0) {
    out += '.';
    out += static_cast<char>('0' + rest / 10);
    if (rest % 10 != 0) out += static_cast<char>('0' + rest % 10);
  }
  return out;
}

std::string plain_number(double value) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::general, 6);
  return {buffer.data(), end.ptr};
}

std::string printed_number(double value) {
  const std::string plain = plain_number(value);
  return plain[0] == '-' ? "−" + plain.substr(1) : plain;
}

double text_width(std::string_view text, double font_size) {
  double sum = 0;
  while (!text.empty()) {
    const Character c = first_character(text);
    sum += character_width(c.code);
    text.remove_prefix(std::max<std::size_t>(c.bytes, 1));
  }
  return sum * font_size;
}

std::vector<std::string> wrap(std::string_view text, double font_size, double width) {
  std::vector<std::string> lines{""};
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \n\t"), text.size());
    const std::string word(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    const std::string longer = lines.back().empty() ? word : lines.back() + " " + word;
    if (text_width(longer, font_size) <= width) {
      lines.back() = longer;
      continue;
    }
    if (!lines.back().empty()) lines.emplace_back();
    add_in_pieces(lines, word, font_size, width);
  }
  return lines;
}

}  // namespace filum::chart
