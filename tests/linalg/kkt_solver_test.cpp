/// Every path of the saddle-point solver against a dense factorisation of the same matrix.
#include <filum/linalg/kkt_solver.hpp>
#include <filum/linalg/sparse_matrix.hpp>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include <array>
#include <random>

namespace filum::linalg {
namespace {

struct Random {
  std::mt19937_64 engine{7};
  double operator()() { return std::uniform_real_distribution<double>(-1, 1)(engine); }
};

/// A system on a given pattern: H near a multiple of the identity per node, C near G.
struct Problem {
  BlockPattern pattern;
  NodeMatrix H;
  RowMatrix C, G;
  VectorXd a, b;
  Structure structure;

  Problem(BlockPattern p, bool coupled, Random& random)
      : pattern(std::move(p)),
        H(pattern),
        C(pattern),
        G(pattern),
        structure(coupled ? Structure::coupled : Structure::separable) {
    for (int i = 0; i < pattern.nodes(); ++i) {
      for (int r = 0; r < pattern.dim(i); ++r)
        for (int c = 0; c < pattern.dim(i); ++c) H.block(i, i)(r, c) = (r == c ? 4.0 : 0.0) + 0.3 * random();
      if (!coupled) continue;
      for (const int j : pattern.upper_neighbours(i))
        for (int r = 0; r < pattern.dim(i); ++r)
          for (int c = 0; c < pattern.dim(j); ++c)
            H.block(i, j)(r, c) = 0.2 * random(), H.block(j, i)(c, r) = 0.2 * random();
    }
    for (int k = 0; k < pattern.row_values(); ++k) {
      G.data()[k] = random();
      C.data()[k] = G.data()[k] + 0.05 * random();
    }
    a = VectorXd::NullaryExpr(pattern.size(), [&] { return random(); });
    b = VectorXd::NullaryExpr(pattern.rows(), [&] { return random(); });
  }

  MatrixXd dense(int blocks) const {
    const int n = pattern.size(), m = pattern.rows(blocks);
    MatrixXd A = MatrixXd::Zero(n + m, n + m);
    A.topLeftCorner(n, n) = H.to_dense();
    A.topRightCorner(n, m) = G.to_dense(blocks).transpose();
    A.bottomLeftCorner(m, n) = C.to_dense(blocks);
    return A;
  }

