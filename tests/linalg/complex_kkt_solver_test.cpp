/// Complex saddle-point systems against a dense complex factorisation.
#include <filum/linalg/complex_kkt_solver.hpp>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include <array>
#include <random>

namespace filum::linalg {
namespace {

/// A chain of nodes of dimension 6 with three rows at its beginning and two between neighbours.
BlockPattern chain(int nodes) {
  BlockPattern p(std::vector<int>(static_cast<std::size_t>(nodes), 6));
  p.add_rows(3, std::array{0});
  for (int i = 0; i + 1 < nodes; ++i) {
    p.couple(i, i + 1);
    p.add_rows(2, std::array{i, i + 1});
  }
  p.finish();
  return p;
}

struct ComplexProblem {
  BlockPattern pattern;
  NodeMatrix re{pattern}, im{pattern};
  RowMatrix C{pattern}, G{pattern};
  ComplexPair<VectorXd> a, b;
  std::mt19937_64 engine{11};

  double random() { return std::uniform_real_distribution<double>(-1, 1)(engine); }
  VectorXd random_vector(int n) {
    return VectorXd::NullaryExpr(n, [&] { return random(); });
  }

  explicit ComplexProblem(int nodes) : pattern(chain(nodes)) {
    re.values() = 0.2 * random_vector(pattern.node_values());
    im.values() = 0.2 * random_vector(pattern.node_values());
    for (int i = 0; i < nodes; ++i) re.block(i, i).diagonal().array() += 3, im.block(i, i).diagonal().array() += 2;
    G.values() = random_vector(pattern.row_values());
    C.values() = G.values() + 0.05 * random_vector(pattern.row_values());
    a = {random_vector(pattern.size()), random_vector(pattern.size())};
    b = {random_vector(pattern.rows()), random_vector(pattern.rows())};
  }

  void expect_solved(Structure structure, const RowSelection& rows, const std::string& method) {
    using Eigen::MatrixXcd;
    using Eigen::VectorXcd;
    const std::complex<double> i(0, 1);
    const int n = pattern.size(), m = pattern.rows(), blocks = pattern.row_blocks();
    MatrixXcd H = re.to_dense() + i * im.to_dense();
    if (structure == Structure::separable)
      for (int k = 0; k + 1 < pattern.nodes(); ++k) {
        H.block(6 * k, 6 * k + 6, 6, 6).setZero();
        H.block(6 * k + 6, 6 * k, 6, 6).setZero();
      }
    MatrixXcd A = MatrixXcd::Zero(n + m, n + m);
    A << H, G.to_dense(blocks).transpose().cast<std::complex<double>>(),
        C.to_dense(blocks).cast<std::complex<double>>(), MatrixXcd::Zero(m, m);
    VectorXcd right(n + m);
    right << a.re + i * a.im, b.re + i * b.im;
    for (const int row : rows.inactive()) {
      A.row(n + row).setZero();
      A.col(n + row).setZero();
      A(n + row, n + row) = 1;
      right[n + row] = 0;
    }
    const VectorXcd expected = A.partialPivLu().solve(right);

    ComplexKktSolver solver(pattern, rows);
    ASSERT_TRUE(solver.set_nodes(re, im, structure).ok);
    const FactorReport report = solver.set_rows(C, G, blocks);
    ASSERT_TRUE(report.ok);
    EXPECT_LT(report.suspect_row, m);
    EXPECT_EQ(solver.method(), method);
    ComplexPair<VectorXd> x = a, y = b;
    solver.solve(x, y, x, y);
    EXPECT_LT((x.re + i * x.im - expected.head(n)).norm(), 1e-12 * expected.norm());
    EXPECT_LT((y.re + i * y.im - expected.tail(m)).norm(), 1e-12 * expected.norm());
  }
};

TEST(ComplexKktSolver, SolvesWhatADenseComplexFactorisationSolves) {
  for (const int nodes : {1, 2, 7, 30}) {
    ComplexProblem problem(nodes);
    const std::string coupled = nodes < 7 ? "dense" : "chain";
    problem.expect_solved(Structure::coupled, {}, coupled + " LU of the coupled system");
    problem.expect_solved(Structure::separable, {}, "node elimination, block tridiagonal Schur complement");
  }
}

TEST(ComplexKktSolver, LeavesInactiveRowsOut) {
  ComplexProblem problem(12);
  const RowSelection rows({1, 6, 13});
  problem.expect_solved(Structure::coupled, rows, "chain LU of the coupled system");
  problem.expect_solved(Structure::separable, rows, "node elimination, block tridiagonal Schur complement");
}

TEST(ComplexKktSolver, NamesTheRowThatDependsOnOthers) {
  ComplexProblem problem(5);
  const NodeRef& ref = problem.pattern.refs(problem.pattern.row_block(0))[0];
  for (RowMatrix* rows : {&problem.C, &problem.G})
    for (int c = 0; c < 6; ++c) rows->data()[ref.value_offset + 3 * c + 2] = rows->data()[ref.value_offset + 3 * c];
  ComplexKktSolver solver(problem.pattern);
  ASSERT_TRUE(solver.set_nodes(problem.re, problem.im, Structure::separable).ok);
  const FactorReport report = solver.set_rows(problem.C, problem.G, problem.pattern.row_blocks());
  EXPECT_LT(report.rcond, 1e-12);
  EXPECT_LT(report.suspect_row, 3);
}

TEST(NodeMatrix, TimesAVectorIsTheDenseProduct) {
  ComplexProblem problem(5);
  VectorXd out = problem.a.im;
  problem.re.add_times(problem.a.re, out, Structure::coupled);
  const VectorXd expected = problem.a.im + problem.re.to_dense() * problem.a.re;
  EXPECT_LT((out - expected).norm(), 1e-14 * expected.norm());
  out.setZero();
  problem.re.add_times(problem.a.re, out, Structure::separable);
  for (int i = 0; i < 5; ++i)
    EXPECT_LT((out.segment<6>(6 * i) - problem.re.block(i, i) * problem.a.re.segment<6>(6 * i)).norm(), 1e-14);
}

}  // namespace
}  // namespace filum::linalg
