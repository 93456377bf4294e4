/// Stepping by hand, and states that can be copied, saved and set. User document: docs/python/README.md, "Stepping".
#include "scenario.hpp"
#include "turn.hpp"
#include "watching.hpp"

#include <filum/integrate/first_step.hpp>
#include <filum/mechanics/acceleration_solver.hpp>
#include <filum/mechanics/consistent_start.hpp>
#include <filum/model/run_checks.hpp>
#include <filum/scenario/simulation.hpp>
#include <filum/scenario/tables.hpp>

#include <pybind11/stl.h>

#include <cmath>
#include <map>
#include <utility>

namespace filum::python {
namespace {

using integrate::GridPosition;
using integrate::RunStatistics;

/// A built model with a method, between two steps. A step is a short run: events, switches of forces and samples of
/// controllers are where they are in long ones.
class Stepper {
 public:
  explicit Stepper(std::shared_ptr<scenario::Scenario> s)
      : scenario_(std::move(s)),
        built_(scenario::build(*scenario_)),
        method_(integrate::make_integrator(scenario_->complete_method(), built_.system(), built_.rows())),
        h_(scenario_->time.step),
        x_(built_.start()),
        watchers_(built_) {
    if (scenario_->chooses)
      throw py::value_error("stepping by hand needs a step: give step=..., and a method if you like");
    if (const std::string reason = objection_to_samples(*scenario_); !reason.empty())
      throw std::invalid_argument(reason);
    options_.watch_singularity = false;
    options_.warn = [this](const std::string& remark) {
      remarks_.insert({remark.substr(0, remark.find(',')), remark});
    };
    if (!(h_ > 0))
      h_ = integrate::first_step(built_.system(), built_.rows(), x_, *method_->step_control(),
                                 scenario_->time.end - scenario_->time.start);
    begin(x_, watchers_.have_controllers());
  }
  double time() const { return x_.t; }
  double step_size() const { return so_far_.grid.next_step; }
  /// The event at which the last step ended the run, if one did.
  std::optional<std::string> stopped_by() const {
    if (so_far_.stopped_by < 0) return {};
    return options_.events[static_cast<std::size_t>(so_far_.stopped_by)].name;
  }

  /// One step of the given size, or of the size that the method is at. When it fails everything is as before.
  void step(double size) {
    const Turn turn(turn_);
    if (!watchers_.empty()) watchers_.restore(held_);
    {
      const py::gil_scoped_release unlocked;
      advance(size);
    }
    if (!watchers_.empty()) held_ = watchers_.memory();
    for (auto& [kind, remark] : remarks_) {
      if (remark.empty()) continue;
      const std::string said = std::exchange(remark, {});
      if (PyErr_WarnEx(PyExc_RuntimeWarning, said.c_str(), 1) != 0) throw py::error_already_set();
    }
  }

  MethodState state() {
    const Turn turn(turn_);
    return complete_state();
  }
  /// Continues bit for bit from a state of the same method; from any other the method restarts.
  void set_state(const MethodState& s) {
    const Turn turn(turn_);
    const auto check = [](const Eigen::VectorXd& given, const Eigen::VectorXd& own, const char* what) {
      if (given.size() != own.size())
        throw py::value_error(std::string("the state has ") + std::to_string(given.size()) + " numbers in " + what +
                              ", the model " + std::to_string(own.size()));
    };
    check(s.x.q, x_.q, "q"), check(s.x.v, x_.v, "v"), check(s.x.a, x_.a, "a"), check(s.x.lambda, x_.lambda, "lambda");
    if (!std::isfinite(s.x.t)) throw py::value_error("the state cannot be set: its time is not finite");
    if (s.memory.empty()) return begin(consistent(s.x), true);
    if (s.so_far.events.size() != options_.events.size())
      throw py::value_error("the state is that of a model with other controllers or events");
    method_->save(memory_);
    try {
      method_->restore(s.memory);
      if (!watchers_.empty()) watchers_.restore(s.held);
    } catch (...) {
      method_->restore(memory_);
      throw;
    }
    held_ = s.held;
    x_ = s.x;
    so_far_ = s.so_far;
    is_complete_ = true;
  }
  Eigen::VectorXd measure(const std::string& reference, const std::string& quantity) {
    const Turn turn(turn_);
    return built_.measure(scenario::find_point(*scenario_, reference), quantity, complete_state().x);
  }
  double energy() {
    const Turn turn(turn_);
    return built_.system().kinetic_energy(x_.q, x_.v) + built_.system().potential_energy(x_.t, x_.q);
  }

