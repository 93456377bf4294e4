/// A group with vectors and matrices of run-time size. The property suites use it so that the compiler meets each of
/// their expressions once, not once for every group: that saves minutes. Theory: docs/theory/groups.md.
#pragma once

#include <lie/group_sampling.hpp>

namespace filum::lie::test {

template <class G>
struct Erased {
  static constexpr std::string_view name = G::name;
  static constexpr int dim = G::dim;
  static constexpr int size = G::size;
  using Element = Eigen::VectorXd;
  using Tangent = Eigen::VectorXd;
  using Jacobian = Eigen::MatrixXd;

  static Element identity() { return flat(G::identity()); }
  static Element compose(const Element& p, const Element& q) { return flat(G::compose(element(p), element(q))); }
  static Element inverse(const Element& q) { return flat(G::inverse(element(q))); }
  static Element exp(const Tangent& v) { return flat(G::exp(tangent(v))); }
  static Tangent log(const Element& q) { return flat(G::log(element(q))); }
  static Tangent bracket(const Tangent& v, const Tangent& w) { return flat(G::bracket(tangent(v), tangent(w))); }
  static Tangent bracket_T(const Tangent& v, const Tangent& w) { return flat(G::bracket_T(tangent(v), tangent(w))); }
  static Jacobian hat(const Tangent& v) { return square(G::hat(tangent(v))); }
  static Jacobian Ad(const Element& q) { return square(G::Ad(element(q))); }
  static Jacobian tangent_op(const Tangent& v) { return square(G::tangent_op(tangent(v))); }
  static Jacobian tangent_op_inv(const Tangent& v) { return square(G::tangent_op_inv(tangent(v))); }
  static Tangent tangent_op_times(const Tangent& v, const Tangent& w) {
    return flat(G::tangent_op_times(tangent(v), tangent(w)));
  }
  static Tangent tangent_op_T_times(const Tangent& v, const Tangent& w) {
    return flat(G::tangent_op_T_times(tangent(v), tangent(w)));
  }
  static Tangent tangent_op_inv_times(const Tangent& v, const Tangent& w) {
    return flat(G::tangent_op_inv_times(tangent(v), tangent(w)));
  }
  static Tangent tangent_op_inv_T_times(const Tangent& v, const Tangent& w) {
    return flat(G::tangent_op_inv_T_times(tangent(v), tangent(w)));
  }
  static Jacobian d_tangent_op_inv_times(const Tangent& v, const Tangent& w) {
    return square(G::d_tangent_op_inv_times(tangent(v), tangent(w)));
  }
  static Jacobian d_tangent_op_inv_T_times(const Tangent& v, const Tangent& w) {
    return square(G::d_tangent_op_inv_T_times(tangent(v), tangent(w)));
  }
  static Eigen::Vector3d act(const Element& q, const Eigen::Vector3d& X) { return G::act(element(q), X); }
  static Eigen::Matrix3d rotation(const Element& q) { return G::rotation(element(q)); }
  static Eigen::Vector3d position(const Element& q) { return G::position(element(q)); }
  static Element interpolate(double tau, const Element& p, const Element& q) {
    return flat(lie::interpolate<G>(tau, element(p), element(q)));
  }
  static double distance(const Element& p, const Element& q) { return lie::distance<G>(element(p), element(q)); }

  static typename G::Element element(const Element& q) { return fixed<typename G::Element>(q); }
  static typename G::Tangent tangent(const Tangent& v) { return fixed<typename G::Tangent>(v); }

  template <class Fixed>
  static Eigen::VectorXd flat(const Fixed& x) {
    return Eigen::Map<const Eigen::VectorXd>(x.data(), x.size());
  }

 private:
  template <class Fixed>
  static Fixed fixed(const Eigen::VectorXd& x) {
    Fixed y;
    std::copy(x.begin(), x.end(), y.data());
    return y;
  }
  static Jacobian square(const typename G::Jacobian& J) { return Eigen::Map<const Jacobian>(J.data(), dim, dim); }
};

template <class G>
struct Traits<Erased<G>> {
  static constexpr double log_angle = Traits<G>::log_angle;
  static Eigen::VectorXd tangent(Rng& rng, double angle, double length) {
    return Erased<G>::flat(Traits<G>::tangent(rng, angle, length));
  }
  static Eigen::VectorXd tangent_scale(double turn, double length) {
    return Erased<G>::flat(Traits<G>::tangent_scale(turn, length));
  }
  static Eigen::VectorXd element_scale(double length) { return Erased<G>::flat(Traits<G>::element_scale(length)); }
  static double defect(const Eigen::VectorXd& q) { return Traits<G>::defect(Erased<G>::element(q)); }
};

}  // namespace filum::lie::test
