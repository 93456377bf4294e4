/// How curves look: colours, dashes, markers, and the style sheet of a chart. User document: docs/guide/studies.md.
#pragma once

#include <filum/chart/chart.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace filum::chart {

/// The look of one curve. Numbers of references count apart from the others.
struct Look {
  int style = 0;
  bool is_reference = false;

  bool operator==(const Look&) const = default;
};

/// Curves without a number get the smallest ones that nobody asked for.
std::vector<Look> looks_of(const Chart& chart);

std::string css_class(const Look& look);
std::string_view dashes_of(const Look& look);  ///< empty: solid

/// A closed path around x, y with its classes; `title` is shown when the pointer rests on it.
std::string svg_marker(const Look& look, double x, double y, std::string_view title = {});

/// Rules that hold below the element `id` only, for light and for dark pages.
std::string style_sheet(const std::string& id, const std::vector<Look>& looks);

}  // namespace filum::chart
