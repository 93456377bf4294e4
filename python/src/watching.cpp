/// Controllers and events of Python. User document: docs/python/README.md, "Controllers and events". Theory:
/// docs/theory/events.md.
#include "watching.hpp"

#include <filum/mechanics/declaration.hpp>
#include <filum/mechanics/switches.hpp>
#include <filum/model/assembly.hpp>
#include <filum/model/run_checks.hpp>
#include <filum/model/sensor.hpp>
#include <filum/scenario/tables.hpp>

#include <cmath>
#include <limits>

namespace filum::python {

using integrate::EventFunction;
using mechanics::VectorXd;

Measurements::Measurements(scenario::Scenario& s, const py::dict& measure) {
  for (const auto& [name, what] : measure) {
    const auto pair = py::reinterpret_borrow<py::object>(what);
    if (!py::isinstance<py::tuple>(pair) || py::len(pair) != 2)
      throw py::value_error("measure: expected pairs of an object and a quantity, such as (ball, \"position\")");
    const py::tuple both(pair);
    const std::string on = py::str(py::getattr(both[0], "_reference_", both[0]));
    const model::Point point = scenario::find_point(s, on);
    std::unique_ptr<model::Object> sensor = make_object(model::Sensor{.on = point, .quantity = py::str(both[1])});
    sensor->check();
    if (point.object >= 0)
      if (const std::string reason = s.model.object(point.object).objection(point.place, "sensor"); !reason.empty())
        throw model::OptionError("measure", on + ": " + reason);
    entries_.push_back({py::str(name), std::move(sensor)});
  }
}

void Measurements::plan(model::Plan& plan) const {
  for (const Entry& e : entries_) e.sensor->plan(plan);
}

void Measurements::bind(const mechanics::System& system, const model::Objects& objects) {
  for (Entry& e : entries_) {
    const model::Probe probe = dynamic_cast<const model::Gauge&>(*e.sensor).probe(system, objects);
    e.read = probe.read, e.size = probe.columns.size();
  }
}

py::dict Measurements::operator()(const State& x) const {
  py::dict y;
  for (const Entry& e : entries_) {
    py::array_t<double> values(static_cast<py::ssize_t>(e.size));
    e.read(x, values.mutable_data());
    y[py::str(e.name)] = values;
  }
  return y;
}

bool Measurements::need_multipliers(State x) const {
  x.a.setConstant(std::numeric_limits<double>::quiet_NaN());
  x.lambda.setConstant(std::numeric_limits<double>::quiet_NaN());
  for (const Entry& e : entries_) {
    std::vector<double> values(e.size);
    e.read(x, values.data());
    for (const double value : values)
      if (std::isnan(value)) return true;
  }
  return false;
}

double SampleTimes::index(double t) const {
  double k = std::floor((t - origin_) / every_);
  while (time(k) > t) --k;
  while (time(k + 1) <= t) ++k;
  return k;
}

namespace {

/// Neither forces nor constraints: times at which steps end, because what is held until then may jump.
class SamplePart final : public mechanics::Part, public mechanics::SwitchingPart {
 public:
  SamplePart(std::string name, const SampleTimes& times) : name_(std::move(name)), times_(times) {}
  std::string name() const override { return name_; }
  void declare(mechanics::Declaration&) override {}
  mechanics::Switching switching() const override { return mechanics::Switching::of_time; }
  void add_switches(double t, const VectorXd&, const VectorXd&, mechanics::SwitchList& out) const override {
    const double k = times_.index(t);
    out.begin_law();
    out.add({.value = t, .low = times_.time(k), .high = times_.time(k + 1)});
  }

 private:
  std::string name_;
  SampleTimes times_;
};

class EventObject final : public model::Object, public model::RunChecks {
 public:
  EventObject(py::handle event, Measurements measure) : event_(event), measure_(std::move(measure)) {}
  std::string_view kind() const override { return "event"; }
  void plan(model::Plan& plan) const override { measure_.plan(plan); }
  std::string description() const override { return "a function of Python"; }

  std::vector<EventFunction> events(const mechanics::System& system, const model::Objects& objects,
                                    const State& start) const override {
    const py::gil_scoped_acquire lock;
    const auto measure = std::make_shared<Measurements>(measure_);
    measure->bind(system, objects);
    event_.attr("_begin_")();
    EventFunction event;
    event.name = name();
    const std::string direction = py::str(event_.attr("direction"));
    event.direction = direction == "rising"    ? integrate::Direction::rising
                      : direction == "falling" ? integrate::Direction::falling
                                               : integrate::Direction::both;
    event.action = event_.attr("stop").cast<bool>() ? integrate::EventAction::stop : integrate::EventAction::go_on;
    event.needs_multipliers = measure->need_multipliers(start);
    event.value = [event = event_, measure](const State& x) {
      const py::gil_scoped_acquire locked;
      return event.attr("value")(x.t, (*measure)(x)).cast<double>();
    };
    event.change = [event = event_](State& x) {
      const py::gil_scoped_acquire locked;
      const py::object state = py::cast(MethodState{x});
      event.attr("_happens_")(state);
      x.v = state.cast<const MethodState&>().x.v;
    };
    return {event};
  }
  py::handle event() const { return event_; }

