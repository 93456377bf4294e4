/// Gathering loads along a beam at its nodes. Theory: docs/theory/beam.md, sec. 5.
#include "frame_load.hpp"

#include <filum/lie/s3.hpp>
#include <filum/parts/beam_load.hpp>
#include <filum/parts/node_frame_inline.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace filum::parts {
namespace {

struct GaussPoint {
  double x, weight;
};
/// Four-point Gauss rule on [0, 1].
constexpr std::array<GaussPoint, 4> gauss{{{0.069431844202973712, 0.17392742256872693},
                                           {0.33000947820757187, 0.32607257743127307},
                                           {0.66999052179242813, 0.32607257743127307},
                                           {0.93056815579702629, 0.17392742256872693}}};

/// (BM.26) R = R_a exp(share θ) with θ = log(R_aᵀ R_b), and its derivatives by the rotations of both ends.
struct SharedRotation {
  Matrix3d R, by_a, by_b;

  SharedRotation(const Matrix3d& a, const Matrix3d& b, double share) {
    using lie::S3;
    const Vector3d theta = S3::log(lie::quaternion::from_matrix(a.transpose() * b)), x = share * theta;
    const Matrix3d T = S3::tangent_op(x);
    R = a * lie::quaternion::to_matrix(S3::exp(x));
    by_a = Matrix3d::Identity() - T * lie::skw(x) - share * T * S3::tangent_op_inv(-theta);
    by_b = share * T * S3::tangent_op_inv(theta);
  }
};

}  // namespace

/// Both ends of an element (one, if it has only one) and the motion its law is given.
struct BeamLoad::Moving {
  std::array<Pose, 2> pose;
  std::array<Twist, 2> V;
  PointMotion motion;
};

BeamLoad::BeamLoad(std::shared_ptr<const Beam> beam, BeamLoadOptions o)
    : beam_(std::move(beam)), name_(std::move(o.name)), frame_(o.frame), law_(std::move(o.density)) {
  const Beam& b = *beam_;
  if (o.rule == LoadRule::segment_mean) {
    for (int m = 0; m < b.segments(); ++m) {
      const int first = static_cast<int>(samples_.size());
      integrate(b.arc_length(m), b.arc_length(m + 1), o.points_per_segment);
      add_element(m, true, 0.5, first);
    }
  } else {
    for (int i = 0; i < b.nodes(); ++i) {
      const int first = static_cast<int>(samples_.size());
      const double s = b.arc_length(i);
      if (o.rule == LoadRule::trapezoidal) {
        samples_.push_back({s, b.nodal_length(i)});
      } else {
        if (i > 0) integrate(s - 0.5 * b.segment_length(i - 1), s, o.points_per_segment / 2);
        if (i + 1 < b.nodes()) integrate(s, s + 0.5 * b.segment_length(i), o.points_per_segment / 2);
      }
      add_element(i, false, 0, first);
    }
  }
  find_places();
}

BeamLoad::BeamLoad(std::shared_ptr<const Beam> beam, std::string name, double s, LoadFrame frame, LoadLaw law)
    : beam_(std::move(beam)), name_(std::move(name)), frame_(frame), law_(std::move(law)) {
  const auto [m, share] = beam_->locate(s);
  samples_.push_back({s, 1});
  if (share <= 1e-12)
    add_element(m, false, 0, 0);
  else if (share >= 1 - 1e-12)
    add_element(m + 1, false, 0, 0);
  else
    add_element(m, true, share, 0);
  find_places();
}

void BeamLoad::integrate(double from, double to, int points) {
  const int panels = points / 4;
  const double width = (to - from) / panels;
  for (int p = 0; p < panels; ++p)
    for (const GaussPoint& g : gauss) samples_.push_back({from + (p + g.x) * width, g.weight * width});
}

void BeamLoad::add_element(int node, bool is_pair, double share, int first_sample) {
  elements_.push_back({node, is_pair, share, first_sample, static_cast<int>(samples_.size()) - first_sample});
}

void BeamLoad::find_places() {
  for (const Element& e : elements_)
    for (int k = 0; k <= (e.is_pair ? 1 : 0); ++k)
      if (places_.empty() || places_.back() < e.node + k) places_.push_back(e.node + k);
}

void BeamLoad::declare(mechanics::Declaration& declaration) {
  const int first = beam_->first_node();
  frames_.clear();
  for (int i = 0; i < beam_->nodes(); ++i) frames_.emplace_back(declaration.space(), beam_->at(i));
  for (Element& e : elements_) {
    const std::array<int, 2> nodes{first + e.node, first + e.node + 1};
    e.force = declaration.forces(std::span(nodes).first(e.is_pair ? 2 : 1),
                                 {.velocity = law_.sees().on_velocities(), .load = true});
  }
}

