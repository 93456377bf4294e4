/// Parts that are written in Python: arrays over like elements, derivatives by differences where none are given. User
/// document: docs/python/parts.md.
#include "own_part.hpp"

#include <filum/lie/groups.hpp>
#include <filum/mechanics/declaration.hpp>
#include <filum/model/assembly.hpp>
#include <filum/scenario/simulation.hpp>
#include <filum/scenario/tables.hpp>
#include <filum/testing/part_checks.hpp>

#include <pybind11/stl.h>

namespace filum::python {
namespace {

using mechanics::ConstraintKind;
using mechanics::NodeMatrix;
using mechanics::RowMatrix;
using mechanics::VectorRef;
using mechanics::VectorXd;

constexpr int most = 4;  ///< nodes per element

struct Abilities {
  bool forces, potential, force_derivatives, constraint, jacobian, curvature, rate;
  bool velocity, time, load, holonomic;
  int rows;
};

class OwnPart final : public mechanics::Part {
 public:
  OwnPart(py::handle part, std::string name, std::vector<std::vector<int>> elements, Abilities can)
      : part_(part), name_(std::move(name)), elements_(std::move(elements)), can_(can) {}
  std::string name() const override { return name_; }

  void declare(mechanics::Declaration& d) override {
    nodes_ = static_cast<int>(elements_.front().size());
    group_ = d.space().group(elements_.front().front());
    dim_ = lie::dim(group_), size_ = lie::size(group_);
    q_at_.clear(), v_at_.clear(), forces_.clear(), constraints_.clear();
    for (const std::vector<int>& element : elements_) {
      for (const int node : element) {
        if (d.space().group(node) != group_)
          throw std::invalid_argument(name_ + ": all nodes of a part must be in the same group");
        q_at_.push_back(d.space().q_offset(node)), v_at_.push_back(d.space().v_offset(node));
      }
      if (can_.forces)
        forces_.push_back(
            d.forces<most>(element, {.velocity = can_.velocity,
                                     .derivatives = can_.force_derivatives ? mechanics::Derivatives::exact
                                                                           : mechanics::Derivatives::differences,
                                     .load = can_.load}));
      if (can_.rows > 0)
        constraints_.push_back(
            d.constraint<most>(can_.holonomic ? ConstraintKind::holonomic : ConstraintKind::nonholonomic, can_.rows,
                               element, {.time = can_.time, .derivatives = mechanics::Derivatives::differences}));
    }
  }

  void add_forces(double t, const VectorXd& q, const VectorXd& v, VectorRef f) const override {
    const py::gil_scoped_acquire lock;
    const DoubleArray numbers =
        call("forces", {elements(), nodes_, dim_}, t, gathered(q, q_at_, size_), gathered(v, v_at_, dim_));
    for (std::size_t k = 0; k < v_at_.size(); ++k)
      f.segment(v_at_[k], dim_) += Eigen::Map<const VectorXd>(numbers.data() + static_cast<int>(k) * dim_, dim_);
  }
  double potential_energy(double t, const VectorXd& q) const override {
    if (!can_.potential) return 0;
    const py::gil_scoped_acquire lock;
    return part_.attr("potential_energy")(t, gathered(q, q_at_, size_)).cast<double>();
  }
  void add_force_derivatives(double t, const VectorXd& q, const VectorXd& v, double scale_q, double scale_v,
                             NodeMatrix& H) const override {
    const py::gil_scoped_acquire lock;
    const auto both =
        part_.attr("force_derivatives")(t, gathered(q, q_at_, size_), gathered(v, v_at_, dim_)).cast<py::tuple>();
    const std::vector<py::ssize_t> shape{elements(), nodes_, dim_, nodes_, dim_};
    const DoubleArray by_q = checked(both[0], shape, "force_derivatives"),
                      by_v = checked(both[1], shape, "force_derivatives");
    const int block = nodes_ * dim_;
    for (int e = 0; e < elements(); ++e)
      for (int i = 0; i < nodes_; ++i)
        for (int j = 0; j < nodes_; ++j) {
          double* out = forces_[static_cast<std::size_t>(e)].blocks()(H, i, j);
          for (int r = 0; r < dim_; ++r)
            for (int c = 0; c < dim_; ++c) {
              const int at = (e * block + i * dim_ + r) * block + j * dim_ + c;
              out[c * dim_ + r] += scale_q * by_q.data()[at] + scale_v * by_v.data()[at];
            }
        }
  }

