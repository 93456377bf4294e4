/// Complex saddle-point systems as real ones. Theory: docs/theory/solver.md, sec. 7.
#include <filum/linalg/complex_kkt_solver.hpp>

#include <algorithm>

namespace filum::linalg {
namespace {

BlockPattern doubled(const BlockPattern& p) {
  std::vector<int> dims, nodes;
  for (int i = 0; i < p.nodes(); ++i) dims.push_back(2 * p.dim(i));
  BlockPattern twice(dims);
  for (int i = 0; i < p.nodes(); ++i)
    for (const int j : p.upper_neighbours(i)) twice.couple(i, j);
  for (int k = 0; k < p.row_blocks(); ++k) {
    nodes.clear();
    for (const NodeRef& ref : p.refs(p.row_block(k))) nodes.push_back(ref.node);
    twice.add_rows(2 * p.row_block(k).rows, nodes);
  }
  twice.finish();
  return twice;
}

RowSelection doubled(const BlockPattern& p, const RowSelection& rows) {
  std::vector<int> inactive;
  for (const int row : rows.inactive()) {
    const RowBlock& b = p.row_block(p.block_of_row(row));
    inactive.push_back(b.first_row + row);
    inactive.push_back(b.first_row + row + b.rows);
  }
  return RowSelection(std::move(inactive));
}

}  // namespace

ComplexKktSolver::ComplexKktSolver(const BlockPattern& pattern, const RowSelection& rows)
    : pattern_(pattern),
      doubled_(doubled(pattern)),
      solver_(doubled_, doubled(pattern, rows)),
      H_(doubled_),
      C_(doubled_),
      G_(doubled_),
      x_(VectorXd::Zero(doubled_.size())),
      y_(VectorXd::Zero(doubled_.rows())) {}

// (L.7) Node by node and block by block: real parts, then imaginary parts.
template <class F>
void ComplexKktSolver::for_each_node_part(F&& f) const {
  for (int i = 0; i < pattern_.nodes(); ++i) f(pattern_.offset(i), doubled_.offset(i), pattern_.dim(i));
}
template <class F>
void ComplexKktSolver::for_each_row_part(F&& f) const {
  for (int k = 0; k < blocks_; ++k)
    f(pattern_.row_block(k).first_row, doubled_.row_block(k).first_row, pattern_.row_block(k).rows);
}

void ComplexKktSolver::copy_block(int i, int j, const NodeMatrix& re, const NodeMatrix& im) {
  const int rows = pattern_.dim(i), cols = pattern_.dim(j), at = pattern_.block_offset(i, j);
  double* to = H_.data() + doubled_.block_offset(i, j);
  for (int c = 0; c < cols; ++c)
    for (int r = 0; r < rows; ++r) {
      const double x = re.data()[at + r + c * rows], y = im.data()[at + r + c * rows];
      to[r + c * 2 * rows] = to[rows + r + (cols + c) * 2 * rows] = x;
      to[rows + r + c * 2 * rows] = y;
      to[r + (cols + c) * 2 * rows] = -y;
    }
}

FactorReport ComplexKktSolver::set_nodes(const NodeMatrix& re, const NodeMatrix& im, Structure structure) {
  for (int i = 0; i < pattern_.nodes(); ++i) {
    copy_block(i, i, re, im);
    if (structure == Structure::separable) continue;
    for (const int j : pattern_.upper_neighbours(i)) copy_block(i, j, re, im), copy_block(j, i, re, im);
  }
  return solver_.set_nodes(H_, structure);
}

void ComplexKktSolver::double_rows(const RowMatrix& from, int blocks, RowMatrix& to) const {
  for (int k = 0; k < blocks; ++k) {
    const auto refs = pattern_.refs(pattern_.row_block(k)), twice = doubled_.refs(doubled_.row_block(k));
    const int rows = pattern_.row_block(k).rows;
    for (std::size_t n = 0; n < refs.size(); ++n) {
      const int cols = pattern_.dim(refs[n].node);
      const double* block = from.data() + refs[n].value_offset;
      double* out = to.data() + twice[n].value_offset;
      for (int c = 0; c < cols; ++c)
        for (int r = 0; r < rows; ++r)
          out[r + c * 2 * rows] = out[rows + r + (cols + c) * 2 * rows] = block[r + c * rows];
    }
  }
}

FactorReport ComplexKktSolver::set_rows(const RowMatrix& C, const RowMatrix& G, int blocks) {
  blocks_ = blocks;
  double_rows(C, blocks, C_);
  double_rows(G, blocks, G_);
  FactorReport report = solver_.set_rows(C_, G_, blocks);
  if (report.suspect_row >= 0) {
    const int k = doubled_.block_of_row(report.suspect_row), rows = pattern_.row_block(k).rows;
    report.suspect_row =
        pattern_.row_block(k).first_row + (report.suspect_row - doubled_.row_block(k).first_row) % rows;
  }
  return report;
}

void ComplexKktSolver::solve(const ComplexPair<VectorXd>& a, const ComplexPair<VectorXd>& b, ComplexPair<VectorXd>& x,
                             ComplexPair<VectorXd>& y) {
  const auto pack = [](const ComplexPair<VectorXd>& from, VectorXd& to) {
    return [&from, &to](int at, int twice, int size) {
      std::copy_n(from.re.data() + at, size, to.data() + twice);
      std::copy_n(from.im.data() + at, size, to.data() + twice + size);
    };
  };
  const auto unpack = [](const VectorXd& from, ComplexPair<VectorXd>& to) {
    return [&from, &to](int at, int twice, int size) {
      std::copy_n(from.data() + twice, size, to.re.data() + at);
      std::copy_n(from.data() + twice + size, size, to.im.data() + at);
    };
  };
  for_each_node_part(pack(a, x_));
  for_each_row_part(pack(b, y_));
  solver_.solve(x_, y_, x_, y_);
  for_each_node_part(unpack(x_, x));
  for_each_row_part(unpack(y_, y));
}

}  // namespace filum::linalg
