/// Loops over row blocks with their sizes known to the compiler where they are common. Theory: docs/theory/solver.md,
/// sec. 1.
#pragma once

#include <filum/linalg/block_matrix.hpp>
#include <filum/linalg/team.hpp>

#include <algorithm>
#include <type_traits>

namespace filum::linalg {

template <int n>
using Size = std::integral_constant<int, n>;
/// Stands for a size that is known at run time only.
using AnySize = Size<Eigen::Dynamic>;

/// f(Size<rows>, Size<dim>): joints and beam segments have 1 to 6 rows; nodes are points, rotations or rigid motions.
template <class F>
void with_shape(int rows, int dim, F&& f) {
  const auto with_rows = [&](auto d) {
    switch (rows) {
      case 1: return f(Size<1>{}, d);
      case 2: return f(Size<2>{}, d);
      case 3: return f(Size<3>{}, d);
      case 4: return f(Size<4>{}, d);
      case 5: return f(Size<5>{}, d);
      case 6: return f(Size<6>{}, d);
      default: return f(AnySize{}, d);
    }
  };
  switch (dim) {
    case 3: return with_rows(Size<3>{});
    case 6: return with_rows(Size<6>{});
    default: return f(AnySize{}, AnySize{});
  }
}

/// f(block, ref, Size<rows>, Size<dim>) for every node of the row blocks from `first` to `end` − 1, block by block.
template <class F>
void for_each_row_node(const BlockPattern& p, int first, int end, F&& f) {
  const auto runs = p.row_runs();
  auto run_at =
      std::upper_bound(runs.begin(), runs.end(), first, [](int k, const RowRun& r) { return k < r.first_block; });
  if (run_at != runs.begin()) --run_at;
  for (; run_at != runs.end() && run_at->first_block < end; ++run_at) {
    const RowRun& run = *run_at;
    const int from = std::max(run.first_block, first), to = std::min(run.first_block + run.count, end);
    with_shape(run.rows, run.dim, [&](auto rows, auto dim) {
      for (int k = from; k < to; ++k) {
        const RowBlock& b = p.row_block(k);
        for (const NodeRef& ref : p.refs(b)) f(b, ref, rows, dim);
      }
    });
  }
}

/// The same for the first `blocks` row blocks.
template <class F>
void for_each_row_node(const BlockPattern& p, int blocks, F&& f) {
  for_each_row_node(p, 0, blocks, f);
}

/// How many row blocks or nodes a thread takes at a time, some microseconds.
inline constexpr int blocks_of_chunk = 256;

/// for_each_row_node, shared with the team in use: f writes to places of its row block only.
template <class F>
void for_each_row_node_shared(const BlockPattern& p, int blocks, F&& f) {
  for_each_chunk(blocks, blocks_of_chunk, [&](int first, int end) { for_each_row_node(p, first, end, f); });
}

/// The same for an f that adds to places of the node: shared by nodes, with the row blocks of each in their order.
template <class F>
void for_each_row_node_by_nodes(const BlockPattern& p, int blocks, F&& f) {
  if (p.nodes() <= blocks_of_chunk || !team_in_use()) return for_each_row_node(p, blocks, f);
  for_each_chunk(p.nodes(), blocks_of_chunk, [&](int first, int end) {
    for (int i = first; i < end; ++i)
      for (const Incidence& at : p.incidence(i)) {
        if (at.block >= blocks) break;
        const RowBlock& b = p.row_block(at.block);
        with_shape(b.rows, b.dim, [&](auto rows, auto dim) { f(b, NodeRef{i, at.value_offset}, rows, dim); });
      }
  });
}

// Products of blocks. Eigen's lazy products of run-time sizes sum in an order that depends on the address of the result
// (solver.md, sec. 6), so these are written out; so are larger products of such sizes, which Eigen may evaluate lazily.

/// y += A x, or y −= A x. A is rows × dim.
template <int r, int d, int sign = 1>
void add_product(const double* A, const double* x, double* y, int rows, int dim) {
  static_assert(sign == 1 || sign == -1);
  if constexpr (r > 0 && d > 0) {
    const auto product = ConstBlockMap<r, d>(A).lazyProduct(ConstBlockMap<d, 1>(x));
    if constexpr (sign > 0)
      BlockMap<r, 1>(y).noalias() += product;
    else
      BlockMap<r, 1>(y).noalias() -= product;
  } else {
    for (int c = 0; c < dim; ++c)
      for (int i = 0; i < rows; ++i) y[i] += sign * A[i + c * rows] * x[c];
  }
}

/// y += scale Aᵀ x. Written out for all sizes: Eigen would add up each column by itself. Sums begin with 0, because of
/// two products that are added the compiler fuses one or the other.
template <int r, int d>
void add_transpose_product(double scale, const double* A, const double* x, double* y, int rows, int dim) {
  const int n = r > 0 ? r : rows, columns = d > 0 ? d : dim;
  for (int c = 0; c < columns; ++c) {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += A[i + c * n] * x[i];
    y[c] += scale * sum;
  }
}

/// Y = diag(a) Gᵀ, G being rows × dim.
template <int r, int d>
void diagonal_product_with_transpose(const double* a, const double* G, double* Y, int rows, int dim) {
  const int n = r > 0 ? r : rows, columns = d > 0 ? d : dim;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < columns; ++i) Y[i + j * columns] = a[i] * G[j + i * n];
}

/// Y = A Gᵀ, A being dim × dim and G rows × dim.
template <int r, int d>
void product_with_transpose(const double* A, const double* G, double* Y, int rows, int dim) {
  if constexpr (r > 0 && d > 0) {
    BlockMap<d, r>(Y).noalias() = ConstBlockMap<d, d>(A).lazyProduct(ConstBlockMap<r, d>(G).transpose());
  } else {
    std::fill(Y, Y + dim * rows, 0.0);
    for (int j = 0; j < rows; ++j)
      for (int l = 0; l < dim; ++l)
        for (int i = 0; i < dim; ++i) Y[i + j * dim] += A[i + l * dim] * G[j + l * rows];
  }
}

}  // namespace filum::linalg
