/// Values of Python as values of files. User document: docs/python/README.md.
#include "convert.hpp"

#include <array>
#include <limits>

namespace filum::python {
namespace {

using config::List;
using config::Node;
using config::Table;

Node node(Node::Value value) { return {std::move(value), nullptr, 0, 0}; }

std::string type_of(const py::handle& value) { return py::str(py::type::handle_of(value).attr("__name__")); }

Node table_node(const py::dict& dict, const std::string& key, py::list& held) {
  Table table;
  for (const auto& [name, value] : dict) {
    if (value.is_none()) continue;
    const std::string inner = py::str(name);
    table.set(inner, to_node(value, key + "." + inner, held), {});
  }
  return node(std::move(table));
}

Node list_node(const py::handle& sequence, const std::string& key, py::list& held) {
  List list;
  std::size_t i = 0;
  for (const auto& value : sequence) list.push_back(to_node(value, key + "[" + std::to_string(i++) + "]", held));
  return node(std::move(list));
}

/// Numbers that a function returned, exactly as many as are wanted.
void take_numbers(const py::object& result, std::span<double> out, const std::string& name) {
  if (result.is_none())
    throw py::type_error("the function " + name + " returned None; expected " + std::to_string(out.size()) +
                         (out.size() == 1 ? " number" : " numbers"));
  if (out.size() == 1 && PyFloat_Check(result.ptr())) {
    out[0] = PyFloat_AS_DOUBLE(result.ptr());
    return;
  }
  const bool is_sequence = PyTuple_Check(result.ptr()) || PyList_Check(result.ptr());
  if (is_sequence && static_cast<std::size_t>(PySequence_Fast_GET_SIZE(result.ptr())) == out.size()) {
    PyObject** items = PySequence_Fast_ITEMS(result.ptr());
    bool plain = true;
    for (std::size_t i = 0; i < out.size() && plain; ++i) {
      out[i] = PyFloat_AsDouble(items[i]);
      if (out[i] == -1.0 && PyErr_Occurred()) PyErr_Clear(), plain = false;
    }
    if (plain) return;
  }
  const DoubleArray numbers = numbers_of(result, "the function " + name);
  if (static_cast<std::size_t>(numbers.size()) != out.size())
    throw py::value_error("the function " + name + " returned " + std::to_string(numbers.size()) +
                          " numbers; expected " + std::to_string(out.size()));
  std::copy(numbers.data(), numbers.data() + numbers.size(), out.begin());
}

/// Of a function for many points: a row per point, or one that holds for all.
void take_rows(const py::object& result, std::size_t points, std::span<double> out, const std::string& name) {
  const DoubleArray numbers = numbers_of(result, "the function " + name);
  const std::size_t given = static_cast<std::size_t>(numbers.size()), row = out.size() / points;
  if (given != out.size() && given != row)
    throw py::value_error("the function " + name + " returned " + std::to_string(given) +
                          " numbers; expected an array of shape (" + std::to_string(points) + ", " +
                          std::to_string(row) + ")");
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = numbers.data()[k % given];
}

/// A function that is kept alive elsewhere.
class Function {
 public:
  Function(const py::object& f, const config::Callable& c)
      : f_(f.ptr()), name_(c.name), takes_many_(c.takes_many), is_time_(c.arguments.size()) {
    for (std::size_t i = 0; i < is_time_.size(); ++i) is_time_[i] = c.arguments[i] == "t";
  }

  void operator()(std::size_t points, std::span<const config::CallArgument> arguments, std::span<double> out) const {
    const py::gil_scoped_acquire lock;
    std::array<PyObject*, config::BoundCallable::most_arguments + 1> storage{};
    std::array<py::object, config::BoundCallable::most_arguments> owners;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      owners[i] = takes_many_ && !is_time_[i] ? rows_of(points, arguments[i]) : one_of(arguments[i]);
      storage[i + 1] = owners[i].ptr();
    }
    const auto result = py::reinterpret_steal<py::object>(
        PyObject_Vectorcall(f_, storage.data() + 1, arguments.size() | PY_VECTORCALL_ARGUMENTS_OFFSET, nullptr));
    if (!result) throw py::error_already_set();
    takes_many_ ? take_rows(result, points, out, name_) : take_numbers(result, out, name_);
  }

 private:
  static py::object one_of(const config::CallArgument& a) {
    if (a.size == 1) return py::reinterpret_steal<py::object>(PyFloat_FromDouble(*a.at));
    return py::array_t<double>(static_cast<py::ssize_t>(a.size), a.at);
  }
  /// (points) for a number, (points, size) for a vector.
  static py::object rows_of(std::size_t points, const config::CallArgument& a) {
    std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(points)};
    if (a.size > 1) shape.push_back(static_cast<py::ssize_t>(a.size));
    py::array_t<double> array(shape);
    double* to = array.mutable_data();
    for (std::size_t k = 0; k < points; ++k) to = std::copy_n(a.at + k * a.stride, a.size, to);
    return array;
  }

