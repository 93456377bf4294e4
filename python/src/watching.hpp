/// Controllers and events of Python: what looks at a run while it steps. User document: docs/python/README.md,
/// "Controllers and events".
#pragma once

#include "scenario.hpp"

#include <filum/model/object.hpp>

namespace filum::python {

/// Sensors that a function of Python is given, as a dict of arrays by the names it gave them.
class Measurements {
 public:
  /// `measure` is a dict of (point, quantity). Throws config::InputError and model::OptionError for points that are not
  /// there or cannot have a sensor.
  Measurements(scenario::Scenario& scenario, const py::dict& measure);
  void plan(model::Plan& plan) const;
  /// Throws model::OptionError for a quantity that cannot be measured there.
  void bind(const mechanics::System& system, const model::Objects& objects);
  py::dict operator()(const State& x) const;
  /// Whether some of them look at accelerations or multipliers.
  bool need_multipliers(State x) const;

 private:
  struct Entry {
    std::string name;
    std::shared_ptr<const model::Object> sensor;  ///< belongs to no model
    model::Reading read = {};
    std::size_t size = 0;
  };
  std::vector<Entry> entries_;
};

/// Multiples of a sample time.
class SampleTimes {
 public:
  SampleTimes(double origin, double every) : origin_(origin), every_(every) {}
  double time(double k) const { return origin_ + k * every_; }
  double every() const { return every_; }
  /// The last one that is not after t.
  double index(double t) const;

 private:
  double origin_, every_;
};

/// A filum.Controller in a model. Steps end at its samples.
class ControllerObject;

/// Adds a filum.Controller or a filum.Event to the model of a scenario. Throws config::InputError.
void add_watcher(scenario::Scenario& scenario, const py::object& watcher);

/// The controllers and events of a model that is stepped by hand. Several simulations may share them: each restores
/// what it remembers of them before it goes on.
class Watchers {
 public:
  explicit Watchers(const model::BuiltModel& built);
  bool empty() const { return all_.empty(); }
  bool have_controllers() const { return !controllers_.empty(); }
  /// Take the first sample of a run from x that is still to be built; it will not be taken again.
  void prepare(const State& x) const;
  /// The sample that t is meant to be, up to rounding errors; t where there is none.
  double meant(double t, double rounding) const;
  /// What they remember, as a list.
  py::object memory() const;
  void restore(const py::object& memory) const;

 private:
  std::vector<const ControllerObject*> controllers_;
  std::vector<py::handle> all_;
};

/// Why a method cannot hit the samples of the controllers of a scenario; empty when it can.
std::string objection_to_samples(const scenario::Scenario& scenario);

}  // namespace filum::python
