/// Products of block matrices with operators of all nodes. Theory: docs/theory/mechanics.md, sec. 1.
#include <filum/mechanics/node_operations.hpp>
#include <filum/mechanics/nodes.hpp>

namespace filum::mechanics {
namespace {

/// block := block T row by row, so that no temporary of unknown height is needed.
template <class Jacobian>
void multiply_block(double* block, int rows, const Jacobian& T) {
  constexpr int d = Jacobian::ColsAtCompileTime;
  using Row = Eigen::Matrix<double, 1, d>;
  Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, d>> values(block, rows, d);
  for (int r = 0; r < rows; ++r) {
    const Row row = values.row(r);
    values.row(r).noalias() = row * T;
  }
}

}  // namespace

void multiply_columns_by_tangent(const ConfigurationSpace& space, double h, const VectorXd& v, Structure structure,
                                 NodeMatrix& H) {
  const linalg::BlockPattern& pattern = H.pattern();
  for_each_node(space, [&]<class G>(lie::GroupTag<G>, int node, int, int at) {
    const typename G::Jacobian T = G::tangent_op(h * tangent<G>(v, at));
    multiply_block(H.data() + pattern.block_offset(node, node), G::dim, T);
    if (structure == Structure::separable) return;
    for (const int other : pattern.upper_neighbours(node)) {
      multiply_block(H.data() + pattern.block_offset(other, node), pattern.dim(other), T);
      lie::visit(space.group(other), [&]<class Other>(lie::GroupTag<Other>) {
        const typename Other::Jacobian T_other = Other::tangent_op(h * tangent<Other>(v, space.v_offset(other)));
        multiply_block(H.data() + pattern.block_offset(node, other), G::dim, T_other);
      });
    }
  });
}

void multiply_rows_by_tangent(const ConfigurationSpace& space, double h, const VectorXd& v, RowMatrix& C, int blocks) {
  const linalg::BlockPattern& pattern = C.pattern();
  for_each_node(space, [&]<class G>(lie::GroupTag<G>, int node, int, int at) {
    const auto touching = pattern.incidence(node);
    if (touching.empty()) return;
    const typename G::Jacobian T = G::tangent_op(h * tangent<G>(v, at));
    for (const linalg::Incidence& incidence : touching)
      if (incidence.block < blocks)
        multiply_block(C.data() + incidence.value_offset, pattern.row_block(incidence.block).rows, T);
  });
}

void multiply_rows_by_tangent(const ConfigurationSpace& space, double h, const VectorXd& v, RowMatrix& C) {
  multiply_rows_by_tangent(space, h, v, C, C.pattern().row_blocks());
}

void add_rows_times_hat(const ConfigurationSpace& space, double scale, const VectorXd& v, const RowMatrix& C,
                        RowMatrix& out, int blocks) {
  const linalg::BlockPattern& pattern = C.pattern();
  for_each_node(space, [&]<class G>(lie::GroupTag<G>, int node, int, int at) {
    const auto touching = pattern.incidence(node);
    if (touching.empty()) return;
    const typename G::Jacobian hat = scale * G::hat(tangent<G>(v, at));
    for (const linalg::Incidence& incidence : touching) {
      if (incidence.block >= blocks) continue;
      const int rows = pattern.row_block(incidence.block).rows;
      const double* from = C.data() + incidence.value_offset;
      double* to = out.data() + incidence.value_offset;
      // Written out: Eigen would sum in an order that depends on the address (solver.md, sec. 6).
      for (int j = 0; j < G::dim; ++j)
        for (int l = 0; l < G::dim; ++l)
          for (int r = 0; r < rows; ++r) to[r + j * rows] += from[r + l * rows] * hat(l, j);
    }
  });
}

}  // namespace filum::mechanics
