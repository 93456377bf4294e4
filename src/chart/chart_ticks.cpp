/// Ticks of the axes and their labels. User document: docs/guide/studies.md, "Plots".
#include "chart_axis.hpp"
#include "chart_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace filum::chart {
namespace {

std::string signed_integer(long long n) { return n < 0 ? "−" + std::to_string(-n) : std::to_string(n); }

/// n · 10^−decimals.
std::string decimal(long long n, int decimals) {
  std::string digits = std::to_string(n < 0 ? -n : n);
  if (decimals > 0) {
    const auto places = static_cast<std::size_t>(decimals);
    if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
    digits.insert(digits.size() - places, 1, '.');
  }
  return (n < 0 ? "−" : "") + digits;
}

std::string fifteen_digits(double value) {
  std::array<char, 40> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::general, 15);
  const std::string text(buffer.data(), end.ptr);
  return text[0] == '-' ? "−" + text.substr(1) : text;
}

double times_power_of_ten(double n, int exponent) {
  return exponent < 0 ? n / std::pow(10.0, -exponent) : n * std::pow(10.0, exponent);
}

int order_of(long long n) { return n == 0 ? 0 : static_cast<int>(std::to_string(n < 0 ? -n : n).size()) - 1; }

/// The step mantissa · 10^exponent with the mantissa 1, 2 or 5.
struct Step {
  long long mantissa = 1;
  int exponent = 0;
  double value() const { return times_power_of_ten(static_cast<double>(mantissa), exponent); }
};

Step nice_step(double least) {
  const int exponent = static_cast<int>(std::floor(std::log10(least)));
  for (const long long mantissa : {1, 2, 5})
    if (const Step step{mantissa, exponent}; step.value() >= least * (1 - 1e-9)) return step;
  return {1, exponent + 1};
}

/// Ticks are whole multiples of 10^exponent, so labels are exact.
void set_labels(Ticks& ticks, std::vector<long long> multiples, int exponent) {
  if (multiples.empty()) return;
  const auto size = [&multiples] { return std::max(std::llabs(multiples.front()), std::llabs(multiples.back())); };
  if (order_of(size()) > 5 && order_of(size()) > order_of(multiples.back() - multiples.front()) + 3) {
    const auto block = static_cast<long long>(std::pow(10.0, order_of(multiples.back() - multiples.front()) + 1));
    const double blocks = std::floor(static_cast<double>(multiples.front()) / static_cast<double>(block));
    const long long base = static_cast<long long>(blocks) * block;
    for (long long& n : multiples) n -= base;
    const std::string amount = fifteen_digits(times_power_of_ten(static_cast<double>(std::llabs(base)), exponent));
    ticks.note.after = (base < 0 ? "− " : "+ ") + amount;
  }
  const int order = order_of(size()) + exponent;
  const bool is_plain = order >= -3 && order <= 4 && exponent >= -6;
  const int factor = is_plain ? 0 : order;
  if (factor != 0) {
    ticks.note.text = "×10";
    ticks.note.exponent = signed_integer(factor);
  }
  for (std::size_t i = 0; i < multiples.size(); ++i) {
    long long n = multiples[i];
    int decimals = factor - exponent;
    for (; decimals < 0; ++decimals) n *= 10;
    ticks.major[i].label.text = decimal(n, decimals);
  }
}

/// Axes are never so narrow that a tick is more than 1e15 steps from zero.
long long whole(double k) { return static_cast<long long>(k); }

Ticks linear_ticks(double lo, double hi, double length, double spacing) {
  const double most = std::max(length / spacing, 2.0);
  const Step step = nice_step((hi - lo) / most);
  const double h = step.value();
  Ticks ticks;
  std::vector<long long> multiples;
  for (long long k = whole(std::ceil(lo / h - 1e-9)); k <= whole(std::floor(hi / h + 1e-9)); ++k) {
    multiples.push_back(k * step.mantissa);
    const double value = times_power_of_ten(static_cast<double>(k * step.mantissa), step.exponent);
    ticks.major.push_back({std::clamp(value, lo, hi), {}});
  }
  const int parts = step.mantissa == 2 ? 4 : 5;
  for (long long k = whole(std::ceil(lo / h * parts)); k <= whole(std::floor(hi / h * parts)); ++k)
    if (k % parts != 0) ticks.minor.push_back(static_cast<double>(k) * (h / parts));
  set_labels(ticks, std::move(multiples), step.exponent);
  return ticks;
}

