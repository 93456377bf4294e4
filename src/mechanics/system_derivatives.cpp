/// Derivatives of forces and constraint forces: the parts' own, and differences for those without a formula.
/// Theory: docs/theory/mechanics.md, sec. 4.
#include <filum/mechanics/system.hpp>

#include <algorithm>

namespace filum::mechanics {

// Two nodes may be moved at once when no third node feels both: greedy colouring of the squared coupling graph.
void System::color_nodes() {
  const int n = space_.nodes();
  std::vector<std::vector<int>> neighbours(n);
  for (int i = 0; i < n; ++i)
    for (const int j : pattern_->upper_neighbours(i)) neighbours[i].push_back(j), neighbours[j].push_back(i);
  color_.assign(n, -1);
  std::vector<int> taken_by;
  for (int i = 0; i < n; ++i) {
    const auto take = [&](int j) {
      if (color_[j] < 0) return;
      taken_by.resize(std::max<std::size_t>(taken_by.size(), color_[j] + 1), -1);
      taken_by[color_[j]] = i;
    };
    for (const int j : neighbours[i]) {
      take(j);
      for (const int k : neighbours[j]) take(k);
    }
    int c = 0;
    while (c < static_cast<int>(taken_by.size()) && taken_by[c] == i) ++c;
    color_[i] = c;
    colors_ = std::max(colors_, c + 1);
  }
}

// Central differences of evaluate(q, v, out) in all nodes of one colour at a time.
template <class Evaluate>
void System::add_differences(const VectorXd& q, const VectorXd& v, double scale_q, double scale_v, Evaluate&& evaluate, NodeMatrix& H) const {
  constexpr double step = 6e-6;  // cube root of the unit roundoff: truncation and rounding errors balance
  static thread_local VectorXd qp, vp, plus, minus, delta;
  static thread_local std::vector<double> width;
  plus.resize(size_v()), minus.resize(size_v()), delta.resize(size_v());
  width.assign(space_.nodes(), step);
  if (pattern_->couplings() > 0) H.mark_coupled();

  const auto column = [&](int color, int component, bool velocity, double scale) {
    const auto shifted = [&](double sign, VectorXd& out) {
      delta.setZero();
      for (int i = 0; i < space_.nodes(); ++i)
        if (color_[i] == color && component < pattern_->dim(i)) {
          const int at = pattern_->offset(i);
          width[i] = velocity ? step * (1 + v.segment(at, pattern_->dim(i)).cwiseAbs().maxCoeff()) : step;
          delta[at + component] = sign * width[i];
        }
      if (velocity) {
        vp = v + delta;
        evaluate(q, vp, out);
      } else {
        qp.resize(size_q());
        space_.advance(q, 1, delta, qp);
        evaluate(qp, v, out);
      }
    };
    shifted(1, plus);
    shifted(-1, minus);
    plus -= minus;
    const auto scatter = [&](int i, int j) {
      H.block(i, j).col(component) += scale / (2 * width[j]) * plus.segment(pattern_->offset(i), pattern_->dim(i));
    };
    const auto moved = [&](int j) { return color_[j] == color && component < pattern_->dim(j); };
    for (int i = 0; i < space_.nodes(); ++i) {
      if (moved(i)) scatter(i, i);
      for (const int j : pattern_->upper_neighbours(i)) {
        if (moved(i)) scatter(j, i);
        if (moved(j)) scatter(i, j);
      }
    }
  };

  int largest = 0;
  for (int i = 0; i < space_.nodes(); ++i) largest = std::max(largest, pattern_->dim(i));
  for (int color = 0; color < colors_; ++color)
    for (int component = 0; component < largest; ++component) {
      if (scale_q != 0) column(color, component, false, scale_q);
      if (scale_v != 0) column(color, component, true, scale_v);
    }
}

void System::add_force_derivatives(double t, const VectorXd& q, const VectorXd& v, double scale_q, double scale_v, NodeMatrix& H) const {
  for (const auto& part : parts_) {
    if (!part->has_forces() || part->add_force_derivatives(t, q, v, scale_q, scale_v, H)) continue;
    const double velocity_scale = part->forces_depend_on_velocity() ? scale_v : 0.0;
    add_differences(q, v, scale_q, velocity_scale, [&](const VectorXd& qp, const VectorXd& vp, VectorXd& out) {
      out.setZero();
      part->add_forces(t, qp, vp, out);
    }, H);
  }
}

void System::add_constraint_force_derivatives(double t, const VectorXd& q, const VectorXd& lambda, double scale, NodeMatrix& H) const {
  static thread_local std::optional<RowMatrix> C;
  for (const auto& part : parts_) {
    if (!part->has_constraints() || part->add_constraint_force_derivatives(t, q, lambda, scale, H)) continue;
    if (!C || &C->pattern() != &*pattern_ || C->values().size() != pattern_->row_values()) C.emplace(*pattern_);
    C->values().setZero();
    add_differences(q, q, scale, 0, [&](const VectorXd& qp, const VectorXd&, VectorXd& out) {
      out.setZero();
      part->constraint_rows(t, qp, *C);
      C->add_transpose_times(lambda, 1, out, pattern_->row_blocks());
    }, H);
  }
}

}  // namespace filum::mechanics
