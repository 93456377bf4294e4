/// Springs, dampers and viscous friction on joint coordinates. Theory: docs/theory/joints.md, sec. 8.
#pragma once

#include <filum/parts/frame_pair.hpp>

#include <string>
#include <vector>

namespace filum::parts {

enum class JointCoordinate { angle, displacement };

/// The torque or force −k (x − x0) − d ẋ on the coordinate x of a joint. With stiffness 0 it is viscous friction. An angle is
/// measured the short way round from x0: the spring is made for deflections within half a turn, and its torque is not a
/// number in the last 0.1 rad before that.
struct JointSpringOptions {
  std::string name = "spring";
  JointCoordinate coordinate = JointCoordinate::angle;
  double stiffness = 0;
  double damping = 0;
  double rest = 0;  ///< x0, counted from the initial position of the joint
};

class JointSprings final : public mechanics::Part {
 public:
  /// The pair has the partners in the user's order; either may be the ground.
  void add(const JointSpringOptions& options, const FramePair& pair) { springs_.push_back({options, pair}); }
  int count() const { return static_cast<int>(springs_.size()); }
  /// The torque or force on the coordinate.
  double effort(int spring, double t, const VectorXd& q, const VectorXd& v) const;

  std::string name() const override { return "joint springs"; }
  void declare(mechanics::PartPattern& pattern) override;
  void bind(const System& system) override;
  bool has_forces() const override { return true; }
  bool forces_depend_on_velocity() const override;
  void add_forces(double t, const VectorXd& q, const VectorXd& v, VectorXd& f) const override;
  double potential_energy(double t, const VectorXd& q) const override;
  bool add_force_derivatives(double t, const VectorXd& q, const VectorXd& v, double scale_q, double scale_v,
                             NodeMatrix& H) const override;

 private:
  struct Spring {
    JointSpringOptions options;
    FramePair pair;
  };
  std::vector<Spring> springs_;
};

/// Returns the number of the spring within its part. Throws std::invalid_argument for negative stiffness or damping and for a joint without that free coordinate.
int add_joint_spring(System& system, const JointSpringOptions& options, const JointHandle& joint);

}  // namespace filum::parts