  void expect_solved(const std::string& method, int blocks) {
    KktSolver solver(pattern);
    ASSERT_TRUE(solver.set_nodes(H, structure).ok);
    const FactorReport report = solver.set_rows(C, G, blocks);
    ASSERT_TRUE(report.ok);
    EXPECT_GT(report.rcond, 0);
    EXPECT_EQ(solver.method(), method);
    VectorXd x(pattern.size()), y = VectorXd::Zero(pattern.rows());
    solver.solve(a, b, x, y);
    const int m = pattern.rows(blocks);
    VectorXd rhs(pattern.size() + m), expected;
    rhs << a, b.head(m);
    expected = dense(blocks).partialPivLu().solve(rhs);
    EXPECT_LT((x - expected.head(pattern.size())).norm(), 1e-11 * (1 + expected.norm()));
    EXPECT_LT((y.head(m) - expected.tail(m)).norm(), 1e-11 * (1 + expected.norm()));
  }
};

/// Nodes in a line with `rows` constraints between neighbours; optionally a held first node; links in a given order.
BlockPattern chain(int nodes, int rows, bool held, bool backwards, int dim = 6) {
  BlockPattern p(std::vector<int>(nodes, dim));
  const std::array<int, 1> first{0};
  if (held) p.add_rows(3, first);
  for (int k = 0; k + 1 < nodes; ++k) {
    const int i = backwards ? nodes - 2 - k : k;
    const std::array<int, 2> pair{i, i + 1};
    p.couple(i, i + 1);
    p.add_rows(rows, pair);
  }
  p.finish();
  return p;
}

TEST(KktSolver, EliminatesNodesOfOneBodyWithOneJoint) {
  Random random;
  Problem problem(chain(1, 0, true, false), false, random);
  problem.expect_solved("node elimination, block tridiagonal Schur complement", 1);
}

TEST(KktSolver, TreatsUnconstrainedNodes) {
  Random random;
  Problem problem(chain(5, 2, false, false), false, random);
  problem.expect_solved("node elimination", 0);
}

TEST(KktSolver, FindsChainsAndEliminatesAlongThem) {
  Random random;
  for (const int rows : {1, 2, 3, 4})
    for (const bool held : {false, true})
      for (const bool backwards : {false, true}) {
        SCOPED_TRACE(testing::Message() << rows << " rows, held " << held << ", backwards " << backwards);
        Problem problem(chain(30, rows, held, backwards), false, random);
        problem.expect_solved("node elimination, block tridiagonal Schur complement", problem.pattern.row_blocks());
      }
}

/// Two chains of two rows with a joint of `joint_rows` rows between them, and one at the end.
BlockPattern jointed_chains(int nodes, int joint_rows) {
  BlockPattern p(std::vector<int>(nodes, 6));
  for (int i = 0; i + 1 < nodes; ++i) {
    const std::array<int, 2> pair{i, i + 1};
    p.add_rows(i == nodes / 2 ? joint_rows : 2, pair);
  }
  const std::array<int, 1> last{nodes - 1};
  p.add_rows(joint_rows, last);
  p.finish();
  return p;
}

TEST(KktSolver, EliminatesAlongChainsWithJointsBetweenThem) {
  Random random;
  for (const int joint_rows : {1, 2, 3, 5})
    for (const bool is_diagonal : {false, true}) {
      SCOPED_TRACE(testing::Message() << joint_rows << " rows, diagonal " << is_diagonal);
      Problem problem(jointed_chains(14, joint_rows), false, random);
      if (is_diagonal)
        for (int i = 0; i < problem.pattern.nodes(); ++i)
          problem.H.block(i, i) = MatrixXd(problem.H.block(i, i).diagonal().asDiagonal());
      problem.expect_solved("node elimination, block tridiagonal Schur complement", problem.pattern.row_blocks());
    }
}

TEST(KktSolver, UsesOnlyTheFirstRowBlocksWhenAskedTo) {
  Random random;
  Problem problem(chain(12, 2, true, false), false, random);
  problem.expect_solved("node elimination, block tridiagonal Schur complement", 7);
}

BlockPattern ring(int nodes) {
  BlockPattern p(std::vector<int>(nodes, 6));
  for (int i = 0; i < nodes; ++i) {
    const std::array<int, 2> pair{i, (i + 1) % nodes};
    p.couple(pair[0], pair[1]);
    p.add_rows(2, pair);
  }
  p.finish();
  return p;
}

TEST(KktSolver, TreatsClosedLoopsDenselyWhenSmallAndSparselyWhenLarge) {
  Random random;
  Problem small(ring(8), false, random);
  small.expect_solved("node elimination, dense Schur complement", 8);
  Problem large(ring(60), false, random);
  large.expect_solved("node elimination, sparse Schur complement", 60);
}

TEST(KktSolver, TreatsCoupledChainsBlockByBlock) {
  Random random;
  for (const int rows : {0, 2, 3})
    for (const bool held : {false, true}) {
      if (rows == 0 && !held) continue;
      Problem problem(chain(20, rows, held, false), true, random);
      problem.expect_solved("chain LU of the coupled system", problem.pattern.row_blocks());
    }
}

// Neighbours of neighbours are coupled as well.
TEST(KktSolver, TreatsWiderChainsAsABand) {
  BlockPattern p(std::vector<int>(30, 6));
  for (int i = 0; i + 2 < 30; ++i) {
    const std::array<int, 2> pair{i, i + 1};
    p.couple(i, i + 1), p.couple(i, i + 2);
    p.add_rows(2, pair);
  }
  p.finish();
  Random random;
  Problem problem(std::move(p), true, random);
  problem.expect_solved("banded LU of the coupled system", problem.pattern.row_blocks());
}

TEST(KktSolver, TreatsSmallCoupledSystemsDenselyAndLargeGraphsSparsely) {
  Random random;
  Problem pair(chain(2, 3, true, false), true, random);
  pair.expect_solved("dense LU of the coupled system", pair.pattern.row_blocks());
  BlockPattern star(std::vector<int>(40, 6));
  for (int i = 1; i < 40; ++i) {
    const std::array<int, 2> nodes{0, i};
    star.couple(0, i);
    star.add_rows(1, nodes);
  }
  star.finish();
  Problem problem(std::move(star), true, random);
  problem.expect_solved("sparse LU of the coupled system", 39);
}

TEST(KktSolver, MixesNodesOfAllDimensions) {
  Random random;
  BlockPattern p({1, 2, 3, 6, 4});
  const std::array<int, 2> ab{0, 1}, bc{1, 2}, cd{2, 3}, de{3, 4};
  p.add_rows(1, ab), p.add_rows(1, bc), p.add_rows(2, cd), p.add_rows(3, de);
  p.couple(0, 3), p.couple(1, 2);
  p.finish();
  Problem separable(p, false, random), coupled(p, true, random);
  separable.expect_solved("node elimination, block tridiagonal Schur complement", 4);
  coupled.expect_solved("dense LU of the coupled system", 4);
}

TEST(KktSolver, ReportsDependentRowsAsSingular) {
  Random random;
  Problem problem(chain(1, 0, true, false), false, random);
  for (int j = 0; j < 6; ++j) problem.C.data()[3 * j + 2] = problem.C.data()[3 * j];  // third row = first row
  problem.G = problem.C;
  KktSolver solver(problem.pattern);
  solver.set_nodes(problem.H, problem.structure);
  EXPECT_LT(solver.set_rows(problem.C, problem.G, 1).rcond, 1e-14);
}

TEST(KktSolver, RefusesMatricesThatAreNotFinite) {
  Random random;
  Problem separable(chain(4, 2, true, false), false, random);
  separable.H.block(2, 2)(1, 1) = NAN;
  KktSolver solver(separable.pattern);
  EXPECT_FALSE(solver.set_nodes(separable.H, separable.structure).ok);
  Problem coupled(chain(30, 2, true, false), true, random);
  coupled.H.block(2, 2)(1, 1) = NAN;
  KktSolver other(coupled.pattern);
  other.set_nodes(coupled.H, coupled.structure);
  EXPECT_FALSE(other.set_rows(coupled.C, coupled.G, coupled.pattern.row_blocks()).ok);
}

// A system without the rows, solved densely.
TEST(KktSolver, LeavesInactiveRowsOutWhateverTheyContain) {
  Random random;
  for (const bool coupled : {false, true})
    for (const int nodes : {3, 30}) {
      Problem problem(chain(nodes, 3, true, false), coupled, random);
      const RowSelection rows({1, 4, 5});
      KktSolver solver(problem.pattern, rows);
      const int n = problem.pattern.size(), m = problem.pattern.rows();
      MatrixXd A = problem.dense(problem.pattern.row_blocks());
      VectorXd rhs(n + m);
      rhs << problem.a, problem.b;
      for (const int row : rows.inactive()) {
        A.row(n + row).setZero(), A.col(n + row).setZero();
        A(n + row, n + row) = 1, rhs[n + row] = 0;
      }
      ASSERT_TRUE(solver.set_nodes(problem.H, problem.structure).ok);
      ASSERT_TRUE(solver.set_rows(problem.C, problem.G, problem.pattern.row_blocks()).ok);
      VectorXd x(n), y(m);
      solver.solve(problem.a, problem.b, x, y);
      const VectorXd expected = A.partialPivLu().solve(rhs);
      EXPECT_LT((x - expected.head(n)).norm(), 1e-11 * (1 + expected.norm())) << solver.method();
      EXPECT_LT((y - expected.tail(m)).norm(), 1e-11 * (1 + expected.norm())) << solver.method();
      for (const int row : rows.inactive()) EXPECT_EQ(y[row], 0) << solver.method();
    }
}

TEST(KktSolver, KeepsCopiesOfWhatItIsGiven) {
  Random random;
  for (const bool coupled : {false, true}) {
    Problem problem(chain(5, 3, true, false), coupled, random);
    KktSolver solver(problem.pattern);
    const int blocks = problem.pattern.row_blocks();
    solver.set_nodes(problem.H, problem.structure);
    const NodeMatrix H = problem.H;
    problem.H.values().setConstant(7);
    solver.set_rows(problem.C, problem.G, blocks);
    VectorXd x(problem.pattern.size()), y(problem.pattern.rows()), x2 = x, y2 = y;
    solver.solve(problem.a, problem.b, x, y);
    problem.C.values().setConstant(7);
    solver.solve(problem.a, problem.b, x2, y2);
    EXPECT_EQ(x, x2);
    EXPECT_EQ(y, y2);
    EXPECT_TRUE(x.allFinite());
  }
}

TEST(NodeMatrix, ThatIsSeparableHasTheDiagonalBlocksAlone) {
  Random random;
  BlockPattern p({6, 3, 6});
  p.couple(0, 1);
  p.couple(1, 2);
  p.finish();
  NodeMatrix M(p, Structure::separable), H(p);
  for (double& x : M.values()) x = random();
  for (double& x : H.values()) x = random();
  EXPECT_EQ(M.values().size(), 36 + 9 + 36);
  const MatrixXd dense = M.to_dense(), before = H.to_dense();
  EXPECT_EQ(dense.block(0, 6, 6, 3), MatrixXd::Zero(6, 3));
  EXPECT_EQ(MatrixXd(to_sparse(M, Structure::separable)), dense);
  H.add(0.5, M);
  EXPECT_EQ(H.to_dense(), before + 0.5 * dense);
  H.assign(M);
  EXPECT_EQ(H.to_dense(), dense);
}

TEST(SparseMatrix, HasTheEntriesOfTheBlockMatrices) {
  Random random;
  Problem problem(chain(6, 4, true, true), true, random);
  const int blocks = problem.pattern.row_blocks();
  EXPECT_EQ(MatrixXd(to_sparse(problem.H)), problem.H.to_dense());
  EXPECT_EQ(to_sparse(problem.H).nonZeros(), problem.pattern.node_values());
  EXPECT_EQ(MatrixXd(to_sparse(problem.C)), problem.C.to_dense(blocks));
  EXPECT_EQ(to_sparse(problem.C).nonZeros(), problem.pattern.row_values());
  EXPECT_EQ(MatrixXd(to_sparse(problem.C, 3)), problem.C.to_dense(3));

  MatrixXd diagonal = problem.H.to_dense(), selected = problem.C.to_dense(blocks);
  for (int i = 0; i < problem.pattern.nodes(); ++i)
    for (const int j : problem.pattern.upper_neighbours(i)) {
      diagonal.block(6 * i, 6 * j, 6, 6).setZero();
      diagonal.block(6 * j, 6 * i, 6, 6).setZero();
    }
  selected.row(2).setZero();
  EXPECT_EQ(MatrixXd(to_sparse(problem.H, Structure::separable)), diagonal);
  EXPECT_EQ(MatrixXd(to_sparse(problem.C, RowSelection({2}))), selected);
}

TEST(RowSelection, IsSortedAndUnique) {
  const RowSelection rows({4, 1, 4});
  EXPECT_EQ(rows.inactive(), (std::vector<int>{1, 4}));
  EXPECT_FALSE(rows.is_all());
  EXPECT_TRUE(rows.is_active(0));
  EXPECT_FALSE(rows.is_active(4));
  VectorXd x = VectorXd::Ones(3);
  rows.clear_inactive(x);
  EXPECT_EQ(x, Eigen::Vector3d(1, 0, 1)) << "a vector may end before the last row";
  EXPECT_TRUE(RowSelection().is_all());
}

}  // namespace
}  // namespace filum::linalg
