/// LAPACK's banded LU behind a small interface. Theory: docs/theory/solver.md, sec. 4.
#include <filum/linalg/banded_lu.hpp>

#include <algorithm>
#include <cmath>

extern "C" {
void dgbtrf_(const int* m, const int* n, const int* kl, const int* ku, double* ab, const int* ldab, int* ipiv, int* info);
void dgbtrs_(const char* trans, const int* n, const int* kl, const int* ku, const int* nrhs, const double* ab, const int* ldab, const int* ipiv,
             double* b, const int* ldb, int* info, std::size_t trans_length);
}

namespace filum::linalg {

BandedLu::BandedLu(int size, int below, int above)
    : size_(size), below_(below), above_(above), stride_(2 * below + above + 1), values_(std::size_t(size) * stride_), factors_(values_.size()), pivots_(size) {}

bool BandedLu::factorize() {
  if (!std::all_of(values_.begin(), values_.end(), [](double x) { return std::isfinite(x); })) return false;
  std::copy(values_.begin(), values_.end(), factors_.begin());
  int info = 0;
  dgbtrf_(&size_, &size_, &below_, &above_, factors_.data(), &stride_, pivots_.data(), &info);
  double smallest = HUGE_VAL, largest = 0;
  for (int k = 0; k < size_; ++k) {
    const double pivot = std::abs(factors_[position(k, k)]);
    smallest = std::min(smallest, pivot);
    largest = std::max(largest, pivot);
  }
  rcond_ = size_ == 0 ? 1 : (largest > 0 ? smallest / largest : 0);
  return info == 0;
}

void BandedLu::solve(double* x) const {
  const int one = 1;
  int info = 0;
  dgbtrs_("N", &size_, &below_, &above_, &one, factors_.data(), &stride_, pivots_.data(), x, &size_, &info, 1);
}

}  // namespace filum::linalg