  PyObject* f_;
  std::string name_;
  bool takes_many_;
  std::vector<bool> is_time_;  ///< arguments that all points have in common
};

}  // namespace

std::shared_ptr<const config::Callable> to_callable(const py::object& given, py::list& held) {
  const py::object inspect = py::module_::import("inspect");
  config::Callable callable;
  const auto is_marked = [&](const char* mark) { return py::hasattr(given, mark); };
  callable.takes_many = is_marked("_takes_many_");
  callable.returns_rates = is_marked("_returns_rates_");
  const py::object function = callable.takes_many || callable.returns_rates ? given.attr("function") : given;
  callable.name = py::str(py::getattr(function, "__name__", py::type::handle_of(function).attr("__name__")));
  const py::object any_number = inspect.attr("Parameter").attr("VAR_POSITIONAL");
  const py::object named = inspect.attr("Parameter").attr("VAR_KEYWORD");
  const py::object keyword = inspect.attr("Parameter").attr("KEYWORD_ONLY");
  for (const auto& item : inspect.attr("signature")(function).attr("parameters").attr("values")()) {
    const py::object kind = item.attr("kind");
    if (kind.equal(any_number) || kind.equal(named) || kind.equal(keyword)) continue;
    if (!item.attr("default").is(inspect.attr("Parameter").attr("empty"))) continue;
    callable.arguments.push_back(py::str(item.attr("name")));
  }
  held.append(function);
  auto holder = std::make_shared<const Function>(function, callable);
  callable.call = [holder](std::size_t points, std::span<const config::CallArgument> arguments, std::span<double> out) {
    (*holder)(points, arguments, out);
  };
  return std::make_shared<const config::Callable>(std::move(callable));
}

Node to_node(const py::handle& value, const std::string& key, py::list& held) {
  if (py::isinstance<py::bool_>(value)) return node(value.cast<bool>());
  if (py::isinstance<py::int_>(value)) {
    try {
      return node(value.cast<std::int64_t>());
    } catch (const py::cast_error&) {
      return node(value.cast<double>());
    }
  }
  if (py::isinstance<py::float_>(value)) return node(value.cast<double>());
  if (py::isinstance<py::str>(value)) return node(value.cast<std::string>());
  if (py::hasattr(value, "_reference_")) return node(py::str(value.attr("_reference_")).cast<std::string>());
  if (py::hasattr(value, "_table_")) return table_node(py::dict(value.attr("_table_")()), key, held);
  if (py::isinstance<py::dict>(value)) return table_node(py::reinterpret_borrow<py::dict>(value), key, held);
  if (py::isinstance<py::array>(value) || py::hasattr(value, "tolist"))
    return to_node(value.attr("tolist")(), key, held);
  if (PyCallable_Check(value.ptr())) return node(to_callable(py::reinterpret_borrow<py::object>(value), held));
  if (py::hasattr(value, "__iter__")) return list_node(value, key, held);
  if (py::hasattr(value, "__float__")) return node(value.attr("__float__")().cast<double>());
  throw py::type_error(key + ": a model cannot hold a value of type " + type_of(value));
}

py::array view(const double* data, const std::vector<py::ssize_t>& shape, const std::shared_ptr<const void>& owner) {
  const py::capsule base(new std::shared_ptr<const void>(owner),
                         [](void* p) { delete static_cast<std::shared_ptr<const void>*>(p); });
  py::array_t<double> array(shape, data, base);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

DoubleArray numbers_of(const py::object& result, const std::string& who) {
  try {
    return DoubleArray(result);
  } catch (py::error_already_set& error) {
    const bool is_error = error.matches(PyExc_Exception);  // a KeyboardInterrupt is none
    if (!is_error) throw;
    py::raise_from(error, PyExc_TypeError, (who + " returned '" + type_of(result) + "'; expected numbers").c_str());
    throw py::error_already_set();
  }
}

py::array copied(const Eigen::VectorXd& x) { return py::array_t<double>(x.size(), x.data()); }

Eigen::VectorXd vector_of(const DoubleArray& x, const char* what, Eigen::Index size) {
  if (x.ndim() != 1 || x.size() != size)
    throw py::value_error(std::string(what) + ": expected " + std::to_string(size) + " numbers, found " +
                          std::to_string(x.size()));
  return Eigen::Map<const Eigen::VectorXd>(x.data(), x.size());
}

}  // namespace filum::python
