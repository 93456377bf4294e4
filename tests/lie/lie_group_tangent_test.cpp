/// The tangent operator T, its inverse, their products and derivatives, for every group.
/// Theory: docs/theory/groups.md.
#include <lie/any_group.hpp>

namespace filum::lie::test {
namespace {

class LieGroupTangent : public OverGroups {};
INSTANTIATE_TEST_SUITE_P(All, LieGroupTangent, ::testing::ValuesIn(all_groups()), group_name);

/// Differences lose ε/h to rounding and h⁴ to truncation. T⁻¹ varies on the scale of the distance to its pole: the step
/// is a share of that.
constexpr double exp_step = 2e-3;
constexpr double inverse_step = 6e-4;

TEST_P(LieGroupTangent, TIsTheLeftTrivialisedDerivativeOfExp) {
  Worst worst;
  for (const auto& s : samples(G, largest_angle)) {
    const auto back = G.inverse(G.exp(s.v));
    const VectorXd slope = derivative(exp_step, [&](double h) { return G.log(G.compose(back, G.exp(s.v + h * s.w))); });
    worst.see(tangent_error(G, slope, G.tangent_op(s.v) * s.w, s.unit), s.angle, s.length);
  }
  worst.expect_below(2e-12);
}

TEST_P(LieGroupTangent, TInverseIsTheDerivativeOfLog) {
  Worst worst;
  const double largest = std::min(G.log_angle, 100.0);
  for (const auto& s : samples(G, largest)) {
    // On the matrix groups the differences must not cross the half turn, on the quaternion groups they must be
    // small beside the distance to the pole.
    const double room = (largest > pi ? 2 * pi : pi) - s.angle;
    if (room < 1e-6) continue;
    const double h = inverse_step * std::min(1.0, room);
    const auto q = G.exp(s.v);
    const VectorXd slope = derivative(h, [&](double x) { return G.log(G.compose(q, G.exp(x * s.w))); });
    const MatrixXd T_inv = G.tangent_op_inv(G.log(q));
    // Relative to T⁻¹, which inherits the rounding of log q times 1/(2π − angle).
    const double scale = largest_entry(dimensionless(G, T_inv, s.unit)) * pole(s.angle) / std::min(1.0, room);
    worst.see(tangent_error(G, slope, T_inv * s.w, s.unit) / scale, s.angle, s.length);
  }
  worst.expect_below(2e-12);
}

TEST_P(LieGroupTangent, TInverseTimesTIsTheIdentity) {
  Worst worst;
  for (const auto& s : samples(G, largest_angle)) {
    const MatrixXd T = dimensionless(G, G.tangent_op(s.v), s.unit);
    const MatrixXd T_inv = dimensionless(G, G.tangent_op_inv(s.v), s.unit);
    const MatrixXd I = MatrixXd::Identity(G.dim, G.dim);
    const double condition = largest_entry(T) * largest_entry(T_inv);
    worst.see(largest_entry(T_inv * T - I) / condition, s.angle, s.length);
    worst.see(largest_entry(T * T_inv - I) / condition, s.angle, s.length);
  }
  worst.expect_below(16 * eps);
}

TEST_P(LieGroupTangent, TIsItsSeries) {
  Worst worst;
  for (const auto& s : samples(G, pi)) {
    const MatrixXd v_hat = dimensionless(G, G.hat(s.v), s.unit);
    MatrixXd term = MatrixXd::Identity(G.dim, G.dim), sum = term;
    for (int k = 1; k < 40; ++k) {
      term = -(term * v_hat) / (k + 1);
      sum += term;
    }
    const double largest_term = std::exp(s.angle);
    worst.see(largest_entry(dimensionless(G, G.tangent_op(s.v), s.unit) - sum) / largest_term, s.angle, s.length);
  }
  worst.expect_below(4 * eps);
}

TEST_P(LieGroupTangent, TLeavesItsOwnArgument) {
  Worst worst;
  for (const auto& s : samples(G, largest_angle)) {
    const double turn = s.angle == 0 ? 1 : s.angle;
    const double p = pole(s.angle);
    worst.see(tangent_error(G, G.tangent_op(s.v) * s.v, s.v, s.unit, turn), s.angle, s.length);
    worst.see(tangent_error(G, G.tangent_op_inv(s.v) * s.v, s.v, p * p * s.unit, p * turn), s.angle, s.length);
    // The product is better than the matrix: along the axis nothing is amplified.
    worst.see(tangent_error(G, G.tangent_op_inv_times(s.v, s.v), s.v, p * s.unit, turn), s.angle, s.length);
  }
  worst.expect_below(16 * eps);
}

/// T(−v) = Ad(exp v) T(v) ties T to exp without differences.
TEST_P(LieGroupTangent, TOfMinusVIsAdExpTimesT) {
  Worst worst;
  for (const auto& s : samples(G, largest_angle)) {
    const MatrixXd right = G.Ad(G.exp(s.v)) * G.tangent_op(s.v);
    worst.see(largest_entry(dimensionless(G, G.tangent_op(-s.v) - right, s.unit)), s.angle, s.length);
  }
  worst.expect_below(16 * eps);
}

TEST_P(LieGroupTangent, ProductsAgreeWithMatrices) {
  Worst worst;
  for (const auto& s : samples(G, largest_angle)) {
    const MatrixXd T = G.tangent_op(s.v);
    // A momentum pairs with a velocity: its lengths are inverse.
    const VectorXd scale = G.tangent_scale(1, s.unit);
    const VectorXd mu = s.w.cwiseQuotient(scale.cwiseAbs2());
    worst.see(tangent_error(G, G.tangent_op_times(s.v, s.w), T * s.w, s.unit), s.angle, s.length);
    worst.see(tangent_error(G, G.tangent_op_T_times(s.v, mu), T.transpose() * mu, 1 / s.unit), s.angle, s.length);
  }
  worst.expect_below(8 * eps);
}

TEST_P(LieGroupTangent, InverseProductsAgreeWithMatrices) {
  Worst worst;
  for (const auto& s : samples(G, largest_angle)) {
    const MatrixXd T_inv = G.tangent_op_inv(s.v);
    const double size = largest_entry(dimensionless(G, T_inv, s.unit));
    const VectorXd scale = G.tangent_scale(1, s.unit);
    const VectorXd mu = s.w.cwiseQuotient(scale.cwiseAbs2());
    worst.see(tangent_error(G, G.tangent_op_inv_times(s.v, s.w), T_inv * s.w, s.unit) / size, s.angle, s.length);
    worst.see(tangent_error(G, G.tangent_op_inv_T_times(s.v, mu), T_inv.transpose() * mu, 1 / s.unit) / size, s.angle,
              s.length);
  }
  worst.expect_below(8 * eps);
}

/// ∂(A(v) w)/∂v against differences along each coordinate. Near the pole A varies on the scale of the room that is left
/// and is itself known to ε·pole only, relatively.
void expect_derivative(const AnyGroup& G, const std::function<VectorXd(const VectorXd& v, const VectorXd& w)>& a,
                       const std::function<MatrixXd(const VectorXd& v, const VectorXd& w)>& d, bool dual) {
  Worst worst;
  for (const auto& s : samples(G, largest_angle)) {
    const VectorXd units = G.tangent_scale(1, s.unit);
    const VectorXd w = dual ? s.w.cwiseQuotient(units.cwiseAbs2()).eval() : s.w;
    const VectorXd out = dual ? units.cwiseInverse().eval() : units;
    const MatrixXd exact = out.cwiseInverse().asDiagonal() * d(s.v, w) * units.asDiagonal();
    MatrixXd differences(G.dim, G.dim);
    const double h = inverse_step * std::min(1.0, 2 * pi - s.angle);
    for (int j = 0; j < G.dim; ++j) {
      const VectorXd e = VectorXd::Unit(G.dim, j) * units[j];
      differences.col(j) = derivative(h, [&](double x) { return (a(s.v + x * e, w)).cwiseQuotient(out).eval(); });
    }
    const double size = std::max(1.0, largest_entry(exact));
    worst.see(largest_entry(exact - differences) / (size * pole(s.angle)), s.angle, s.length);
  }
  worst.expect_below(2e-12);
}

TEST_P(LieGroupTangent, DerivativeOfTInverseProductAgreesWithDifferences) {
  expect_derivative(
      G, [&](const VectorXd& v, const VectorXd& w) { return (G.tangent_op_inv(v) * w).eval(); },
      [&](const VectorXd& v, const VectorXd& w) { return G.d_tangent_op_inv_times(v, w); }, false);
}

TEST_P(LieGroupTangent, DerivativeOfTransposedTInverseProductAgreesWithDifferences) {
  expect_derivative(
      G, [&](const VectorXd& v, const VectorXd& w) { return (G.tangent_op_inv(v).transpose() * w).eval(); },
      [&](const VectorXd& v, const VectorXd& w) { return G.d_tangent_op_inv_T_times(v, w); }, true);
}

}  // namespace
}  // namespace filum::lie::test