 private:
  py::handle event_;  ///< borrowed, as functions are
  Measurements measure_;
};

}  // namespace

class ControllerObject final : public model::Object, public model::RunChecks {
 public:
  ControllerObject(py::handle controller, Measurements measure, const SampleTimes& times)
      : controller_(controller), measure_(std::move(measure)), times_(times) {}
  std::string_view kind() const override { return "controller"; }
  void plan(model::Plan& plan) const override { measure_.plan(plan); }
  void add_parts(model::Assembly& a) override { a.system().add_part(std::make_shared<SamplePart>(name(), times_)); }
  void check_built(const mechanics::System& system, const model::Objects& objects) const override {
    measure_.bind(system, objects);
  }
  std::string description() const override {
    const py::gil_scoped_acquire lock;
    return "every " + std::string(py::str(py::float_(times_.every())));
  }

  /// A sample at the start, and one whenever the parity of the samples that there have been changes.
  std::vector<EventFunction> events(const mechanics::System&, const model::Objects&, const State& x) const override {
    begin(x);
    EventFunction event;
    event.name = name();
    event.value = [times = times_](const State& y) { return std::fmod(times.index(y.t), 2) == 0 ? 1.0 : -1.0; };
    event.change = [this](State& y) { sample(y); };
    return {event};
  }

  const SampleTimes& times() const { return times_; }
  py::handle controller() const { return controller_; }
  void prepare(const State& x) const { call("_prepare_", x); }
  void begin(const State& x) const { call("_begin_", x); }
  void sample(const State& x) const { call("_sample_", x); }

 private:
  void call(const char* what, const State& x) const {
    const py::gil_scoped_acquire lock;
    controller_.attr(what)(x.t, measure_(x));
  }

  py::handle controller_;         ///< borrowed, as functions are
  mutable Measurements measure_;  ///< bound when the model is built
  SampleTimes times_;
};

void add_watcher(scenario::Scenario& s, const py::object& watcher) {
  Measurements measure(s, watcher.attr("measure"));
  std::unique_ptr<model::Object> object;
  if (py::hasattr(watcher, "every"))
    object = std::make_unique<ControllerObject>(watcher, std::move(measure),
                                                SampleTimes(s.time.start, watcher.attr("every").cast<double>()));
  else
    object = std::make_unique<EventObject>(watcher, std::move(measure));
  s.model.add_object(std::move(object), watcher.attr("name").cast<std::string>());
}

Watchers::Watchers(const model::BuiltModel& built) {
  for (const auto& object : built.objects()) {
    if (const auto* controller = dynamic_cast<const ControllerObject*>(object.get())) {
      controllers_.push_back(controller);
      all_.push_back(controller->controller());
    }
    if (const auto* event = dynamic_cast<const EventObject*>(object.get())) all_.push_back(event->event());
  }
}

void Watchers::prepare(const State& x) const {
  for (const ControllerObject* controller : controllers_) controller->prepare(x);
}

double Watchers::meant(double t, double rounding) const {
  for (const ControllerObject* controller : controllers_) {
    const SampleTimes& times = controller->times();
    const double sample = times.time(times.index(t + rounding));
    if (std::abs(sample - t) <= rounding) return sample;
  }
  return t;
}

py::object Watchers::memory() const {
  py::list list;
  for (const py::handle& watcher : all_) list.append(watcher.attr("_memory_")());
  return list;
}

void Watchers::restore(const py::object& memory) const {
  const py::list list(memory);
  if (list.size() != all_.size())
    throw py::value_error("the state is that of a model with other controllers or events");
  for (std::size_t k = 0; k < all_.size(); ++k) all_[k].attr("_restore_")(list[k]);
}

std::string objection_to_samples(const scenario::Scenario& s) {
  if (s.chooses || integrate::capabilities(s.method).variable_steps) return {};
  for (int k = 0; k < s.model.size(); ++k) {
    const auto* controller = dynamic_cast<const ControllerObject*>(&s.model.object(k));
    if (!controller) continue;
    const double steps = controller->times().every() / s.time.step;
    if (std::abs(steps - std::round(steps)) > 1e-9 * steps)
      return std::string(integrate::name(s.method)) + " keeps its step, and would miss the samples of the controller " +
             controller->name() + "; try: a step that divides `every`, or another method";
  }
  return {};
}

}  // namespace filum::python