Ticks category_ticks(const std::vector<std::string>& names, const Scale& scale) {
  Ticks ticks;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto at = static_cast<double>(i);
    if (scale.is_inside(at)) ticks.major.push_back({at, {names[i]}});
  }
  return ticks;
}

/// 1, 2, 5 times powers of ten; their labels without exponents where that is short.
Ticks few_decades(const Scale& scale, double length, double spacing) {
  const bool is_plain = scale.lo >= -2.01 && scale.hi <= 4.01;
  Ticks ticks;
  for (int decade = static_cast<int>(std::floor(scale.lo)); decade <= static_cast<int>(std::floor(scale.hi)); ++decade)
    for (int digit = 1; digit <= 9; ++digit) {
      const double value = times_power_of_ten(digit, decade);
      if (!scale.is_inside(value)) continue;
      if (digit != 1 && digit != 2 && digit != 5) {
        ticks.minor.push_back(value);
        continue;
      }
      TickLabel label{(digit == 1 ? "" : std::to_string(digit) + "·") + "10", signed_integer(decade)};
      if (is_plain) label = {decade < 0 ? decimal(digit, -decade) : plain_number(value)};
      ticks.major.push_back({value, std::move(label)});
    }
  if (ticks.major.size() >= 3 || scale.lo < -290 || scale.hi > 290) return ticks;
  // The axis is so short that it is almost linear.
  return linear_ticks(std::pow(10.0, scale.lo), std::pow(10.0, scale.hi), length, spacing);
}

Ticks log_ticks(const Scale& scale, double length, double spacing) {
  if (scale.hi - scale.lo < 2) return few_decades(scale, length, spacing);
  const double per_decade = length / (scale.hi - scale.lo);
  int stride = 1;
  for (const int candidate : {1, 2, 3, 5, 10, 20, 50, 100, 200}) {
    stride = candidate;
    if (candidate * per_decade >= spacing) break;
  }
  Ticks ticks;
  const int last = static_cast<int>(std::floor(scale.hi + 1e-9));
  for (int e = static_cast<int>(std::floor(scale.lo)); e <= last; ++e) {
    const double value = std::pow(10.0, e);
    if (scale.is_inside(value) && e % stride == 0)
      ticks.major.push_back({value, {"10", signed_integer(e)}});
    else if (scale.is_inside(value) && stride <= 10)
      ticks.minor.push_back(value);
    for (int digit = 2; digit <= 9 && per_decade >= 24; ++digit)
      if (const double between = times_power_of_ten(digit, e); scale.is_inside(between)) ticks.minor.push_back(between);
  }
  return ticks;
}

}  // namespace

Ticks find_ticks(const ChartAxis& axis, const Scale& scale, double spacing) {
  const double length = std::abs(scale.last_pixel - scale.first_pixel);
  if (!axis.categories.empty()) return category_ticks(axis.categories, scale);
  return scale.logarithmic ? log_ticks(scale, length, spacing) : linear_ticks(scale.lo, scale.hi, length, spacing);
}

double width_of(const TickLabel& label, double font_size) {
  return text_width(label.text, font_size) + text_width(label.exponent, 0.75 * font_size) +
         text_width(label.after, font_size) + (label.after.empty() ? 0 : 0.4 * font_size);
}

std::string svg_of(const TickLabel& label) {
  std::string out = escape_xml(label.text);
  // The step back down must not sit on an empty element, which takes no room and so no shift.
  if (!label.exponent.empty())
    out += "<tspan dy=\"-0.45em\" font-size=\"75%\">" + escape_xml(label.exponent) + "</tspan>";
  if (!label.after.empty())
    out += (label.exponent.empty() ? "<tspan" : "<tspan dy=\"0.34em\"") +
           std::string(out.empty() ? ">" : " dx=\"0.35em\">") + escape_xml(label.after) + "</tspan>";
  return out;
}

}  // namespace filum::chart