  void constraint(double t, const VectorXd& q, VectorRef phi) const override {
    const py::gil_scoped_acquire lock;
    put_rows(values(t, gathered(q, q_at_, size_)), phi);
  }
  void constraint_jacobian(double t, const VectorXd& q, RowMatrix& C) const override {
    const py::gil_scoped_acquire lock;
    const std::vector<double> J = jacobian(t, gathered(q, q_at_, size_));
    for (int e = 0; e < elements(); ++e)
      for (int i = 0; i < nodes_; ++i) {
        double* out = constraints_[static_cast<std::size_t>(e)].columns(C, i);
        for (int r = 0; r < can_.rows; ++r)
          for (int c = 0; c < dim_; ++c)
            out[c * can_.rows + r] = J[static_cast<std::size_t>(((e * can_.rows + r) * nodes_ + i) * dim_ + c)];
      }
  }
  void constraint_rate(double t, const VectorXd& q, VectorRef rate) const override {
    const py::gil_scoped_acquire lock;
    put_rows(rates(t, gathered(q, q_at_, size_)), rate);
  }
  void curvature(double t, const VectorXd& q, const VectorXd& v, VectorRef gamma) const override {
    const py::gil_scoped_acquire lock;
    const py::array_t<double> at = gathered(q, q_at_, size_), rate = gathered(v, v_at_, dim_);
    if (can_.curvature) return put_rows(rows_of(call("curvature", {elements(), can_.rows}, t, at, rate)), gamma);
    put_rows(can_.jacobian ? curvature_of_rows(t, at, rate) : curvature_of_values(t, at, rate), gamma);
  }

 private:
  using Rows = std::vector<double>;
  int elements() const { return static_cast<int>(elements_.size()); }