 private:
  /// With accelerations and multipliers of this time.
  MethodState complete_state() {
    MethodState s;
    if (!is_complete_) method_->complete(x_);
    is_complete_ = true;
    s.x = x_;
    method_->save(s.memory);
    s.held = held_;
    s.so_far = so_far_;
    return s;
  }
  /// `anew`: accelerations and multipliers are not those of the forces at x.
  void begin(const State& x, bool anew) {
    options_.events = model::events(built_.system(), built_.objects(), x);
    if (!watchers_.empty()) held_ = watchers_.memory();
    x_ = x;
    if (anew) complete_anew();
    method_->start(x_, h_);
    so_far_ = {};
    so_far_.grid = {.origin = x_.t, .next_step = h_};
    so_far_.events.resize(options_.events.size());
    is_complete_ = true;
  }
  /// A state changed by the user: elements of the groups, and on the constraints, as at the start of a model.
  State consistent(State x) const {
    const mechanics::ConfigurationSpace& space = built_.system().space();
    const Eigen::VectorXd identity = space.identity();
    Eigen::VectorXd from_identity(space.size_v()), element(space.size_q());
    space.difference(identity, x.q, from_identity);
    space.advance(identity, 1, from_identity, element);
    // The logarithm forgets the sign of a quaternion.
    const double off = (element.cwiseAbs() - x.q.cwiseAbs()).lpNorm<Eigen::Infinity>();
    if (!(off <= 1e-6 * (1 + x.q.lpNorm<Eigen::Infinity>())))
      throw py::value_error("the state cannot be set: q is not in the groups of the nodes; quaternions have length 1");
    if (off > 1e-12) x.q = element;
    try {
      mechanics::make_consistent(built_.system(), x);
    } catch (const mechanics::InconsistentStart& error) {
      throw py::value_error(std::string("the state cannot be set: ") + error.what());
    }
    return x;
  }
  /// Accelerations and multipliers of forces that have changed; without an inverse of M they stay as they are.
  void complete_anew() {
    State x = x_;
    if (mechanics::AccelerationSolver(built_.system(), built_.rows()).solve(x).ok && x.a.allFinite()) x_ = x;
  }

  void advance(double size) {
    before_ = x_;
    method_->save(memory_);
    try {
      advance_to_end(size);
    } catch (...) {
      x_ = before_;
      method_->restore(memory_);
      throw;
    }
  }
  void advance_to_end(double size) {
    const bool adaptive = method_->capabilities().adaptive, is_free = adaptive && !(size > 0);
    RunStatistics now = so_far_;
    GridPosition& grid = now.grid;
    now.stopped_by = -1;
    if (adaptive || size > 0 || !grid.is_whole)
      grid = {.origin = x_.t, .index = adaptive ? 1 : 0, .next_step = grid.next_step};
    const double h = size > 0 ? size : grid.next_step;
    const double end = adaptive ? x_.t + h : grid.origin + static_cast<double>(grid.index + 1) * h;
    if (!(end > x_.t)) throw std::invalid_argument("the step is lost in rounding: the time would stay the same");
    options_.step = adaptive ? h_ : h;
    options_.end = is_free ? x_.t + 4 * h : watchers_.meant(end, 1e-9 * h);
    bool crossed = false;  // when it ended
    SignalCheck check_signals;
    options_.interrupted = [&check_signals] { return check_signals(), false; };
    so_far_ = integrate::run(
        built_.system(), *method_, x_, options_,
        [&](State&, const integrate::StepReport& report, const RunStatistics& so_far) {
          crossed = report.crossing;
          check_signals();
          return !is_free || crossed || !so_far.grid.is_whole;
        },
        &now);
    if (crossed) method_->restart(x_, so_far_.grid.next_step);  // which runs leave out at their end
    is_complete_ = crossed;
    if (size > 0) so_far_.grid.is_whole = false;  // the next step begins a grid
  }

