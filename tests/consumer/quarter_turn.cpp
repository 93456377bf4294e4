// The program of a user: a quarter turn about the third axis, checked against its closed form.
#include <filum/lie/s3.hpp>

#include <Eigen/Core>

#include <cmath>
#include <cstdio>
#include <numbers>

static_assert(alignof(Eigen::Vector4d) == 32, "the alignment that filum fixes has not reached its user");

int main() {
  using filum::lie::S3;
  const Eigen::Vector4d p = S3::exp(Eigen::Vector3d(0, 0, std::numbers::pi / 2));
  const Eigen::Vector4d expected(std::numbers::sqrt2 / 2, 0, 0, std::numbers::sqrt2 / 2);
  const double error = (p - expected).norm();
  std::printf("exp(0, 0, pi/2) = (%g, %g, %g, %g), error %.1e\n", p[0], p[1], p[2], p[3], error);
  return error < 1e-15 ? 0 : 1;
}
