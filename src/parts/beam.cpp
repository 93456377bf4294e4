/// Evaluation of the Cosserat beam. Theory: docs/theory/beam.md.
#include "node_pair.hpp"
#include "segment_kernels.hpp"

#include <filum/linalg/team.hpp>
#include <filum/parts/beam.hpp>

#include <algorithm>
#include <cmath>
#include <span>

namespace filum::parts {
namespace {

/// (BM.18) A twist (0, skw(U) δφ) of each node: that of one that turns by δφ while its velocity in space stays.
template <class Both, class Element>
void add_turning_velocities(const NodeBlocks<2>& blocks, const Matrix6d& Da, const Matrix6d& Db, const Matrix6d& A,
                            const Matrix6d& B, const Element& a, const Element& b, const Vector6d& va,
                            const Vector6d& vb, NodeMatrix& H) {
  const auto add = [&](int on, int by, const Matrix6d& D) {
    Matrix6d K = Matrix6d::Zero();
    K.leftCols<3>() = D.rightCols<3>() * lie::skw((by == 0 ? va : vb).template tail<3>());
    Both::to_nodes(on == 0 ? a : b, by == 0 ? a : b, K);
    Eigen::Map<Matrix6d>(blocks(H, on, by)) += K;
  };
  add(0, 0, -Da * B);
  add(0, 1, Da * A);
  add(1, 0, -Db * B);
  add(1, 1, Db * A);
}

/// Segments are evaluated several at once: in S³⋉R³, unless there are too few.
bool has_packs(const Beam& beam, bool has_law) {
  return beam.group() == lie::GroupId::S3sdR3 && beam.segments() >= segments::fewest && !has_law;
}

/// How many segments a thread takes at a time, some microseconds.
constexpr int segments_of_chunk = 256;

/// body(pack, r) with θ of several segments at once, shared with the team in use; false when there are no packs.
template <class Body>
bool each_pack(const Beam& beam, bool has_law, const double* q, Body&& body) {
  if (!has_packs(beam, has_law)) return false;
  linalg::for_each_chunk(beam.segments(), segments_of_chunk, [&](int first, int end) {
    linalg::for_each_pack(first, end, [&](const auto& pack) { body(pack, segments::relative(pack, q)); });
  });
  return true;
}

}  // namespace

template <class Body>
void Beam::each_of(const VectorXd& q, int first, int end, Body&& body) const {
  lie::visit_rigid_motion(group_, [&]<class G>(lie::GroupTag<G>) {
    using Both = NodeTwin<G>;
    using Twin = typename Both::Twin;
    typename Twin::Element a = Both::element(q, q_at_ + first * G::size);
    for (int m = first; m < end; ++m) {
      const typename Twin::Element b = Both::element(q, q_at_ + (m + 1) * G::size);
      body(Both{}, segments_[m], m, relative<Twin>(a, b), a, b);
      a = b;
    }
  });
}

template <class Body>
void Beam::each(const VectorXd& q, Body&& body) const {
  if (law_) return each_of(q, 0, segments(), body);  // a function of a user
  linalg::for_each_chunk(segments(), segments_of_chunk, [&](int first, int end) { each_of(q, first, end, body); });
}

// The last segment of every chunk waits until both its nodes have what the others add to them.
template <class Body>
void Beam::each_adding(const VectorXd& q, Body&& body) const {
  if (law_) return each_of(q, 0, segments(), body);
  const int chunks = (segments() - 1) / segments_of_chunk;
  linalg::for_each_task(chunks + 1, [&](int k) {
    each_of(q, k * segments_of_chunk, k < chunks ? (k + 1) * segments_of_chunk - 1 : segments(), body);
  });
  for (int k = 1; k <= chunks; ++k) each_of(q, k * segments_of_chunk - 1, k * segments_of_chunk, body);
}

Vector6d Beam::elastic(const Segment& s, const Vector6d& theta) const { return C(s) * (theta / s.length - s.rest); }

Beam::AtSegment Beam::law_at(int segment, const Vector6d& theta) const {
  AtSegment at{StrainLaw::Values(held_count_), StrainLaw::Slopes(held_count_, 6)};
  law_->evaluate(middle(segment), theta / segments_[segment].length, at.psi, at.slopes);
  return at;
}

Matrix6d Beam::law_second_derivative(int segment, const Vector6d& theta, const StrainLaw::Values& lambda) const {
  return law_->second_derivative(middle(segment), theta / segments_[segment].length, lambda);
}

Vector6d Beam::held_covector(int segment, const Vector6d& theta, const VectorXd& lambda) const {
  if (law_) return law_at(segment, theta).slopes.transpose() * constraints_[segment].of(lambda);
  Vector6d g = Vector6d::Zero();
  for (int k = 0; k < held_count_; ++k) g[held_[k]] = lambda[constraints_[segment].row() + k];
  return g;
}

// (BM.5) A chunk of packs adds to its own nodes, in the order of segments: to the first one what the segment before it
// does, and nothing to the node behind its last segment.
void Beam::add_forces(double, const VectorXd& q, const VectorXd& v, VectorRef f) const {
  double* at_a = f.data() + v_at_;
  const auto add = [&](int from, int to, bool at_beginnings, bool at_ends) {
    linalg::for_each_pack(from, to, [&](const auto& pack) {
      const auto r = segments::relative(pack, q.data() + q_at_);
      const segments::Coefficients c(r);
      const auto g = segments::stresses(pack, segments_, materials_, r, c.f6, viscous_ ? v.data() + v_at_ : nullptr);
      const auto fb = lie::wide::tangent_op_inv_T_times(r.theta, g, c.f6);
      if (at_ends) lie::wide::add_twist(pack, -fb, at_a + 6);
      if (at_beginnings) lie::wide::add_twist(pack, fb - lie::wide::bracket_T(r.theta, g), at_a);
    });
  };
  if (has_packs(*this, law_ != nullptr))
    return linalg::for_each_chunk(segments(), segments_of_chunk, [&](int first, int end) {
      if (first > 0) add(first - 1, first, false, true);
      const int last = end < segments() ? end - 1 : end;
      add(first, last, true, true);
      add(last, end, true, false);
    });
  each_adding(q, [&]<class Both>(Both, const Segment& s, int m, const Vector6d& theta, const auto& a, const auto& b) {
    using Twin = typename Both::Twin;
    const int at = v_at_ + 6 * m;
    Vector6d g = elastic(s, theta);
    if (viscous_) {
      const Vector6d va = Both::twist(a, v, at), vb = Both::twist(b, v, at + 6);
      g.noalias() += (2 / s.length) * (V(s) * relative_rate<Twin>(theta, va, vb));
    }
    const PairForces on = pair_forces<Twin>(theta, g);
    Both::add_wrench(a, on.a, f, at);
    Both::add_wrench(b, on.b, f, at + 6);
  });
}

double Beam::potential_energy(double, const VectorXd& q) const {
  double energy = 0;
  each_of(q, 0, segments(), [&](auto, const Segment& s, int, const Vector6d& theta, const auto&, const auto&) {
    const Vector6d w = theta / s.length - s.rest;
    energy += 0.5 * s.length * w.dot(C(s) * w);
  });
  return energy;
}

// (BM.12) With A = T⁻¹(θ), B = T⁻¹(−θ): Dθ = (−B, A), and the derivatives of the two forces by θ follow from S.
void Beam::add_force_derivatives(double, const VectorXd& q, const VectorXd& v, double scale_q, double scale_v,
                                 NodeMatrix& H) const {
  const bool by_q = scale_q != 0, by_v = scale_v != 0 && viscous_;
  if (!by_q && !by_v) return;
  each_adding(q, [&]<class Both>(Both, const Segment& s, int m, const Vector6d& theta, const auto& a, const auto& b) {
    using Twin = typename Both::Twin;
    const Matrix6d A = Twin::tangent_op_inv(theta), B = tangent_op_inv_minus<Twin>(A, theta);
    Matrix6d Ka = Matrix6d::Zero(), Kb = Matrix6d::Zero();  // derivatives of f_a, f_b by θ, times scale_q
    if (by_q) {
      const int at = v_at_ + 6 * m;
      Vector6d g = elastic(s, theta);
      Matrix6d dg = C(s) / s.length;
      if (viscous_) {
        const Vector6d va = Both::twist(a, v, at), vb = Both::twist(b, v, at + 6);
        g += (2 / s.length) * (V(s) * relative_rate<Twin>(theta, va, vb));
        dg += (2 / s.length) * (V(s) * d_relative_rate<Twin>(theta, va, vb));
        if constexpr (Both::direct) {
          const Matrix6d D = (2 * scale_q / s.length) * V(s);
          add_turning_velocities<Both>(s.force.blocks(), B.transpose() * D, -A.transpose() * D, A, B, a, b, va, vb, H);
        }
      }
      if constexpr (Both::direct) add_turning<Both>(s.force.blocks(), scale_q, pair_forces<Twin>(theta, g), a, b, H);
      Ka = scale_q * (B.transpose() * dg - Twin::d_tangent_op_inv_T_times(-theta, g));
      Kb = -scale_q * (A.transpose() * dg + Twin::d_tangent_op_inv_T_times(theta, g));
    }
    if (by_v) {  // ∂g/∂(θ̇) = 2V/Δs enters like ∂g/∂θ
      const Matrix6d D = (2 * scale_v / s.length) * V(s);
      Ka += B.transpose() * D;
      Kb -= A.transpose() * D;
    }
    add_blocks<Both>(s.force.blocks(), Ka, Kb, A, B, a, b, H);
  });
}

// (BM.6) Φ = Δs (w − w*) on the held strains, (BM.14) Φ = Δs Ψ(w).
void Beam::constraint(double, const VectorXd& q, VectorRef phi) const {
  if (each_pack(*this, law_ != nullptr, q.data() + q_at_, [&](const auto& pack, const auto& r) {
        const auto theta = segments::list(r.theta);
        segments::write_held(pack, std::span(held_).first(held_count_), phi.data() + constraints_.front().row(),
                             [&](auto k) { return theta[k] - segments::rest(pack, segments_, k); });
      }))
    return;
  each(q, [&](auto, const Segment& s, int m, const Vector6d& theta, const auto&, const auto&) {
    const int row = constraints_[m].row();
    if (law_)
      phi.segment(row, held_count_) = s.length * law_at(m, theta).psi;
    else
      for (int k = 0; k < held_count_; ++k) phi[row + k] = theta[held_[k]] - s.length * s.rest[held_[k]];
  });
}

// (BM.7) Rows of −T⁻¹(−θ) at a and T⁻¹(θ) at b; of a law, their combinations dΨ.
void Beam::constraint_jacobian(double, const VectorXd& q, RowMatrix& C) const {
  if (each_pack(*this, law_ != nullptr, q.data() + q_at_, [&](const auto& pack, const auto& r) {
        segments::write_rows(pack, r, std::span(held_).first(held_count_), constraints_.front().columns(C, 0));
      }))
    return;
  each(q, [&]<class Both>(Both, const Segment&, int m, const Vector6d& theta, const auto& a, const auto& b) {
    const PairRows rows = pair_rows<Both>(theta, a, b);
    double* at = constraints_[m].columns(C, 0);
    if (law_) {
      const StrainLaw::Slopes slopes = law_at(m, theta).slopes;
      Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, 6>>(at, held_count_, 6) = slopes * rows.a;
      Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, 6>>(constraints_[m].columns(C, 1), held_count_, 6) =
          slopes * rows.b;
      return;
    }
    for (int j = 0; j < 6; ++j)
      for (int k = 0; k < held_count_; ++k) *at++ = rows.a(held_[k], j);
    at = constraints_[m].columns(C, 1);
    for (int j = 0; j < 6; ++j)
      for (int k = 0; k < held_count_; ++k) *at++ = rows.b(held_[k], j);
  });
}

// (BM.8); (BM.15) a law adds θ̇ᵀ d²Ψ θ̇ / Δs.
void Beam::curvature(double, const VectorXd& q, const VectorXd& v, VectorRef gamma) const {
  if (each_pack(*this, law_ != nullptr, q.data() + q_at_, [&](const auto& pack, const auto& r) {
        const auto va = lie::wide::read_twist(pack, v.data() + v_at_),
                   vb = lie::wide::read_twist(pack, v.data() + v_at_ + 6);
        const auto second = segments::list(segments::curvature(r.theta, segments::Coefficients(r), va, vb));
        segments::write_held(pack, std::span(held_).first(held_count_), gamma.data() + constraints_.front().row(),
                             [&](auto k) { return second[k]; });
      }))
    return;
  each(q, [&]<class Both>(Both, const Segment& s, int m, const Vector6d& theta, const auto& a, const auto& b) {
    const int at = v_at_ + 6 * m;
    const Vector6d va = Both::twist(a, v, at), vb = Both::twist(b, v, at + 6);
    const Vector6d second = relative_curvature<Both>(theta, va, vb);
    const int row = constraints_[m].row();
    if (!law_) {
      for (int k = 0; k < held_count_; ++k) gamma[row + k] = second[held_[k]];
      return;
    }
    const Vector6d rate = relative_rate<typename Both::Twin>(theta, va, vb);
    gamma.segment(row, held_count_) = law_at(m, theta).slopes * second;
    for (int k = 0; k < held_count_; ++k) {
      const Matrix6d d2 = law_second_derivative(m, theta, StrainLaw::Values::Unit(held_count_, k));
      gamma[row + k] += rate.dot(d2 * rate) / s.length;
    }
  });
}

// (BM.13) Cᵀλ is −T⁻ᵀ(−θ) λ̃ at a and T⁻ᵀ(θ) λ̃ at b, λ̃ the multipliers as a covector of all strains; (BM.16) that of
// a law depends on θ.
void Beam::add_constraint_force_derivatives(double, const VectorXd& q, const VectorXd& lambda, double scale,
                                            NodeMatrix& H) const {
  each_adding(q, [&]<class Both>(Both, const Segment& s, int m, const Vector6d& theta, const auto& a, const auto& b) {
    using Twin = typename Both::Twin;
    const Vector6d g = held_covector(m, theta, lambda);
    const Matrix6d A = Twin::tangent_op_inv(theta), B = tangent_op_inv_minus<Twin>(A, theta);
    Matrix6d Ka = scale * Twin::d_tangent_op_inv_T_times(-theta, g),
             Kb = scale * Twin::d_tangent_op_inv_T_times(theta, g);
    if (law_) {
      const Matrix6d dg = (scale / s.length) * law_second_derivative(m, theta, constraints_[m].of(lambda));
      Ka -= B.transpose() * dg;
      Kb += A.transpose() * dg;
    }
    if constexpr (Both::direct)
      add_turning<Both>(constraints_[m].blocks(), -scale, pair_forces<Twin>(theta, g), a, b, H);
    add_blocks<Both>(constraints_[m].blocks(), Ka, Kb, A, B, a, b, H);
  });
}

Vector6d Beam::strain(const VectorXd& q, int segment) const {
  Vector6d w;
  if (has_packs(*this, law_ != nullptr)) {  // the same numbers as those of add_forces
    const linalg::Pack<2, false> alone{segment, 1};
    const auto theta = segments::list(segments::relative(alone, q.data() + q_at_).theta);
    for (int k = 0; k < 6; ++k) w[k] = theta[k][0] / segments_[segment].length;
    return w;
  }
  lie::visit_rigid_motion(group_, [&]<class G>(lie::GroupTag<G>) {
    using Both = NodeTwin<G>;
    w = relative<typename Both::Twin>(Both::element(q, q_at_ + segment * G::size),
                                      Both::element(q, q_at_ + (segment + 1) * G::size)) /
        segments_[segment].length;
  });
  return w;
}

void Beam::strains(const VectorXd& q, int first, int end, double* out) const {
  if (!has_packs(*this, law_ != nullptr)) {
    for (int m = first; m < end; ++m, out += 6) Vector6d::Map(out) = strain(q, m);
    return;
  }
  linalg::for_each_pack(first, end, [&](const auto& pack) {
    const auto theta = segments::list(segments::relative(pack, q.data() + q_at_).theta);
    pack.for_each_lane([&](int i) {
      const int m = pack.item(i);
      for (int k = 0; k < 6; ++k) out[6 * (m - first) + k] = theta[k][i] / segments_[m].length;
    });
  });
}

double Beam::kinetic_energy(const State& x, int node) const {
  const NodeMass& m = masses_[node];
  const Vector3d O = x.v.segment<3>(v_at_ + 6 * node);
  Vector3d U = x.v.segment<3>(v_at_ + 6 * node + 3);
  double energy = 0.5 * (O.dot(m.inertia * O) + m.mass * U.squaredNorm());  // |u| = |U|
  if (m.center.isZero(0)) return energy;
  if (direct_) U = (lie::quaternion::rotate_inv(orientation(x, node), U)).eval();
  return energy + m.mass * U.dot(O.cross(m.center));
}

std::string Beam::diagnosis(const VectorXd& q) const {
  std::string text;
  lie::visit_rigid_motion(group_, [&]<class G>(lie::GroupTag<G>) {
    using Both = NodeTwin<G>;
    using Twin = typename Both::Twin;
    for (int m = 0; m < segments() && text.empty(); ++m) {
      const auto a = Both::element(q, q_at_ + m * G::size), b = Both::element(q, q_at_ + (m + 1) * G::size);
      const double turn = turn_between<Twin>(a, b);
      if (turn > suspicious_turn)
        text = name() + ": segment " + std::to_string(m + 1) + " of " + std::to_string(segments()) + " is turned by " +
               std::to_string(turn) + " between its ends; beyond 2 pi its strain is not defined. Use more segments";
    }
  });
  return text;
}

std::pair<int, double> Beam::locate(double s) const {
  const auto after = std::upper_bound(grid_.begin() + 1, grid_.end() - 1, s);
  const int m = static_cast<int>(after - grid_.begin()) - 1;
  return {m, std::clamp((s - grid_[m]) / segments_[m].length, 0.0, 1.0)};
}

int Beam::node_at(double s) const {
  const auto [m, share] = locate(s);
  return share > 0.5 ? m + 1 : m;
}

// (BM.25) q(s) = q_a ∘ exp(x) with x = σθ moves with v_a + T(x) (σθ̇ − x̂ v_a).
PointMotion Beam::motion_at(const State& x, double s) const {
  const auto [m, share] = locate(s);
  PointMotion motion{.t = x.t, .s = s, .position = {}, .rotation = {}, .velocity = {}, .angular_velocity = {}};
  lie::visit_rigid_motion(group_, [&, m = m, share = share]<class G>(lie::GroupTag<G>) {
    using Both = NodeTwin<G>;
    using Twin = typename Both::Twin;
    const int at = v_at_ + 6 * m;
    const auto a = Both::element(x.q, q_at_ + m * G::size), b = Both::element(x.q, q_at_ + (m + 1) * G::size);
    const Vector6d theta = relative<Twin>(a, b), part = share * theta;
    const Vector6d va = Both::twist(a, x.v, at), vb = Both::twist(b, x.v, at + 6);
    const Vector6d V =
        va + Twin::tangent_op_times(part, share * relative_rate<Twin>(theta, va, vb) - Twin::bracket(part, va));
    const typename Twin::Element q = Twin::compose(a, Twin::exp(part));
    motion.position = Twin::position(q);
    motion.rotation = Twin::rotation(q);
    motion.velocity = motion.rotation * V.template tail<3>();
    motion.angular_velocity = V.template head<3>();
  });
  return motion;
}

Pose Beam::pose_at(const State& x, double s) const {
  const PointMotion motion = motion_at(x, s);
  return {motion.rotation, motion.position};
}

}  // namespace filum::parts
