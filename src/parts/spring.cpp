/// Spring forces, energies and stiffnesses, (B.8) to (B.10). Theory: docs/theory/bodies.md, sec. 3.
#include <filum/parts/shared_part.hpp>
#include <filum/parts/spring.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace filum::parts {
namespace {

/// The force on the first end in space and its derivatives by r and ṙ.
struct Pull {
  Vector3d t;
  Matrix3d by_r, by_rate;
};

bool is_linear(const SpringOptions& o) { return o.length == 0 && o.damping == 0; }

Vector3d pull(const SpringOptions& o, const Vector3d& r, const Vector3d& r_dot) {
  if (is_linear(o)) return o.stiffness * r;
  const double l = r.norm();
  const Vector3d n = r / l;
  return (o.stiffness * (l - o.length) + o.damping * n.dot(r_dot)) * n;
}

// (B.9) With n = r/l and P = I − nnᵀ: ∂n/∂r = P/l.
Pull pull_derivatives(const SpringOptions& o, const Vector3d& r, const Vector3d& r_dot) {
  if (is_linear(o)) return {o.stiffness * r, o.stiffness * Matrix3d::Identity(), Matrix3d::Zero()};
  const double l = r.norm();
  const Vector3d n = r / l;
  const Matrix3d nn = n * n.transpose(), P = Matrix3d::Identity() - nn;
  const double force = o.stiffness * (l - o.length) + o.damping * n.dot(r_dot);
  const Vector3d sideways = P * r_dot / l;
  return {force * n, o.stiffness * nn + (force / l) * P + o.damping * n * sideways.transpose(), o.damping * nn};
}

void check(const SpringOptions& o) {
  const auto refuse = [&](const char* what, double value) {
    if (!(value >= 0) || !std::isfinite(value))
      throw std::invalid_argument("spring " + o.name + ": " + what + " must not be negative, got " +
                                  std::to_string(value));
  };
  refuse("stiffness", o.stiffness);
  refuse("damping", o.damping);
  refuse("length", o.length);
}

}  // namespace

void Springs::add(const SpringOptions& options, const Marker& a, const Marker& b) {
  check(options);
  springs_.push_back({options, PointPair("spring " + options.name, a, b)});
}

void Springs::declare(mechanics::PartPattern& pattern) {
  for (const Spring& s : springs_) s.pair.declare_coupling(pattern);
}

void Springs::bind(const System& system) {
  for (Spring& s : springs_) s.pair.bind(system);
}

bool Springs::forces_depend_on_velocity() const {
  return std::any_of(springs_.begin(), springs_.end(), [](const Spring& s) { return s.options.damping > 0; });
}

void Springs::add_forces(double, const VectorXd& q, const VectorXd& v, VectorXd& f) const {
  for (const Spring& s : springs_) {
    const PointPair::Motion m = s.options.damping > 0 ? s.pair.motion(q, v) : s.pair.position(q);
    s.pair.add_pull(m, pull(s.options, m.r, m.r_dot), f);
  }
}

double Springs::potential_energy(double, const VectorXd& q) const {
  double energy = 0;
  for (const Spring& s : springs_) {
    const double stretch = s.pair.position(q).r.norm() - s.options.length;
    energy += 0.5 * s.options.stiffness * stretch * stretch;
  }
  return energy;
}

bool Springs::add_force_derivatives(double, const VectorXd& q, const VectorXd& v, double scale_q, double scale_v,
                                    NodeMatrix& H) const {
  for (const Spring& s : springs_) {
    const PointPair::Motion m = s.pair.motion(q, v);
    const Pull p = pull_derivatives(s.options, m.r, m.r_dot);
    s.pair.add_pull_derivatives(m, scale_q * p.t, scale_q * p.by_r, scale_q * p.by_rate, scale_v * p.by_rate, H);
  }
  return true;
}

double Springs::length(int spring, const VectorXd& q) const { return springs_[spring].pair.position(q).r.norm(); }

double Springs::tension(int spring, const VectorXd& q, const VectorXd& v) const {
  const Spring& s = springs_[spring];
  const PointPair::Motion m = s.pair.motion(q, v);
  const double l = m.r.norm();
  const double rate = s.options.damping > 0 ? m.r.dot(m.r_dot) / l : 0;
  return s.options.stiffness * (l - s.options.length) + s.options.damping * rate;
}

int add_spring(System& system, const SpringOptions& options, const Marker& a, const Marker& b) {
  Springs& springs = shared_part<Springs>(system);
  springs.add(options, a, b);
  return springs.count() - 1;
}

}  // namespace filum::parts
