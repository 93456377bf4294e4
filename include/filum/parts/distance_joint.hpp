/// Two points that keep their distance, in squared form. Theory: docs/theory/joints.md, sec. 4.
#pragma once

#include <filum/parts/joint.hpp>
#include <filum/parts/point_pair.hpp>

#include <string>
#include <vector>

namespace filum::parts {

/// (J.25) Φ = (|r|² − l²)/2. The squared form is smooth and gives the mathematical pendulum its textbook multiplier:
/// the tension is λ l.
class DistanceJoints final : public mechanics::Part {
 public:
  /// Returns its number. Throws std::invalid_argument when the length is not positive or both markers belong to one
  /// node or to the ground.
  int add(std::string name, const Marker& a, const Marker& b, double length);

  PointPair::Motion motion(int joint, const VectorXd& q, const VectorXd& v) const {
    return joints_[joint].pair.motion(q, v);
  }
  RowRange rows(int joint) const { return joints_[joint].row.range(); }
  /// Positive when the points are held together.
  double tension(int joint, const VectorXd& lambda) const {
    return lambda[joints_[joint].row.row()] * joints_[joint].length;
  }

  std::string name() const override { return "distance joints"; }
  void declare(mechanics::Declaration& declaration) override;
  bool is_self_contained() const override { return true; }
  void constraint(double t, const VectorXd& q, VectorRef phi) const override;
  void constraint_jacobian(double t, const VectorXd& q, RowMatrix& C) const override;
  void curvature(double t, const VectorXd& q, const VectorXd& v, VectorRef gamma) const override;
  void add_constraint_force_derivatives(double t, const VectorXd& q, const VectorXd& lambda, double scale,
                                        NodeMatrix& H) const override;
  std::string row_name(int constraint, int row) const override;

 private:
  struct Joint {
    std::string name;
    PointPair pair;
    double length;
    mechanics::Constraint<1> row = {};
  };
  std::vector<Joint> joints_;
};

/// Throws std::invalid_argument when the length is not positive or both markers belong to one node or to the ground.
JointHandle add_distance_joint(SystemBuilder& builder, const std::string& name, const Marker& a, const Marker& b,
                               double length);

}  // namespace filum::parts
