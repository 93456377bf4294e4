/// Loads on bodies, (B.14) and (B.15). Theory: docs/theory/bodies.md, sec. 5.
#include <filum/parts/body_load.hpp>

#include <stdexcept>

namespace filum::parts {

using lie::skw;

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

BodyLoad::Wrench BodyLoad::wrench(double t, const Pose& pose, const VectorXd& v) const {
  LoadValue load;
  if (of_motion_) {
    const Twist V = frame_.twist(pose, v);
    load = of_motion_(t, {pose.act(at_.point), pose.R, pose.R * V.at(at_.point), V.O});
  } else {
    load = of_time_(t);
  }
  if (given_in_ == LoadFrame::body) return {load.moment, load.force};
  return {pose.R.transpose() * load.moment, pose.R.transpose() * load.force};
}

void BodyLoad::add_forces(double t, const VectorXd& q, const VectorXd& v, VectorXd& f) const {
  const Pose pose = frame_.pose(q);
  const Wrench w = wrench(t, pose, v);
  frame_.add_wrench(pose, w.moment + at_.point.cross(w.force), w.force, f);
}

bool BodyLoad::add_force_derivatives(double t, const VectorXd& q, const VectorXd& v, double scale_q, double,
                                     NodeMatrix& H) const {
  if (of_motion_) return false;
  const Pose pose = frame_.pose(q);
  const Wrench w = wrench(t, pose, v);
  Matrix6d K = Matrix6d::Zero();
  if (given_in_ == LoadFrame::space) {
    K.topLeftCorner<3, 3>() = scale_q * (skw(w.moment) + skw(at_.point) * skw(w.force));
    K.bottomLeftCorner<3, 3>() = scale_q * skw(w.force);
  }
  frame_.complete_pose_derivative(w.force, scale_q, K);
  NodeFrame::add_block(frame_, pose, frame_, pose, K, H.data() + block_at_);
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
