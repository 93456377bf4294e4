/// Loads on bodies, (B.14) to (B.17). Theory: docs/theory/bodies.md, sec. 5.
#include "frame_load.hpp"

#include <filum/parts/body_load.hpp>
#include <filum/parts/node_frame_inline.hpp>

#include <stdexcept>

namespace filum::parts {
namespace {

PointMotion motion_of(double t, const Pose& pose, const Twist& V, const LoadShare& share) {
  const Vector3d& X = share.at.point;
  return {.t = t,
          .s = share.s1,
          .s2 = share.s2,
          .position = pose.act(X),
          .rotation = pose.R,
          .velocity = pose.R * V.at(X),
          .angular_velocity = V.O};
}

}  // namespace

BodyLoad::BodyLoad(std::string name, std::vector<LoadShare> shares, LoadFrame frame, LoadLaw law)
    : name_(std::move(name)), given_in_(frame), law_(std::move(law)) {
  for (LoadShare& share : shares) {
    if (share.at.node == ground) throw std::invalid_argument("load " + name_ + ": the ground cannot be loaded");
    places_.push_back({std::move(share)});
  }
  if (!law_) throw std::invalid_argument("load " + name_ + ": a load needs a force or a moment");
  if (places_.empty()) throw std::invalid_argument("load " + name_ + ": it acts nowhere");
}

void BodyLoad::declare(mechanics::Declaration& declaration) {
  for (Place& p : places_) {
    p.frame = NodeFrame(declaration.space(), p.share.at);
    p.force = declaration.forces<1>({p.share.at.node}, {.velocity = law_.sees().on_velocities(), .load = true});
  }
}

LoadValue BodyLoad::value(const State& x) const {
  const Place& p = places_.front();
  const Pose pose = p.frame.pose(x.q);
  return law_.value(motion_of(x.t, pose, p.frame.twist(pose, x.v), p.share));
}

void BodyLoad::add_forces(double t, const VectorXd& q, const VectorXd& v, VectorRef f) const {
  for (const Place& p : places_) {
    const Pose pose = p.frame.pose(q);
    const Vector3d& point = p.share.at.point;
    const LoadValue value = scaled(law_.value(motion_of(t, pose, p.frame.twist(pose, v), p.share)), p.share.weight);
    add_frame_load(p.frame, pose, point, in_body_frame(value, given_in_, pose), f);
  }
}

void BodyLoad::add_switches(double t, const VectorXd& q, const VectorXd& v, mechanics::SwitchList& out) const {
  for (const Place& p : places_) {
    const Pose pose = p.frame.pose(q);
    out.begin_law();
    law_.add_switches(motion_of(t, pose, p.frame.twist(pose, v), p.share), out);
  }
}

void BodyLoad::add_force_derivatives(double t, const VectorXd& q, const VectorXd& v, double scale_q, double scale_v,
                                     NodeMatrix& H) const {
  for (const Place& p : places_) {
    const Pose pose = p.frame.pose(q);
    const Twist V = p.frame.twist(pose, v);
    const Vector3d& point = p.share.at.point;
    const double weight = p.share.weight;
    const PointMotion motion = motion_of(t, pose, V, p.share);
    const LoadValue body = in_body_frame(law_.value(motion), given_in_, pose);
    LoadGradient g;
    if (law_.sees().any()) g = gradient(law_.derivatives(motion), pose, V, point);
    add_frame_load_derivative(p.frame, pose, V, point, body, given_in_, law_.sees().any() ? &g : nullptr,
                              weight * scale_q, weight * scale_v, p.force.blocks()(H, 0, 0));
  }
}

std::shared_ptr<const BodyLoad> add_load(SystemBuilder& builder, const std::string& name, const Marker& at,
                                         LoadFrame frame, LoadLaw law) {
  return add_shared_load(builder, name, {{at}}, frame, std::move(law));
}

std::shared_ptr<const BodyLoad> add_shared_load(SystemBuilder& builder, const std::string& name,
                                                std::vector<LoadShare> shares, LoadFrame frame, LoadLaw law) {
  return builder.add_part(std::make_shared<BodyLoad>(name, std::move(shares), frame, std::move(law)));
}

std::shared_ptr<const BodyLoad> add_load(SystemBuilder& builder, const std::string& name, const Marker& at,
                                         LoadFrame frame, std::function<LoadValue(double)> load) {
  return add_load(builder, name, at, frame, LoadLaw::of_time(std::move(load)));
}

}  // namespace filum::parts
