/// study.html from its parts. User document: docs/guide/studies.md.
#include "chart_text.hpp"
#include "page_parts.hpp"

#include <filum/study/page.hpp>

#include <algorithm>
#include <cstdlib>

namespace filum::study {
namespace {

std::string element(const std::string& tag, const std::string& content) {
  return "<" + tag + ">" + content + "</" + tag.substr(0, tag.find(' ')) + ">\n";
}

std::string header_of(const Page& page) {
  std::string out = element("h1", escape_xml(page.title));
  if (!page.subtitle.empty()) out += element("p class=\"subtitle\"", escape_xml(page.subtitle));
  if (!page.alarm.empty()) out += element("p class=\"alarm\" role=\"alert\"", "✗ " + escape_xml(page.alarm));
  std::string facts;
  for (const auto& [name, value] : page.facts)
    facts += "<div>" + element("dt", escape_xml(name)) + element("dd", escape_xml(value)) + "</div>\n";
  if (!facts.empty()) out += element("dl", "\n" + facts);
  std::string warnings;
  for (const std::string& warning : page.warnings) warnings += element("li", escape_xml(warning));
  if (!warnings.empty())
    out += element("ul class=\"warnings\" aria-label=\"Warnings\"",
                   "\n<li class=\"warnings-head\">⚠ " +
                       (page.warnings.size() == 1 ? std::string("1 warning")
                                                  : std::to_string(page.warnings.size()) + " warnings") +
                       "</li>\n" + warnings);
  return element("header", "\n" + out);
}

std::string checks_of(const std::vector<PageCheck>& checks) {
  if (checks.empty()) return {};
  const auto holding = std::count_if(checks.begin(), checks.end(), [](const PageCheck& c) { return c.holds; });
  std::string rows;
  for (const PageCheck& check : checks) {
    const std::string mark =
        check.holds ? "<span class=\"mark holds\">✓ holds</span>" : "<span class=\"mark fails\">✗ fails</span>";
    rows += element("tr", element("td", mark) + element("td", escape_xml(check.claim)) +
                              element("td", escape_xml(check.found)) + element("td", escape_xml(check.expected)));
  }
  const std::string head =
      "<th scope=\"col\">Result</th><th scope=\"col\">Claim</th><th scope=\"col\">Found</th>"
      "<th scope=\"col\">Expected</th>";
  const std::string table = "<table class=\"checks\" aria-labelledby=\"checks\">\n<thead><tr>" + head +
                            "</tr></thead>\n<tbody>\n" + rows + "</tbody></table>";
  return "<section>\n<h2 id=\"checks\">Checks: " + std::to_string(holding) + " of " + std::to_string(checks.size()) +
         " hold</h2>\n<div class=\"card scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"checks\">" + table +
         "</div>\n</section>\n";
}

/// Without what may stand before the element in a file.
std::string inline_svg(const std::string& svg) {
  const std::size_t start = svg.find("<svg");
  return start == svg.npos ? std::string() : svg.substr(start);
}

std::string plots_of(const std::vector<PagePlot>& plots) {
  if (plots.empty()) return {};
  std::string out;
  for (const PagePlot& plot : plots) {
    const std::string title = escape_xml(plot.title), name = escape_xml(plot.name);
    // A chart that carries this title need not be told twice.
    const bool shows_title = !title.empty() && plot.svg.find(">" + title + "</title>") == plot.svg.npos;
    const bool has_narrow = !plot.narrow.empty();
    out += "<figure data-name=\"" + name + "\">\n<div class=\"scroll" + (has_narrow ? " wide" : "") + "\">" +
           inline_svg(plot.svg) + "</div>\n";
    if (has_narrow) out += "<div class=\"narrow\">" + inline_svg(plot.narrow) + "</div>\n";
    out += "<figcaption>";
    out += "<span class=\"name\">";
    if (shows_title) out.append(title).append(" · ");
    out.append(name).append("</span><span class=\"tools\"></span></figcaption>\n</figure>\n");
  }
  return "<section aria-labelledby=\"plots\">\n<h2 id=\"plots\">Plots</h2>\n<div class=\"plots\">\n" + out +
         "</div>\n</section>\n";
}

bool is_number(const std::string& text) {
  if (text.empty()) return false;
  const std::string plain = text.rfind("−", 0) == 0 ? "-" + text.substr(std::string("−").size()) : text;
  char* end = nullptr;
  std::strtod(plain.c_str(), &end);
  return end != plain.c_str() && (*end == '\0' || *end == ' ' || *end == '^' || *end == '/' || *end == '%');
}

/// Columns of numbers stand to the right; dashes and empty cells do not count.
std::vector<bool> number_columns(const PageTable& table) {
  std::vector<bool> numbers(table.head.size(), false);
  for (std::size_t column = 0; column < numbers.size(); ++column) {
    bool all = true;
    for (const auto& row : table.rows) {
      if (column >= row.size() || row[column].empty() || row[column] == "–" || row[column] == "-") continue;
      numbers[column] = true;
      all = all && is_number(row[column]);
    }
    numbers[column] = numbers[column] && all;
  }
  return numbers;
}

std::string cells(const std::vector<std::string>& texts, const std::string& tag, const std::vector<bool>& numbers) {
  std::string out;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const bool is_right = i < numbers.size() && numbers[i];
    out.append("<")
        .append(tag)
        .append(tag == "th" ? " scope=\"col\"" : "")
        .append(is_right ? " class=\"number\">" : ">");
    out.append(escape_xml(texts[i])).append("</").append(tag).append(">");
  }
  return "<tr>" + out + "</tr>\n";
}

std::string table_of(const PageTable& table, std::size_t number) {
  const std::vector<bool> numbers = number_columns(table);
  const std::string id = "table-" + std::to_string(number), title = escape_xml(table.title);
  std::string rows;
  for (const auto& row : table.rows) rows += cells(row, "td", numbers);
  std::string inner = table.note.empty() ? "" : element("p class=\"note\"", escape_xml(table.note));
  inner += "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"" + id +
           "\">\n<table class=\"sortable\" aria-labelledby=\"" + id + "\">\n<thead>" +
           cells(table.head, "th", numbers) + "</thead>\n<tbody>\n" + rows + "</tbody></table></div>\n";
  const std::string count = " <span class=\"soft\">(" + std::to_string(table.rows.size()) + ")</span>";
  if (table.is_folded)
    return "<details class=\"card\"><summary id=\"" + id + "\">" + title + count + "</summary>\n" + inner +
           "</details>\n";
  return "<div class=\"card\"><h3 id=\"" + id + "\">" + title + "</h3>\n" + inner + "</div>\n";
}

std::string tables_of(const std::vector<PageTable>& tables) {
  if (tables.empty()) return {};
  std::string out;
  for (std::size_t i = 0; i < tables.size(); ++i) out += table_of(tables[i], i);
  return "<section aria-labelledby=\"tables\">\n<h2 id=\"tables\">Tables</h2>\n" + out + "</section>\n";
}

std::string source_of(const std::string& source) {
  if (source.empty()) return {};
  return "<section aria-label=\"Study file\">\n<details class=\"card\"><summary>Study file</summary>\n<pre "
         "tabindex=\"0\">" +
         escape_xml(source) + "</pre></details>\n</section>\n";
}

}  // namespace

std::string to_html(const Page& page) {
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"generator\" "
      "content=\"filum\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n";
  out += element("title", escape_xml(page.title));
  out.append("<style>").append(page_style()).append("</style>\n</head>\n<body>\n");
  out += header_of(page);
  out += "<main>\n" + checks_of(page.checks) + plots_of(page.plots) + tables_of(page.tables) + source_of(page.source) +
         "</main>\n";
  return out.append("<script>").append(page_script()).append("</script>\n</body>\n</html>\n");
}

}  // namespace filum::study