// (BM.26) Positions and velocities of a shared point are shared like the load itself.
BeamLoad::Moving BeamLoad::moving(const Element& e, double t, const VectorXd& q, const VectorXd& v) const {
  Moving m;
  const bool sees = law_.sees().any();
  for (int k = 0; k <= (e.is_pair ? 1 : 0); ++k) {
    const NodeFrame& frame = frames_[e.node + k];
    m.pose[k] = frame.pose(q);
    if (sees) m.V[k] = frame.twist(m.pose[k], v);
  }
  m.motion.t = t;
  if (!sees) return m;
  const Pose& A = m.pose[0];
  m.motion.position = A.x;
  m.motion.rotation = A.R;
  m.motion.velocity = A.R * m.V[0].U;
  m.motion.angular_velocity = m.V[0].O;
  if (!e.is_pair) return m;
  const Pose& B = m.pose[1];
  m.motion.position = (1 - e.share) * A.x + e.share * B.x;
  m.motion.rotation = SharedRotation(A.R, B.R, e.share).R;
  m.motion.velocity = (1 - e.share) * (A.R * m.V[0].U) + e.share * (B.R * m.V[1].U);
  m.motion.angular_velocity = (1 - e.share) * m.V[0].O + e.share * m.V[1].O;
  return m;
}

std::vector<PointMotion> BeamLoad::all_motions(double t, const VectorXd& q, const VectorXd& v) const {
  std::vector<PointMotion> motions;
  motions.reserve(samples_.size());
  for (const Element& e : elements_) {
    PointMotion motion = moving(e, t, q, v).motion;
    for (int k = e.first_sample; k < e.first_sample + e.samples; ++k) {
      motion.s = samples_[k].s;
      motions.push_back(motion);
    }
  }
  return motions;
}

std::vector<LoadValue> BeamLoad::all_densities(double t, const VectorXd& q, const VectorXd& v) const {
  if (!law_.takes_many()) return {};
  std::vector<LoadValue> densities(samples_.size());
  law_.values(all_motions(t, q, v), densities);
  return densities;
}

std::vector<LoadDerivatives> BeamLoad::all_derivatives(double t, const VectorXd& q, const VectorXd& v) const {
  if (!law_.takes_many() || !law_.sees().any()) return {};
  std::vector<LoadDerivatives> derivatives(samples_.size());
  law_.derivatives(all_motions(t, q, v), derivatives);
  return derivatives;
}

LoadValue BeamLoad::load(const Element& e, const PointMotion& at, std::span<const LoadValue> all) const {
  PointMotion motion = at;
  LoadValue sum;
  for (int k = e.first_sample; k < e.first_sample + e.samples; ++k) {
    motion.s = samples_[k].s;
    const LoadValue density = all.empty() ? law_.value(motion) : all[static_cast<std::size_t>(k)];
    sum.force += samples_[k].weight * density.force;
    sum.moment += samples_[k].weight * density.moment;
  }
  return sum;
}

double BeamLoad::share(int place) const {
  double sum = 0;
  for (const Element& e : elements_)
    for (int k = 0; k <= (e.is_pair ? 1 : 0); ++k)
      if (e.node + k == places_[place])
        for (int i = e.first_sample; i < e.first_sample + e.samples; ++i) sum += e.weight(k) * samples_[i].weight;
  return sum;
}

std::vector<LoadValue> BeamLoad::values(const State& x) const {
  std::vector<LoadValue> values(places_.size());
  const std::vector<LoadValue> all = all_densities(x.t, x.q, x.v);
  for (const Element& e : elements_) {
    const LoadValue sum = load(e, moving(e, x.t, x.q, x.v).motion, all);
    for (int k = 0; k <= (e.is_pair ? 1 : 0); ++k) {
      const auto place = std::lower_bound(places_.begin(), places_.end(), e.node + k) - places_.begin();
      const LoadValue share = scaled(sum, e.weight(k));
      values[static_cast<std::size_t>(place)].force += share.force;
      values[static_cast<std::size_t>(place)].moment += share.moment;
    }
  }
  return values;
}

void BeamLoad::add_forces(double t, const VectorXd& q, const VectorXd& v, VectorRef f) const {
  const std::vector<LoadValue> all = all_densities(t, q, v);
  for (const Element& e : elements_) {
    const Moving m = moving(e, t, q, v);
    const LoadValue sum = load(e, m.motion, all);
    for (int k = 0; k <= (e.is_pair ? 1 : 0); ++k)
      add_frame_load(frames_[e.node + k], m.pose[k], Vector3d::Zero(),
                     in_body_frame(scaled(sum, e.weight(k)), frame_, m.pose[k]), f);
  }
}

void BeamLoad::add_switches(double t, const VectorXd& q, const VectorXd& v, mechanics::SwitchList& out) const {
  for (const Element& e : elements_) {
    PointMotion motion = moving(e, t, q, v).motion;
    for (int k = e.first_sample; k < e.first_sample + e.samples; ++k) {
      motion.s = samples_[k].s;
      out.begin_law();
      law_.add_switches(motion, out);
    }
  }
}