  std::shared_ptr<scenario::Scenario> scenario_;
  model::BuiltModel built_;
  std::unique_ptr<integrate::Integrator> method_;
  double h_;
  State x_, before_;
  std::vector<double> memory_;  ///< of the method, before a step
  integrate::RunOptions options_;
  RunStatistics so_far_;
  Watchers watchers_;
  py::object held_ = py::none();                ///< what controllers and events remember of this simulation
  std::map<std::string, std::string> remarks_;  ///< by what they begin with; empty once they have been said
  bool is_complete_ = true;
  Turn::Of turn_;
};

py::tuple kept(const RunStatistics& s) {
  std::vector<std::pair<long, double>> events;
  for (const integrate::EventCount& e : s.events) events.emplace_back(e.count, e.last);
  return py::make_tuple(s.grid.origin, s.grid.index, s.grid.next_step, s.grid.is_whole, s.switches.crossed,
                        s.switches.in_a_row, s.switches.rest, events, s.stopped_by);
}

RunStatistics statistics_of(const py::tuple& t) {
  RunStatistics s;
  s.grid = {t[0].cast<double>(), t[1].cast<long>(), t[2].cast<double>(), t[3].cast<bool>()};
  s.switches = {t[4].cast<long>(), t[5].cast<int>(), t[6].cast<long>()};
  for (const auto& [count, last] : t[7].cast<std::vector<std::pair<long, double>>>()) s.events.push_back({count, last});
  s.stopped_by = t[8].cast<int>();
  const integrate::GridPosition& grid = s.grid;
  const bool is_possible = std::isfinite(grid.origin) && std::isfinite(grid.next_step) && grid.index >= 0 &&
                           s.stopped_by < static_cast<int>(s.events.size());
  if (!is_possible) throw py::value_error("this is not the state of a simulation");
  return s;
}

MethodState restored(const py::tuple& t) {
  MethodState s;
  s.x.t = t[0].cast<double>();
  Eigen::VectorXd* parts[] = {&s.x.q, &s.x.v, &s.x.a, &s.x.lambda};
  for (std::size_t k = 0; k < 4; ++k) {
    const auto numbers = t[k + 1].cast<DoubleArray>();
    *parts[k] = Eigen::Map<const Eigen::VectorXd>(numbers.data(), numbers.size());
  }
  s.memory = t[5].cast<std::vector<double>>();
  s.held = t[6];
  s.so_far = statistics_of(t[7]);
  return s;
}

template <Eigen::VectorXd State::*part>
void bind_numbers(py::class_<MethodState>& c, const char* name, const char* meaning) {
  c.def_property(
      name, [](const MethodState& s) { return copied(s.x.*part); },
      [name](MethodState& s, const DoubleArray& x) {
        s.x.*part = vector_of(x, name, (s.x.*part).size());
        s.memory.clear();
      },
      meaning);
}

}  // namespace

void bind_stepping(py::module_& m) {
  py::class_<MethodState> state(
      m, "State",
      "t, q, v, a = dv/dt and the multipliers lam of a model at one time, with what the method "
      "remembers. Can be copied, pickled and changed; numbers come as copies.");
  state.def_property(
      "t", [](const MethodState& s) { return s.x.t; },
      [](MethodState& s, double t) {
        s.x.t = t;
        s.memory.clear();
      },
      "Time.");
  bind_numbers<&State::q>(state, "q", "Configurations of all nodes, one after the other, each in its group.");
  bind_numbers<&State::v>(state, "v", "Velocities of all nodes, in their groups.");
  bind_numbers<&State::a>(state, "a", "The derivative of v.");
  bind_numbers<&State::lambda>(state, "lam", "Multipliers, one per equation of the constraints.");
  state
      .def(
          "copy", [](const MethodState& s) { return s; }, "The same state, to be changed independently.")
      .def("__copy__", [](const MethodState& s) { return s; })
      .def("__deepcopy__", [](const MethodState& s, const py::dict&) { return s; })
      .def(py::pickle(
          [](const MethodState& s) {
            return py::make_tuple(s.x.t, copied(s.x.q), copied(s.x.v), copied(s.x.a), copied(s.x.lambda), s.memory,
                                  s.held, kept(s.so_far));
          },
          [](const py::tuple& t) { return restored(t); }))
      .def("__repr__", [](const MethodState& s) {
        return "<filum.State t=" + std::string(py::str(py::float_(s.x.t))) + ", " + std::to_string(s.x.v.size()) +
               " velocities>";
      });
  py::class_<Stepper>(m, "Stepper")
      .def(py::init<std::shared_ptr<scenario::Scenario>>())
      .def("step", &Stepper::step)
      .def_property_readonly("time", &Stepper::time)
      .def_property_readonly("step_size", &Stepper::step_size)
      .def_property_readonly("stopped_by", &Stepper::stopped_by)
      .def_property_readonly("energy", &Stepper::energy)
      .def_property("state", &Stepper::state, &Stepper::set_state)
      .def("measure", [](Stepper& s, const std::string& reference, const std::string& quantity) {
        return copied(s.measure(reference, quantity));
      });
}

}  // namespace filum::python
