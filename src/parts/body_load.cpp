/// Loads on bodies, (B.14) and (B.15). Theory: docs/theory/bodies.md, sec. 5.
#include <filum/parts/body_load.hpp>

#include <stdexcept>

#include "frame_load.hpp"

namespace filum::parts {

BodyLoad::BodyLoad(std::string name, const Marker& at, LoadFrame frame, OfTime load)
    : name_(std::move(name)), at_(at), given_in_(frame), of_time_(std::move(load)) {
  if (at.node == ground) throw std::invalid_argument("load " + name_ + ": the ground cannot be loaded");
}

BodyLoad::BodyLoad(std::string name, const Marker& at, LoadFrame frame, OfMotion load)
    : name_(std::move(name)), at_(at), given_in_(frame), of_motion_(std::move(load)) {
  if (at.node == ground) throw std::invalid_argument("load " + name_ + ": the ground cannot be loaded");
}

void BodyLoad::bind(const System& system) {
  frame_ = NodeFrame(system, at_);
  block_at_ = system.pattern().block_offset(at_.node, at_.node);
}

LoadValue BodyLoad::load(double t, const Pose& pose, const VectorXd& v) const {
  LoadValue value;
  if (of_motion_) {
    const Twist V = frame_.twist(pose, v);
    value = of_motion_(t, {pose.act(at_.point), pose.R, pose.R * V.at(at_.point), V.O});
  } else {
    value = of_time_(t);
  }
  return in_body_frame(value, given_in_, pose);
}

void BodyLoad::add_forces(double t, const VectorXd& q, const VectorXd& v, VectorXd& f) const {
  const Pose pose = frame_.pose(q);
  add_frame_load(frame_, pose, at_.point, load(t, pose, v), f);
}

bool BodyLoad::add_force_derivatives(double t, const VectorXd& q, const VectorXd& v, double scale_q, double,
                                     NodeMatrix& H) const {
  if (of_motion_) return false;
  const Pose pose = frame_.pose(q);
  add_frame_load_derivative(frame_, pose, at_.point, load(t, pose, v), given_in_, scale_q, H.data() + block_at_);
  return true;
}

BodyLoad& add_load(System& system, const std::string& name, const Marker& at, LoadFrame frame, BodyLoad::OfTime load) {
  return system.add_part(std::make_unique<BodyLoad>(name, at, frame, std::move(load)));
}

BodyLoad& add_motion_load(System& system, const std::string& name, const Marker& at, LoadFrame frame,
                          BodyLoad::OfMotion load) {
  return system.add_part(std::make_unique<BodyLoad>(name, at, frame, std::move(load)));
}

}  // namespace filum::parts
