/// Order conditions of the Runge-Kutta tables, one by one. Theory: docs/theory/half_explicit_rk.md, sec. 2.
#include <filum/integrate/tableaus.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

namespace filum::integrate {
namespace {

constexpr double rounding = 1e-13;
using Row = Tableau::Row;

/// A rooted tree is the list of the trees that grow from its root.
struct Tree {
  std::vector<Tree> branches;
  int order() const {
    int n = 1;
    for (const Tree& t : branches) n += t.order();
    return n;
  }
  double density() const {
    double gamma = order();
    for (const Tree& t : branches) gamma *= t.density();
    return gamma;
  }
  /// Product over the branches of Σⱼ aᵢⱼ φⱼ(branch).
  double elementary_weight(const Tableau& table, int i) const {
    double product = 1;
    for (const Tree& t : branches) {
      double sum = 0;
      for (int j = 0; j < i; ++j) sum += table.a[i][j] * t.elementary_weight(table, j);
      product *= sum;
    }
    return product;
  }
  std::string text() const {
    std::string s = "[";
    for (const Tree& t : branches) s += t.text();
    return s + "]";
  }
};

/// Every way to grow `nodes` nodes from `root` with trees from `pool`, taken in ascending position.
void grow(const std::vector<Tree>& pool, std::size_t first, int nodes, Tree root, std::vector<Tree>& out) {
  if (nodes == 0)
    out.push_back(std::move(root));
  else
    for (std::size_t k = first; k < pool.size(); ++k)
      if (pool[k].order() <= nodes) {
        Tree larger = root;
        larger.branches.push_back(pool[k]);
        grow(pool, k, nodes - pool[k].order(), std::move(larger), out);
      }
}

std::vector<Tree> trees_up_to(int order) {
  std::vector<Tree> all;
  for (int n = 1; n <= order; ++n) {
    std::vector<Tree> fresh;
    grow(all, 0, n - 1, {}, fresh);
    all.insert(all.end(), fresh.begin(), fresh.end());
  }
  return all;
}

double defect(const Tableau& table, const Row& weights, int stages, const Tree& tree) {
  double sum = 0;
  for (int i = 0; i < stages; ++i) sum += weights[i] * tree.elementary_weight(table, i);
  return sum - 1 / tree.density();
}

void expect_order(const Tableau& table, const Row& weights, int stages, int order) {
  for (const Tree& tree : trees_up_to(order))
    EXPECT_NEAR(defect(table, weights, stages, tree), 0, rounding) << table.name << ", tree " << tree.text();
  double worst = 0;
  for (const Tree& tree : trees_up_to(order + 1))
    worst = std::max(worst, std::abs(defect(table, weights, stages, tree)));
  EXPECT_GT(worst, 1e-5) << table.name << " has more than its order " << order;
}

double power_sum(const Tableau& t, int i, int k) {
  double sum = 0;
  for (int j = 0; j < i; ++j) sum += t.a[i][j] * std::pow(t.c[j], k);
  return sum;
}

/// (HE.10) What replaces cᵢᵏ⁻¹ in the stages when constraints determine them.
Row constrained_powers(const Tableau& t, int k) {
  Row w{};
  for (int i = 1; i < t.stages; ++i) {
    double sum = std::pow(t.c[i + 1], k) / k;
    for (int j = 0; j < i; ++j) sum -= t.a[i + 1][j] * w[j];
    w[i] = sum / t.a[i + 1][i];
  }
  return w;
}

class Tableaus : public ::testing::TestWithParam<const Tableau*> {};
class HalfExplicitTableaus : public ::testing::TestWithParam<int> {};

TEST(RootedTrees, ThereAreSeventeenUpToOrderFive) {
  EXPECT_EQ(trees_up_to(5).size(), 17u);
  EXPECT_EQ(trees_up_to(6).size(), 37u);
}

TEST_P(Tableaus, RowSumsAreTheNodes) {
  const Tableau& t = *GetParam();
  for (int i = 0; i < t.rows; ++i) EXPECT_NEAR(power_sum(t, i, 0), t.c[i], rounding) << "row " << i;
  EXPECT_EQ(t.c[t.stages], 1);
}

TEST_P(Tableaus, UnusedEntriesAreZero) {
  const Tableau& t = *GetParam();
  for (int i = 0; i < Tableau::capacity; ++i)
    for (int j = i < t.rows ? i : 0; j < Tableau::capacity; ++j) EXPECT_EQ(t.a[i][j], 0) << i << ", " << j;
}

TEST_P(Tableaus, ExplicitMethodHasItsOrderAndNoMore) {
  const Tableau& t = *GetParam();
  expect_order(t, t.weights(), t.stages, t.order);
}

INSTANTIATE_TEST_SUITE_P(All, Tableaus,
                         ::testing::Values(&half_explicit_tableau(2), &half_explicit_tableau(3),
                                           &half_explicit_tableau(4), &half_explicit_tableau(5), &explicit_tableau(4)));

TEST_P(HalfExplicitTableaus, StagesAreSolvable) {
  const Tableau& t = half_explicit_tableau(GetParam());
  for (int i = 1; i + 1 < t.rows; ++i) EXPECT_GT(std::abs(t.a[i + 1][i]), 0.02) << "row " << i + 1;
}

TEST_P(HalfExplicitTableaus, StagesFromTheThirdOnHaveOrderTwo) {
  const Tableau& t = half_explicit_tableau(GetParam());
  for (int i = 2; i < t.rows; ++i) EXPECT_NEAR(power_sum(t, i, 1), std::pow(t.c[i], 2) / 2, rounding) << "row " << i;
}

TEST_P(HalfExplicitTableaus, ConditionsOfIndexTwoHoldUpToTheOrder) {
  const Tableau& t = half_explicit_tableau(GetParam());
  for (int k = 2; k < t.order; ++k) {
    const Row w = constrained_powers(t, k);
    double bcw = 0, baw = 0;
    for (int i = 0; i < t.stages; ++i) {
      bcw += t.weights()[i] * t.c[i] * w[i];
      for (int j = 0; j < i; ++j) baw += t.weights()[i] * t.a[i][j] * w[j];
    }
    EXPECT_NEAR(bcw, 1.0 / (k + 1), rounding) << "(HE.11), k = " << k;
    EXPECT_NEAR(baw, 1.0 / (k * (k + 1)), rounding) << "(HE.12), k = " << k;
  }
}

TEST_P(HalfExplicitTableaus, MultiplierWeightsSumToOne) {
  const Tableau& t = half_explicit_tableau(GetParam());
  double sum = 0;
  for (int i = 0; i + 1 < t.rows; ++i) sum += t.multiplier_weights[i];
  EXPECT_EQ(sum, 1);
}

INSTANTIATE_TEST_SUITE_P(Orders, HalfExplicitTableaus, ::testing::Values(2, 3, 4, 5));

TEST(HalfExplicitTableau, StagesIntegrateSquaresWhereTheOrderAsksForIt) {
  for (const auto& [order, first] : {std::pair{3, 3}, {4, 4}, {5, 2}}) {
    const Tableau& t = half_explicit_tableau(order);
    for (int i = first; i < t.rows; ++i)
      EXPECT_NEAR(power_sum(t, i, 2), std::pow(t.c[i], 3) / 3, rounding) << "order " << order << ", row " << i;
  }
}

TEST(EmbeddedMethod, HasOrderFourAndNoMore) {
  const Tableau& t = half_explicit_tableau(5);
  EXPECT_EQ(t.embedded_order, 4);
  expect_order(t, t.embedded, t.stages + 1, 4);
}

// Across the constraints it has order 3 only, which is why the estimate is projected along them, (HE.13).
TEST(EmbeddedMethod, MissesAConditionOfIndexTwo) {
  const Tableau& t = half_explicit_tableau(5);
  Row w = constrained_powers(t, 4);
  w[6] = 1;  // the last stage is exact
  double sum = 0;
  for (int i = 0; i <= t.stages; ++i) sum += t.embedded[i] * w[i];
  EXPECT_NEAR(sum, 1.0 / 4 - 1.0 / 750, rounding);
}

TEST(TableauChoice, OtherOrdersAreRefused) {
  EXPECT_THROW(half_explicit_tableau(1), std::invalid_argument);
  EXPECT_THROW(half_explicit_tableau(6), std::invalid_argument);
  EXPECT_THROW(explicit_tableau(0), std::invalid_argument);
}

}  // namespace
}  // namespace filum::integrate
