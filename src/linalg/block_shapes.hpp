/// Loops over row blocks with their sizes known to the compiler where they are common. Theory: docs/theory/solver.md, sec. 1.
#pragma once

#include <filum/linalg/block_matrix.hpp>

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

/// f(block, ref, Size<rows>, Size<dim>) for every node of the first `blocks` row blocks, block by block.
template <class F>
void for_each_row_node(const BlockPattern& p, int blocks, F&& f) {
  for (const RowRun& run : p.row_runs()) {
    const int end = std::min(run.first_block + run.count, blocks);
    with_shape(run.rows, run.dim, [&](auto rows, auto dim) {
      for (int k = run.first_block; k < end; ++k) {
        const RowBlock& b = p.row_block(k);
        for (const NodeRef& ref : p.refs(b)) f(b, ref, rows, dim);
      }
    });
  }
}

}  // namespace filum::linalg
