/// Joints that hold positions and orientations of two frames: all types but spherical and distance joints, with their
/// drives. Theory: docs/theory/joints.md, sec. 6 and 7.
#pragma once

#include <filum/parts/frame_pair.hpp>

#include <array>
#include <string>
#include <vector>

namespace filum::parts {

/// (J.40) Which axes of the first frame the way between the points must not have a component along, and (J.41) which
/// axes of the two frames stay perpendicular: pairs (axis of a, axis of b). Axes are numbered from 0.
struct FrameJointRows {
  std::vector<int> along;
  std::vector<std::array<int, 2>> perpendicular;
};

/// The first frame of the pair is never on the ground. Rows: positions, drive of the displacement, orientations, drive
/// of the angle.
class FrameJoints final : public mechanics::Part, public mechanics::SwitchingPart {
 public:
  struct Joint {
    std::string name;
    FramePair pair;
    bool swapped;                      ///< the second frame of the pair is the user's first
    bool has_angle, has_displacement;  ///< free coordinates that may be driven
    bool in_space = false;             ///< positions along `axes_space`, (J.49); otherwise along axes of a
    Matrix3d axes_space = Matrix3d::Identity();
    int positions = 0, orientations = 0;
    std::array<int, 3> along{};
    std::array<std::array<int, 2>, 3> perpendicular{};
    DriveFunction angle = {}, displacement = {};
    std::vector<TimeSwitches> switches = {};  ///< of its drives
    mechanics::Constraint<Eigen::Dynamic> constraint = {};

    int forces() const { return positions + (displacement ? 1 : 0); }  ///< rows that carry a force
    int moments() const { return orientations + (angle ? 1 : 0); }     ///< rows that carry a moment
    int rows() const { return forces() + moments(); }
    bool is_driven() const { return pair.motion || angle || displacement; }  ///< depends on time
    int row() const { return constraint.row(); }                             ///< the first, after the build
    int axis(int k) const { return k < positions ? along[k] : 2; }           ///< of row k < forces()
    double sign() const { return swapped ? -1 : 1; }
    /// Direction of row k < forces(), in the frame of a.
    Vector3d normal(int k, const FramePair::Position& p) const {
      return in_space ? Vector3d(p.A.R.transpose() * axes_space.col(axis(k))) : Vector3d(pair.axes_a.col(axis(k)));
    }
    /// Where its force acts on a: at a's own point in space rows, at that of b otherwise.
    Vector3d point_on_a(const FramePair::Position& p) const { return in_space ? pair.at_a.point : Vector3d(-p.d); }
  };

  /// Returns its number. Before the build.
  int add(Joint joint, const FrameJointRows& rows);
  Joint& joint(int number) { return joints_[number]; }
  const Joint& joint(int number) const { return joints_[number]; }
  int count() const { return static_cast<int>(joints_.size()); }

  /// Force on the first partner, at point_on_a, and moment, by the whole joint; in the frame of its node.
  struct Reaction {
    Vector3d force, moment;
  };
  Reaction reaction(int number, double t, const VectorXd& q, const VectorXd& lambda) const;
  /// λ of its rows in the joint axes of the first partner.
  void multipliers_body(int number, double t, const VectorXd& q, const VectorXd& lambda, double* out) const;

  std::string name() const override { return "joints"; }
  void declare(mechanics::Declaration& declaration) override;
  bool is_self_contained() const override;
  void constraint(double t, const VectorXd& q, VectorRef phi) const override;
  void constraint_jacobian(double t, const VectorXd& q, RowMatrix& C) const override;
  void constraint_rate(double t, const VectorXd& q, VectorRef rate) const override;
  void curvature(double t, const VectorXd& q, const VectorXd& v, VectorRef gamma) const override;
  void add_constraint_force_derivatives(double t, const VectorXd& q, const VectorXd& lambda, double scale,
                                        NodeMatrix& H) const override;
  mechanics::Switching switching() const override;
  void add_switches(double t, const VectorXd& q, const VectorXd& v, mechanics::SwitchList& out) const override;
  std::string row_name(int constraint, int row) const override;
  /// "position 2", "drive of the angle".
  std::string row_label(int number, int row) const;

 private:
  std::vector<Joint> joints_;
};

}  // namespace filum::parts
