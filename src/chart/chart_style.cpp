/// How curves look: colours, dashes, markers, and the style sheet of a chart. User document: docs/guide/studies.md.
#include "chart_style.hpp"

#include "chart_text.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace filum::chart {
namespace {

struct Colour {
  std::string_view on_light, on_dark;
};

// Found by a search over fixed hues. Smallest CIELAB distance between two, over normal, protan, deutan and tritan
// vision: 19 on light, 15 on dark. Lightness differs by 9 among the first four, by 14 between neighbours. Contrast with
// the page is 3.2 at least.
constexpr std::array<Colour, 8> colours{{{"#04139b", "#177ce5"},
                                         {"#b04730", "#f6a058"},
                                         {"#0f9f8a", "#7df7f0"},
                                         {"#793670", "#bc84b0"},
                                         {"#50030e", "#f6c2ac"},
                                         {"#095cac", "#47b0e7"},
                                         {"#9f9128", "#8a7d22"},
                                         {"#3e3e3e", "#b1b1b1"}}};

constexpr std::array<std::string_view, 8> dash_patterns{"",     "7 3",         "2 2.5", "9 3 2 3",
                                                        "13 4", "8 3 2 3 2 3", "4 2",   "14 3 5 3"};
constexpr std::array<std::string_view, 4> reference_dashes{"", "6 3", "2 3", "8 3 2 3"};

struct Marker {
  std::string_view shape;  ///< relative to its centre
  bool is_open;
};

// One more than colours: the ninth curve differs from the first in more than nothing.
constexpr std::array<Marker, 9> markers{{
    {"m-3.7 0a3.7 3.7 0 1 0 7.4 0a3.7 3.7 0 1 0-7.4 0z", false},            // disc
    {"m-3.4-3.4h6.8v6.8h-6.8z", true},                                      // square
    {"m0-4.6l4.4 7.6h-8.8z", false},                                        // triangle
    {"m0-4.9l4.4 4.9l-4.4 4.9l-4.4-4.9z", true},                            // diamond
    {"m-.9-4.4h1.8v3.5h3.5v1.8h-3.5v3.5h-1.8v-3.5h-3.5v-1.8h3.5z", false},  // plus
    {"m0-1.6l2.7-2.7l1.6 1.6l-2.7 2.7l2.7 2.7l-1.6 1.6l-2.7-2.7l-2.7 2.7l-1.6-1.6l2.7-2.7l-2.7-2.7l1.6-1.6z",
     true},                                                                                // cross
    {"m0 4.6l4.4-7.6h-8.8z", false},                                                       // triangle that points down
    {"m-3.9 0a3.9 3.9 0 1 0 7.8 0a3.9 3.9 0 1 0-7.8 0z", true},                            // circle
    {"m0-5l1.3 3.7h3.9l-3.1 2.4l1.1 3.8l-3.2-2.2l-3.2 2.2l1.1-3.8l-3.1-2.4h3.9z", false},  // star
}};

template <class List>
const auto& item(const List& list, int number) {
  const auto count = static_cast<int>(list.size());
  return list[static_cast<std::size_t>((number % count + count) % count)];
}

constexpr std::string_view light_rules = R"(
# text{font-family:'Helvetica Neue',Helvetica,Arial,'DejaVu Sans',sans-serif;fill:#22262c;stroke:none}
# .page{fill:#fff}
# .grid{stroke:#e3e6ea;fill:none}
# .frame{stroke:#7a828c;fill:none}
# .box{fill:#fff;fill-opacity:.88;stroke:#d4d8dd}
# .line{stroke:currentColor;fill:none;stroke-linejoin:round;stroke-linecap:round}
# .filled{fill:currentColor;stroke:currentColor;stroke-width:.8}
# .open{fill:#fff;stroke:currentColor;stroke-width:1.5}
# .reference{color:#9aa1a9}
# .slope path{fill:#22262c;fill-opacity:.07;stroke:#545b64;stroke-linejoin:round})";

constexpr std::string_view dark_rules = R"(
# text{fill:#e2e5e9}
# .page{fill:#15181d}
# .grid{stroke:#2b3037}
# .frame{stroke:#878f99}
# .box{fill:#15181d;stroke:#3b424b}
# .open{fill:#15181d}
# .reference{color:#727a84}
# .slope path{fill:#e2e5e9;fill-opacity:.1;stroke:#aab1ba})";

std::string scoped(std::string_view rules, const std::string& id) {
  std::string out;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    out += rules[i];
    if (rules[i] == '#' && rules[i + 1] == ' ') out += id;
  }
  return out;
}

}  // namespace

std::vector<Look> looks_of(const Chart& chart) {
  std::set<int> taken;
  for (const ChartCurve& c : chart.curves)
    if (c.style >= 0 && !c.is_reference) taken.insert(c.style);
  std::vector<Look> looks;
  int next = 0, next_reference = 0;
  for (const ChartCurve& c : chart.curves) {
    int style = c.style;
    if (style < 0 && c.is_reference) style = next_reference++;
    if (style < 0) {
      while (taken.count(next) != 0) ++next;
      style = next++;
    }
    looks.push_back({style, c.is_reference});
  }
  return looks;
}

std::string css_class(const Look& look) { return look.is_reference ? "reference" : "s" + std::to_string(look.style); }

std::string_view dashes_of(const Look& look) {
  return look.is_reference ? item(reference_dashes, look.style) : item(dash_patterns, look.style);
}

std::string svg_marker(const Look& look, double x, double y, std::string_view title) {
  const Marker& marker = item(markers, look.style);
  std::string out = marker.is_open ? "<path class=\"open\" d=\"M" : "<path class=\"filled\" d=\"M";
  out += pixels(x) + " " + pixels(y);
  out += marker.shape;
  if (title.empty()) return out + "\"/>";
  return out + "\"><title>" + escape_xml(title) + "</title></path>";
}

std::string style_sheet(const std::string& id, const std::vector<Look>& looks) {
  std::set<int> used;
  for (const Look& look : looks)
    if (!look.is_reference) used.insert(look.style);
  std::string light = scoped(light_rules, id), dark = scoped(dark_rules, id);
  for (const int style : used) {
    const Colour& colour = item(colours, style);
    const std::string head = "\n#" + id + " .s" + std::to_string(style) + "{color:";
    light.append(head).append(colour.on_light).append("}");
    dark.append(head).append(colour.on_dark).append("}");
  }
  // Apart, so that a picture for print can leave the dark rules out.
  return "<style>" + light + "\n</style>\n<style class=\"dark\">@media screen and (prefers-color-scheme:dark){" + dark +
         "\n}</style>\n";
}

}  // namespace filum::chart
