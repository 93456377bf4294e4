/// One interface for all factorisations of a square matrix whose pattern never changes. Theory: docs/theory/solver.md,
/// sec. 5.
#pragma once

#include <optional>
#include <span>

namespace filum::linalg {

/// Signs of the eigenvalues of a symmetric matrix.
struct Inertia {
  int positive = 0, negative = 0, zero = 0;
  bool operator==(const Inertia&) const = default;
};

/// Every round is `clear`, writing into `values` at `position`, `factorize`, and solves. Factors take the place of the
/// values. Nothing allocates after the first factorisation, unless a sparse one or a chain has to look for pivots
/// elsewhere than ever before.
class Factor {
 public:
  virtual ~Factor() = default;
  /// "dense", "banded", "block tridiagonal", "chain" or "sparse".
  virtual const char* name() const = 0;
  virtual int size() const = 0;

  /// Where entry (row, column) stands in values(); only entries of the pattern. Entries of one column that belong to
  /// the same block of unknowns follow one another, but for "banded".
  virtual int position(int row, int column) const = 0;
  virtual std::span<double> values() = 0;
  void clear() {
    for (double& x : values()) x = 0;
  }

  /// False when the matrix is singular or not finite.
  virtual bool factorize() = 0;
  /// A cheap measure of condition in [0, 1] from the pivots, good enough to tell a healthy matrix from a nearly
  /// singular one.
  virtual double rcond() const = 0;
  /// x := A⁻¹ x and x := A⁻ᵀ x.
  virtual void solve(double* x) const = 0;
  virtual void solve_transpose(double* x) const = 0;
  /// X := A⁻¹ X for `count` columns, one after the other in memory. Several at once cost less than one by one where the
  /// factors are larger than the cache; the first time this allocates.
  virtual void solve_columns(double* X, int count);
  /// The row of the smallest pivot, −1 when unknown.
  virtual int suspect() const = 0;
  /// Of a symmetric matrix, where the factors show it; computed when asked for.
  virtual std::optional<Inertia> inertia() const { return std::nullopt; }

  /// The values that a pivot order in use was chosen from, empty when the order follows from the matrix alone: all that
  /// later factorisations depend on besides their matrix.
  virtual std::span<const double> pivots_chosen_from() const { return {}; }
  /// Chooses the pivot order for these values. Throws std::invalid_argument when they do not fit.
  virtual void choose_pivots(std::span<const double> values);
  /// The next factorisation depends on its matrix alone.
  virtual void forget_pivots() {}
};

}  // namespace filum::linalg
