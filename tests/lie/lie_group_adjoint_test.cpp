/// Ad, hat, bracket, the Baker-Campbell-Hausdorff formula, and the action on points, for every group.
/// Theory: docs/theory/groups.md.
#include <Eigen/Geometry>
#include <lie/any_group.hpp>

namespace filum::lie::test {
namespace {

class LieGroupAdjoint : public OverGroups {};
INSTANTIATE_TEST_SUITE_P(All, LieGroupAdjoint, ::testing::ValuesIn(all_groups()), group_name);

TEST_P(LieGroupAdjoint, AdIsConjugation) {
  Worst worst;
  for (const auto& s : samples(G, largest_angle)) {
    const auto q = G.exp(s.v);
    const auto conjugate = G.compose(G.compose(q, G.exp(s.w)), G.inverse(q));
    worst.see(element_error(G, conjugate, G.exp(G.Ad(q) * s.w), s.unit), s.angle, s.length);
  }
  worst.expect_below(16 * eps);
}

TEST_P(LieGroupAdjoint, AdIsAHomomorphism) {
  Worst worst;
  for (const auto& s : samples(G, largest_angle)) {
    const auto p = G.exp(s.v), q = G.exp(s.w);
    const MatrixXd difference = G.Ad(G.compose(p, q)) - G.Ad(p) * G.Ad(q);
    worst.see(largest_entry(dimensionless(G, difference, s.unit)), s.angle, s.length);
  }
  worst.expect_below(16 * eps);
}

TEST_P(LieGroupAdjoint, AdOfTheInverseIsTheInverse) {
  Worst worst;
  for (const auto& s : samples(G, largest_angle)) {
    const auto q = G.exp(s.v);
    const MatrixXd difference = G.Ad(G.inverse(q)) * G.Ad(q) - MatrixXd::Identity(G.dim, G.dim);
    worst.see(largest_entry(dimensionless(G, difference, s.unit)), s.angle, s.length);
  }
  worst.expect_below(16 * eps);
}

TEST_P(LieGroupAdjoint, AdOfExpIsTheMatrixExponentialOfHat) {
  Worst worst;
  for (const auto& s : samples(G, pi)) {
    const MatrixXd v_hat = dimensionless(G, G.hat(s.v), s.unit);
    MatrixXd term = MatrixXd::Identity(G.dim, G.dim), sum = term;
    for (int k = 1; k < 40; ++k) {
      term = term * v_hat / k;
      sum += term;
    }
    const double largest_term = std::exp(s.angle);
    worst.see(largest_entry(dimensionless(G, G.Ad(G.exp(s.v)), s.unit) - sum) / largest_term, s.angle, s.length);
  }
  worst.expect_below(4 * eps);
}

TEST_P(LieGroupAdjoint, BracketIsTheDerivativeOfAd) {
  Rng rng(7);
  Worst worst;
  for (const auto& s : samples(G, largest_angle)) {
    const VectorXd v = G.sample(rng, 1, s.unit);
    const VectorXd slope = derivative(1e-3, [&](double h) { return (G.Ad(G.exp(h * v)) * s.w).eval(); });
    worst.see(tangent_error(G, slope, G.bracket(v, s.w), s.unit), s.angle, s.length);
  }
  worst.expect_below(1e-12);
}

TEST_P(LieGroupAdjoint, HatIsTheMatrixOfTheBracket) {
  Worst worst;
  for (const auto& s : samples(G, largest_angle)) {
    const VectorXd units = G.tangent_scale(1, s.unit);
    const VectorXd mu = s.w.cwiseQuotient(units.cwiseAbs2());
    const double turn = 1 + s.angle;
    worst.see(tangent_error(G, G.bracket(s.v, s.w), G.hat(s.v) * s.w, turn * s.unit, turn), s.angle, s.length);
    worst.see(tangent_error(G, G.bracket_T(s.v, mu), G.hat(s.v).transpose() * mu, turn / s.unit, turn), s.angle,
              s.length);
  }
  worst.expect_below(eps);
}

TEST_P(LieGroupAdjoint, BracketIsAntisymmetricAndObeysJacobi) {
  Rng rng(8);
  Worst worst;
  for (const auto& s : samples(G, largest_angle)) {
    const VectorXd u = G.sample(rng, 1, s.unit);
    const double turn = 1 + s.angle;
    const VectorXd zero = VectorXd::Zero(G.dim);
    worst.see(tangent_error(G, G.bracket(s.v, s.w) + G.bracket(s.w, s.v), zero, turn * s.unit, turn), s.angle,
              s.length);
    const VectorXd jacobi =
        G.bracket(u, G.bracket(s.v, s.w)) + G.bracket(s.v, G.bracket(s.w, u)) + G.bracket(s.w, G.bracket(u, s.v));
    worst.see(tangent_error(G, jacobi, zero, turn * s.unit, turn), s.angle, s.length);
  }
  worst.expect_below(4 * eps);
}

TEST_P(LieGroupAdjoint, AdRespectsTheBracket) {
  Rng rng(9);
  Worst worst;
  for (const auto& s : samples(G, largest_angle)) {
    const VectorXd u = G.sample(rng, 1, s.unit);
    const MatrixXd A = G.Ad(G.exp(s.v));
    worst.see(tangent_error(G, G.bracket(A * u, A * s.w), A * G.bracket(u, s.w), s.unit), s.angle, s.length);
  }
  worst.expect_below(16 * eps);
}

/// log(exp(εv) exp(εw)) = ε(v+w) + ε²/2 [v,w] + ε³/12 ([v,[v,w]] + [w,[w,v]]) − ε⁴/24 [w,[v,[v,w]]] + O(ε⁵).
TEST_P(LieGroupAdjoint, LogOfAProductIsBakerCampbellHausdorff) {
  Rng rng(10);
  Worst worst;
  const double h = 2e-3;
  for (const auto& s : samples(G, largest_angle)) {
    const VectorXd v = G.sample(rng, 1, s.unit), w = s.w, vw = G.bracket(v, w);
    const auto product_log = [&](double x) { return G.log(G.compose(G.exp(x * v), G.exp(x * w))); };
    const VectorXd even = (product_log(h) + product_log(-h)) / 2, odd = (product_log(h) - product_log(-h)) / 2;
    const VectorXd second = h * h / 2 * vw - h * h * h * h / 24 * G.bracket(w, G.bracket(v, vw));
    const VectorXd third = h * (v + w) + h * h * h / 12 * (G.bracket(v, vw) - G.bracket(w, vw));
    worst.see(tangent_error(G, even, second, s.unit), s.angle, s.length);
    worst.see(tangent_error(G, odd, third, s.unit), s.angle, s.length);
  }
  // Rounding is ε·h here, the neglected ε⁵ term is h⁵/100: a wrong coefficient of ε⁴ would show as 7e-13.
  worst.expect_below(4e-15);
}

class LieGroupAction : public OverGroups {};
INSTANTIATE_TEST_SUITE_P(All, LieGroupAction, ::testing::ValuesIn(groups_that(&AnyGroup::is_action)), group_name);

TEST_P(LieGroupAction, ActIsALeftAction) {
  Rng rng(11);
  Worst worst;
  for (const auto& s : samples(G, largest_angle)) {
    const auto p = G.exp(s.v), q = G.exp(s.w);
    const Eigen::Vector3d X = s.unit * direction<3>(rng);
    const Eigen::Vector3d unit = Eigen::Vector3d::Constant(s.unit);
    worst.see(error(G.act(G.compose(p, q), X), G.act(p, G.act(q, X)), unit), s.angle, s.length);
    worst.see(error(G.act(G.identity(), X), X, unit), s.angle, s.length);
    worst.see(error(G.act(G.inverse(p), G.act(p, X)), X, unit), s.angle, s.length);
  }
  worst.expect_below(16 * eps);
}

/// The body-fixed velocity field: d/dh act(exp(hv), X) = Ω × X + U at h = 0.
TEST_P(LieGroupAction, ActMovesPointsWithTheVelocity) {
  Rng rng(12);
  Worst worst;
  for (const auto& s : samples(G, largest_angle)) {
    const Eigen::Vector3d X = s.unit * direction<3>(rng);
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
    if (G.moves_points) velocity += s.w.tail<3>();
    if (G.turns_points) velocity += s.w.head<3>().cross(X);
    const Eigen::Vector3d slope = derivative(1e-3, [&](double h) { return G.act(G.exp(h * s.w), X); });
    worst.see(error(slope, velocity, Eigen::Vector3d::Constant(s.unit)), s.angle, s.length);
  }
  worst.expect_below(1e-12);
}

class DirectProductAction : public OverGroups {};
INSTANTIATE_TEST_SUITE_P(All, DirectProductAction, ::testing::ValuesIn(groups_that(&AnyGroup::is_direct)), group_name);

TEST_P(DirectProductAction, ActIsNotAnActionAndFailsByTheTurnedPosition) {
  Rng rng(13);
  Worst worst;
  double largest_failure = 0;
  for (const auto& s : samples(G, largest_angle)) {
    const auto p = G.exp(s.v), q = G.exp(s.w);
    const Eigen::Vector3d X = s.unit * direction<3>(rng);
    const Eigen::Vector3d failure = G.act(p, G.act(q, X)) - G.act(G.compose(p, q), X);
    const Eigen::Vector3d expected = G.rotation(p) * G.position(q) - G.position(q);
    worst.see(error(failure, expected, Eigen::Vector3d::Constant(s.unit)), s.angle, s.length);
    largest_failure = std::max(largest_failure, failure.norm() / s.unit);
  }
  worst.expect_below(16 * eps);
  EXPECT_GT(largest_failure, 1.9);
}

}  // namespace
}  // namespace filum::lie::test
