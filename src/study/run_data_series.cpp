/// Series by formula, and measures of them. User document: docs/guide/studies.md, "Series and measures".
#include <filum/config/formula.hpp>
#include <filum/study/run_data.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string_view>

namespace filum::study {
namespace {

constexpr std::string_view of_reference = "reference:";

/// One number of a series at some frames.
std::vector<double> column(const std::string& name, const RunData& data, const std::vector<std::size_t>& frames) {
  const Entry entry = parse_entry(name);
  const Recorded& recorded = data.series(entry.series);
  const std::vector<int> places = places_of(entry, recorded);
  if (places.size() != 1)
    throw std::invalid_argument("'" + name + "' is " + std::to_string(places.size()) +
                                " numbers per frame: choose one, as in NAME[0]");
  std::vector<double> values;
  for (const std::size_t n : frames) values.push_back(recorded.frame(n)[places.front()]);
  return values;
}

bool needs_reference(const Series& series) {
  return std::any_of(series.of.begin(), series.of.end(),
                     [](const Setting& s) { return s.value.starts_with(of_reference); });
}

void subtract_start(std::vector<double>& values) {
  if (values.empty()) return;
  const double start = values.front();
  for (double& x : values) x -= start;
}

/// The formula at every row of the columns.
std::vector<double> computed(const Series& series, const std::vector<double>& times,
                             const std::vector<std::vector<double>>& columns) {
  config::Variables names{"t"};
  for (const Setting& s : series.of) names.push_back(s.key);
  std::vector<double> variables(names.size()), values(times.size());
  try {
    const config::Formula formula(series.formula, names, {});
    for (std::size_t n = 0; n < values.size(); ++n) {
      variables[0] = times[n];
      for (std::size_t i = 0; i < columns.size(); ++i) variables[i + 1] = columns[i][n];
      values[n] = formula.value(variables);
    }
  } catch (const config::FormulaError& error) {
    throw std::invalid_argument("[[series]] '" + series.name + "': " + error.what());
  }
  return values;
}

TimeSeries evaluate(const Series& series, const RunData& data, const RunData* reference) {
  std::vector<std::size_t> here, there;
  if (needs_reference(series)) {
    if (!reference) throw std::invalid_argument("[[series]] '" + series.name + "' needs a reference that is complete");
    for (const CommonFrame& f : common_frames(data, *reference)) {
      here.push_back(f.run);
      there.push_back(f.reference);
    }
  } else {
    here.resize(data.frames());
    std::iota(here.begin(), here.end(), std::size_t{0});
  }
  const auto early =
      std::find_if(here.begin(), here.end(), [&](std::size_t n) { return data.times()[n] >= series.from; }) -
      here.begin();
  here.erase(here.begin(), here.begin() + early);
  if (!there.empty()) there.erase(there.begin(), there.begin() + early);
  TimeSeries result;
  for (const std::size_t n : here) result.times.push_back(data.times()[n]);
  std::vector<std::vector<double>> columns;
  for (const Setting& s : series.of) {
    const bool is_reference = s.value.starts_with(of_reference);
    columns.push_back(is_reference ? column(s.value.substr(of_reference.size()), *reference, there)
                                   : column(s.value, data, here));
  }
  result.values = computed(series, result.times, columns);
  if (series.from_start) subtract_start(result.values);
  return result;
}

}  // namespace

std::vector<CommonFrame> common_frames(const RunData& run, const RunData& reference) {
  std::vector<CommonFrame> frames;
  const auto &t = run.times(), &u = reference.times();
  const double same = 1e-9 * (1 + std::abs(t.empty() ? 0 : t.back()));
  for (std::size_t n = 0, m = 0; n < t.size() && m < u.size();) {
    if (t[n] < u[m] - same)
      ++n;
    else if (u[m] < t[n] - same)
      ++m;
    else
      frames.push_back({n++, m++});
  }
  return frames;
}

TimeSeries evaluate(const std::string& name, const Study& study, const RunData& data, const RunData* reference) {
  if (name == "time") return {data.times(), data.times()};
  for (const Series& s : study.series)
    if (s.name == name) return evaluate(s, data, reference);
  std::vector<std::size_t> all(data.frames());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return {data.times(), column(name, data, all)};
}

double take(const Measure& measure, const std::vector<double>& times, const std::vector<double>& values) {
  std::vector<double> t, x;
  const double rounding = 1e-9 * (1 + std::abs(times.empty() ? 0 : times.back()));
  for (std::size_t n = 0; n < values.size(); ++n)
    if (times[n] >= measure.from - rounding && times[n] <= measure.to + rounding) {
      t.push_back(times[n]);
      x.push_back(values[n]);
    }
  if (x.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto [low, high] = std::minmax_element(x.begin(), x.end());
  const auto count = static_cast<double>(x.size());
  double sum = 0, squares = 0, t_sum = 0, t_squares = 0, products = 0, largest = 0, variation = 0;
  for (std::size_t n = 0; n < x.size(); ++n) {
    sum += x[n];
    squares += x[n] * x[n];
    t_sum += t[n] - t[0];
    t_squares += (t[n] - t[0]) * (t[n] - t[0]);
    products += (t[n] - t[0]) * x[n];
    largest = std::max(largest, std::abs(x[n]));
    if (n > 0) variation += std::abs(x[n] - x[n - 1]);
  }
  switch (measure.take) {
    case Take::last: return x.back();
    case Take::first: return x.front();
    case Take::max: return *high;
    case Take::min: return *low;
    case Take::max_abs: return largest;
    case Take::mean: return sum / count;
    case Take::rms: return std::sqrt(squares / count);
    case Take::range: return *high - *low;
    case Take::variation: return variation;
    case Take::slope: return (count * products - t_sum * sum) / (count * t_squares - t_sum * t_sum);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace filum::study
