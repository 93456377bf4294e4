/// Elimination in fronts: saddle points against dense algebra, pivots left to parents, singular matrices, memory.
/// Theory: docs/theory/solver.md, sec. 5.
#include "support/allocation_counter.hpp"

#include <filum/linalg/frontal_lu.hpp>
#include <filum/linalg/team.hpp>

#include <Eigen/Core>
#include <Eigen/LU>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace filum::linalg {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A net of width × width nodes of six unknowns; neighbours along rows of the net are coupled by H, others by
/// constraints of `rows` rows. Node 0 is held. Constraints are blocks after the nodes.
struct Net {
  std::vector<int> sizes, first;
  Graph graph;
  int nodes;

  Net(int width, int rows) : sizes(std::size_t(width * width), 6), nodes(width * width) {
    graph.resize(sizes.size());
    const auto join = [&](int i, int j) { graph[i].push_back(j), graph[j].push_back(i); };
    const auto constrain = [&](std::initializer_list<int> touched, int count) {
      sizes.push_back(count), graph.emplace_back();
      for (const int i : touched) join(i, static_cast<int>(sizes.size()) - 1);
    };
    constrain({0}, 3);
    for (int i = 0; i < width; ++i)
      for (int j = 0; j + 1 < width; ++j) {
        join(i * width + j, i * width + j + 1);
        constrain({j * width + i, (j + 1) * width + i}, rows);
      }
    first.assign(sizes.size() + 1, 0);
    std::partial_sum(sizes.begin(), sizes.end(), first.begin() + 1);
  }
  int size() const { return first.back(); }

  MatrixXd pattern() const {
    MatrixXd P = MatrixXd::Zero(size(), size());
    for (int i = 0; i < static_cast<int>(sizes.size()); ++i) {
      if (i < nodes) P.block(first[i], first[i], sizes[i], sizes[i]).setOnes();
      for (const int j : graph[i]) P.block(first[i], first[j], sizes[i], sizes[j]).setOnes();
    }
    return P;
  }

  /// Random entries; `stiffness` of the nodes that only constraints hold is 0 when they are bare.
  MatrixXd matrix(int seed, bool bare) const {
    std::mt19937_64 engine(static_cast<std::uint64_t>(seed));
    std::uniform_real_distribution<double> random(-1, 1);
    MatrixXd A = pattern();
    for (int i = 0; i < A.rows(); ++i)
      for (int j = 0; j < A.cols(); ++j)
        if (A(i, j) != 0) A(i, j) = random(engine) * (i < 6 * nodes && j < 6 * nodes ? 1e3 : 1.0);
    for (int k = 0; bare && k < nodes; k += 2) A.block(6 * k, 6 * k, 6, 6).setZero();
    return A;
  }
};

struct Placed {
  std::vector<int> place;
  MatrixXd pattern;
  FrontalLu factor;

  explicit Placed(const Net& net) : Placed(net, make_front_tree(net.sizes, net.graph, net.nodes)) {}
  Placed(const Net& net, FrontTree tree)
      : place(tree.place), pattern(net.pattern()), factor(std::move(tree), entries(pattern, place)) {}

  static std::vector<std::pair<int, int>> entries(const MatrixXd& P, const std::vector<int>& place) {
    std::vector<std::pair<int, int>> all;
    for (int i = 0; i < P.rows(); ++i)
      for (int j = 0; j < P.cols(); ++j)
        if (P(i, j) != 0) all.emplace_back(place[i], place[j]);
    return all;
  }
  void fill(const MatrixXd& A) {
    factor.clear();
    for (int i = 0; i < A.rows(); ++i)
      for (int j = 0; j < A.cols(); ++j)
        if (pattern(i, j) != 0) factor.values()[std::size_t(factor.position(place[i], place[j]))] = A(i, j);
  }
  bool factorize(const MatrixXd& A) {
    fill(A);
    return factor.factorize();
  }
  VectorXd solve(const VectorXd& b, bool transpose = false) {
    VectorXd x(b.size()), y(b.size());
    for (int i = 0; i < b.size(); ++i) x[place[i]] = b[i];
    transpose ? factor.solve_transpose(x.data()) : factor.solve(x.data());
    for (int i = 0; i < b.size(); ++i) y[i] = x[place[i]];
    return y;
  }
};

TEST(FrontTree, PutsEveryUnknownOnceAndChildrenBeforeParents) {
  const Net net(6, 2);
  const FrontTree tree = make_front_tree(net.sizes, net.graph, net.nodes);
  std::vector<int> seen(std::size_t(net.size()), 0);
  for (const int p : tree.place) ++seen[std::size_t(p)];
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), net.size());
  int own = 0;
  for (std::size_t k = 0; k < tree.fronts.size(); ++k) {
    const Front& f = tree.fronts[k];
    EXPECT_EQ(f.first, own);
    own += f.own;
    if (f.border > 0) {
      EXPECT_GT(f.parent, static_cast<int>(k));
    }
  }
  EXPECT_EQ(own, net.size());
}

int largest_front(const FrontTree& tree) {
  int size = 0;
  for (const Front& f : tree.fronts) size = std::max(size, f.size());
  return size;
}

