/// A thin disk that rolls without slipping on the plane z = 0. Theory: docs/theory/joints.md, sec. 5.
#pragma once

#include <filum/parts/rigid_body.hpp>

#include <memory>
#include <string>
#include <vector>

namespace filum::parts {

/// One holonomic row, the rim touches the plane, and two nonholonomic ones, the touching point of the disk is at rest.
/// All are scaled with the height of the centre, (J.30) and (J.31). The disk lies in the first two axes of a frame at
/// its centre; a node of a rigid motion is needed.
class RollingDisks final : public mechanics::Part {
 public:
  /// Returns its number.
  int add(std::string name, const Marker& center, double radius);
  RowRange touch_rows(int disk) const { return disks_[disk].touch.range(); }
  RowRange roll_rows(int disk) const { return disks_[disk].roll.range(); }

  std::string name() const override { return "rolling disks"; }
  void declare(mechanics::Declaration& declaration) override;
  bool is_self_contained() const override { return true; }
  void constraint(double t, const VectorXd& q, VectorRef phi) const override;
  void constraint_jacobian(double t, const VectorXd& q, RowMatrix& C) const override;
  void curvature(double t, const VectorXd& q, const VectorXd& v, VectorRef gamma) const override;
  void add_constraint_force_derivatives(double t, const VectorXd& q, const VectorXd& lambda, double scale,
                                        NodeMatrix& H) const override;
  std::string row_name(int constraint, int row) const override;

 private:
  struct Disk {
    std::string name;
    Marker center;
    double radius;
    NodeFrame frame{};
    mechanics::Constraint<1, 1> touch = {};
    mechanics::Constraint<2, 1> roll = {};
  };
  std::vector<Disk> disks_;
};

struct DiskHandle {
  std::shared_ptr<const RollingDisks> part = nullptr;
  int number = -1;
  /// Once the system is built: that it touches the plane, and that it does not slip.
  RowRange rows() const { return part->touch_rows(number); }
  RowRange slip_rows() const { return part->roll_rows(number); }
};

/// Throws std::invalid_argument when the radius is not positive or the body's frame is not at the disk's centre in a
/// group of rigid motions.
DiskHandle add_rolling_disk(SystemBuilder& builder, const std::string& name, const RigidBody& body, double radius);

}  // namespace filum::parts
