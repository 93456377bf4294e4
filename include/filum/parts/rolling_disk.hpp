/// A thin disk that rolls without slipping on the plane z = 0. Theory: docs/theory/joints.md, sec. 5.
#pragma once

#include <filum/parts/rigid_body.hpp>

#include <string>
#include <vector>

namespace filum::parts {

/// One holonomic row, the rim touches the plane, and two nonholonomic ones, the touching point of the disk is at rest.
/// All are scaled with the height of the centre, (J.30) and (J.31). The disk lies in the first two axes of a frame at
/// its centre; a node of a rigid motion is needed.
class RollingDisks final : public mechanics::Part {
 public:
  void add(std::string name, const Marker& center, double radius);

  std::string name() const override { return "rolling disks"; }
  void declare(mechanics::PartPattern& pattern) override;
  void bind(const System& system) override;
  bool has_constraints() const override { return true; }
  void constraint(double t, const VectorXd& q, VectorXd& phi) const override;
  void constraint_rows(double t, const VectorXd& q, RowMatrix& C) const override;
  void curvature(double t, const VectorXd& q, const VectorXd& v, VectorXd& gamma) const override;
  bool add_constraint_force_derivatives(double t, const VectorXd& q, const VectorXd& lambda, double scale,
                                        NodeMatrix& H) const override;
  std::string row_name(int constraint, int row) const override;

 private:
  struct Disk {
    std::string name;
    Marker center;
    double radius;
    NodeFrame frame{};
    int touch_id = 0, roll_id = 0;
    int touch_row = 0, roll_row = 0, touch_values = 0, roll_values = 0, block_at = 0;
  };
  std::vector<Disk> disks_;
};

/// Throws std::invalid_argument when the radius is not positive or the body's frame is not at the disk's centre in a
/// group of rigid motions.
void add_rolling_disk(System& system, const std::string& name, const RigidBody& body, double radius);

}  // namespace filum::parts
