/// Random numbers, angles and errors for the property suites of groups. Theory: docs/theory/groups.md.
#pragma once

#include <Eigen/Core>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numbers>
#include <random>
#include <sstream>
#include <vector>

namespace filum::lie::test {

inline constexpr double pi = std::numbers::pi;
inline constexpr double eps = std::numeric_limits<double>::epsilon();
inline constexpr double infinity = std::numeric_limits<double>::infinity();
/// Where the sweeps towards the pole of T⁻¹ end.
inline constexpr double largest_angle = 2 * pi - 1e-6;
/// Closer to π the sign of the axis drowns in the rounding of the matrix.
inline constexpr double largest_matrix_angle = pi - 1e-14;

using Rng = std::mt19937_64;

/// Uniform in [0, 1): the standard library's distributions differ between implementations.
inline double uniform(Rng& rng) { return static_cast<double>(rng() >> 11) * 0x1p-53; }

/// A unit vector; every eighth is a coordinate axis.
template <int n>
Eigen::Matrix<double, n, 1> direction(Rng& rng) {
  using Vector = Eigen::Matrix<double, n, 1>;
  if (rng() % 8 == 0) return (rng() % 2 == 0 ? 1 : -1) * Vector::Unit(static_cast<int>(rng() % n));
  for (;;) {
    Vector v;
    for (double& component : v) component = 2 * uniform(rng) - 1;
    const double length = v.norm();
    if (length <= 1 && length > 0.1) return v / length;
  }
}

/// Every decade from 1e-16, ordinary angles, both sides of π to the last digits, then towards 2π.
inline std::vector<double> angles(double largest = largest_angle) {
  std::vector<double> all{0, 0.5, 1, 2, 3, pi, 4, 5, 6};
  for (int k = 1; k <= 16; ++k) all.push_back(std::pow(10.0, -k));
  for (int k = 1; k <= 15; ++k) all.insert(all.end(), {pi - std::pow(10.0, -k), pi + std::pow(10.0, -k)});
  for (int k = 1; k <= 6; ++k) all.push_back(2 * pi - std::pow(10.0, -k));
  std::erase_if(all, [=](double angle) { return angle > largest; });
  return all;
}

/// max |aᵢ − bᵢ| / scaleᵢ; NaN if any entry is.
inline double error(const Eigen::VectorXd& a, const Eigen::VectorXd& b, const Eigen::VectorXd& scale) {
  return ((a - b).array() / scale.array()).abs().maxCoeff<Eigen::PropagateNaN>();
}

inline double largest_entry(const Eigen::MatrixXd& m) { return m.cwiseAbs().maxCoeff<Eigen::PropagateNaN>(); }

/// f'(0) by central differences of fourth order.
inline Eigen::VectorXd derivative(double h, const std::function<Eigen::VectorXd(double)>& f) {
  return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
}

/// ‖T⁻¹‖ near the pole at 2π, up to a constant.
inline double pole(double angle) { return 1 + 2 * pi / std::abs(2 * pi - angle); }

/// The largest error of a sweep and where it was; NaN is the largest of all.
class Worst {
 public:
  void see(double error, double angle = 0, double length = 0) {
    if (std::isnan(value_) || error <= value_) return;
    value_ = error;
    angle_ = angle;
    length_ = length;
  }
  void expect_below(double bound) const {
    std::ostringstream number;
    number << value_;
    ::testing::Test::RecordProperty("worst", number.str());
    EXPECT_LE(value_, bound) << "at angle " << angle_ << ", 2π − " << 2 * pi - angle_ << ", length " << length_;
  }

 private:
  double value_ = 0, angle_ = 0, length_ = 0;
};

}  // namespace filum::lie::test
