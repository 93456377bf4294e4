/// Group axioms, exp and log, one-parameter subgroups, interpolation and distance, for every group.
/// Theory: docs/theory/groups.md.
#include <lie/any_group.hpp>

namespace filum::lie::test {
namespace {

class LieGroupLaws : public OverGroups {};
INSTANTIATE_TEST_SUITE_P(All, LieGroupLaws, ::testing::ValuesIn(all_groups()), group_name);

TEST_P(LieGroupLaws, IdentityIsNeutral) {
  Worst worst;
  for (const auto& s : samples(G, largest_angle)) {
    const auto q = G.exp(s.v);
    worst.see(element_error(G, G.compose(G.identity(), q), q, s.unit), s.angle, s.length);
    worst.see(element_error(G, G.compose(q, G.identity()), q, s.unit), s.angle, s.length);
  }
  worst.expect_below(4 * eps);
}

TEST_P(LieGroupLaws, InverseIsTwoSided) {
  Worst worst;
  for (const auto& s : samples(G, largest_angle)) {
    const auto q = G.exp(s.v);
    worst.see(element_error(G, G.compose(q, G.inverse(q)), G.identity(), s.unit), s.angle, s.length);
    worst.see(element_error(G, G.compose(G.inverse(q), q), G.identity(), s.unit), s.angle, s.length);
  }
  worst.expect_below(8 * eps);
}

TEST_P(LieGroupLaws, CompositionIsAssociative) {
  Rng rng(2);
  Worst worst;
  for (const auto& s : samples(G, largest_angle)) {
    const auto p = G.exp(s.v), q = G.exp(s.w), r = G.exp(G.sample(rng, 2, s.unit));
    worst.see(element_error(G, G.compose(G.compose(p, q), r), G.compose(p, G.compose(q, r)), s.unit), s.angle,
              s.length);
  }
  worst.expect_below(8 * eps);
}

TEST_P(LieGroupLaws, InverseReversesTheOrder) {
  Worst worst;
  for (const auto& s : samples(G, largest_angle)) {
    const auto p = G.exp(s.v), q = G.exp(s.w);
    worst.see(element_error(G, G.inverse(G.compose(p, q)), G.compose(G.inverse(q), G.inverse(p)), s.unit), s.angle,
              s.length);
  }
  worst.expect_below(8 * eps);
}

TEST_P(LieGroupLaws, ExpAndComposeStayOnTheGroup) {
  Worst worst;
  for (const auto& s : samples(G, largest_angle)) {
    const auto p = G.exp(s.v), q = G.exp(s.w);
    worst.see(G.defect(p), s.angle, s.length);
    worst.see(G.defect(G.compose(p, q)), s.angle, s.length);
    worst.see(G.defect(G.inverse(p)), s.angle, s.length);
  }
  worst.expect_below(8 * eps);
}

TEST_P(LieGroupLaws, ComposeRemovesDefectsOf1e8) {
  Rng rng(3);
  Worst worst;
  for (const auto& s : samples(G, largest_angle)) {
    auto p = G.exp(s.v), q = G.exp(s.w);
    const auto scale = G.element_scale(s.unit);
    for (int i = 0; i < G.size; ++i) {
      p.data()[i] += 3e-9 * scale.data()[i] * (2 * uniform(rng) - 1);
      q.data()[i] += 3e-9 * scale.data()[i] * (2 * uniform(rng) - 1);
    }
    worst.see(G.defect(G.compose(p, q)), s.angle, s.length);
  }
  worst.expect_below(6 * eps);
}

/// The rotational part to relative accuracy at every angle. T⁻ᵀ amplifies the rounding of the position by `pole`.
TEST_P(LieGroupLaws, LogInvertsExpKeepingTheSign) {
  Worst worst;
  for (const auto& s : samples(G, G.log_angle)) {
    const double turn = s.angle == 0 ? 1 : s.angle;
    const double unit = s.unit * pole(s.angle);
    worst.see(tangent_error(G, G.log(G.exp(s.v)), s.v, unit, turn), s.angle, s.length);
  }
  worst.expect_below(8 * eps);
}

/// No amplification: what T⁻ᵀ does to the position, Tᵀ undoes. Up to π included on the matrix groups.
TEST_P(LieGroupLaws, ExpInvertsLog) {
  Worst worst;
  for (const auto& s : samples(G, std::max(G.log_angle, pi))) {
    const auto q = G.exp(s.v);
    worst.see(element_error(G, G.exp(G.log(q)), q, s.unit), s.angle, s.length);
  }
  worst.expect_below(12 * eps);
}

TEST_P(LieGroupLaws, ExpIsAOneParameterSubgroup) {
  Rng rng(4);
  Worst worst;
  for (const auto& sample : samples(G, infinity)) {
    const double s = 4 * uniform(rng) - 2, t = 4 * uniform(rng) - 2;
    const auto product = G.compose(G.exp(s * sample.v), G.exp(t * sample.v));
    const double turns = 1 + sample.angle;  // the rounding of (s + t) |v| grows with the angle
    worst.see(element_error(G, G.exp((s + t) * sample.v), product, sample.unit) / turns, sample.angle, sample.length);
  }
  worst.expect_below(8 * eps);
}

TEST_P(LieGroupLaws, ExpOfMinusVIsTheInverse) {
  Worst worst;
  for (const auto& s : samples(G, largest_angle)) {
    worst.see(element_error(G, G.exp(-s.v), G.inverse(G.exp(s.v)), s.unit), s.angle, s.length);
  }
  worst.expect_below(8 * eps);
}

TEST_P(LieGroupLaws, LogOfTheInverseIsMinusLog) {
  Worst worst;
  for (const auto& s : samples(G, G.log_angle)) {
    const auto q = G.exp(s.v);
    const double turn = s.angle == 0 ? 1 : s.angle;
    worst.see(tangent_error(G, G.log(G.inverse(q)), -G.log(q), s.unit * pole(s.angle), turn), s.angle, s.length);
  }
  worst.expect_below(8 * eps);
}

/// q1 = q0 ∘ exp(w) with the turn of w well inside the domain of log.
TEST_P(LieGroupLaws, InterpolationMeetsItsEnds) {
  Worst worst;
  for (const auto& s : samples(G, largest_angle)) {
    const auto q0 = G.exp(s.v);
    const auto q1 = G.compose(q0, G.exp(2 * s.w));
    worst.see(element_error(G, G.interpolate(0, q0, q1), q0, s.unit), s.angle, s.length);
    worst.see(element_error(G, G.interpolate(1, q0, q1), q1, s.unit), s.angle, s.length);
  }
  worst.expect_below(16 * eps);
}

TEST_P(LieGroupLaws, InterpolationHasAConstantDerivative) {
  Worst worst;
  for (const auto& s : samples(G, largest_angle)) {
    const auto q0 = G.exp(s.v);
    const auto q1 = G.compose(q0, G.exp(2 * s.w));
    for (const double tau : {0.0, 0.3, 0.75}) {
      const auto step = G.compose(G.inverse(G.interpolate(tau, q0, q1)), G.interpolate(tau + 0.25, q0, q1));
      worst.see(tangent_error(G, G.log(step), 0.25 * (2 * s.w), s.unit), s.angle, s.length);
    }
  }
  worst.expect_below(32 * eps);
}

TEST_P(LieGroupLaws, DistanceIsLeftInvariantAndSymmetric) {
  Rng rng(5);
  Worst worst;
  for (const auto& s : samples(G, largest_angle)) {
    const auto p = G.exp(s.v), q = G.exp(s.w);
    const auto r = G.compose(q, G.exp(G.sample(rng, 1, s.unit)));
    const double d = G.distance(q, r);
    EXPECT_GT(d, 0.1 * std::min(1.0, s.unit));
    const double unit = std::max(1.0, s.unit);
    worst.see(std::abs(G.distance(G.compose(p, q), G.compose(p, r)) - d) / unit, s.angle, s.length);
    worst.see(std::abs(G.distance(r, q) - d) / unit, s.angle, s.length);
    worst.see(G.distance(q, q) / unit, s.angle, s.length);
  }
  worst.expect_below(16 * eps);
}

}  // namespace
}  // namespace filum::lie::test
