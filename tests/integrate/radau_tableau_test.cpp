/// Order conditions of Radau IIA, its eigenvectors and its embedded formula. Theory: docs/theory/radau.md, sec. 1.
#include <filum/integrate/radau_tableau.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace filum::integrate {
namespace {

using Table = RadauTableau;
constexpr double rounding_of_sums = 4e-15;

double product(const Table::Row& a, double (*f)(double)) {
  return a[0] * f(Table::c[0]) + a[1] * f(Table::c[1]) + a[2] * f(Table::c[2]);
}
double power_sum(const Table::Row& a, int k) {
  return a[0] * std::pow(Table::c[0], k) + a[1] * std::pow(Table::c[1], k) + a[2] * std::pow(Table::c[2], k);
}

TEST(RadauTableau, SatisfiesTheSimplifyingAssumptionsOfOrderFive) {
  const Table::Row& b = Table::A[2];  // stiffly accurate
  EXPECT_EQ(Table::c[2], 1);
  for (int k = 1; k <= 5; ++k) EXPECT_NEAR(power_sum(b, k - 1), 1.0 / k, rounding_of_sums) << "B(5), " << k;
  EXPECT_GT(std::abs(power_sum(b, 5) - 1.0 / 6), 1e-4) << "not of order 6";
  for (int k = 1; k <= 3; ++k)
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(power_sum(Table::A[i], k - 1), std::pow(Table::c[i], k) / k, rounding_of_sums) << "C(3), " << k;
  for (int k = 1; k <= 2; ++k)
    for (int j = 0; j < 3; ++j) {
      double sum = 0;
      for (int i = 0; i < 3; ++i) sum += b[i] * std::pow(Table::c[i], k - 1) * Table::A[i][j];
      EXPECT_NEAR(sum, b[j] * (1 - std::pow(Table::c[j], k)) / k, rounding_of_sums) << "D(2), " << k;
    }
}

TEST(RadauTableau, HasTheInverseAndTheBasisThatItSays) {
  const double block[3][3] = {{Table::gamma, 0, 0}, {0, Table::alpha, -Table::beta}, {0, Table::beta, Table::alpha}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      double inverse = 0, basis = 0, similar = 0;
      for (int k = 0; k < 3; ++k) {
        inverse += Table::A[i][k] * Table::A_inv[k][j];
        basis += Table::basis[i][k] * Table::basis_inv[k][j];
        for (int l = 0; l < 3; ++l) similar += Table::basis[i][k] * block[k][l] * Table::basis_inv[l][j];
      }
      EXPECT_NEAR(inverse, i == j, rounding_of_sums);
      EXPECT_NEAR(basis, i == j, rounding_of_sums);
      EXPECT_NEAR(similar, Table::A_inv[i][j], 4 * rounding_of_sums);
    }
}

// ẏ = k tᵏ⁻¹: (RA.17) vanishes for k ≤ 3, so that the embedded formula has order 3.
TEST(RadauTableau, EmbeddedFormulaIsOfOrderThree) {
  for (int k = 1; k <= 3; ++k) EXPECT_NEAR((k == 1) + power_sum(Table::error, k), 0, rounding_of_sums) << k;
  EXPECT_GT(std::abs(power_sum(Table::error, 4)), 1e-2);
}

TEST(RadauTableau, ContinuesPolynomials) {
  const auto cubic = [](double s) { return 1 + s * (2 - s * (3 - 4 * s)); };
  const auto quadratic = [](double s) { return 1 + s * (2 - 3 * s); };
  for (const double s : {0.3, 1.2, 2.0}) {
    const auto l = Table::lagrange<4>({0, Table::c[0], Table::c[1], Table::c[2]}, s);
    EXPECT_NEAR(l[0] * cubic(0) + product({l[1], l[2], l[3]}, cubic), cubic(s), 1e-12);
    EXPECT_NEAR(product(Table::lagrange<3>(Table::c, s), quadratic), quadratic(s), 1e-12);
  }
}

}  // namespace
}  // namespace filum::integrate
