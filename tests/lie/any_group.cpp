/// The table of groups behind AnyGroup. Theory: docs/theory/groups.md.
#include <lie/any_group.hpp>
#include <lie/group_sampling.hpp>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <tuple>
#include <type_traits>

namespace filum::lie::test {
namespace {

template <LieGroup G>
class Erased final : public AnyGroup {
 public:
  Erased() {
    name = G::name;
    dim = G::dim;
    size = G::size;
    log_angle = Traits<G>::log_angle;
    is_linear = std::is_same_v<G, Rn<G::dim>>;
    has_rotation = !is_linear;
    turns_points = !is_linear && ActsOnPoints<G>;
    moves_points = ActsOnPoints<G> && (G::dim == 6 || is_linear);
    if constexpr (RigidMotion<G>) is_direct = !G::is_semidirect;
    is_action = ActsOnPoints<G> && !is_direct;
  }

  VectorXd identity() const override { return flat(G::identity()); }
  VectorXd compose(const VectorXd& p, const VectorXd& q) const override {
    return flat(G::compose(element(p), element(q)));
  }
  VectorXd inverse(const VectorXd& q) const override { return flat(G::inverse(element(q))); }
  VectorXd exp(const VectorXd& v) const override { return flat(G::exp(tangent(v))); }
  VectorXd log(const VectorXd& q) const override { return flat(G::log(element(q))); }
  VectorXd bracket(const VectorXd& v, const VectorXd& w) const override {
    return flat(G::bracket(tangent(v), tangent(w)));
  }
  VectorXd bracket_T(const VectorXd& v, const VectorXd& w) const override {
    return flat(G::bracket_T(tangent(v), tangent(w)));
  }
  MatrixXd hat(const VectorXd& v) const override { return square(G::hat(tangent(v))); }
  MatrixXd Ad(const VectorXd& q) const override { return square(G::Ad(element(q))); }
  MatrixXd tangent_op(const VectorXd& v) const override { return square(G::tangent_op(tangent(v))); }
  MatrixXd tangent_op_inv(const VectorXd& v) const override { return square(G::tangent_op_inv(tangent(v))); }
  VectorXd tangent_op_times(const VectorXd& v, const VectorXd& w) const override {
    return flat(G::tangent_op_times(tangent(v), tangent(w)));
  }
  VectorXd tangent_op_T_times(const VectorXd& v, const VectorXd& w) const override {
    return flat(G::tangent_op_T_times(tangent(v), tangent(w)));
  }
  VectorXd tangent_op_inv_times(const VectorXd& v, const VectorXd& w) const override {
    return flat(G::tangent_op_inv_times(tangent(v), tangent(w)));
  }
  VectorXd tangent_op_inv_T_times(const VectorXd& v, const VectorXd& w) const override {
    return flat(G::tangent_op_inv_T_times(tangent(v), tangent(w)));
  }
  MatrixXd d_tangent_op_inv_times(const VectorXd& v, const VectorXd& w) const override {
    return square(G::d_tangent_op_inv_times(tangent(v), tangent(w)));
  }
  MatrixXd d_tangent_op_inv_T_times(const VectorXd& v, const VectorXd& w) const override {
    return square(G::d_tangent_op_inv_T_times(tangent(v), tangent(w)));
  }
  VectorXd interpolate(double tau, const VectorXd& p, const VectorXd& q) const override {
    return flat(lie::interpolate<G>(tau, element(p), element(q)));
  }
  double distance(const VectorXd& p, const VectorXd& q) const override {
    return lie::distance<G>(element(p), element(q));
  }

  Vector3d act(const VectorXd& q, const Vector3d& X) const override {
    if constexpr (ActsOnPoints<G>) return G::act(element(q), X);
    throw std::logic_error(name + " does not act on points");
  }
  Matrix3d rotation(const VectorXd& q) const override {
    if constexpr (RigidMotion<G>) return G::rotation(element(q));
    throw std::logic_error(name + " is no group of rigid motions");
  }
  Vector3d position(const VectorXd& q) const override {
    if constexpr (RigidMotion<G>) return G::position(element(q));
    throw std::logic_error(name + " is no group of rigid motions");
  }

  VectorXd sample(Rng& rng, double angle, double length) const override {
    return flat(Traits<G>::tangent(rng, angle, length));
  }
  VectorXd tangent_scale(double turn, double length) const override {
    return flat(Traits<G>::tangent_scale(turn, length));
  }
  VectorXd element_scale(double length) const override { return flat(Traits<G>::element_scale(length)); }
  double defect(const VectorXd& q) const override { return Traits<G>::defect(element(q)); }

 private:
  template <class Fixed>
  static Fixed fixed(const VectorXd& x) {
    Fixed y;
    std::copy(x.begin(), x.end(), y.data());
    return y;
  }
  static typename G::Element element(const VectorXd& q) { return fixed<typename G::Element>(q); }
  static typename G::Tangent tangent(const VectorXd& v) { return fixed<typename G::Tangent>(v); }
  template <class Fixed>
  static VectorXd flat(const Fixed& x) {
    return Eigen::Map<const VectorXd>(x.data(), x.size());
  }
  static MatrixXd square(const typename G::Jacobian& J) { return Eigen::Map<const MatrixXd>(J.data(), G::dim, G::dim); }
};

template <class... Groups>
std::vector<const AnyGroup*> table(::testing::Types<Groups...>) {
  static const std::tuple<Erased<Groups>...> groups;
  return {&std::get<Erased<Groups>>(groups)...};
}

}  // namespace

const std::vector<const AnyGroup*>& all_groups() {
  static const std::vector<const AnyGroup*> all = table(AllGroups{});
  return all;
}

std::vector<const AnyGroup*> groups_that(bool AnyGroup::*property) {
  std::vector<const AnyGroup*> some;
  std::ranges::copy_if(all_groups(), std::back_inserter(some), [=](const AnyGroup* G) { return G->*property; });
  return some;
}

std::vector<Sample> samples(const AnyGroup& G, double largest, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<Sample> all;
  for (const double angle : angles(largest)) {
    for (const double length : {0.0, 1e-3, 1.0, 1e3}) {
      for (int repeat = 0; repeat < 3; ++repeat) {
        const double unit = length == 0 ? 1 : length;
        const VectorXd v = G.sample(rng, angle, length);
        all.push_back({angle, length, unit, v, G.sample(rng, 1, unit)});
      }
    }
  }
  return all;
}

double tangent_error(const AnyGroup& G, const VectorXd& a, const VectorXd& b, double unit, double turn) {
  return error(a, b, G.tangent_scale(turn, unit));
}
double element_error(const AnyGroup& G, const VectorXd& a, const VectorXd& b, double unit) {
  return error(a, b, G.element_scale(unit));
}
MatrixXd dimensionless(const AnyGroup& G, const MatrixXd& J, double unit) {
  const VectorXd s = G.tangent_scale(1, unit);
  return s.cwiseInverse().asDiagonal() * J * s.asDiagonal();
}

}  // namespace filum::lie::test
