/// Text for charts and pages: escaping, numbers, widths, line breaks. User document: docs/guide/studies.md, "Plots".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace filum::chart {

/// For text and attributes of XML and HTML. Bytes that are not UTF-8, and characters XML forbids, become U+FFFD.
std::string escape_xml(std::string_view text);

/// A coordinate in pixels, to 0.01.
std::string pixels(double value);

/// Six digits at most, as a program would read it: "0.0125", "1.5e-07".
std::string plain_number(double value);

/// The same for readers, with a minus sign "−".
std::string printed_number(double value);

/// An estimate for common sans-serif fonts, rather too large than too small.
double text_width(std::string_view text, double font_size);

/// Lines that are no wider than `width` where blanks, or characters of very long words, allow it. At least one line.
std::vector<std::string> wrap(std::string_view text, double font_size, double width);

}  // namespace filum::chart