  py::array_t<double> gathered(const VectorXd& x, const std::vector<int>& at, int n) const {
    py::array_t<double> out({elements(), nodes_, n});
    double* to = out.mutable_data();
    for (const int first : at) to = std::copy_n(x.data() + first, n, to);
    return out;
  }
  DoubleArray checked(const py::object& result, const std::vector<py::ssize_t>& shape, const char* what) const {
    const DoubleArray numbers = numbers_of(result, name_ + ": " + what);
    py::ssize_t size = 1;
    std::string text;
    for (const py::ssize_t n : shape) size *= n, text += (text.empty() ? "" : ", ") + std::to_string(n);
    if (numbers.size() != size)
      throw py::value_error(name_ + ": " + what + " returned " + std::to_string(numbers.size()) +
                            " numbers; expected an array of shape (" + text + ")");
    return numbers;
  }
  template <class... X>
  DoubleArray call(const char* what, const std::vector<py::ssize_t>& shape, const X&... x) const {
    return checked(part_.attr(what)(x...), shape, what);
  }
  Rows rows_of(const DoubleArray& a) const { return {a.data(), a.data() + a.size()}; }
  Rows values(double t, const py::array_t<double>& q) const {
    return rows_of(call("constraint", {elements(), can_.rows}, t, q));
  }
  void put_rows(const Rows& rows, VectorRef out) const {
    for (int e = 0; e < elements(); ++e)
      out.segment(constraints_[static_cast<std::size_t>(e)].row(), can_.rows) =
          Eigen::Map<const VectorXd>(rows.data() + e * can_.rows, can_.rows);
  }
  /// q ∘ exp(h w) for all elements, w of one node (slot) or of all.
  py::array_t<double> moved(const py::array_t<double>& q, double h, const double* w, int slot, int component) const {
    py::array_t<double> out(std::vector<py::ssize_t>{elements(), nodes_, size_}, q.data());
    lie::visit(group_, [&](auto tag) {
      using G = typename decltype(tag)::type;
      for (int k = 0; k < elements() * nodes_; ++k) {
        if (slot >= 0 && k % nodes_ != slot) continue;
        typename G::Tangent step = G::Tangent::Zero();
        if (slot >= 0)
          step[component] = h;
        else
          for (int c = 0; c < G::dim; ++c) step[c] = h * w[k * G::dim + c];
        Eigen::Map<typename G::Element> element(out.mutable_data() + k * G::size);
        element = G::compose(typename G::Element(element), G::exp(step)).eval();
      }
    });
    return out;
  }
  /// Fourth order: f'(0) of rows along a curve.
  template <class F>
  static Rows derivative(double h, const F& f) {
    const Rows a = f(h), b = f(-h), c = f(2 * h), d = f(-2 * h);
    Rows out(a.size());
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = (8 * (a[k] - b[k]) - (c[k] - d[k])) / (12 * h);
    return out;
  }
  /// How large positions are: what differences are relative to. Within limits where neither truncation nor rounding
  /// takes more than four of sixteen digits, since what is near the origin need not be small.
  double length(const py::array_t<double>& q) const {
    double largest = 0;
    lie::visit(group_, [&](auto tag) {
      using G = typename decltype(tag)::type;
      for (int k = 0; k < elements() * nodes_; ++k) {
        const Eigen::Map<const typename G::Element> element(q.data() + k * G::size);
        if constexpr (lie::RigidMotion<G>)
          largest = std::max(largest, G::position(typename G::Element(element)).norm());
        else if constexpr (G::dim == G::size)
          largest = std::max(largest, element.norm());
        else
          largest = 1;
      }
    });
    return std::clamp(largest, 1e-2, 1.0);
  }
  /// A time in which nothing moves far: by about 1 in angles and in lengths relative to `length`. At largest 1.
  double duration(const py::array_t<double>& q, const py::array_t<double>& v) const {
    double fastest = 1;
    for (py::ssize_t k = 0; k < v.size(); ++k)
      fastest = std::max(fastest, std::abs(v.data()[k]) / reach(static_cast<int>(k) % dim_, length(q)));
    return 1 / fastest;
  }
  /// The size of a component of a tangent.
  double reach(int component, double length) const {
    const bool is_angle = size_ != dim_ && component < 3;
    return is_angle ? 1 : length;
  }
  Rows jacobian(double t, const py::array_t<double>& q) const {
    if (can_.jacobian) return rows_of(call("constraint_jacobian", {elements(), can_.rows, nodes_, dim_}, t, q));
    Rows J(static_cast<std::size_t>(elements() * can_.rows * nodes_ * dim_));
    const double size = length(q);
    for (int i = 0; i < nodes_; ++i)
      for (int c = 0; c < dim_; ++c) {
        const Rows column =
            derivative(1e-3 * reach(c, size), [&](double h) { return values(t, moved(q, h, nullptr, i, c)); });
        for (std::size_t r = 0; r < column.size(); ++r)
          J[(r * static_cast<std::size_t>(nodes_) + static_cast<std::size_t>(i)) * static_cast<std::size_t>(dim_) +
            static_cast<std::size_t>(c)] = column[r];
      }
    return J;
  }
  Rows rates(double t, const py::array_t<double>& q) const {
    if (can_.rate) return rows_of(call("constraint_rate", {elements(), can_.rows}, t, q));
    if (!can_.time) return Rows(static_cast<std::size_t>(elements() * can_.rows), 0.0);
    return derivative(1e-3, [&](double h) { return values(t + h, q); });
  }
  Rows curvature_of_rows(double t, const py::array_t<double>& q, const py::array_t<double>& v) const {
    const int n = nodes_ * dim_;
    return derivative(1e-3 * duration(q, v), [&](double h) {
      const py::array_t<double> there = moved(q, h, v.data(), -1, 0);
      const Rows J = jacobian(t + h, there);
      Rows out = rates(t + h, there);
      for (std::size_t r = 0; r < out.size(); ++r) {
        const int e = static_cast<int>(r) / can_.rows;
        for (int c = 0; c < n; ++c)
          out[r] += J[r * static_cast<std::size_t>(n) + static_cast<std::size_t>(c)] * v.data()[e * n + c];
      }
      return out;
    });
  }
  Rows curvature_of_values(double t, const py::array_t<double>& q, const py::array_t<double>& v) const {
    const double h = 4e-3 * duration(q, v);
    const auto at = [&](double x) { return values(t + x, moved(q, x, v.data(), -1, 0)); };
    const Rows a = at(h), b = at(-h), c = at(2 * h), d = at(-2 * h), m = at(0);
    Rows out(m.size());
    for (std::size_t k = 0; k < out.size(); ++k)
      out[k] = (16 * (a[k] + b[k]) - (c[k] + d[k]) - 30 * m[k]) / (12 * h * h);
    return out;
  }

