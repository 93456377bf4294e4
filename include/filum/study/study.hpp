/// A study as plain structs: which runs, compared with what, drawn and checked how. User document:
/// docs/guide/studies.md.
#pragma once

#include <filum/config/document.hpp>

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace filum::study {

/// Keys of a scenario and their values, both as on the command line; the key "scenario" names another scenario.
using config::Setting;
using config::Settings;

/// One value of a variable: what it is called, and what it sets.
struct Option {
  std::string label;
  Settings set;
};

/// A list of [[vary]]: either `values` of one key, or `options` with a label each. Entries with the same `zip` advance
/// together.
struct Vary {
  std::string name;  ///< column of study.csv; default: the key
  std::string key;
  std::vector<config::ValueText> values;
  std::vector<Option> options;
  std::string zip;
};

/// Every case is compared with its own settings, changed by these.
struct Reference {
  Settings set;
};

/// What a case computes instead of a motion: the slowest modes about its start or its static equilibrium.
struct ModesTask {
  enum class At { start, equilibrium };
  int count = 6;
  At at = At::start;
};

/// How the difference of two runs becomes a number. Theory: docs/theory/studies.md.
enum class Norm {
  max_l2,               ///< (ST.1) maximum over the common times of the root mean square of all components
  max_l2_relative,      ///< (ST.2) Euclidean norm of the difference over that of the reference, maximum over times
  max_l2_relative_own,  ///< (ST.2a) the same over that of the run itself
  final_l2,             ///< the last common time alone
  mean_l2,              ///< mean over the common times
  final_max,            ///< largest component at the last common time
  max_max,              ///< largest component at any common time
};

struct Convergence {
  std::string versus;                   ///< variable on the axis; empty: errors without orders
  std::vector<std::string> quantities;  ///< configuration, position, ..., or the name of a series in result.h5
  Norm norm = Norm::max_l2;
  double from = -std::numeric_limits<double>::infinity();  ///< times before this do not count
  double below = std::numeric_limits<double>::infinity();  ///< larger errors do not count for orders
  int points = 0;  ///< beams are compared at so many equidistant points; 0: at the nodes of the coarser grid
};

/// A number for every frame: a formula of entries of result.h5, such as "sqrt(x^2 + y^2)" with
/// x = "tip/position[0,0]". `t` is the time.
struct Series {
  std::string name;
  std::string formula;
  Settings of;                                             ///< variable and entry
  bool from_start = false;                                 ///< less its value in the first frame
  double from = -std::numeric_limits<double>::infinity();  ///< frames before this are left out
};

enum class Take { last, first, max, min, max_abs, mean, rms, range, slope, variation };

/// One number per case: a series reduced to a single value.
struct Measure {
  std::string name;
  std::string series;
  Take take = Take::last;
  double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();
};

/// Which cases are meant: variable and label.
using Selection = Settings;

enum class PlotKind {
  cases,   ///< one point per case: y against a variable or another number
  series,  ///< one curve per case: over time, or one series over another
  shapes,  ///< a beam at several times, seen along an axis
};
enum class AxisKind { automatic, linear, logarithmic };

struct Plot {
  std::string name, title;
  PlotKind kind = PlotKind::cases;
  std::string x;                     ///< cases: variable or number; series: "time" or a series
  std::vector<std::string> y;        ///< numbers or series
  std::vector<std::string> y_names;  ///< in the legend, when there are several
  std::string x_label, y_label;
  AxisKind x_axis = AxisKind::automatic, y_axis = AxisKind::automatic;
  std::optional<std::array<double, 2>> x_range, y_range;
  Selection where;
  std::string panel;            ///< a variable: one plot for each of its labels
  Selection over;               ///< cases: y divided by that of the case that differs in this alone
  std::vector<double> slopes;   ///< orders of the triangles; default: those observed, rounded
  bool with_reference = false;  ///< series: the reference, too
  std::string object;           ///< shapes: which beam
  std::vector<double> times;    ///< shapes
  std::string view = "z";       ///< shapes: the axis that points to the reader
};

/// A statement about the numbers of the study that can fail.
struct Check {
  std::string claim;
  std::string value;  ///< "error.position", "order.velocity", "ratio.velocity", "seconds", "measure.NAME", ...
  Selection where;    ///< all these cases
  Selection over;     ///< divided by the cases that differ from them in this
  std::optional<std::array<double, 2>> between;
  std::optional<std::array<double, 2>> between_short;  ///< in the short form, when it differs
  enum class Of { all, median, any } of = Of::all;     ///< which of the values must lie there
  std::optional<int> left_out;                         ///< of orders: so many points of a curve may be left out
  std::optional<int> left_out_short;                   ///< in the short form, when it differs
  bool full_only = false;                              ///< the short form cannot show it

  bool is_of_order() const { return value.starts_with("order."); }
};

/// Changes that make a study short enough for daily use.
struct ShortForm {
  Settings set;
  std::vector<Vary> vary;  ///< fewer values of variables that are there; of options, their labels
  Settings reference;
};

struct Study {
  int schema = 1;
  std::string name;  ///< of the file
  std::string title;
  std::string figure;  ///< what it reproduces, such as "paper 000, figure 7"
  std::string scenario;
  Settings set;  ///< of all cases
  std::optional<ModesTask> modes;
  std::vector<Vary> vary;
  std::optional<Reference> reference;
  std::optional<Convergence> convergence;
  std::vector<Series> series;
  std::vector<Measure> measures;
  std::vector<Plot> plots;
  std::vector<Check> checks;
  std::optional<ShortForm> short_form;
  bool is_short = false;  ///< the short form counts
  bool timing = true;     ///< seconds in study.csv
  int repeat = 1;         ///< runs of every case; the shortest time counts
  std::string folder;     ///< of the file: where scenarios with relative paths are looked for
  config::Places places;

  config::Problem problem(const std::string& key, const std::string& message) const {
    return {places.find(key), key, message};
  }
};

}  // namespace filum::study
