/// Conditions that end a run. User document: docs/guide/scenarios.md, "Stops".
#include <filum/config/problem.hpp>
#include <filum/model/run_checks.hpp>
#include <filum/model/sensor.hpp>
#include <filum/model/stop.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace filum::model {
namespace {

/// A sensor whose numbers a condition may name.
struct Source {
  std::vector<std::string> names;
  Reading read;
};

std::vector<Source> sources(const mechanics::System& system, const Objects& objects) {
  std::vector<Source> all;
  for (const auto& object : objects) {
    const auto* gauge = dynamic_cast<const Gauge*>(object.get());
    if (!gauge) continue;
    const Probe probe = gauge->probe(system, objects);
    Source source{{}, probe.read};
    for (const std::string& column : probe.columns)
      source.names.push_back(column.empty() ? object->name() : object->name() + "." + column);
    all.push_back(std::move(source));
  }
  return all;
}

/// The condition with its own memory. Positive while it is false; its size is the distance to the nearest decision.
class Condition {
 public:
  Condition(const Stop& stop, const mechanics::System& system, const Objects& objects)
      : all_(sources(system, objects)), formula_(compiled(stop)) {
    values_.resize(formula_.variables().size());
    std::size_t at = 1;
    for (const Source& source : all_) {
      const auto is_used = [&](const std::string& name) { return formula_.uses(name); };
      if (std::any_of(source.names.begin(), source.names.end(), is_used)) used_.push_back({&source, at});
      at += source.names.size();
    }
  }
  Condition(const Condition&) = delete;
  Condition& operator=(const Condition&) = delete;

  double operator()(const State& x) {
    read(x);
    const double value = formula_.value(values_);
    if (std::isnan(value)) return value;
    decisions_.clear();
    formula_.switches(values_, decisions_);
    double margin = decisions_.empty() ? 1 : std::numeric_limits<double>::infinity();
    for (const config::Switch& d : decisions_) margin = std::min(margin, std::abs(d.value));
    return value != 0 ? -std::max(margin, std::numeric_limits<double>::min()) : margin;
  }

  /// Whether a sensor looks at accelerations or multipliers.
  bool needs_multipliers(State x) {
    x.a.setConstant(std::numeric_limits<double>::quiet_NaN());
    x.lambda.setConstant(std::numeric_limits<double>::quiet_NaN());
    read(x);
    return std::any_of(values_.begin(), values_.end(), [](double v) { return std::isnan(v); });
  }

 private:
  struct Used {
    const Source* source;
    std::size_t first;
  };

  void read(const State& x) {
    values_[0] = x.t;
    for (const Used& u : used_) u.source->read(x, values_.data() + u.first);
  }

  config::Formula compiled(const Stop& stop) const {
    config::Variables variables{"t"};
    for (const Source& source : all_) variables.insert(variables.end(), source.names.begin(), source.names.end());
    try {
      return {stop.when, variables, stop.symbols};
    } catch (const config::FormulaError& error) {
      const std::string near =
          error.unknown.empty() ? "" : config::suggestion(error.unknown, stop.symbols.words(variables));
      throw OptionError(
          "when",
          std::string(error.what()) + near +
              (error.unknown.empty() || !all_.empty() ? "" : "; conditions refer to sensors, and the model has none"));
    }
  }

  std::vector<Source> all_;
  config::Formula formula_;
  std::vector<Used> used_;
  std::vector<double> values_;
  std::vector<config::Switch> decisions_;
};

class StopObject final : public ObjectOf<Stop>, public RunChecks {
 public:
  using ObjectOf::ObjectOf;

  std::string_view kind() const override { return "stop"; }
  bool shares_names() const override { return false; }
  void check() const override {
    if (o_.when.empty() && !o_.condition)
      throw OptionError("when", "this key is missing: expected a condition such as \"tip.z < 0\"");
    if (!o_.when.empty() && o_.condition) throw OptionError("when", "a stop has a formula or a function, not both");
  }
  void check_built(const mechanics::System& system, const Objects& objects) const override {
    if (!o_.when.empty()) const Condition compiles(o_, system, objects);
  }
  std::vector<integrate::EventFunction> events(const mechanics::System& system, const Objects& objects,
                                               const State& start) const override {
    integrate::EventFunction event{.name = o_.when.empty() ? name() : name() + ": " + o_.when,
                                   .value = {},
                                   .direction = integrate::Direction::falling,
                                   .action = integrate::EventAction::stop};
    if (o_.condition) {
      event.needs_multipliers = true;
      event.value = [condition = o_.condition](const State& x) { return condition(x) ? -1.0 : 1.0; };
    } else {
      const auto condition = std::make_shared<Condition>(o_, system, objects);
      event.needs_multipliers = condition->needs_multipliers(start);
      event.value = [condition](const State& x) { return (*condition)(x); };
    }
    if (event.value(start) < 0)
      throw OptionError("when",
                        "the condition already holds at the start; try: a second condition such as t > 0.1, or "
                        "another start");
    return {event};
  }
  std::string description() const override { return o_.when.empty() ? "by a function" : "when " + o_.when; }
};

}  // namespace

std::unique_ptr<Object> make_object(const Stop& options) { return std::make_unique<StopObject>(options); }

}  // namespace filum::model
