/// Series by formula, and what they come to. User document: docs/guide/studies.md, "Series".
#include <filum/study/run_data.hpp>

#include <muParser.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace filum::study {
namespace {

std::vector<double> column(const std::string& name, const RunData& data) {
  const Entry entry = parse_entry(name);
  const Recorded& recorded = data.series(entry.series);
  const std::vector<int> places = places_of(entry, recorded);
  if (places.size() != 1)
    throw std::invalid_argument("'" + name + "' is " + std::to_string(places.size()) +
                                " numbers a frame: choose one, as in NAME[0]");
  std::vector<double> values(data.frames());
  for (std::size_t n = 0; n < values.size(); ++n) values[n] = recorded.frame(n)[places.front()];
  return values;
}

void subtract_start(std::vector<double>& values) {
  if (values.empty()) return;
  const double start = values.front();
  for (double& x : values) x -= start;
}

}  // namespace

std::vector<double> evaluate(const Series& series, const RunData& data) {
  std::vector<std::vector<double>> columns;
  for (const Setting& s : series.of) columns.push_back(column(s.value, data));
  std::vector<double> variables(series.of.size() + 1), values(data.frames());
  try {
    mu::Parser parser;
    parser.DefineConst("pi", 3.14159265358979323846);
    parser.DefineConst("e", 2.71828182845904523536);
    parser.DefineVar("t", variables.data());
    for (std::size_t i = 0; i < series.of.size(); ++i) parser.DefineVar(series.of[i].key, &variables[i + 1]);
    parser.SetExpr(series.formula);
    for (std::size_t n = 0; n < values.size(); ++n) {
      variables[0] = data.times()[n];
      for (std::size_t i = 0; i < columns.size(); ++i) variables[i + 1] = columns[i][n];
      values[n] = parser.Eval();
    }
  } catch (const mu::Parser::exception_type& error) {
    throw std::invalid_argument("[[series]] '" + series.name + "': " + error.GetMsg());
  }
  if (series.from_start) subtract_start(values);
  return values;
}

std::vector<double> evaluate(const std::string& name, const Study& study, const RunData& data) {
  if (name == "time") return data.times();
  for (const Series& s : study.series)
    if (s.name == name) return evaluate(s, data);
  return column(name, data);
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
  double sum = 0, squares = 0, t_sum = 0, t_squares = 0, products = 0, largest = 0;
  for (std::size_t n = 0; n < x.size(); ++n) {
    sum += x[n];
    squares += x[n] * x[n];
    t_sum += t[n] - t[0];
    t_squares += (t[n] - t[0]) * (t[n] - t[0]);
    products += (t[n] - t[0]) * x[n];
    largest = std::max(largest, std::abs(x[n]));
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
    case Take::slope: return (count * products - t_sum * sum) / (count * t_squares - t_sum * t_sum);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace filum::study