  py::handle part_;  ///< borrowed, as functions are
  std::string name_;
  std::vector<std::vector<int>> elements_;
  Abilities can_;
  lie::GroupId group_ = lie::GroupId::R3;
  int nodes_ = 1, dim_ = 3, size_ = 3;
  std::vector<int> q_at_, v_at_;
  std::vector<mechanics::Force<most>> forces_;
  std::vector<mechanics::Constraint<Eigen::Dynamic, most>> constraints_;
};

class OwnPartObject final : public model::Object {
 public:
  OwnPartObject(py::handle part, std::vector<std::vector<model::Point>> on, Abilities can)
      : part_(part), on_(std::move(on)), can_(can) {}
  std::string_view kind() const override { return "part"; }
  std::vector<std::pair<std::string, model::Point>> points() const override {
    std::vector<std::pair<std::string, model::Point>> all;
    for (const auto& element : on_)
      for (const model::Point& p : element) all.emplace_back("on", p);
    return all;
  }
  void plan(model::Plan& plan) const override {
    for (const auto& entry : points()) plan.need_node(entry.second);
  }
  void add_parts(model::Assembly& a) override {
    std::vector<std::vector<int>> elements;
    for (const auto& element : on_) {
      elements.emplace_back();
      for (const model::Point& p : element) {
        const parts::Marker marker = a.marker(p);
        if (marker.node == parts::ground)
          throw model::OptionError("on", "a part acts on nodes of objects, not on the ground");
        elements.back().push_back(marker.node);
      }
    }
    a.system().add_part(std::make_shared<OwnPart>(part_, name(), std::move(elements), can_));
  }
  std::string description() const override { return std::to_string(on_.size()) + " elements, written in Python"; }

 private:
  py::handle part_;  ///< borrowed, as functions are
  std::vector<std::vector<model::Point>> on_;
  Abilities can_;
};

bool overrides(const py::object& part, const char* method) {
  const py::object base = py::module_::import("filum").attr("Part");
  return !py::type::of(part).attr(method).is(base.attr(method)) || part.attr("__dict__").contains(method);
}

/// Forgetting something does not start.
void check(const Abilities& can, const std::string& what) {
  const auto refuse = [&](const char* text) { throw py::value_error(what + ": " + text); };
  if (can.rows < 0) refuse("rows: expected the number of constraints per element");
  if (can.constraint && can.rows == 0) refuse("rows is 0: say how many constraints per element there are");
  if (!can.forces && can.rows == 0) refuse("give forces(t, q, v), or rows and constraint(t, q)");
  if (can.rows > 0 && can.holonomic && !can.constraint) refuse("rows > 0 needs constraint(t, q)");
  if (can.rows > 0 && !can.holonomic && !can.jacobian)
    refuse("constraints on velocities need constraint_jacobian(t, q)");
  if (can.rows > 0 && !can.holonomic && can.time && !can.rate)
    refuse("constraints on velocities that depend on time need constraint_rate(t, q)");
}

Abilities abilities_of(const py::object& part) {
  const auto flag = [&](const char* name) { return part.attr(name).cast<bool>(); };
  return {.forces = overrides(part, "forces"),
          .potential = overrides(part, "potential_energy"),
          .force_derivatives = overrides(part, "force_derivatives"),
          .constraint = overrides(part, "constraint"),
          .jacobian = overrides(part, "constraint_jacobian"),
          .curvature = overrides(part, "curvature"),
          .rate = overrides(part, "constraint_rate"),
          .velocity = flag("velocity"),
          .time = flag("time"),
          .load = flag("load"),
          .holonomic = flag("holonomic"),
          .rows = part.attr("rows").cast<int>()};
}

}  // namespace

void add_own_part(scenario::Scenario& s, const py::object& part) {
  std::vector<std::vector<model::Point>> on;
  for (const auto& element : part.attr("_elements_")()) {
    on.emplace_back();
    for (const auto& reference : element) on.back().push_back(scenario::find_point(s, py::str(reference)));
    if (on.back().empty() || on.back().size() > most || on.back().size() != on.front().size())
      throw py::value_error("on: expected lists of one to " + std::to_string(most) + " points, all equally long");
  }
  if (on.empty()) throw py::value_error("on: a part acts on points of objects; none are given");
  const Abilities can = abilities_of(part);
  check(can, py::str(py::type::of(part).attr("__name__")));
  s.model.add_object(std::make_unique<OwnPartObject>(part, std::move(on), can), part.attr("name").cast<std::string>());
}

void bind_part(py::module_& m) {
  m.def("check_system", [](scenario::Scenario& s, int seed, double tolerance, bool potential) {
    const model::BuiltModel& built = scenario::build(s);
    const mechanics::System& system = built.system();
    mechanics::State x = checks::random_state(system, static_cast<std::uint64_t>(seed));
    checks::CheckReport report = checks::check_force_derivatives(system, x, tolerance);
    report += checks::check_constraints(system, x, tolerance);
    if (potential) report += checks::check_potential(system, x, tolerance);
    return report.text;
  });
}

}  // namespace filum::python
