/// Derivatives of prescribed motions. User document: docs/guide/scenarios.md, "Drives".
#include <filum/lie/quaternion.hpp>
#include <filum/lie/s3.hpp>
#include <filum/scenario/differentiate.hpp>

#include <array>
#include <cmath>
#include <limits>

namespace filum::scenario {
namespace {

/// Neville's table of estimates at spacings h, h/2, h/4, ... with errors in even powers; stops where they are closest.
template <class Estimate>
double extrapolated(const Estimate& estimate, double h) {
  constexpr int rows = 6;
  std::array<std::array<double, rows>, rows> a{};
  double best = 0, error = std::numeric_limits<double>::infinity();
  for (int i = 0; i < rows; ++i, h /= 2) {
    a[i][0] = estimate(h);
    double factor = 4;
    for (int j = 1; j <= i; ++j, factor *= 4) {
      a[i][j] = a[i][j - 1] + (a[i][j - 1] - a[i - 1][j - 1]) / (factor - 1);
      const double e = std::max(std::abs(a[i][j] - a[i][j - 1]), std::abs(a[i][j] - a[i - 1][j - 1]));
      if (e < error) error = e, best = a[i][j];
    }
  }
  return best;
}

}  // namespace

Derivatives differentiate(const std::function<double(double)>& f, double t, double scale) {
  const double f0 = f(t), h = 32 * scale;
  const auto slope = [&](double d) { return (f(t + d) - f(t - d)) / (2 * d); };
  const auto bend = [&](double d) { return (f(t + d) - 2 * f0 + f(t - d)) / (d * d); };
  return {f0, extrapolated(slope, h), extrapolated(bend, 2 * h)};
}

parts::FrameMotion prescribed_motion(const Number3& position, const Number3& rotation, const Vector4d& start, double t,
                                     double scale) {
  parts::FrameMotion m;
  Vector3d r, r1, r2;
  for (int k = 0; k < 3; ++k) {
    const auto i = static_cast<std::size_t>(k);
    const auto of = [&](const Number& f) {
      return f.is_constant() ? Derivatives{f(0), 0, 0} : differentiate([&](double x) { return f(x); }, t, scale);
    };
    const Derivatives p = of(position[i]), a = of(rotation[i]);
    m.position[k] = p.value, m.velocity[k] = p.first, m.acceleration[k] = p.second;
    r[k] = a.value, r1[k] = a.first, r2[k] = a.second;
  }
  // The frame is exp(r) ∘ start; its angular velocity in the frame is start⁻¹ ▷ (T(r) ṙ), and its derivative follows by
  // a difference along the parabola r + ṙ x + r̈ x²/2.
  m.orientation = lie::S3::compose(lie::S3::exp(r), start);
  const auto spin = [&](double x) {
    const Vector3d rx = r + x * r1 + 0.5 * x * x * r2, rate = r1 + x * r2;
    return Vector3d(lie::quaternion::rotate_inv(start, lie::S3::tangent_op(rx) * rate));
  };
  m.angular_velocity = spin(0);
  const double d = 1e-3 / (1 + r1.norm() + std::sqrt(r2.norm()));
  m.angular_acceleration = (8 * (spin(d) - spin(-d)) - (spin(2 * d) - spin(-2 * d))) / (12 * d);
  return m;
}

}  // namespace filum::scenario
