/// Checks of a study as a whole: names that must exist, lists that must fit. User document: docs/guide/studies.md.
#include "check_study.hpp"

#include <filum/study/execute.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace filum::study {

using config::alternatives;
using config::shortened;
using config::suggestion;

const std::vector<std::string>& quantity_words() {
  static const std::vector<std::string> words{"configuration", "pose",     "position",   "orientation",
                                              "algebra",       "velocity", "multiplier", "energy"};
  return words;
}

namespace {

const std::vector<std::string> run_values{"seconds",
                                          "cpu",
                                          "steps",
                                          "rejected",
                                          "newton",
                                          "jacobians",
                                          "energy.drift_max",
                                          "constraint.position_max",
                                          "constraint.velocity_max"};

class Checker {
 public:
  explicit Checker(const Study& study) : s_(study) {}
  std::vector<config::Problem> problems;

  void run() {
    if (s_.schema != 1)
      complain("schema", "expected 1, the only schema this version knows, found " + std::to_string(s_.schema));
    if (s_.vary.size() > 20) complain("vary", "at most 20 variables");
    for (std::size_t i = 0; i < s_.vary.size(); ++i) vary(s_.vary[i], key("vary", s_.vary[i].name, i));
    zips();
    convergence();
    for (const Series& x : s_.series) unique(series_, x.name, "series." + x.name);
    for (const Measure& x : s_.measures) measure(x);
    for (const Plot& x : s_.plots) plot(x);
    for (std::size_t i = 0; i < s_.checks.size(); ++i) check(s_.checks[i], "check." + std::to_string(i));
    short_form();
  }

 private:
  static std::string key(const char* kind, const std::string& name, std::size_t index) {
    return std::string(kind) + "." + (name.empty() ? std::to_string(index) : name);
  }
  void complain(const std::string& at, const std::string& message) { problems.push_back(s_.problem(at, message)); }
  void unique(std::set<std::string>& names, const std::string& name, const std::string& at) {
    if (name.empty()) return complain(at, "a name is missing");
    if (!names.insert(name).second) complain(at, "the name '" + shortened(name) + "' is used twice");
  }

  void vary(const Vary& v, const std::string& at) {
    if (v.name.empty()) return complain(at, "expected `key` with `values`, or `name` with `options`");
    unique(variables_, v.name, at);
    if (v.options.empty() && v.values.empty())
      return complain(at,
                      v.key.empty() ? "expected at least one of the `options`" : "expected at least one of `values`");
    if (!v.options.empty() && !v.values.empty()) return complain(at, "give either `values` or `options`, not both");
    if (!v.values.empty() && v.key.empty()) return complain(at, "expected the `key` that takes these values");
    if (!v.options.empty() && !v.key.empty())
      return complain(at, "options set their own keys: leave out `key`, or give `values`");
    std::set<std::string> labels;
    for (const config::ValueText& x : v.values) unique(labels, x.text, at);
    for (const Option& o : v.options) unique(labels, o.label, at);
  }

  static std::size_t count(const Vary& v) { return v.values.size() + v.options.size(); }

  void zips() {
    for (const Vary& v : s_.vary)
      for (const Vary& w : s_.vary)
        if (!v.zip.empty() && v.zip == w.zip && count(v) > count(w))
          complain("vary." + w.name, "the variables of zip '" + v.zip +
                                         "' have different numbers of values: " + std::to_string(count(w)) + " here, " +
                                         std::to_string(count(v)) + " of '" + v.name + "'");
  }

  std::vector<std::string> variable_names() const { return {variables_.begin(), variables_.end()}; }

  void variable(const std::string& name, const std::string& at) {
    if (variables_.contains(name)) return;
    complain(at, "there is no variable '" + shortened(name) + "'" +
                     (variables_.empty() ? "" : "; expected " + alternatives(variable_names())));
  }

  void convergence() {
    if (!s_.convergence) return;
    const Convergence& c = *s_.convergence;
    if (s_.modes) return complain("convergence", "a study of modes has no motions to compare");
    if (!s_.reference && !c.quantities.empty()) complain("convergence", "errors need a [reference]");
    if (!c.versus.empty()) variable(c.versus, "convergence.versus");
    if (c.quantities.empty() && c.versus.empty())
      complain("convergence", "expected `quantities` to compare, or `versus` for the orders of measures");
    for (const std::string& q : c.quantities) {
      const auto& words = quantity_words();
      if (q.find('/') == std::string::npos && std::find(words.begin(), words.end(), q) == words.end())
        complain("convergence.quantities", "expected " + alternatives(words) +
                                               ", or the name of a series in result.h5 such as 'sensors/tip', found '" +
                                               shortened(q) + "'" + suggestion(q, words));
    }
  }

  void series(const std::string& name, const std::string& at) {
    if (name.find('/') != std::string::npos || series_.contains(name) || name == "time") return;
    if (name.starts_with("error.")) return value(name, at);
    complain(at, "there is no [[series]] '" + shortened(name) + "'" +
                     suggestion(name, std::vector<std::string>(series_.begin(), series_.end())) +
                     "; names in result.h5 contain a slash, such as 'sensors/tip[2]' or 'energy/total'");
  }