/// 40 × 40 beams of 79 nodes, joined where they cross: dissection separates them along a few beams, minimum degree
/// alone ends in a front of 735 unknowns.
TEST(FrontTree, OfALargeNetHasSmallSeparators) {
  const int n = 40, length = 2 * n - 1, nodes = 2 * n * length;
  std::vector<int> sizes(std::size_t(nodes), 6);
  Graph graph(sizes.size());
  const auto join = [&](int i, int j) { graph[i].push_back(j), graph[j].push_back(i); };
  for (int k = 0; k < nodes; ++k)
    if (k % length + 1 < length) join(k, k + 1);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      sizes.push_back(3), graph.emplace_back();
      join(i * length + 2 * j, static_cast<int>(sizes.size()) - 1);
      join((n + j) * length + 2 * i, static_cast<int>(sizes.size()) - 1);
    }
  const FrontTree tree = make_front_tree(sizes, graph, nodes);
  EXPECT_LT(largest_front(tree), 600);
  EXPECT_EQ(tree.place, make_front_tree(sizes, graph, nodes).place);
}

TEST(Ordering, ByDegreeAndByDissectionArePermutations) {
  const Net net(8, 2);
  for (const std::vector<int>& order : {minimum_degree(net.graph), nested_dissection(net.graph, net.sizes)}) {
    std::vector<int> sorted = order;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t k = 0; k < sorted.size(); ++k) EXPECT_EQ(sorted[k], static_cast<int>(k));
    EXPECT_EQ(sorted.size(), net.sizes.size());
  }
  EXPECT_TRUE(minimum_degree({}).empty());
  EXPECT_TRUE(nested_dissection({}, {}).empty());
  EXPECT_EQ(nested_dissection({{}, {}}, {1, 1}).size(), 2u);
}

// Otherwise the zero diagonal of its rows would be met before anything has filled it.
TEST(FrontTree, EliminatesConstraintsTogetherWithANodeTheyHold) {
  const Net net(6, 2);
  const FrontTree tree = make_front_tree(net.sizes, net.graph, net.nodes);
  const auto front = [&](int block) { return tree.front_of[tree.place[net.first[block]]]; };
  for (int k = net.nodes; k < static_cast<int>(net.sizes.size()); ++k)
    EXPECT_TRUE(std::any_of(net.graph[k].begin(), net.graph[k].end(), [&](int i) { return front(i) == front(k); }));
}

TEST(FrontalLu, SolvesSaddlePointsAsDenseAlgebraDoes) {
  int left = 0;
  for (const int width : {3, 6})
    for (const int rows : {1, 3, 5})
      for (const bool bare : {false, true})
        for (int seed = 1; seed <= 3; ++seed) {
          if (bare && rows < 3) continue;  // singular: more unknowns than rows hold
          SCOPED_TRACE(testing::Message() << width << " wide, " << rows << " rows, bare " << bare << ", " << seed);
          const Net net(width, rows);
          const MatrixXd A = net.matrix(seed, bare);
          const Eigen::PartialPivLU<MatrixXd> dense(A);
          Placed sparse(net);
          ASSERT_TRUE(sparse.factorize(A));
          EXPECT_GT(sparse.factor.rcond(), 0);
          left += sparse.factor.delayed_pivots();
          const VectorXd b = VectorXd::LinSpaced(A.rows(), -1, 2);
          for (const bool transpose : {false, true}) {
            const MatrixXd B = transpose ? MatrixXd(A.transpose()) : A;
            const VectorXd x = sparse.solve(b, transpose);
            EXPECT_LT((B * x - b).norm(), 1e-12 * (B.cwiseAbs() * x.cwiseAbs() + b.cwiseAbs()).norm());
            if (!transpose) {
              EXPECT_LT((x - dense.solve(b)).norm(), 1e-7 * x.norm());
            }
          }
        }
  EXPECT_GT(left, 0) << "no pivot was left to a parent: that path was not tested";
}

TEST(FrontalLu, ReportsDependentConstraints) {
  const Net net(5, 3);
  MatrixXd A = net.matrix(1, false);
  const int row = net.first[net.nodes + 4];
  A.row(row + 1) = 2 * A.row(row);
  A.col(row + 1) = 2 * A.col(row);
  Placed sparse(net);
  const bool ok = sparse.factorize(A);
  EXPECT_LT(sparse.factor.rcond(), 1e-14) << ok;
  EXPECT_GE(sparse.factor.suspect(), 0);
  A.row(row).setZero();
  EXPECT_FALSE(sparse.factorize(A));
  EXPECT_EQ(sparse.factor.rcond(), 0);
  EXPECT_EQ(sparse.factor.suspect(), sparse.place[row]);
  A(row, row - 1) = std::numeric_limits<double>::infinity();
  A(0, 0) = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(sparse.factorize(A));
  EXPECT_TRUE(sparse.factorize(net.matrix(1, false)));
}

