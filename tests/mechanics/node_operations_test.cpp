/// Products with the tangent operators of all nodes, against dense ones.
#include <filum/mechanics/node_operations.hpp>
#include <filum/mechanics/nodes.hpp>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <array>

namespace filum::mechanics {
namespace {

using Eigen::MatrixXd;
using lie::GroupId;
using linalg::BlockPattern;

/// Five nodes of different groups and dimensions in a loop with a chord, row blocks over one, two and three of them.
struct Mixture {
  ConfigurationSpace space;
  BlockPattern pattern;
  VectorXd v;

  Mixture() : pattern(make_space()) {
    for (const auto& [i, j] : {std::pair{0, 1}, {1, 2}, {2, 3}, {3, 4}, {0, 4}, {1, 3}}) pattern.couple(i, j);
    pattern.add_rows(3, std::array{0});
    pattern.add_rows(1, std::array{4, 1});
    pattern.add_rows(2, std::array{2, 0, 3});
    pattern.finish();
    v = VectorXd::NullaryExpr(space.size_v(), [](Eigen::Index i) { return std::sin(1.0 + 2.3 * double(i)); });
  }

  std::vector<int> make_space() {
    std::vector<int> dims;
    for (const GroupId g : {GroupId::SE3, GroupId::R2, GroupId::S3, GroupId::S3xR3, GroupId::UDQ}) {
      space.add_nodes(g);
      dims.push_back(lie::dim(g));
    }
    return dims;
  }

  MatrixXd tangent_op(double h) const {
    MatrixXd T = MatrixXd::Zero(space.size_v(), space.size_v());
    for_each_node(space, [&]<class G>(lie::GroupTag<G>, int, int, int at) {
      T.block<G::dim, G::dim>(at, at) = G::tangent_op(h * tangent<G>(v, at));
    });
    return T;
  }
};

void fill(VectorXd& values) {
  for (Eigen::Index i = 0; i < values.size(); ++i) values[i] = std::cos(0.7 * double(i));
}

TEST(NodeOperations, ColumnsTimesTangentIsTheDenseProduct) {
  const Mixture m;
  NodeMatrix H(m.pattern);
  fill(H.values());
  const MatrixXd expected = H.to_dense() * m.tangent_op(0.3);
  multiply_columns_by_tangent(m.space, 0.3, m.v, Structure::coupled, H);
  EXPECT_LT((H.to_dense() - expected).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(NodeOperations, ColumnsTimesTangentLeavesUnusedBlocksAlone) {
  const Mixture m;
  NodeMatrix H(m.pattern);
  for (int i = 0; i < m.space.nodes(); ++i) H.block(i, i).setConstant(i + 1.0);
  const MatrixXd expected = H.to_dense() * m.tangent_op(0.3);
  multiply_columns_by_tangent(m.space, 0.3, m.v, Structure::separable, H);
  EXPECT_LT((H.to_dense() - expected).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(NodeOperations, RowsTimesTangentIsTheDenseProduct) {
  const Mixture m;
  RowMatrix C(m.pattern);
  fill(C.values());
  const MatrixXd expected = C.to_dense(3) * m.tangent_op(0.3);
  multiply_rows_by_tangent(m.space, 0.3, m.v, C);
  EXPECT_LT((C.to_dense(3) - expected).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(NodeOperations, RowsBeyondTheFirstBlocksAreNotTouched) {
  const Mixture m;
  RowMatrix C(m.pattern);
  fill(C.values());
  const MatrixXd before = C.to_dense(3);
  multiply_rows_by_tangent(m.space, 0.3, m.v, C, 2);
  const MatrixXd after = C.to_dense(3);
  EXPECT_EQ(after.bottomRows(2), before.bottomRows(2));
  EXPECT_LT((after.topRows(4) - before.topRows(4) * m.tangent_op(0.3)).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(NodeOperations, RowsTimesHatIsAddedToWhatIsThere) {
  const Mixture m;
  RowMatrix C(m.pattern), out(m.pattern);
  fill(C.values());
  out.values().setOnes();
  MatrixXd hat = MatrixXd::Zero(m.space.size_v(), m.space.size_v());
  for_each_node(m.space, [&]<class G>(lie::GroupTag<G>, int, int, int at) {
    hat.block<G::dim, G::dim>(at, at) = G::hat(tangent<G>(m.v, at));
  });
  MatrixXd expected = out.to_dense(3);
  expected.topRows(4) += 0.7 * C.to_dense(3).topRows(4) * hat;
  add_rows_times_hat(m.space, 0.7, m.v, C, out, 2);
  EXPECT_LT((out.to_dense(3) - expected).cwiseAbs().maxCoeff(), 1e-14);
}

}  // namespace
}  // namespace filum::mechanics