  void measure(const Measure& x) {
    const std::string at = "measure." + x.name;
    unique(measures_, x.name, at);
    series(x.series, at + ".series");
  }

  /// A number that every case has.
  void value(const std::string& name, const std::string& at, std::vector<std::string> known = {}) {
    if (s_.modes) {
      for (const char* what : {"omega", "frequency", "damping"})
        for (int k = 1; k <= s_.modes->count; ++k) known.push_back(mode_number(what, k));
    } else {
      known.insert(known.end(), run_values.begin(), run_values.end());
    }
    const bool has_orders = s_.convergence && !s_.convergence->versus.empty();
    for (const std::string& m : measures_) {
      known.push_back("measure." + m);
      if (has_orders)
        for (const char* of : {"order.", "ratio.", "left_out."}) known.push_back(of + ("measure." + m));
    }
    if (s_.convergence)
      for (const std::string& q : s_.convergence->quantities) {
        known.push_back("error." + q);
        if (has_orders)
          for (const char* of : {"order.", "ratio.", "left_out."}) known.push_back(of + q);
      }
    if (std::find(known.begin(), known.end(), name) == known.end())
      complain(at, "there is no number '" + shortened(name) + "'; expected " + alternatives(known));
  }

  void selection(const Selection& selection, const std::string& at) {
    for (const Setting& s : selection) {
      if (!variables_.contains(s.key)) {
        variable(s.key, at);
        continue;
      }
      std::vector<std::string> labels;
      for (const Vary& v : s_.vary) {
        if (v.name != s.key) continue;
        for (const config::ValueText& x : v.values) labels.push_back(x.text);
        for (const Option& o : v.options) labels.push_back(o.label);
      }
      if (std::find(labels.begin(), labels.end(), s.value) == labels.end())
        complain(at, "'" + s.key + "' is never '" + shortened(s.value) + "'; expected " + alternatives(labels));
    }
  }

  void plot(const Plot& p) {
    const std::string at = "plot." + p.name;
    unique(plots_, p.name, at);
    if (p.name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") !=
        std::string::npos)
      complain(at + ".name", "expected letters, digits, '-' and '_', because the name is also that of a file");
    if (p.name.size() > 100)
      complain(at + ".name", "expected at most 100 characters, because the name is also that of a file");
    selection(p.where, at + ".where");
    selection(p.over, at + ".over");
    if (!p.panel.empty()) variable(p.panel, at + ".panel");
    if (!p.y_names.empty() && p.y_names.size() != p.y.size())
      complain(at + ".y_names", "expected a name for each of " + std::to_string(p.y.size()) + " entries of `y`");
    for (const auto& range : {p.x_range, p.y_range})
      if (range && !((*range)[0] < (*range)[1])) complain(at, "a range is [smaller, larger]");
    if (p.kind == PlotKind::cases) {
      if (p.x.empty()) complain(at, "expected `x`: a variable, or a number of the cases such as 'cpu'");
      if (!p.x.empty() && !variables_.contains(p.x)) value(p.x, at + ".x", variable_names());
      for (const std::string& y : p.y) value(y, at + ".y");
    } else if (p.kind == PlotKind::series) {
      if (!p.x.empty()) series(p.x, at + ".x");
      for (const std::string& y : p.y) series(y, at + ".y");
    } else if (p.view != "x" && p.view != "y" && p.view != "z" && p.view != "oblique") {
      complain(at + ".view", "expected 'x', 'y', 'z' or 'oblique', found '" + shortened(p.view) + "'");
    }
  }

  void check(const Check& c, const std::string& at) {
    value(c.value, at + ".value");
    selection(c.where, at + ".where");
    selection(c.over, at + ".over");
    for (const auto& range : {c.between, c.between_short})
      if (range && !((*range)[0] <= (*range)[1])) complain(at, "a range is [smaller, larger]");
    for (const auto& points : {c.left_out, c.left_out_short})
      if (points && *points < 0)
        complain(at + ".left_out", "expected a number of points, found " + std::to_string(*points));
    if ((c.left_out || c.left_out_short) && !c.is_of_order())
      complain(at + ".left_out",
               "only fits of orders leave points out, and '" + shortened(c.value) + "' is not an order");
  }

  void short_form() {
    if (!s_.short_form) return;
    for (const Vary& to : s_.short_form->vary) {
      const std::string name = to.name.empty() ? to.key : to.name;
      const auto found = std::find_if(s_.vary.begin(), s_.vary.end(), [&](const Vary& v) {
        return v.name == name || (!to.key.empty() && v.key == to.key);
      });
      if (found == s_.vary.end()) {
        variable(name, "short.vary");
        continue;
      }
      if (to.values.empty()) complain("short.vary", "expected `values` for '" + name + "': fewer values, or labels");
      if (!found->options.empty())
        for (const config::ValueText& x : to.values) selection({{found->name, x.text}}, "short.vary");
    }
  }

  const Study& s_;
  std::set<std::string> variables_, series_, measures_, plots_;
};

}  // namespace

std::vector<config::Problem> find_problems(const Study& study) {
  Checker checker(study);
  checker.run();
  return std::move(checker.problems);
}

}  // namespace filum::study
