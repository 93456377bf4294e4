/// Spring forces, energies and stiffnesses, (B.8) to (B.11). Theory: docs/theory/bodies.md, sec. 3.
#include <filum/parts/spring.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace filum::parts {
namespace {

/// The force is k r: smooth also where the ends meet, (B.10).
bool is_linear(const SpringOptions& o) { return !o.law && o.length == 0 && o.damping == 0; }

bool sees_rate(const SpringOptions& o) { return o.law ? o.law->sees_rate() : o.damping > 0; }

double tension_of(const SpringOptions& o, double l, double rate, double t) {
  return o.law ? o.law->tension(l, rate, t) : o.stiffness * (l - o.length) + o.damping * rate;
}

SpringForce force_of(const SpringOptions& o, double l, double rate, double t) {
  if (!o.law) return {tension_of(o, l, rate, t), o.stiffness, o.damping};
  return o.law->force(l, rate, t);
}

Vector3d pull(const SpringOptions& o, double t, const Vector3d& r, const Vector3d& r_dot) {
  if (is_linear(o)) return o.stiffness * r;
  const double l = r.norm();
  const Vector3d n = r / l;
  return tension_of(o, l, n.dot(r_dot), t) * n;
}

/// The force on the first end in space and its derivatives by r and ṙ.
struct Pull {
  Vector3d t;
  Matrix3d by_r, by_rate;
};

// (B.9) With n = r/l and P = I − nnᵀ: ∂n/∂r = P/l.
Pull pull_derivatives(const SpringOptions& o, double t, const Vector3d& r, const Vector3d& r_dot) {
  if (is_linear(o)) return {o.stiffness * r, o.stiffness * Matrix3d::Identity(), Matrix3d::Zero()};
  const double l = r.norm();
  const Vector3d n = r / l;
  const Matrix3d nn = n * n.transpose(), P = Matrix3d::Identity() - nn;
  const SpringForce f = force_of(o, l, n.dot(r_dot), t);
  const Vector3d sideways = P * r_dot / l;
  return {f.tension * n, f.by_length * nn + (f.tension / l) * P + f.by_rate * n * sideways.transpose(), f.by_rate * nn};
}

void check(const SpringOptions& o) {
  const auto refuse = [&](const std::string& reason) {
    throw std::invalid_argument("spring " + o.name + ": " + reason);
  };
  for (const auto& [what, value] :
       {std::pair{"stiffness", o.stiffness}, std::pair{"damping", o.damping}, std::pair{"length", o.length}}) {
    if (!(value >= 0) || !std::isfinite(value))
      refuse(std::string(what) + " must not be negative, got " + std::to_string(value));
    if (o.law && value != 0) refuse(std::string("a spring has a law or a ") + what + ", not both");
  }
}

}  // namespace

int Springs::add(const SpringOptions& options, const Marker& a, const Marker& b) {
  check(options);
  springs_.push_back({options, PointPair("spring " + options.name, a, b)});
  return count() - 1;
}

bool Springs::is_self_contained() const {
  return std::none_of(springs_.begin(), springs_.end(), [](const Spring& s) { return s.options.law.has_value(); });
}

void Springs::declare(mechanics::Declaration& declaration) {
  for (Spring& s : springs_) {
    s.pair.attach(declaration.space());
    s.force = declaration.forces(s.pair.nodes(), {.velocity = sees_rate(s.options)});
  }
}

void Springs::add_forces(double t, const VectorXd& q, const VectorXd& v, VectorRef f) const {
  for (const Spring& s : springs_) {
    const PointPair::Motion m = sees_rate(s.options) ? s.pair.motion(q, v) : s.pair.position(q);
    s.pair.add_pull(m, pull(s.options, t, m.r, m.r_dot), f);
  }
}

double Springs::potential_energy(double t, const VectorXd& q) const {
  double energy = 0;
  for (const Spring& s : springs_) {
    const double l = length_of(s, q), stretch = l - s.options.length;
    energy += s.options.law ? s.options.law->potential(l, t) : 0.5 * s.options.stiffness * stretch * stretch;
  }
  return energy;
}

void Springs::add_force_derivatives(double t, const VectorXd& q, const VectorXd& v, double scale_q, double scale_v,
                                    NodeMatrix& H) const {
  for (const Spring& s : springs_) {
    const PointPair::Motion m = s.pair.motion(q, v);
    const Pull p = pull_derivatives(s.options, t, m.r, m.r_dot);
    s.pair.add_pull_derivatives(m, scale_q * p.t, scale_q * p.by_r, scale_q * p.by_rate, scale_v * p.by_rate,
                                s.force.blocks(), H);
  }
}

mechanics::Switching Springs::switching() const {
  const auto switches = [](const Spring& s) { return s.options.law && s.options.law->has_switches(); };
  return std::any_of(springs_.begin(), springs_.end(), switches) ? mechanics::Switching::of_motion
                                                                 : mechanics::Switching::none;
}

void Springs::add_switches(double t, const VectorXd& q, const VectorXd& v, mechanics::SwitchList& out) const {
  for (const Spring& s : springs_) {
    if (!s.options.law || !s.options.law->has_switches()) continue;
    const PointPair::Motion m = s.pair.motion(q, v);
    const double l = m.r.norm();
    out.begin_law();
    s.options.law->add_switches(l, m.r.dot(m.r_dot) / l, t, out);
  }
}

double Springs::length_of(const Spring& s, const VectorXd& q) { return s.pair.position(q).r.norm(); }

double Springs::length(int spring, const VectorXd& q) const { return length_of(springs_[spring], q); }

double Springs::tension(int spring, double t, const VectorXd& q, const VectorXd& v) const {
  const Spring& s = springs_[spring];
  const PointPair::Motion m = s.pair.motion(q, v);
  const double l = m.r.norm(), rate = sees_rate(s.options) ? m.r.dot(m.r_dot) / l : 0;
  return tension_of(s.options, l, rate, t);
}

SpringHandle add_spring(SystemBuilder& builder, const SpringOptions& options, const Marker& a, const Marker& b) {
  const auto part = builder.shared_part<Springs>();
  return {part, part->add(options, a, b)};
}

}  // namespace filum::parts
