/// Every factorisation against dense algebra: docs/theory/solver.md, sec. 5.
#include <filum/linalg/banded_lu.hpp>
#include <filum/linalg/block_tridiagonal.hpp>
#include <filum/linalg/chain_lu.hpp>
#include <filum/linalg/choose_factor.hpp>
#include <filum/linalg/dense_decompositions.hpp>
#include <filum/linalg/dense_lu.hpp>
#include <filum/linalg/frontal_lu.hpp>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <string>

namespace filum::linalg {
namespace {

using Entries = std::vector<std::pair<int, int>>;

/// A factorisation with the entries it allows, and how much its diagonal stands out.
struct Case {
  std::string name;
  std::unique_ptr<Factor> factor;
  Entries entries;
  double diagonal;
};

Entries entries_where(int n, const std::function<bool(int, int)>& is_entry) {
  Entries entries;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (is_entry(i, j)) entries.emplace_back(i, j);
  return entries;
}

std::vector<Case> cases() {
  std::vector<Case> all;
  const int n = 24;
  all.push_back({"dense", std::make_unique<DenseLu>(n), entries_where(n, [](int, int) { return true; }), 0});
  all.push_back({"banded", std::make_unique<BandedLu>(n, 3, 3),
                 entries_where(n, [](int i, int j) { return std::abs(i - j) <= 3; }), 0});
  const std::vector<int> sizes{1, 3, 3, 6, 6, 2, 5, 5, 4, 4, 1, 7};
  std::vector<int> block;
  for (std::size_t k = 0; k < sizes.size(); ++k)
    block.insert(block.end(), static_cast<std::size_t>(sizes[k]), static_cast<int>(k));
  all.push_back(
      {"block tridiagonal", std::make_unique<BlockTridiagonal>(sizes),
       entries_where(static_cast<int>(block.size()), [&](int i, int j) { return std::abs(block[i] - block[j]) <= 1; }),
       6});
  all.push_back({"chain", std::make_unique<ChainLu>(sizes), all.back().entries, 6});
  const std::vector<int> beginnings{1, 3, 6};
  const auto chain_of = [&](int row) {
    return std::upper_bound(beginnings.begin(), beginnings.end(), block[static_cast<std::size_t>(row)]);
  };
  const Entries apart = entries_where(static_cast<int>(block.size()), [&](int i, int j) {
    return std::abs(block[i] - block[j]) <= 1 && chain_of(i) == chain_of(j);
  });
  all.push_back({"block tridiagonal", std::make_unique<BlockTridiagonal>(sizes, beginnings), apart, 6});
  all.push_back({"chain", std::make_unique<ChainLu>(sizes, beginnings), apart, 6});
  const std::vector<int> rods(4, 8);  // of the size that kernels know
  all.push_back({"chain", std::make_unique<ChainLu>(rods),
                 entries_where(32, [](int i, int j) { return std::abs(i / 8 - j / 8) <= 1; }), 6});
  const Entries net = entries_where(n, [](int i, int j) { return i == j || (i * j + i + j) % 5 == 0; });
  Graph graph(n);
  for (const auto& [i, j] : net)
    if (i != j) graph[i].push_back(j);
  FrontTree tree = make_front_tree(std::vector<int>(n, 1), graph, n);
  Entries placed;
  for (const auto& [i, j] : net) placed.emplace_back(tree.place[i], tree.place[j]);
  all.push_back({"sparse", std::make_unique<FrontalLu>(std::move(tree), placed), placed, 3});
  return all;
}

MatrixXd random_matrix(const Case& c, int seed, bool symmetric = false, double spread = 1) {
  std::mt19937_64 engine(static_cast<std::uint64_t>(seed));
  std::uniform_real_distribution<double> random(-1, 1);
  const int n = c.factor->size();
  MatrixXd A = MatrixXd::Zero(n, n);
  for (const auto& [i, j] : c.entries) A(i, j) = spread * random(engine) + (i == j ? c.diagonal : 0);
  return symmetric ? MatrixXd(0.5 * (A + A.transpose())) : A;
}

bool factorize(const Case& c, const MatrixXd& A) {
  c.factor->clear();
  for (const auto& [i, j] : c.entries) c.factor->values()[static_cast<std::size_t>(c.factor->position(i, j))] = A(i, j);
  return c.factor->factorize();
}

TEST(Factor, SolvesWithAMatrixAndItsTranspose) {
  for (const Case& c : cases())
    for (int seed = 1; seed <= 5; ++seed) {
      const MatrixXd A = random_matrix(c, seed);
      ASSERT_TRUE(factorize(c, A)) << c.name;
      EXPECT_EQ(c.factor->name(), c.name);
      const VectorXd b = VectorXd::LinSpaced(A.rows(), -1, 2);
      VectorXd x = b, y = b;
      c.factor->solve(x.data());
      c.factor->solve_transpose(y.data());
      EXPECT_LT((A * x - b).norm(), 1e-11 * (1 + x.norm())) << c.name;
      EXPECT_LT((A.transpose() * y - b).norm(), 1e-11 * (1 + y.norm())) << c.name;
    }
}

// The last row comes near a combination of two others, from 1 to 1e-10.
TEST(Factor, SolvesWithSeveralRightHandSidesAtOnce) {
  for (Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const MatrixXd A = random_matrix(c, 5);
    ASSERT_TRUE(factorize(c, A));
    for (const int count : {1, 4, 7}) {
      const MatrixXd B = MatrixXd::Random(A.rows(), count);
      MatrixXd X = B;
      c.factor->solve_columns(X.data(), count);
      EXPECT_LT((A * X - B).cwiseAbs().maxCoeff(), 1e-10) << count;
    }
  }
}

// Blocks that are singular on their own: their pivots are in the next block.
TEST(ChainLu, ExchangesRowsAcrossBlocksWhereItMust) {
  const std::vector<int> sizes{6, 6, 6, 6};
  const Case c{"chain", std::make_unique<ChainLu>(sizes),
               entries_where(24, [](int i, int j) { return std::abs(i / 6 - j / 6) <= 1; }), 0};
  auto& chain = dynamic_cast<ChainLu&>(*c.factor);
  MatrixXd A = random_matrix(c, 1);
  for (int i = 0; i < 24; ++i) A(i, i) += 6;
  ASSERT_TRUE(factorize(c, A));
  EXPECT_FALSE(chain.exchanged_across_blocks());
  for (const double left : {0.0, 1e-14}) {
    A.topLeftCorner<6, 6>() *= left;
    ASSERT_TRUE(factorize(c, A));
    EXPECT_TRUE(chain.exchanged_across_blocks());
    const VectorXd b = VectorXd::LinSpaced(24, -1, 2);
    VectorXd x = b, y = b;
    c.factor->solve(x.data());
    c.factor->solve_transpose(y.data());
    EXPECT_LT((A * x - b).norm(), 1e-12 * (1 + x.norm()));
    EXPECT_LT((A.transpose() * y - b).norm(), 1e-12 * (1 + y.norm()));
  }
}

TEST(Factor, MeasuresHowNearAMatrixIsToASingularOne) {
  for (const Case& c : cases()) {
    MatrixXd A = random_matrix(c, 7);
    ASSERT_TRUE(factorize(c, A)) << c.name;
    EXPECT_GT(c.factor->rcond(), 1e-4) << c.name;
    EXPECT_LE(c.factor->rcond(), 1) << c.name;
    // A matrix whose diagonal entry `last` is eliminated to almost nothing.
    const auto last = A.rows() - 1;
    const double schur = 1 / MatrixXd(A.inverse())(last, last);
    A(last, last) += -schur * (1 - 1e-10);
    ASSERT_TRUE(factorize(c, A)) << c.name;
    EXPECT_LT(c.factor->rcond(), 1e-8) << c.name;
    EXPECT_GE(c.factor->suspect(), 0) << c.name;
  }
}

TEST(Factor, RefusesWhatIsSingularOrNotFinite) {
  for (const Case& c : cases()) {
    MatrixXd A = random_matrix(c, 3);
    A.row(4).setZero();
    EXPECT_FALSE(factorize(c, A)) << c.name;
    EXPECT_EQ(c.factor->rcond(), 0) << c.name;
    A = random_matrix(c, 3);
    A(4, 4) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(factorize(c, A)) << c.name;
    EXPECT_TRUE(factorize(c, random_matrix(c, 3))) << c.name << ": the next matrix is a new one";
  }
}

TEST(Factor, KnowsTheSignsOfEigenvaluesWhereItsFactorsShowThem) {
  for (const Case& c : cases())
    for (int seed = 1; seed <= 4; ++seed) {
      const MatrixXd A = random_matrix(c, seed, true, 8);
      ASSERT_TRUE(factorize(c, A)) << c.name;
      Inertia expected;
      for (const double value : symmetric_eigenvalues(A)) ++(value > 0 ? expected.positive : expected.negative);
      EXPECT_GT(expected.negative, 0);
      EXPECT_GT(expected.positive, 0);
      const auto found = c.factor->inertia();
      ASSERT_EQ(found.has_value(), c.name == "dense" || c.name == "block tridiagonal") << c.name;
      if (found) {
        EXPECT_EQ(*found, expected) << c.name << ", seed " << seed;
      }
    }
}

// What a factorisation depends on besides its matrix can be told and taken over, to the last bit.
TEST(Factor, ContinuesFromPivotsThatWereChosenForAnotherMatrix) {
  const auto solved = [](const Case& c, const MatrixXd& A) {
    EXPECT_TRUE(factorize(c, A));
    VectorXd x = VectorXd::LinSpaced(A.rows(), 1, 2);
    c.factor->solve(x.data());
    return x;
  };
  const auto first = cases(), second = cases();
  for (std::size_t k = 0; k < first.size(); ++k) {
    const MatrixXd A = random_matrix(first[k], 1), B = random_matrix(first[k], 2);
    solved(first[k], A);
    const VectorXd expected = solved(first[k], B);
    second[k].factor->choose_pivots(first[k].factor->pivots_chosen_from());
    EXPECT_EQ(solved(second[k], B), expected) << first[k].name;
    EXPECT_TRUE(first[k].factor->pivots_chosen_from().empty()) << "pivots are found anew for every matrix";
    first[k].factor->forget_pivots();
    const auto fresh = cases();
    EXPECT_EQ(solved(first[k], B), solved(fresh[k], B)) << first[k].name << ": nothing is left of earlier matrices";
  }
}

TEST(Factor, RefusesPivotsOfAnotherPattern) {
  const std::vector<double> values(3, 1.0);
  for (const Case& c : cases()) EXPECT_THROW(c.factor->choose_pivots(values), std::invalid_argument) << c.name;
}

}  // namespace
}  // namespace filum::linalg
