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

Node table_node(const py::dict& dict, const std::string& key) {
  Table table;
  for (const auto& [name, value] : dict) {
    if (value.is_none()) continue;
    const std::string inner = py::str(name);
    table.set(inner, to_node(value, key + "." + inner), {});
  }
  return node(std::move(table));
}

Node list_node(const py::handle& sequence, const std::string& key) {
  List list;
  std::size_t i = 0;
  for (const auto& value : sequence) list.push_back(to_node(value, key + "[" + std::to_string(i++) + "]"));
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
  const DoubleArray numbers = DoubleArray::ensure(result);
  if (!numbers) throw py::error_already_set();
  if (static_cast<std::size_t>(numbers.size()) != out.size())
    throw py::value_error("the function " + name + " returned " + std::to_string(numbers.size()) +
                          " numbers; expected " + std::to_string(out.size()));
  std::copy(numbers.data(), numbers.data() + numbers.size(), out.begin());
}

/// Holds a function for threads that do not hold the interpreter.
class Function {
 public:
  explicit Function(py::object f, std::string name) : f_(f.release().ptr()), name_(std::move(name)) {}
  Function(const Function&) = delete;
  Function& operator=(const Function&) = delete;
  ~Function() {
    if (!Py_IsInitialized()) return;
    const py::gil_scoped_acquire lock;
    Py_XDECREF(f_);
  }

  void operator()(std::span<const config::CallArgument> arguments, std::span<double> out) const {
    const py::gil_scoped_acquire lock;
    std::array<PyObject*, config::BoundCallable::most_arguments + 1> storage{};
    std::array<py::object, config::BoundCallable::most_arguments> owners;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const config::CallArgument& a = arguments[i];
      owners[i] = a.size == 1 ? py::reinterpret_steal<py::object>(PyFloat_FromDouble(*a.at))
                              : py::object(py::array_t<double>(static_cast<py::ssize_t>(a.size), a.at));
      storage[i + 1] = owners[i].ptr();
    }
    const auto result = py::reinterpret_steal<py::object>(
        PyObject_Vectorcall(f_, storage.data() + 1, arguments.size() | PY_VECTORCALL_ARGUMENTS_OFFSET, nullptr));
    if (!result) throw py::error_already_set();
    take_numbers(result, out, name_);
  }

 private:
  PyObject* f_;
  std::string name_;
};

}  // namespace

std::shared_ptr<const config::Callable> to_callable(const py::object& function) {
  const py::object inspect = py::module_::import("inspect");
  config::Callable callable;
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
  auto holder = std::make_shared<const Function>(function, callable.name);
  callable.call = [holder](std::span<const config::CallArgument> arguments, std::span<double> out) {
    (*holder)(arguments, out);
  };
  return std::make_shared<const config::Callable>(std::move(callable));
}

Node to_node(const py::handle& value, const std::string& key) {
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
  if (py::hasattr(value, "_table_")) return table_node(py::dict(value.attr("_table_")()), key);
  if (py::isinstance<py::dict>(value)) return table_node(py::reinterpret_borrow<py::dict>(value), key);
  if (py::isinstance<py::array>(value) || py::hasattr(value, "tolist")) return to_node(value.attr("tolist")(), key);
  if (PyCallable_Check(value.ptr())) return node(to_callable(py::reinterpret_borrow<py::object>(value)));
  if (py::hasattr(value, "__iter__")) return list_node(value, key);
  if (py::hasattr(value, "__float__")) return node(value.attr("__float__")().cast<double>());
  throw py::type_error(key + ": a value of type " + type_of(value) + " is none that a model can have");
}

py::array view(const double* data, const std::vector<py::ssize_t>& shape, const std::shared_ptr<const void>& owner) {
  const py::capsule base(new std::shared_ptr<const void>(owner),
                         [](void* p) { delete static_cast<std::shared_ptr<const void>*>(p); });
  py::array_t<double> array(shape, data, base);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

py::array copied(const Eigen::VectorXd& x) { return py::array_t<double>(x.size(), x.data()); }

Eigen::VectorXd vector_of(const DoubleArray& x, const char* what, Eigen::Index size) {
  if (x.ndim() != 1 || x.size() != size)
    throw py::value_error(std::string(what) + ": expected " + std::to_string(size) + " numbers, found " +
                          std::to_string(x.size()));
  return Eigen::Map<const Eigen::VectorXd>(x.data(), x.size());
}

}  // namespace filum::python
