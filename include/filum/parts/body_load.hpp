/// Forces and moments on bodies as functions of time and motion. Theory: docs/theory/bodies.md, sec. 5.
#pragma once

#include <filum/parts/node_frame.hpp>

#include <functional>
#include <string>

namespace filum::parts {

struct LoadValue {
  Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();
};

/// What a load may depend on: of the marker it acts on.
struct MarkerMotion {
  Vector3d position;          ///< in space
  Matrix3d rotation;          ///< of the node's frame, from body to space
  Vector3d velocity;          ///< of the point, in space
  Vector3d angular_velocity;  ///< in the body frame
};

enum class LoadFrame { space, body };

/// A force at a marker, and a moment, given in space or in the body frame. Of time alone, derivatives are exact; of the
/// motion, they are found by differences.
class BodyLoad final : public mechanics::Part {
 public:
  using OfTime = std::function<LoadValue(double t)>;
  using OfMotion = std::function<LoadValue(double t, const MarkerMotion& motion)>;

  BodyLoad(std::string name, const Marker& at, LoadFrame frame, OfTime load);
  BodyLoad(std::string name, const Marker& at, LoadFrame frame, OfMotion load);

  std::string name() const override { return "load " + name_; }
  void declare(mechanics::PartPattern&) override {}
  void bind(const System& system) override;
  bool has_forces() const override { return true; }
  bool forces_depend_on_velocity() const override { return bool(of_motion_); }
  void add_forces(double t, const VectorXd& q, const VectorXd& v, VectorXd& f) const override;
  bool add_force_derivatives(double t, const VectorXd& q, const VectorXd& v, double scale_q, double scale_v,
                             NodeMatrix& H) const override;

 private:
  /// In the frame of the node, the moment without that of the force.
  LoadValue load(double t, const Pose& pose, const VectorXd& v) const;

  std::string name_;
  Marker at_;
  LoadFrame given_in_;
  OfTime of_time_;
  OfMotion of_motion_;
  NodeFrame frame_;
  int block_at_ = 0;
};

BodyLoad& add_load(System& system, const std::string& name, const Marker& at, LoadFrame frame, BodyLoad::OfTime load);
BodyLoad& add_motion_load(System& system, const std::string& name, const Marker& at, LoadFrame frame,
                          BodyLoad::OfMotion load);

}  // namespace filum::parts
