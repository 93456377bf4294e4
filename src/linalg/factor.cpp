/// What factorisations have in common. Theory: docs/theory/solver.md, sec. 5.
#include <filum/linalg/factor.hpp>

#include <cstddef>
#include <stdexcept>

namespace filum::linalg {

void Factor::solve_columns(double* X, int count) {
  for (int k = 0; k < count; ++k) solve(X + std::size_t(k) * size());
}

void Factor::choose_pivots(std::span<const double> values) {
  if (!values.empty()) throw std::invalid_argument("this factorisation chooses new pivots for every matrix");
}

}  // namespace filum::linalg
