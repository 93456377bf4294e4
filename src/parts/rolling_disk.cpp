/// Equations of the rolling disk and their derivatives, (J.30) to (J.34). Theory: docs/theory/joints.md, sec. 5.
#include <filum/parts/node_frame_inline.hpp>
#include <filum/parts/rolling_disk.hpp>

#include <cmath>
#include <stdexcept>

namespace filum::parts {
namespace {

using lie::skw;

/// The vertical in the body frame, and its share in the plane of the disk: −r m/|m| leads to the lowest point.
struct Tilt {
  Vector3d n, m;
  explicit Tilt(const Matrix3d& R) : n(R.row(2)), m(n[0], n[1], 0) {}
};

/// (J.31) With a the space axis in the body frame: x3 a·U − r² (m × a)·Ω.
Eigen::Matrix<double, 1, 6> rolling_row(const Tilt& tilt, double x3, double r2, const Vector3d& a) {
  const Vector3d turn = tilt.m.cross(a);
  Eigen::Matrix<double, 1, 6> c;
  c.head<3>() = -r2 * turn.transpose();
  c.tail<3>() = x3 * a.transpose();
  return c;
}

/// (J.32) What the row's product with V gains per time while V stays: ẋ3 = n·U, ȧ = a × Ω, ṁ = P (n × Ω).
double row_rate(const Tilt& tilt, double x3, double r2, const Vector3d& a, const Twist& V) {
  const Vector3d a_dot = a.cross(V.O);
  Vector3d m_dot = tilt.n.cross(V.O);
  m_dot[2] = 0;
  return tilt.n.dot(V.U) * a.dot(V.U) + x3 * a_dot.dot(V.U) - r2 * V.O.dot(m_dot.cross(a) + tilt.m.cross(a_dot));
}

}  // namespace

int RollingDisks::add(std::string name, const Marker& center, double radius) {
  if (!(radius > 0) || !std::isfinite(radius))
    throw std::invalid_argument("disk " + name + ": the radius must be positive, got " + std::to_string(radius));
  disks_.push_back({.name = std::move(name), .center = center, .radius = radius});
  return static_cast<int>(disks_.size()) - 1;
}

void RollingDisks::declare(mechanics::Declaration& declaration) {
  for (Disk& d : disks_) {
    d.frame = NodeFrame(declaration.space(), d.center);
    d.touch = declaration.constraint<1, 1>(mechanics::ConstraintKind::holonomic, {d.center.node});
    d.roll = declaration.constraint<2, 1>(mechanics::ConstraintKind::nonholonomic, {d.center.node});
  }
}

void RollingDisks::constraint(double, const VectorXd& q, VectorRef phi) const {
  for (const Disk& d : disks_) {
    const Pose pose = d.frame.pose(q);
    const double r2 = d.radius * d.radius;
    phi[d.touch.row()] = 0.5 * (pose.x[2] * pose.x[2] - r2 * Tilt(pose.R).m.squaredNorm());
  }
}

void RollingDisks::constraint_jacobian(double, const VectorXd& q, RowMatrix& C) const {
  for (const Disk& d : disks_) {
    const Pose pose = d.frame.pose(q);
    const Tilt tilt(pose.R);
    const double x3 = pose.x[2], r2 = d.radius * d.radius;
    d.frame.write_columns<1>(pose, rolling_row(tilt, x3, r2, tilt.n), d.touch.columns(C, 0));
    Eigen::Matrix<double, 2, 6> roll;
    roll << rolling_row(tilt, x3, r2, pose.R.row(0)), rolling_row(tilt, x3, r2, pose.R.row(1));
    d.frame.write_columns<2>(pose, roll, d.roll.columns(C, 0));
  }
}

void RollingDisks::curvature(double, const VectorXd& q, const VectorXd& v, VectorRef gamma) const {
  for (const Disk& d : disks_) {
    const Pose pose = d.frame.pose(q);
    const Tilt tilt(pose.R);
    const Twist V = d.frame.twist(pose, v);
    const Vector3d bias = d.frame.bias(V);
    const double x3 = pose.x[2], r2 = d.radius * d.radius;
    const auto rate = [&](const Vector3d& a) { return row_rate(tilt, x3, r2, a, V) + x3 * a.dot(bias); };
    gamma[d.touch.row()] = rate(tilt.n);
    gamma[d.roll.row()] = rate(pose.R.row(0));
    gamma[d.roll.row() + 1] = rate(pose.R.row(1));
  }
}

// (J.33) With b = Rᵀ (μ1, μ2, λ) the wrench of Cᵀ(λ, μ) is (−r² m × b, x3 b).
void RollingDisks::add_constraint_force_derivatives(double, const VectorXd& q, const VectorXd& lambda, double scale,
                                                    NodeMatrix& H) const {
  for (const Disk& d : disks_) {
    const Pose pose = d.frame.pose(q);
    const Tilt tilt(pose.R);
    const double x3 = pose.x[2], r2 = d.radius * d.radius;
    const Vector3d space(lambda[d.roll.row()], lambda[d.roll.row() + 1], lambda[d.touch.row()]);
    const Vector3d b = scale * (pose.R.transpose() * space);
    Matrix3d m_by_rotation = skw(tilt.n);
    m_by_rotation.row(2).setZero();
    Matrix6d K;
    K << r2 * (skw(b) * m_by_rotation - skw(tilt.m) * skw(b)), Matrix3d::Zero(), x3 * skw(b), b * tilt.n.transpose();
    d.frame.complete_pose_derivative(x3 * b, 1, K);
    NodeFrame::add_block(d.frame, pose, d.frame, pose, K, d.touch.blocks()(H, 0, 0));
  }
}

std::string RollingDisks::row_name(int constraint, int row) const {
  const std::string prefix = "rolling disk " + disks_[constraint / 2].name;
  return constraint % 2 == 0 ? prefix + ": touches the plane" : prefix + ": no slip " + std::to_string(row + 1);
}

DiskHandle add_rolling_disk(SystemBuilder& builder, const std::string& name, const RigidBody& body, double radius) {
  if (!lie::is_rigid_motion(body.group()))
    throw std::invalid_argument("disk " + name + ": a disk rolls away and cannot be described in " +
                                std::string(lie::name(body.group())));
  const auto part = builder.shared_part<RollingDisks>();
  return {part, part->add(name, body.at(Vector3d::Zero()), radius)};
}

}  // namespace filum::parts
