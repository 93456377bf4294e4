/// The linear groups Rⁿ under addition. Theory: docs/theory/groups.md, sec. 2.
#pragma once

#include <Eigen/Core>

#include <string_view>

namespace filum::lie {

template <int n>
struct Rn {
  static_assert(n >= 1 && n <= 9, "names are one digit; larger spaces are products");
  static constexpr char name_storage[] = {'R', static_cast<char>('0' + n), '\0'};
  static constexpr std::string_view name = name_storage;
  static constexpr int dim = n;
  static constexpr int size = n;
  using Element = Eigen::Matrix<double, n, 1>;
  using Tangent = Eigen::Matrix<double, n, 1>;
  using Jacobian = Eigen::Matrix<double, n, n>;

  static Element identity() { return Element::Zero(); }
  static Element compose(const Element& x, const Element& y) { return x + y; }
  static Element inverse(const Element& x) { return -x; }
  static Element act(const Element& x, const Element& X) { return x + X; }
  static Element exp(const Tangent& v) { return v; }
  static Tangent log(const Element& x) { return x; }

  static Tangent bracket(const Tangent&, const Tangent&) { return Tangent::Zero(); }
  static Tangent bracket_T(const Tangent&, const Tangent&) { return Tangent::Zero(); }
  static Jacobian hat(const Tangent&) { return Jacobian::Zero(); }
  static Jacobian Ad(const Element&) { return Jacobian::Identity(); }

  static Jacobian tangent_op(const Tangent&) { return Jacobian::Identity(); }
  static Jacobian tangent_op_inv(const Tangent&) { return Jacobian::Identity(); }
  static Tangent tangent_op_times(const Tangent&, const Tangent& w) { return w; }
  static Tangent tangent_op_T_times(const Tangent&, const Tangent& w) { return w; }
  static Tangent tangent_op_inv_times(const Tangent&, const Tangent& w) { return w; }
  static Tangent tangent_op_inv_T_times(const Tangent&, const Tangent& w) { return w; }
  static Jacobian d_tangent_op_inv_times(const Tangent&, const Tangent&) { return Jacobian::Zero(); }
  static Jacobian d_tangent_op_inv_T_times(const Tangent&, const Tangent&) { return Jacobian::Zero(); }
};

using R1 = Rn<1>;
using R2 = Rn<2>;
using R3 = Rn<3>;

}  // namespace filum::lie
