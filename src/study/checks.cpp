/// Statements of a study about its numbers. User document: docs/guide/studies.md, "Checks".
#include "checks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

namespace filum::study {
namespace {

std::vector<double> values_of(const Check& check, const Results& results) {
  std::vector<double> values;
  std::set<double> seen;  // an order is the same for all cases of a curve
  for (std::size_t i = 0; i < results.cases.size(); ++i) {
    const Case& c = results.list.cases[i];
    if (!results.list.matches(c, check.where)) continue;
    // The coarsest case of a curve has nothing to be compared with.
    if (check.value.starts_with("ratio.") && !results.cases[i].numbers.contains(check.value)) continue;
    if (const double value = results.number(i, check.value);
        check.is_of_order() && !std::isnan(value) && !seen.insert(value).second)
      continue;
    values.push_back(results.number(i, check.value, check.over));
  }
  return values;
}

/// The most points that the order of one curve says nothing about.
int most_left_out(const Check& check, const Results& results) {
  double most = 0;
  for (std::size_t i = 0; i < results.cases.size(); ++i)
    if (results.list.matches(results.list.cases[i], check.where))
      most = std::max(most, results.number(i, "left_out." + check.value.substr(std::string("order.").size())));
  return static_cast<int>(most);
}

/// Whether the order of some curve comes from points that lie on no line.
bool is_uneven(const Check& check, const Results& results) {
  const std::string of = check.value.substr(std::string("order.").size());
  return std::any_of(results.orders.begin(), results.orders.end(), [&](const CurveOrder& curve) {
    return !curve.fit.straight && (curve.quantity == of || curve.quantity == "error." + of) &&
           std::any_of(curve.cases.begin(), curve.cases.end(), [&](int i) {
             return results.list.matches(results.list.cases[static_cast<std::size_t>(i)], check.where);
           });
  });
}

std::string with_digits(double value, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

/// "0.99 to 1.01", with as many digits as it takes to see that the two differ.
std::string range_text(double low, double high) {
  constexpr int most = 12;
  int digits = 4;
  while (digits < most && low != high && with_digits(low, digits) == with_digits(high, digits)) ++digits;
  return with_digits(low, digits) + " to " + with_digits(high, digits);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

CheckResult evaluate(const Check& check, const Results& results) {
  const auto& range = *check.between;
  CheckResult result{check, false, values_of(check, results), "", range_text(range[0], range[1])};
  const auto lies_there = [&](double x) { return x >= range[0] && x <= range[1]; };
  std::vector<double> finite;
  for (const double x : result.values)
    if (std::isfinite(x)) finite.push_back(x);
  if (finite.empty()) {
    result.found = "no value";
    return result;
  }
  const std::size_t missing = result.values.size() - finite.size();
  const auto [low, high] = std::minmax_element(finite.begin(), finite.end());
  result.found = *low == *high ? short_number(*low) : range_text(*low, *high);
  if (check.of == Check::Of::median) result.found = short_number(median(finite)) + " (" + result.found + ")";
  if (missing > 0) result.found += ", " + std::to_string(missing) + " missing";
  switch (check.of) {
    case Check::Of::all: result.holds = missing == 0 && std::all_of(finite.begin(), finite.end(), lies_there); break;
    case Check::Of::median: result.holds = lies_there(median(finite)); break;
    case Check::Of::any: result.holds = std::any_of(finite.begin(), finite.end(), lies_there); break;
  }
  if (!check.is_of_order()) return result;
  const int left_out = most_left_out(check, results);
  if (left_out > 0) result.found += ", points left out: " + std::to_string(left_out);
  if (check.left_out && left_out > *check.left_out) {
    result.holds = false;
    result.found += " instead of " + std::to_string(*check.left_out);
  }
  if (is_uneven(check, results)) {
    if (check.left_out) result.holds = false;
    result.found += ", uneven: the points lie on no line";
  }
  return result;
}

}  // namespace

std::string short_number(double value) { return with_digits(value, 4); }

std::vector<CheckResult> evaluate_checks(const Study& study, const Results& results) {
  std::vector<CheckResult> all;
  for (const Check& check : study.checks) all.push_back(evaluate(check, results));
  return all;
}

}  // namespace filum::study
