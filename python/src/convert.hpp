/// Values of Python as values of files: numbers, texts, lists, tables, and functions. User document:
/// docs/python/README.md.
#pragma once

#include <filum/config/document.hpp>
#include <filum/mechanics/state.hpp>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <optional>
#include <string>

namespace filum::python {

namespace py = pybind11;
using DoubleArray = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// A tree of what dict, list, tuple, numpy.ndarray, str, bool and numbers hold. Functions become config::Callable,
/// points of objects the text that files call them by. Throws TypeError, naming the key, for everything else.
///
/// Functions are borrowed: they are appended to `held`, and who has the list keeps them alive for as long as models
/// call them. References from here would be hidden from the garbage collector, and functions that know their model are
/// common.
config::Node to_node(const py::handle& value, const std::string& key, py::list& held);

/// The function with the names of its parameters as arguments; those with defaults are left alone. Marks of
/// filum.vectorized and filum.with_rates are understood.
std::shared_ptr<const config::Callable> to_callable(const py::object& given, py::list& held);

/// Numbers that belong to `owner`, seen without a copy and not to be written.
py::array view(const double* data, const std::vector<py::ssize_t>& shape, const std::shared_ptr<const void>& owner);
/// What a function of the user's returned, as NumPy understands it; a TypeError that names the function if it does not.
DoubleArray numbers_of(const py::object& result, const std::string& who);
/// A copy.
py::array copied(const Eigen::VectorXd& x);
Eigen::VectorXd vector_of(const DoubleArray& x, const char* what, Eigen::Index size);

// What the module consists of, a file each.
void bind_document(py::module_& m);
void bind_run(py::module_& m);
void bind_stepping(py::module_& m);
void bind_lie(py::module_& m);
void bind_part(py::module_& m);

}  // namespace filum::python
