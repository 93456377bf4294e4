/// Loads on bodies, (B.14) to (B.17). Theory: docs/theory/bodies.md, sec. 5.
#include "frame_load.hpp"

#include <filum/parts/body_load.hpp>
#include <filum/parts/node_frame_inline.hpp>

#include <stdexcept>

namespace filum::parts {
namespace {

PointMotion motion_of(double t, const Pose& pose, const Twist& V, const Vector3d& X) {
  return {.t = t,
          .s = 0,
          .position = pose.act(X),
          .rotation = pose.R,
          .velocity = pose.R * V.at(X),
          .angular_velocity = V.O};
}

}  // namespace

BodyLoad::BodyLoad(std::string name, const Marker& at, LoadFrame frame, LoadLaw law)
    : name_(std::move(name)), at_(at), given_in_(frame), law_(std::move(law)) {
  if (at.node == ground) throw std::invalid_argument("load " + name_ + ": the ground cannot be loaded");
  if (!law_) throw std::invalid_argument("load " + name_ + ": a load needs a force or a moment");
}

void BodyLoad::declare(mechanics::Declaration& declaration) {
  frame_ = NodeFrame(declaration.space(), at_);
  force_ = declaration.forces<1>({at_.node}, {.velocity = law_.sees().on_velocities(), .load = true});
}

LoadValue BodyLoad::value(const State& x) const {
  const Pose pose = frame_.pose(x.q);
  return law_.value(motion_of(x.t, pose, frame_.twist(pose, x.v), at_.point));
}

void BodyLoad::add_forces(double t, const VectorXd& q, const VectorXd& v, VectorRef f) const {
  const Pose pose = frame_.pose(q);
  const LoadValue value = law_.value(motion_of(t, pose, frame_.twist(pose, v), at_.point));
  add_frame_load(frame_, pose, at_.point, in_body_frame(value, given_in_, pose), f);
}

void BodyLoad::add_switches(double t, const VectorXd& q, const VectorXd& v, mechanics::SwitchList& out) const {
  const Pose pose = frame_.pose(q);
  out.begin_law();
  law_.add_switches(motion_of(t, pose, frame_.twist(pose, v), at_.point), out);
}

void BodyLoad::add_force_derivatives(double t, const VectorXd& q, const VectorXd& v, double scale_q, double scale_v,
                                     NodeMatrix& H) const {
  const Pose pose = frame_.pose(q);
  const Twist V = frame_.twist(pose, v);
  const PointMotion motion = motion_of(t, pose, V, at_.point);
  const LoadValue body = in_body_frame(law_.value(motion), given_in_, pose);
  LoadGradient g;
  if (law_.sees().any()) g = gradient(law_.derivatives(motion), pose, V, at_.point);
  add_frame_load_derivative(frame_, pose, V, at_.point, body, given_in_, law_.sees().any() ? &g : nullptr, scale_q,
                            scale_v, force_.blocks()(H, 0, 0));
}

std::shared_ptr<const BodyLoad> add_load(SystemBuilder& builder, const std::string& name, const Marker& at,
                                         LoadFrame frame, LoadLaw law) {
  return builder.add_part(std::make_shared<BodyLoad>(name, at, frame, std::move(law)));
}

std::shared_ptr<const BodyLoad> add_load(SystemBuilder& builder, const std::string& name, const Marker& at,
                                         LoadFrame frame, std::function<LoadValue(double)> load) {
  return add_load(builder, name, at, frame, LoadLaw::of_time(std::move(load)));
}

}  // namespace filum::parts
