/// Spherical joints between nodes of any groups and the ground. Theory: docs/theory/joints.md, sec. 2.
#pragma once

#include <filum/parts/joint.hpp>

#include <string>
#include <vector>

namespace filum::parts {

/// The way from the point of the second partner to that of the first is zero, in space (J.15) or in the frame of the
/// first (J.10). The first partner is never the ground. The constraint force on it is −λ in that frame.
class SphericalJoints final : public mechanics::Part {
 public:
  /// Returns its number.
  int add(std::string name, const Marker& a, const Marker& b, JointRows rows = JointRows::space);

  /// One of the partners: its frame, and the point of it that is held.
  struct Partner {
    const NodeFrame& frame;
    const Vector3d& point;
  };
  Partner first(int joint) const { return {joints_[joint].a, joints_[joint].at_a.point}; }
  Partner second(int joint) const { return {joints_[joint].b, joints_[joint].at_b.point}; }
  RowRange rows(int joint) const { return joints_[joint].rows.range(); }
  /// λ in the frame of the first partner: minus the force on it.
  Vector3d multipliers_body(int joint, const VectorXd& q, const VectorXd& lambda) const;

  std::string name() const override { return "spherical joints"; }
  void declare(mechanics::Declaration& declaration) override;
  bool is_self_contained() const override { return true; }
  void constraint(double t, const VectorXd& q, VectorRef phi) const override;
  void constraint_jacobian(double t, const VectorXd& q, RowMatrix& C) const override;
  void curvature(double t, const VectorXd& q, const VectorXd& v, VectorRef gamma) const override;
  void add_constraint_force_derivatives(double t, const VectorXd& q, const VectorXd& lambda, double scale,
                                        NodeMatrix& H) const override;
  std::string row_name(int constraint, int row) const override;

 private:
  struct Position {
    Pose A, B;   ///< set where they are needed: not B on the ground, nor then A unless its group is a direct product
    Vector3d d;  ///< Φ = Xₐ + d, in the frame of the first partner
  };
  struct Joint {
    std::string name;
    Marker at_a, at_b;
    bool in_space;
    NodeFrame a{}, b{};
    mechanics::Constraint<3> rows = {};
    Position position(const VectorXd& q) const;
    void write_rows(const VectorXd& q, RowMatrix& C) const;
    void write_space_rows(const VectorXd& q, RowMatrix& C) const;
    Vector3d curvature(const VectorXd& q, const VectorXd& v) const;
    Vector3d space_curvature(const VectorXd& q, const VectorXd& v) const;
    void add_derivatives(const VectorXd& q, const Vector3d& l, NodeMatrix& H) const;
    void add_space_derivatives(const VectorXd& q, const Vector3d& l, NodeMatrix& H) const;
    void add_partner_derivatives(const Position& p, const Vector3d& l_a, NodeMatrix& H) const;
  };
  std::vector<Joint> joints_;
};

/// Joins two markers; the one on the ground, if any, may come first. A joint between the ground and the pivot of a
/// body in SO3 or S3 is absorbed by the group: nothing is added. Throws std::invalid_argument when both
/// markers belong to one node or to the ground, or when a body with a pivot is to turn about another point.
JointHandle add_spherical_joint(SystemBuilder& builder, const std::string& name, const Marker& a, const Marker& b,
                                JointRows rows = JointRows::space);

}  // namespace filum::parts
