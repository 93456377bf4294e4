/// Springs, dampers and viscous friction on joint coordinates. Theory: docs/theory/joints.md, sec. 8.
#pragma once

#include <filum/parts/frame_pair.hpp>
#include <filum/parts/spring_law.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace filum::parts {

enum class JointCoordinate { angle, displacement };

/// The torque or force −k (x − x0) − d ẋ on the coordinate x of a joint. With stiffness 0 it is viscous friction. An
/// angle is measured the short way round from x0: the spring is made for deflections within half a turn, and its torque
/// is not a number in the last 0.1 rad before that.
struct JointSpringOptions {
  std::string name = "spring";
  JointCoordinate coordinate = JointCoordinate::angle;
  double stiffness = 0;
  double damping = 0;
  double rest = 0;  ///< x0, counted from the initial position of the joint
  /// Instead of stiffness and damping: the torque or force is −law(x − x0, ẋ, t).
  std::optional<SpringLaw> law = std::nullopt;
};

class JointSprings final : public mechanics::Part, public mechanics::SwitchingPart {
 public:
  /// Returns its number. The pair has the partners in the user's order; either may be the ground.
  int add(const JointSpringOptions& options, const FramePair& pair);
  int count() const { return static_cast<int>(springs_.size()); }
  /// The torque or force on the coordinate.
  double effort(int spring, double t, const VectorXd& q, const VectorXd& v) const;

  std::string name() const override { return "joint springs"; }
  void declare(mechanics::Declaration& declaration) override;
  void add_forces(double t, const VectorXd& q, const VectorXd& v, VectorRef f) const override;
  double potential_energy(double t, const VectorXd& q) const override;
  void add_force_derivatives(double t, const VectorXd& q, const VectorXd& v, double scale_q, double scale_v,
                             NodeMatrix& H) const override;
  mechanics::Switching switching() const override;
  void add_switches(double t, const VectorXd& q, const VectorXd& v, mechanics::SwitchList& out) const override;

 private:
  struct Spring {
    JointSpringOptions options;
    FramePair pair;
    mechanics::Force<2> force = {};
  };
  std::vector<Spring> springs_;
};

struct JointSpringHandle {
  std::shared_ptr<const JointSprings> part = nullptr;
  int number = -1;
  /// The torque or force on the coordinate.
  double effort(const State& x) const { return part->effort(number, x.t, x.q, x.v); }
};

/// Throws std::invalid_argument for negative stiffness or damping, for both a law and one of them, and for a joint
/// without that free coordinate.
JointSpringHandle add_joint_spring(SystemBuilder& builder, const JointSpringOptions& options, const JointHandle& joint);

}  // namespace filum::parts
