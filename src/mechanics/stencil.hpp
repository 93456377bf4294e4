/// Central differences for a part without formulas, on its own nodes. Theory: docs/theory/mechanics.md, sec. 4.
#pragma once

#include "ledger.hpp"

#include <filum/mechanics/system.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace filum::mechanics {

/// Which nodes of a part may be moved at once, and where the results belong.
class System::Stencil {
 public:
  /// Of its forces, or of its constraints.
  Stencil(const BlockPattern& pattern, const Declaration::Ledger& ledger, bool forces);

  /// H += scale_q D_q + scale_v ∂/∂v of evaluate(q, v, out), which adds to the nodes of the part and finds zeros there.
  template <class Evaluate>
  void add_differences(const ConfigurationSpace& space, const VectorXd& q, const VectorXd& v, double scale_q,
                       double scale_v, Evaluate&& evaluate, NodeMatrix& H) const;
  /// out += Cᵀ λ for the rows of the part.
  void add_transpose_times(const RowMatrix& C, const VectorXd& lambda, VectorXd& out) const;

 private:
  struct Node {
    int node, dim, offset, color;
  };
  struct Block {
    int row, column;  ///< numbers in nodes_
    int at;
  };
  void color_nodes(const std::vector<std::pair<int, int>>& pairs);

  std::vector<Node> nodes_;
  std::vector<Block> blocks_;
  std::vector<int> row_blocks_;
  int colors_ = 0, largest_dim_ = 0;
};

template <class Evaluate>
void System::Stencil::add_differences(const ConfigurationSpace& space, const VectorXd& q, const VectorXd& v,
                                      double scale_q, double scale_v, Evaluate&& evaluate, NodeMatrix& H) const {
  constexpr double step = 6e-6;  // cube root of the unit roundoff: truncation and rounding errors balance
  static thread_local VectorXd qp, vp, plus, minus;
  static thread_local std::vector<double> width;
  qp = q, vp = v;
  plus.resize(v.size()), minus.resize(v.size());
  width.assign(nodes_.size(), step);

  const auto column = [&](int color, int component, bool velocity, double scale) {
    const auto is_moved = [&](const Node& n) { return n.color == color && component < n.dim; };
    const auto shifted = [&](double sign, VectorXd& out) {
      for (std::size_t k = 0; k < nodes_.size(); ++k) {
        const Node& n = nodes_[k];
        out.segment(n.offset, n.dim).setZero();
        if (!is_moved(n)) continue;
        if (velocity) {
          double largest = 0;
          for (int c = 0; c < n.dim; ++c) largest = std::max(largest, std::abs(v[n.offset + c]));
          width[k] = step * (1 + largest);
          vp[n.offset + component] = v[n.offset + component] + sign * width[k];
        } else {
          width[k] = step;
          space.advance_node(n.node, q, component, sign * step, qp);
        }
      }
      evaluate(qp, vp, out);
    };
    shifted(1, plus);
    shifted(-1, minus);
    for (const Block& b : blocks_) {
      const Node &i = nodes_[b.row], &j = nodes_[b.column];
      if (!is_moved(j)) continue;
      double* to = H.data() + b.at + component * i.dim;
      const double factor = scale / (2 * width[b.column]);
      for (int r = 0; r < i.dim; ++r) to[r] += factor * (plus[i.offset + r] - minus[i.offset + r]);
    }
    for (const Node& n : nodes_)  // back to where it was
      if (is_moved(n)) {
        if (velocity)
          vp[n.offset + component] = v[n.offset + component];
        else
          qp.segment(space.q_offset(n.node), lie::size(space.group(n.node))) =
              q.segment(space.q_offset(n.node), lie::size(space.group(n.node)));
      }
  };

  for (int color = 0; color < colors_; ++color)
    for (int component = 0; component < largest_dim_; ++component) {
      if (scale_q != 0) column(color, component, false, scale_q);
      if (scale_v != 0) column(color, component, true, scale_v);
    }
}

}  // namespace filum::mechanics
