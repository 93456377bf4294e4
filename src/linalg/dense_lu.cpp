/// LU of a small dense matrix. Theory: docs/theory/solver.md, sec. 5.
#include "symmetric_inertia.hpp"

#include <filum/linalg/dense_lu.hpp>
#include <filum/linalg/small_lu.hpp>

#include <cmath>

namespace filum::linalg {

bool DenseLu::factorize() {
  const double ratio = small_lu(A_.data(), size(), pivots_.data());
  rcond_ = std::isfinite(ratio) ? ratio : 0;
  return rcond_ > 0;
}

void DenseLu::solve(double* x) const { small_lu_solve(A_.data(), size(), pivots_.data(), x); }
void DenseLu::solve_transpose(double* x) const { small_lu_solve_transpose(A_.data(), size(), pivots_.data(), x); }

int DenseLu::suspect() const {
  int at = -1;
  double smallest = HUGE_VAL;
  for (int k = 0; k < size(); ++k)
    if (!(std::abs(A_(k, k)) >= smallest)) smallest = std::abs(A_(k, k)), at = k;
  return at < 0 ? -1 : original_row(pivots_.data(), at);
}

std::optional<Inertia> DenseLu::inertia() const {
  if (!(rcond_ > 0)) return std::nullopt;
  return inertia_of_symmetric(small_lu_product(A_.data(), size(), pivots_.data()));
}

}  // namespace filum::linalg