TEST(FrontalLu, DoesNotDependOnTheScaleOfRowsAndColumns) {
  const Net net(5, 3);
  const MatrixXd A = net.matrix(2, true);
  VectorXd r(A.rows()), c(A.rows());
  for (int i = 0; i < r.size(); ++i) r[i] = std::ldexp(1.0, i % 60 - 30), c[i] = std::ldexp(1.0, (7 * i) % 50 - 25);
  Placed plain(net), scaled(net);
  ASSERT_TRUE(plain.factorize(A));
  ASSERT_TRUE(scaled.factorize(r.asDiagonal() * A));
  EXPECT_EQ(scaled.factor.rcond(), plain.factor.rcond());
  const VectorXd b = VectorXd::LinSpaced(A.rows(), -1, 2);
  EXPECT_EQ(scaled.solve(r.cwiseProduct(b)), plain.solve(b)) << "scales are powers of 2: no rounding";
  ASSERT_TRUE(scaled.factorize(A * c.asDiagonal()));
  const VectorXd x = c.cwiseProduct(scaled.solve(b));
  EXPECT_LT((A * x - b).norm(), 1e-11 * (A.cwiseAbs() * x.cwiseAbs()).norm());
}

// A factorisation depends on its matrix alone, to the last bit, and not on earlier ones nor on addresses.
TEST(FrontalLu, GivesEqualBitsForEqualMatrices) {
  const Net net(5, 3);
  const MatrixXd A = net.matrix(3, true), B = net.matrix(4, false);
  const VectorXd b = VectorXd::LinSpaced(A.rows(), -1, 2);
  Placed fresh(net), used(net);
  ASSERT_TRUE(used.factorize(B));
  ASSERT_TRUE(fresh.factorize(A) && used.factorize(A));
  const VectorXd expected = fresh.solve(b);
  EXPECT_EQ(used.solve(b), expected);
  for (int shift = 8; shift < 64 && test::shift_allocations(shift); shift += 8) {
    Placed moved(net);
    ASSERT_TRUE(moved.factorize(A));
    EXPECT_EQ(moved.solve(b), expected) << shift << " bytes";
  }
  test::shift_allocations(0);
}

// Branches and trunk: pivots left by one to the other, several right-hand sides, and the same bits for any team.
TEST(FrontalLu, SharesBranchesWithTheSameBits) {
  const Net net(12, 3);
  for (const bool bare : {false, true}) {
    const MatrixXd A = net.matrix(6, bare);
    Placed alone(net), shared(net);
    EXPECT_GT(alone.factor.branches(), 3);
    const VectorXd b = VectorXd::LinSpaced(A.rows(), -1, 2);
    ASSERT_TRUE(alone.factorize(A));
    Team team(3);
    const TeamInUse use(&team);
    ASSERT_TRUE(shared.factorize(A));
    EXPECT_EQ(shared.factor.rcond(), alone.factor.rcond());
    EXPECT_EQ(shared.factor.suspect(), alone.factor.suspect());
    for (const bool transpose : {false, true}) {
      const VectorXd x = shared.solve(b, transpose);
      const MatrixXd B = transpose ? MatrixXd(A.transpose()) : A;
      EXPECT_LT((B * x - b).norm(), 1e-12 * (B.cwiseAbs() * x.cwiseAbs() + b.cwiseAbs()).norm());
      const TeamInUse none(nullptr);
      EXPECT_EQ(alone.solve(b, transpose), x);
    }
    MatrixXd X(A.rows(), 11);
    for (int k = 0; k < 11; ++k)
      for (int i = 0; i < b.size(); ++i) X(shared.place[i], k) = b[i] * (k + 1);
    const VectorXd one = shared.solve(b);
    shared.factor.solve_columns(X.data(), 11);
    for (int i = 0; i < b.size(); ++i) {
      EXPECT_EQ(X(shared.place[i], 0), one[i]);
      EXPECT_EQ(X(shared.place[i], 7), 8 * one[i]);
    }
  }
}

TEST(FrontalLu, NamesTheFirstDependentRowWhicheverBranchItIsIn) {
  const Net net(12, 3);
  MatrixXd A = net.matrix(1, false);
  for (const int block : {net.nodes + 20, net.nodes + 90}) A.row(net.first[block]).setZero();
  Placed alone(net), shared(net);
  EXPECT_FALSE(alone.factorize(A));
  Team team(3);
  const TeamInUse use(&team);
  for (int repeat = 0; repeat < 5; ++repeat) {
    EXPECT_FALSE(shared.factorize(A));
    EXPECT_EQ(shared.factor.suspect(), alone.factor.suspect());
  }
  EXPECT_TRUE(shared.factorize(net.matrix(1, false)));
}

TEST(FrontalLu, AllocatesNothingAfterTheFirstFactorisation) {
  const Net net(6, 3);
  Placed sparse(net);
  ASSERT_TRUE(sparse.factorize(net.matrix(1, true)));
  VectorXd x = VectorXd::Ones(net.size());
  for (const bool bare : {true, false}) {
    sparse.fill(net.matrix(1, bare));
    EXPECT_EQ(test::allocations_of([&] {
                sparse.factor.factorize();
                sparse.factor.solve(x.data());
                sparse.factor.solve_transpose(x.data());
              }),
              0);
  }
}

}  // namespace
}  // namespace filum::linalg
