/// The null space of the static matrix: rigid motions, then subspace iteration. Theory: docs/theory/statics.md, sec. 4.
#include "free_motions.hpp"

#include "resistance.hpp"

#include <filum/analysis/rigid_motions.hpp>
#include <filum/linalg/dense_decompositions.hpp>

#include <algorithm>
#include <cmath>

namespace filum::analysis {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr Index most = 14;  ///< directions looked at; a model with more is not a mistake that needs counting

/// Made orthonormal in the metric, one after the other; what is left of dependent ones is dropped.
class Orthonormal {
 public:
  Orthonormal(const StaticEquations& e, MatrixXd basis) : e_(e), basis_(std::move(basis)) {}

  void add(VectorXd z) {
    const double before = e_.length(z);
    for (int again = 0; again < 2; ++again)
      for (Index j = 0; j < basis_.cols(); ++j) z -= e_.product(basis_.col(j), z) * basis_.col(j);
    const double length = e_.length(z);
    if (!(length > 1e-10 * before)) return;
    basis_.conservativeResize(z.size(), basis_.cols() + 1);
    basis_.rightCols<1>() = z / length;
  }
  const MatrixXd& basis() const { return basis_; }

 private:
  const StaticEquations& e_;
  MatrixXd basis_;
};

}  // namespace

MatrixXd free_motions(StaticEquations& e, const StaticPoint& p) {
  const int n = e.system().size_v();
  const int allowed = n - e.system().size_rows() + static_cast<int>(e.rows().inactive().size());
  if (allowed <= 0) return MatrixXd(n, 0);
  if (!e.factorize(p).ok && e.stiffness_scale() == 0 && e.system().size_rows() == 0) return MatrixXd::Identity(n, n);
  const Resistance resistance{e.stiffness(), e.constraints(), e.rows(), e.weights(),
                              [&](const MatrixXd& F) { return e.multipliers(F); }};
  Orthonormal screws(e, MatrixXd(n, 0));
  const Eigen::Matrix<double, Eigen::Dynamic, 6> rigid =
      known_rigid_motions(e.system(), p.x.q, center_of_mass(e.system(), p.x.q));
  for (Index k = 0; k < 6; ++k)
    if (!rigid.col(k).isZero(0)) screws.add(rigid.col(k));
  MatrixXd found(n, 0);
  if (screws.basis().cols() > 0) found = screws.basis() * free_combinations(resistance, screws.basis());

  const Index count = std::min<Index>(allowed, most) - found.cols();
  if (count <= 0) return found;
  // A shift far below all that resists, far above rounding errors.
  double shift = 1e-11 * e.stiffness_scale();
  if (!(shift > 0)) shift = 1;
  for (int attempt = 0; !e.factorize(p, shift).ok && attempt < 3; ++attempt) shift *= 10;
  MatrixXd Z(n, count);
  for (Index k = 0; k < count; ++k)  // no direction is left out, the same every time
    for (int i = 0; i < n; ++i)
      Z(i, k) = std::sin(1.0 + 12.9898 * i + 78.233 * static_cast<double>(k * i % 97 + k)) / std::sqrt(e.weights()[i]);
  const VectorXd none = VectorXd::Zero(e.system().size_rows());
  StaticIncrement d{VectorXd(n), none};
  for (int round = 0; round < 5; ++round) {
    Orthonormal next(e, found);
    for (Index k = 0; k < Z.cols(); ++k) {
      e.solve(e.weights().cwiseProduct(Z.col(k)), none, d);
      if (!d.q.allFinite()) return found;
      next.add(d.q);
    }
    Z = next.basis().rightCols(next.basis().cols() - found.cols());
  }
  if (Z.cols() == 0) return found;
  const MatrixXd others = Z * free_combinations(resistance, Z);
  MatrixXd all(n, found.cols() + others.cols());
  all << found, others;
  return all;
}

namespace {

/// f(node, first velocity, number of rotations among them, number of all).
template <class F>
void for_each_turn(const System& system, F&& f) {
  const auto& space = system.space();
  for (int i = 0; i < space.nodes(); ++i)
    f(i, space.v_offset(i), lie::is_point(space.group(i)) ? 0 : 3, lie::dim(space.group(i)));
}

}  // namespace

MatrixXd rolling_among(const System& system, const VectorXd& weights, const MatrixXd& Z) {
  if (Z.cols() == 0) return Z;
  MatrixXd shifts = weights.cwiseSqrt().asDiagonal() * Z;
  for_each_turn(system, [&](int, int at, int turns, int) { shifts.middleRows(at, turns).setZero(); });
  const linalg::SymmetricEigen eigen = linalg::symmetric_eigen(shifts.transpose() * shifts);
  constexpr double moved = 1e-14;  // squares; turns are of the size 1
  const Index count = (eigen.values.array() < moved * system.space().nodes()).count();
  MatrixXd rolling = Z * eigen.vectors.leftCols(count);
  // A single body that turns on the spot is free in earnest.
  Index kept = 0;
  for (Index k = 0; k < count; ++k) {
    const double largest = rolling.col(k).cwiseAbs().maxCoeff();
    int many = 0;
    for_each_turn(system, [&](int, int at, int turns, int) {
      many += rolling.col(k).segment(at, turns).cwiseAbs().sum() > 1e-3 * largest;
    });
    if (many > 1) rolling.col(kept++) = rolling.col(k);
  }
  return rolling.leftCols(kept);
}

MatrixXd rolling_motions(StaticEquations& e, const StaticPoint& p) {
  StaticPoint unloaded = p;
  unloaded.factor = 0;
  VectorXd left(e.system().size_v());
  const double off = e.balance(unloaded, left);
  const MatrixXd none(e.system().size_v(), 0);
  if (!std::isfinite(off) || !e.factorize(unloaded).ok) return none;
  constexpr double balanced = 1e-9;  // of a displacement: rounding errors of a shape that is free of stress
  if (off > balanced * e.stiffness_scale()) return none;
  return rolling_among(e.system(), e.weights(), free_motions(e, unloaded));
}

std::vector<Anchor> anchors_against(const StaticEquations& e, MatrixXd Z) {
  std::vector<Anchor> anchors;
  while (Z.cols() > 0) {
    double largest = 0;
    int where = 0, at = 0, dim = 0;
    Index column = 0;
    for_each_turn(e.system(), [&](int node, int first, int turns, int all) {
      for (Index k = 0; k < Z.cols(); ++k)
        if (const double size = Z.col(k).segment(first, turns).norm(); size > largest)
          largest = size, where = node, at = first, dim = all, column = k;
    });
    if (largest == 0) break;
    const VectorXd axis = Z.col(column).segment(at, dim) / largest, z = Z.col(column);
    anchors.push_back({where, axis});
    // What is left of the others does not turn there.
    MatrixXd rest(Z.rows(), Z.cols() - 1);
    for (Index k = 0, to = 0; k < Z.cols(); ++k)
      if (k != column) rest.col(to++) = Z.col(k) - axis.dot(Z.col(k).segment(at, dim)) / largest * z;
    Z = std::move(rest);
  }
  return anchors;
}

}  // namespace filum::analysis
