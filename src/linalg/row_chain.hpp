/// Row blocks of one shape along a chain of nodes, such as the segments of a beam: block k lies between nodes k and
/// k + 1, and everything has its place by counting. Theory: docs/theory/solver.md, sec. 2.
#pragma once

#include "block_shapes.hpp"

#include <vector>

namespace filum::linalg {

/// `count` row blocks from `first` on, each of `rows` rows on two neighbouring nodes of dimension `dim`. Where the
/// first of them has its row, the unknowns of its first node, and its values; the next one has them `rows`, `dim` and
/// 2 `rows` `dim` further.
struct RowChain {
  int first, count, rows, dim;
  int row, unknown, value;
  int end() const { return first + count; }
};

/// The longest chains among the first `blocks` row blocks; those of one block are left out.
inline std::vector<RowChain> find_chains(const BlockPattern& p, int blocks) {
  std::vector<RowChain> chains;
  const auto lies_between_neighbours = [&](const RowBlock& b) {
    const auto refs = p.refs(b);
    return b.node_count == 2 && refs[1].node == refs[0].node + 1 && p.dim(refs[0].node) == p.dim(refs[1].node) &&
           refs[1].value_offset == refs[0].value_offset + b.rows * p.dim(refs[0].node);
  };
  for (int k = 0; k < blocks; ++k) {
    const RowBlock& b = p.row_block(k);
    if (!lies_between_neighbours(b)) continue;
    const int node = p.refs(b)[0].node;
    if (!chains.empty() && chains.back().end() == k) {
      RowChain& last = chains.back();
      const int before = p.refs(p.row_block(k - 1))[1].node;
      if (before == node && last.rows == b.rows && last.dim == p.dim(node)) {
        ++last.count;
        continue;
      }
    }
    chains.push_back({k, 1, b.rows, p.dim(node), b.first_row, p.offset(node), b.value_offset});
  }
  std::erase_if(chains, [](const RowChain& c) { return c.count == 1; });
  return chains;
}

/// y −= C x on the rows of a chain.
template <int r, int d>
void subtract_chain_product(const RowChain& chain, const double* C, const double* x, double* y) {
  C += chain.value, x += chain.unknown, y += chain.row;
  for (int k = 0; k < chain.count; ++k, C += 2 * r * d, x += d, y += r) {
    add_product<r, d, -1>(C, x, y, r, d);
    add_product<r, d, -1>(C + r * d, x + d, y, r, d);
  }
}

/// x += Y y; Y has d × r blocks where C has r × d ones.
template <int r, int d>
void add_chain_product(const RowChain& chain, const double* Y, const double* y, double* x) {
  Y += chain.value, x += chain.unknown, y += chain.row;
  for (int k = 0; k < chain.count; ++k, Y += 2 * r * d, x += d, y += r) {
    add_product<d, r>(Y, y, x, d, r);
    add_product<d, r>(Y + r * d, y, x + d, d, r);
  }
}

/// S = C Y for the row blocks first … end − 1 of a chain, block tridiagonal: each diagonal block is followed by the
/// ones below and beside it, (L.3).
template <int r, int d>
void chain_schur_complement(const RowChain& chain, int first, int end, const double* C, const double* Y, double* S) {
  using Rows = ConstBlockMap<r, d>;
  using Columns = ConstBlockMap<d, r>;
  using Block = BlockMap<r, r>;
  constexpr int size = r * d, step = 2 * size;
  C += chain.value + first * step, Y += chain.value + first * step, S += 3 * r * r * first;
  for (int k = first; k < end; ++k, C += step, Y += step, S += 3 * r * r) {
    Block D(S);
    D.noalias() = Rows(C).lazyProduct(Columns(Y));
    D.noalias() += Rows(C + size).lazyProduct(Columns(Y + size));
    if (k + 1 == chain.count) return;
    Block(S + r * r).noalias() = Rows(C + step).lazyProduct(Columns(Y + size));
    Block(S + 2 * r * r).noalias() = Rows(C + size).lazyProduct(Columns(Y + step));
  }
}

}  // namespace filum::linalg
