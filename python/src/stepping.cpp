/// Stepping by hand, and states that can be copied, saved and set. User document: docs/python/README.md, "Stepping".
#include "scenario.hpp"
#include "watching.hpp"

#include <filum/integrate/run.hpp>
#include <filum/mechanics/acceleration_solver.hpp>
#include <filum/scenario/simulation.hpp>
#include <filum/scenario/tables.hpp>

#include <pybind11/stl.h>

namespace filum::python {
namespace {

using integrate::StepReport;

/// A built model with a method, between two steps.
class Stepper {
 public:
  explicit Stepper(std::shared_ptr<scenario::Scenario> s)
      : scenario_(std::move(s)),
        built_(scenario::build(*scenario_)),
        method_(integrate::make_integrator(scenario_->complete_method(), built_.system(), built_.rows())),
        h_(scenario_->time.step),
        x_(built_.start()),
        controllers_(built_) {
    if (scenario_->chooses)
      throw py::value_error("stepping by hand needs a step: give step=..., and a method if you like");
    if (controllers_.empty())
      method_->start(x_, h_);
    else
      begin();
  }
  const model::BuiltModel& built() const { return built_; }
  double time() const { return x_.t; }
  double step_size() const { return h_; }

  /// One step of the given size, or of the size that the method is at. A step that fails is halved. Controllers sample
  /// at the end of the step that reaches the time of a sample.
  void step(double size) {
    if (controllers_.empty()) {
      const py::gil_scoped_release unlocked;
      return advance(size);
    }
    controllers_.restore(held_);
    {
      const py::gil_scoped_release unlocked;
      advance(size);
    }
    if (controllers_.are_due(x_.t)) {
      method_->complete(x_);
      controllers_.sample(x_);
      complete_anew();
      method_->restart(x_, h_);
      is_complete_ = true;
    }
    held_ = controllers_.memory();
  }

  /// With accelerations and multipliers of this time.
  MethodState state() {
    MethodState s;
    if (!is_complete_) method_->complete(x_);
    is_complete_ = true;
    s.x = x_;
    method_->save(s.memory);
    s.held = held_;
    return s;
  }
  /// Continues bit for bit from a state of the same method; from any other the method starts anew.
  void set_state(const MethodState& s) {
    const auto check = [](const Eigen::VectorXd& given, const Eigen::VectorXd& own, const char* what) {
      if (given.size() != own.size())
        throw py::value_error(std::string("the state has ") + std::to_string(given.size()) + " numbers in " + what +
                              ", the model " + std::to_string(own.size()));
    };
    check(s.x.q, x_.q, "q"), check(s.x.v, x_.v, "v"), check(s.x.a, x_.a, "a"), check(s.x.lambda, x_.lambda, "lambda");
    x_ = s.x;
    if (s.memory.empty()) return begin();
    if (!controllers_.empty()) controllers_.restore(s.held);
    held_ = s.held;
    method_->restore(s.memory);
    is_complete_ = true;
  }
  Eigen::VectorXd measure(const std::string& reference, const std::string& quantity) {
    return built_.measure(scenario::find_point(*scenario_, reference), quantity, state().x);
  }
  double energy() const {
    return built_.system().kinetic_energy(x_.q, x_.v) + built_.system().potential_energy(x_.t, x_.q);
  }

 private:
  static constexpr int most_cuts = 10;
  void begin() {
    controllers_.begin(x_);
    held_ = controllers_.memory();
    complete_anew();
    method_->start(x_, h_);
    is_complete_ = true;
  }
  /// Accelerations and multipliers of forces that have changed; without an inverse of M they stay as they are.
  void complete_anew() {
    if (!index_1_) index_1_.emplace(built_.system(), built_.rows());
    State x = x_;
    if (index_1_->solve(x).ok && x.a.allFinite()) x_ = x;
  }
  void advance(double size) {
    const double wanted = size > 0 ? size : h_, end = x_.t + wanted;
    double h = wanted;
    StepReport report;
    for (int cut = 0; cut <= most_cuts;) {
      report = method_->step(x_, h);
      if (report.accepted()) {
        is_complete_ = false;
        if (method_->capabilities().adaptive && !(size > 0)) return accept(report);
        if (!(end - x_.t > 1e-12 * wanted)) return;
        h = std::min(h, end - x_.t);
        continue;
      }
      h = method_->capabilities().adaptive && report.next_step > 0 && report.next_step < h ? report.next_step : h / 2;
      ++cut;
    }
    integrate::Stop why{std::string(method_->name()), x_, h, report, {}};
    throw integrate::IntegrationStopped(built_.system(), std::move(why));
  }

  void accept(const StepReport& report) {
    if (report.next_step > 0) h_ = report.next_step;
  }

  std::shared_ptr<scenario::Scenario> scenario_;
  model::BuiltModel built_;
  std::unique_ptr<integrate::Integrator> method_;
  double h_;
  State x_;
  std::optional<mechanics::AccelerationSolver> index_1_;
  Controllers controllers_;
  py::object held_ = py::none();  ///< what controllers remember of this simulation
  bool is_complete_ = true;
};

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
                                  s.held);
          },
          [](const py::tuple& t) { return restored(t); }))
      .def("__repr__", [](const MethodState& s) {
        return "<filum.State t=" + std::to_string(s.x.t) + ", " + std::to_string(s.x.v.size()) + " velocities>";
      });
  py::class_<Stepper>(m, "Stepper")
      .def(py::init<std::shared_ptr<scenario::Scenario>>())
      .def("step", &Stepper::step)
      .def_property_readonly("time", &Stepper::time)
      .def_property_readonly("step_size", &Stepper::step_size)
      .def_property_readonly("energy", &Stepper::energy)
      .def_property("state", &Stepper::state, &Stepper::set_state)
      .def("measure", [](Stepper& s, const std::string& reference, const std::string& quantity) {
        return copied(s.measure(reference, quantity));
      });
}

}  // namespace filum::python
