/// What is recorded of beams: strains, stresses and energies of segments. Theory: docs/theory/beam.md, sec. 1.
#include "node_pair.hpp"

#include <filum/parts/beam.hpp>

#include <algorithm>
#include <array>

namespace filum::parts {

/// body(segment, strain) for all of them.
template <class Body>
void Beam::each_strain(const VectorXd& q, Body&& body) const {
  constexpr int at_once = 64;
  std::array<double, 6 * at_once> w{};
  for (int first = 0; first < segments(); first += at_once) {
    const int end = std::min(first + at_once, segments());
    strains(q, first, end, w.data());
    for (int m = first; m < end; ++m) body(m, Vector6d(Vector6d::Map(w.data() + 6 * (m - first))));
  }
}

Vector6d Beam::stress(const State& x, int segment, const Vector6d& w) const {
  const Segment& s = segments_[segment];
  const Vector6d theta = s.length * w;
  Vector6d g = elastic(s, theta) + held_covector(segment, theta, x.lambda);
  if (viscous_)
    lie::visit_rigid_motion(group_, [&]<class G>(lie::GroupTag<G>) {
      using Both = NodeTwin<G>;
      const auto a = Both::element(x.q, q_at_ + segment * G::size),
                 b = Both::element(x.q, q_at_ + (segment + 1) * G::size);
      const int at = v_at_ + 6 * segment;
      g += (2 / s.length) *
           (V(s) * relative_rate<typename Both::Twin>(theta, Both::twist(a, x.v, at), Both::twist(b, x.v, at + 6)));
    });
  return g;
}

Vector6d Beam::stress(const State& x, int segment) const { return stress(x, segment, strain(x.q, segment)); }

void Beam::stresses(const State& x, double* out) const {
  each_strain(x.q, [&](int m, const Vector6d& w) { Vector6d::Map(out + 6 * m) = stress(x, m, w); });
}

double Beam::elastic_energy(int segment, const Vector6d& strain) const {
  const Segment& s = segments_[segment];
  const Vector6d w = strain - s.rest;
  return 0.5 * s.length * w.dot(C(s) * w);
}

double Beam::elastic_energy(const VectorXd& q, int segment) const {
  return elastic_energy(segment, strain(q, segment));
}

void Beam::elastic_energies(const VectorXd& q, double* out) const {
  each_strain(q, [&](int m, const Vector6d& w) { out[m] = elastic_energy(m, w); });
}

// (BM.24) Between the middles of two neighbouring segments, and on beyond the first and last middle.
template <class At>
Vector6d Beam::interpolated(double s, At&& at) const {
  if (segments() == 1) return at(0);
  const int m = locate(s).first;
  const int first = std::clamp(s < middle(m) ? m - 1 : m, 0, segments() - 2);
  const double share = (s - middle(first)) / (middle(first + 1) - middle(first));
  return (1 - share) * at(first) + share * at(first + 1);
}

Vector6d Beam::strain_at(const State& x, double s) const {
  return interpolated(s, [&](int m) { return strain(x.q, m); });
}

Vector6d Beam::stress_at(const State& x, double s) const {
  return interpolated(s, [&](int m) { return stress(x, m); });
}

}  // namespace filum::parts
