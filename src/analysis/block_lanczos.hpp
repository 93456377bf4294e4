/// Eigenvalues of largest modulus of a symmetric operator, by Lanczos iterations with blocks. Theory:
/// docs/theory/modes.md, sec. 3.
#pragma once

#include "node_products.hpp"

#include <filum/analysis/linearization.hpp>

#include <functional>
#include <random>

namespace filum::analysis {

/// (MO.15) An orthonormal basis V in the inner product of M, of which the first columns are `processed`: A V is known
/// for them. Every new vector is made orthogonal to all others, so that any vector may join at any time: the next of
/// the sequence, or an unrelated one.
class BlockLanczos {
 public:
  /// Z = A X, given M X, column by column.
  using Operator = std::function<void(const Eigen::MatrixXd& MX, Eigen::MatrixXd& Z)>;

  /// `apply` is symmetric in the inner product of M; `without` are M-orthonormal vectors that are kept out.
  BlockLanczos(Operator apply, const NodeMatrix& M, const Eigen::MatrixXd& without, int capacity);

  /// `count` vectors that have a share in everything, the same every time, multiplied by the operator, wait with the
  /// others. Fewer when there is no room for so many.
  void add_directions(int count);
  /// Multiplies the operator with all vectors that wait, and makes what is new wait. False when there was nothing to
  /// do.
  bool step();

  /// Approximations, by falling modulus, and how far they are from solutions: |A x − θ x|.
  struct Ritz {
    VectorXd values, errors;
    Eigen::MatrixXd coordinates;
  };
  Ritz ritz() const;
  /// The first `count` of them.
  Eigen::MatrixXd vectors(const Ritz& ritz, Eigen::Index count) const;
  /// Keeps the first `count` approximations and the vectors that wait, and forgets the rest.
  void shrink(const Ritz& ritz, Eigen::Index count);
  int processed() const { return static_cast<int>(processed_); }
  bool is_full(int more) const { return used_ + more > V_.cols(); }

 private:
  /// Makes the columns of Z orthonormal, to V and to each other; what is left of dependent ones is dropped. Returns R
  /// and the coordinates H with Z = V H + Z' R.
  struct Split {
    Eigen::MatrixXd H, R;
  };
  Split orthonormalize(Eigen::Index first);
  /// Z waits.
  void append(Eigen::Index count);

  Operator apply_;
  const MassProduct M_;
  const Eigen::MatrixXd& without_;
  Eigen::MatrixXd M_without_, V_,
      T_;  ///< T = Vᵀ M A V on processed columns, and below them the rows of those that wait
  Eigen::Index used_ = 0, processed_ = 0;
  Eigen::Index coupled_ = 0;  ///< the first column that A times those that wait has a share in
  std::minstd_rand random_;
  Eigen::MatrixXd X_, Z_, MZ_;  ///< columns that are worked on
};

}  // namespace filum::analysis
