/// Gathering loads along a beam at its nodes. Theory: docs/theory/beam.md, sec. 5.
#include <filum/parts/beam_load.hpp>

#include <array>
#include <cmath>
#include <stdexcept>

#include "frame_load.hpp"

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

}  // namespace

BeamLoad::BeamLoad(const Beam& beam, BeamLoadOptions options) : options_(std::move(options)) {
  const auto add_half = [&](double from, double to) {
    const int panels = options_.points_per_segment / 8;
    const double width = (to - from) / panels;
    for (int p = 0; p < panels; ++p)
      for (const GaussPoint& g : gauss) samples_.push_back({from + (p + g.x) * width, g.weight * width});
  };
  for (int i = 0; i < beam.nodes(); ++i) {
    const int first = static_cast<int>(samples_.size());
    const double s = beam.arc_length(i);
    if (options_.rule == LoadRule::trapezoidal) {
      samples_.push_back({s, beam.nodal_length(i)});
    } else {
      if (i > 0) add_half(s - 0.5 * beam.segment_length(i - 1), s);
      if (i + 1 < beam.nodes()) add_half(s, s + 0.5 * beam.segment_length(i));
    }
    nodes_.push_back({{}, beam.first_node() + i, 0, first, static_cast<int>(samples_.size()) - first});
  }
}

void BeamLoad::bind(const System& system) {
  for (Node& n : nodes_) {
    n.frame = NodeFrame(system, {n.number});
    n.block_at = system.pattern().block_offset(n.number, n.number);
  }
}

LoadValue BeamLoad::nodal(int i, double t) const {
  LoadValue sum;
  for (int k = nodes_[i].first_sample; k < nodes_[i].first_sample + nodes_[i].samples; ++k) {
    const LoadValue density = options_.density(samples_[k].s, t);
    sum.force += samples_[k].weight * density.force;
    sum.moment += samples_[k].weight * density.moment;
  }
  return sum;
}

void BeamLoad::add_forces(double t, const VectorXd& q, const VectorXd&, VectorXd& f) const {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Pose pose = nodes_[i].frame.pose(q);
    add_frame_load(nodes_[i].frame, pose, Vector3d::Zero(), in_body_frame(nodal(static_cast<int>(i), t), options_.frame, pose), f);
  }
}

bool BeamLoad::add_force_derivatives(double t, const VectorXd& q, const VectorXd&, double scale_q, double, NodeMatrix& H) const {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Pose pose = nodes_[i].frame.pose(q);
    const LoadValue load = in_body_frame(nodal(static_cast<int>(i), t), options_.frame, pose);
    add_frame_load_derivative(nodes_[i].frame, pose, Vector3d::Zero(), load, options_.frame, scale_q, H.data() + nodes_[i].block_at);
  }
  return true;
}

BeamLoad& add_beam_load(System& system, const Beam& beam, BeamLoadOptions options) {
  const std::string what = "load " + options.name + ": ";
  if (!options.density) throw std::invalid_argument(what + "a load on a beam needs a force or moment per length");
  if (options.points_per_segment < 8 || options.points_per_segment % 8 != 0)
    throw std::invalid_argument(what + "points_per_segment must be a positive multiple of 8, found " + std::to_string(options.points_per_segment));
  return system.add_part(std::make_unique<BeamLoad>(beam, std::move(options)));
}

void add_beam_point_load(System& system, const Beam& beam, const std::string& name, double s, LoadFrame frame, const BodyLoad::OfTime& load) {
  const double first = beam.arc_length(0), last = beam.arc_length(beam.segments());
  const double rounding = 1e-12 * (last - first);
  if (!(s >= first - rounding && s <= last + rounding))
    throw std::invalid_argument("load " + name + ": the arc length " + std::to_string(s) + " is not on " + beam.name() + ", which reaches from " +
                                std::to_string(first) + " to " + std::to_string(last));
  int m = 0;
  while (m + 1 < beam.segments() && beam.arc_length(m + 1) <= s) ++m;
  const double share = std::min(1.0, std::max(0.0, (s - beam.arc_length(m)) / beam.segment_length(m)));
  const auto add = [&](int node, double weight) {
    if (weight <= 1e-12) return;
    add_load(system, name, beam.at(node), frame, [load, weight](double t) {
      LoadValue value = load(t);
      value.force *= weight;
      value.moment *= weight;
      return value;
    });
  };
  add(m, 1 - share);
  add(m + 1, share);
}

}  // namespace filum::parts
