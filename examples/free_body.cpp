/// A body that turns freely about its middle axis of inertia and keeps tumbling over. Theory: docs/theory/groups.md.
#include <filum/lie/s3.hpp>

#include <Eigen/LU>

#include <cmath>
#include <cstdio>

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::Vector4d;
using filum::lie::S3;

struct Body {
  Matrix3d I;      // inertia in body axes
  Vector4d p;      // orientation
  Vector3d Omega;  // angular velocity in body axes

  double energy() const { return 0.5 * Omega.dot(I * Omega); }
  Vector3d momentum_space() const { return S3::act(p, I * Omega); }
};

/// Solves T⁻ᵀ(−hV) I V = I Ω by Newton's method; V is the mean angular velocity of the step.
Vector3d mean_angular_velocity(const Body& body, double h) {
  Vector3d V = body.Omega;
  for (int iteration = 0; iteration < 10; ++iteration) {
    const Vector3d residual = S3::tangent_op_inv_T_times(-h * V, body.I * V) - body.I * body.Omega;
    const Matrix3d jacobian =
        S3::tangent_op_inv(-h * V).transpose() * body.I - h * S3::d_tangent_op_inv_T_times(-h * V, body.I * V);
    const Vector3d increment = -jacobian.inverse() * residual;
    V += increment;
    if (increment.norm() <= 1e-15 * V.norm()) break;
  }
  return V;
}

/// p ← p ∘ exp(hV),  I Ω ← T⁻ᵀ(hV) I V: second order, symmetric, and exact in the angular momentum.
void step(Body& body, double h) {
  const Vector3d V = mean_angular_velocity(body, h);
  body.p = S3::compose(body.p, S3::exp(h * V));
  body.Omega = body.I.inverse() * S3::tangent_op_inv_T_times(h * V, body.I * V);
}

}  // namespace

int main() {
  Body body{.I = Vector3d(1, 2, 3).asDiagonal(), .p = S3::identity(), .Omega = Vector3d(0.01, 1, 0.01)};
  const Vector3d momentum = body.momentum_space();
  const double energy = body.energy();
  const int steps_per_second = 1024;
  const int seconds = 40;

  std::puts("A free body, inertia (1, 2, 3), spun about its middle axis: it tumbles.\n");
  std::puts("    t     Omega1     Omega2     Omega3    energy error   momentum error");
  Vector3d omega_at_10 = Vector3d::Zero();
  double worst_momentum = 0;
  for (int t = 0; t <= seconds; ++t) {
    const double momentum_error = (body.momentum_space() - momentum).norm() / momentum.norm();
    worst_momentum = std::fmax(worst_momentum, momentum_error);
    if (t == 10) omega_at_10 = body.Omega;
    if (t % 2 == 0)
      std::printf("%5d %10.6f %10.6f %10.6f %14.1e %14.1e\n", t, body.Omega[0], body.Omega[1], body.Omega[2],
                  (body.energy() - energy) / energy, momentum_error);
    for (int i = 0; i < steps_per_second; ++i) step(body, 1.0 / steps_per_second);
  }

  // Euler's equations solved to 15 digits.
  const Vector3d reference(-0.874573437891094, 0.484996187341049, 0.505001220547913);
  const double error = (omega_at_10 - reference).norm();
  std::printf("\nerror of Omega at t = 10: %.1e with %d steps per second\n", error, steps_per_second);
  return error < 1e-5 && worst_momentum < 1e-12 ? 0 : 1;
}