void BeamLoad::add_force_derivatives(double t, const VectorXd& q, const VectorXd& v, double scale_q, double scale_v,
                                     NodeMatrix& H) const {
  const Vector3d origin = Vector3d::Zero();
  const std::vector<LoadValue> all = all_densities(t, q, v);
  const std::vector<LoadDerivatives> all_by = all_derivatives(t, q, v);
  for (const Element& e : elements_) {
    const Moving m = moving(e, t, q, v);
    const LoadValue sum = load(e, m.motion, all);
    const std::array<LoadGradient, 2> g = gradients(e, m, all_by);
    const int count = e.is_pair ? 2 : 1;
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < count; ++j) {
        const NodeFrame &on = frames_[e.node + i], &by = frames_[e.node + j];
        Matrix6d K = Matrix6d::Zero();
        if (law_.sees().any()) {
          const Matrix6d by_twist = e.weight(i) * wrench_rows(g[j].by_twist, frame_, m.pose[i], origin);
          K = scale_q * e.weight(i) * wrench_rows(g[j].by_pose, frame_, m.pose[i], origin) + scale_v * by_twist;
          by.complete_twist_derivative(m.V[j], scale_q * by_twist, K);
        }
        if (i == j) {
          const LoadValue body = in_body_frame(scaled(sum, e.weight(i)), frame_, m.pose[i]);
          add_turning(body, frame_, origin, scale_q, K);
          on.complete_pose_derivative(body.force, scale_q, K);
        }
        NodeFrame::add_block(on, m.pose[i], by, m.pose[j], K, e.force.blocks()(H, i, j));
      }
  }
}

// What the sum over the samples owes to each end: the derivatives of the law, carried on by those of the shared motion.
std::array<LoadGradient, 2> BeamLoad::gradients(const Element& e, const Moving& m,
                                                std::span<const LoadDerivatives> all) const {
  if (!law_.sees().any()) return {};
  LoadDerivatives d;
  PointMotion motion = m.motion;
  for (int k = e.first_sample; k < e.first_sample + e.samples; ++k) {
    motion.s = samples_[k].s;
    const LoadDerivatives at = all.empty() ? law_.derivatives(motion) : all[static_cast<std::size_t>(k)];
    d.by_position += samples_[k].weight * at.by_position;
    d.by_rotation += samples_[k].weight * at.by_rotation;
    d.by_velocity += samples_[k].weight * at.by_velocity;
    d.by_angular_velocity += samples_[k].weight * at.by_angular_velocity;
  }
  const Vector3d origin = Vector3d::Zero();
  if (!e.is_pair) return {gradient(d, m.pose[0], m.V[0], origin), {}};
  const SharedRotation R(m.pose[0].R, m.pose[1].R, e.share);
  const auto share = [&](double weight, const Matrix3d& rotation) -> LoadDerivatives {
    return {weight * d.by_position, d.by_rotation * rotation, weight * d.by_velocity, weight * d.by_angular_velocity};
  };
  return {gradient(share(e.weight(0), R.by_a), m.pose[0], m.V[0], origin),
          gradient(share(e.weight(1), R.by_b), m.pose[1], m.V[1], origin)};
}

std::shared_ptr<const BeamLoad> add_beam_load(SystemBuilder& builder, std::shared_ptr<const Beam> beam,
                                              BeamLoadOptions options) {
  const std::string what = "load " + options.name + ": ";
  if (!options.density) throw std::invalid_argument(what + "a load on a beam needs a force or moment per length");
  if (options.points_per_segment < 8 || options.points_per_segment % 8 != 0)
    throw std::invalid_argument(what + "points_per_segment must be a positive multiple of 8, found " +
                                std::to_string(options.points_per_segment));
  return builder.add_part(std::make_shared<BeamLoad>(std::move(beam), std::move(options)));
}

std::shared_ptr<const BeamLoad> add_beam_point_load(SystemBuilder& builder, std::shared_ptr<const Beam> beam,
                                                    const std::string& name, double s, LoadFrame frame, LoadLaw law) {
  const double first = beam->arc_length(0), last = beam->arc_length(beam->segments());
  const double rounding = 1e-12 * (last - first);
  if (!law) throw std::invalid_argument("load " + name + ": a load needs a force or a moment");
  if (!(s >= first - rounding && s <= last + rounding))
    throw std::invalid_argument("load " + name + ": the arc length " + std::to_string(s) + " is not on " +
                                beam->name() + ", which reaches from " + std::to_string(first) + " to " +
                                std::to_string(last));
  return builder.add_part(std::make_shared<BeamLoad>(std::move(beam), name, s, frame, std::move(law)));
}

}  // namespace filum::parts
