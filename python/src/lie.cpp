/// Lie groups for Python, over arrays of elements and tangents. Theory: docs/theory/groups.md.
#include "convert.hpp"

#include <filum/lie/groups.hpp>

namespace filum::python {
namespace {

/// How values of a type lie in an array: vectors as one index, matrices as two, rows first.
template <class T>
struct Layout {
  static constexpr int rows = T::RowsAtCompileTime, columns = T::ColsAtCompileTime, size = rows * columns;
  using RowMajor = Eigen::Matrix<double, rows, columns, columns == 1 ? Eigen::ColMajor : Eigen::RowMajor>;
  static T read(const double* at) { return Eigen::Map<const RowMajor>(at); }
  static void write(const T& value, double* at) {
    Eigen::Map<RowMajor> out(at);
    out = value;
  }
  /// A 1 x 1 matrix is told from a vector by who uses it.
  static void append_shape(std::vector<py::ssize_t>& shape, bool is_matrix = columns > 1) {
    shape.push_back(rows);
    if (is_matrix) shape.push_back(columns);
  }
};

/// The indices before those of one value. Throws ValueError when the last ones are not those of T.
template <class T>
std::vector<py::ssize_t> outer_shape(const DoubleArray& x, const char* what) {
  std::vector<py::ssize_t> inner;
  Layout<T>::append_shape(inner);
  const auto n = static_cast<py::ssize_t>(inner.size());
  bool fits = x.ndim() >= n;
  for (py::ssize_t k = 0; fits && k < n; ++k) fits = x.shape(x.ndim() - n + k) == inner[static_cast<std::size_t>(k)];
  if (!fits) {
    std::string shape;
    for (const py::ssize_t k : inner) shape += ", " + std::to_string(k);
    throw py::value_error(std::string(what) + ": expected an array of shape (..." + shape + ")");
  }
  std::vector<py::ssize_t> outer;
  for (py::ssize_t k = 0; k < x.ndim() - n; ++k) outer.push_back(x.shape(k));
  return outer;
}

py::ssize_t count(const std::vector<py::ssize_t>& shape) {
  py::ssize_t n = 1;
  for (const py::ssize_t k : shape) n *= k;
  return n;
}

template <class In, class Out, class F>
auto over(F f, const char* what, bool is_matrix = Layout<Out>::columns > 1) {
  return [f, what, is_matrix](const DoubleArray& x) -> py::array {
    std::vector<py::ssize_t> shape = outer_shape<In>(x, what);
    const py::ssize_t n = count(shape);
    Layout<Out>::append_shape(shape, is_matrix);
    py::array_t<double> out(shape);
    for (py::ssize_t i = 0; i < n; ++i)
      Layout<Out>::write(f(Layout<In>::read(x.data() + i * Layout<In>::size)),
                         out.mutable_data() + i * Layout<Out>::size);
    return out;
  };
}

/// Of two arrays with as many values each, or one value for all of the other.
template <class A, class B, class Out, class F>
auto over2(F f, const char* first, const char* second, bool is_matrix = Layout<Out>::columns > 1) {
  return [f, first, second, is_matrix](const DoubleArray& x, const DoubleArray& y) -> py::array {
    std::vector<py::ssize_t> a = outer_shape<A>(x, first), b = outer_shape<B>(y, second);
    const py::ssize_t m = count(a), n = count(b);
    if (a != b && m != 1 && n != 1)
      throw py::value_error(std::string(first) + " and " + second + " have different numbers of values");
    std::vector<py::ssize_t> shape = a.empty() || (m == 1 && n != 1) ? b : a;
    const py::ssize_t total = count(shape);
    Layout<Out>::append_shape(shape, is_matrix);
    py::array_t<double> out(shape);
    for (py::ssize_t i = 0; i < total; ++i)
      Layout<Out>::write(f(Layout<A>::read(x.data() + (m == 1 ? 0 : i) * Layout<A>::size),
                           Layout<B>::read(y.data() + (n == 1 ? 0 : i) * Layout<B>::size)),
                         out.mutable_data() + i * Layout<Out>::size);
    return out;
  };
}

template <class G>
struct Group {};

template <class G>
void bind_group(py::module_& m) {
  using E = typename G::Element;
  using V = typename G::Tangent;
  using J = typename G::Jacobian;
  const std::string name(G::name);
  py::class_<Group<G>> c(m, name.c_str());
  c.attr("name") = name;
  c.attr("dim") = static_cast<int>(G::dim);
  c.attr("size") = static_cast<int>(G::size);
  c.def_static("identity", [] {
    std::vector<py::ssize_t> shape;
    Layout<E>::append_shape(shape);
    py::array_t<double> out(shape);
    Layout<E>::write(G::identity(), out.mutable_data());
    return out;
  });
  const auto q = py::arg("q"), p = py::arg("p"), v = py::arg("v"), w = py::arg("w");
  c.def_static("inverse", over<E, E>([](const E& x) { return G::inverse(x); }, "q"), q);
  c.def_static("exp", over<V, E>([](const V& x) { return G::exp(x); }, "v"), v);
  c.def_static("log", over<E, V>([](const E& x) { return G::log(x); }, "q"), q);
  c.def_static("hat", over<V, J>([](const V& x) { return G::hat(x); }, "v", true), v);
  c.def_static("Ad", over<E, J>([](const E& x) { return G::Ad(x); }, "q", true), q);
  c.def_static("tangent_op", over<V, J>([](const V& x) { return G::tangent_op(x); }, "v", true), v);
  c.def_static("tangent_op_inv", over<V, J>([](const V& x) { return G::tangent_op_inv(x); }, "v", true), v);
  c.def_static("compose", over2<E, E, E>([](const E& x, const E& y) { return G::compose(x, y); }, "p", "q"), p, q);
  const auto vectors = [&](const char* function, V (*f)(const V&, const V&)) {
    c.def_static(function, over2<V, V, V>(f, "v", "w"), v, w);
  };
  const auto matrices = [&](const char* function, J (*f)(const V&, const V&)) {
    c.def_static(function, over2<V, V, J>(f, "v", "w", true), v, w);
  };
  vectors("bracket", [](const V& x, const V& y) -> V { return G::bracket(x, y); });
  vectors("bracket_T", [](const V& x, const V& y) -> V { return G::bracket_T(x, y); });
  vectors("tangent_op_times", [](const V& x, const V& y) -> V { return G::tangent_op_times(x, y); });
  vectors("tangent_op_T_times", [](const V& x, const V& y) -> V { return G::tangent_op_T_times(x, y); });
  vectors("tangent_op_inv_times", [](const V& x, const V& y) -> V { return G::tangent_op_inv_times(x, y); });
  vectors("tangent_op_inv_T_times", [](const V& x, const V& y) -> V { return G::tangent_op_inv_T_times(x, y); });
  matrices("d_tangent_op_inv_times", [](const V& x, const V& y) -> J { return G::d_tangent_op_inv_times(x, y); });
  matrices("d_tangent_op_inv_T_times", [](const V& x, const V& y) -> J { return G::d_tangent_op_inv_T_times(x, y); });
  if constexpr (lie::RigidMotion<G>) {
    using M = Eigen::Matrix3d;
    using P = Eigen::Vector4d;
    using X = Eigen::Vector3d;
    c.def_static("rotation", over<E, M>([](const E& x) { return G::rotation(x); }, "q"), q);
    c.def_static("quaternion", over<E, P>([](const E& x) { return G::quaternion(x); }, "q"), q);
    c.def_static("position", over<E, X>([](const E& x) { return G::position(x); }, "q"), q);
    c.def_static("from_pose", over2<P, X, E>([](const P& x, const X& y) { return G::from_pose(x, y); }, "p", "x"), p,
                 py::arg("x"));
    c.def_static("act", over2<E, X, X>([](const E& x, const X& y) { return G::act(x, y); }, "q", "X"), q, py::arg("X"));
  }
}

}  // namespace

void bind_lie(py::module_& m) {
  py::module_ groups = m.def_submodule("lie");
  for (int id = 0; id <= static_cast<int>(lie::GroupId::UDQ); ++id)
    lie::visit(static_cast<lie::GroupId>(id), [&](auto tag) { bind_group<typename decltype(tag)::type>(groups); });
}

}  // namespace filum::python
