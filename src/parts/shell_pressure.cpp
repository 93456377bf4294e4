/// Pressure on the cells of a shell, (SH.15). Theory: docs/theory/shell.md, sec. 4.
#include <filum/parts/node_frame_inline.hpp>
#include <filum/parts/shell_pressure.hpp>

#include <stdexcept>

namespace filum::parts {

ShellPressure::ShellPressure(std::shared_ptr<const Shell> shell, std::string name, LoadLaw pressure,
                             std::vector<Eigen::Vector2d> centers)
    : shell_(std::move(shell)), name_(std::move(name)), pressure_(std::move(pressure)), centers_(std::move(centers)) {
  if (!pressure_) throw std::invalid_argument("load " + name_ + ": there is no pressure");
  if (pressure_.sees().rotation || pressure_.sees().angular_velocity)
    throw std::invalid_argument("load " + name_ + ": a pressure sees position and velocity, no rotation");
  if (centers_.size() != static_cast<std::size_t>(shell_->cells()))
    throw std::invalid_argument("load " + name_ + ": expected a centre for each of the " +
                                std::to_string(shell_->cells()) + " cells, found " + std::to_string(centers_.size()));
}

void ShellPressure::declare(mechanics::Declaration& declaration) {
  frames_.clear(), forces_.clear();
  for (int n = 0; n < shell_->nodes(); ++n) frames_.emplace_back(declaration.space(), shell_->at(n));
  for (int k = 0; k < shell_->cells(); ++k) {
    std::array<int, 4> nodes = shell_->corners(k);
    for (int& n : nodes) n += shell_->first_node();
    forces_.push_back(declaration.forces<4>(nodes, {.velocity = pressure_.sees().velocity, .load = true}));
  }
}

/// Corners of a cell, its centre, and a quarter of its vector area.
struct ShellPressure::AtCell {
  std::array<Pose, 4> pose;
  std::array<Twist, 4> twist;
  PointMotion center;
  Vector3d first, second, area;  ///< the diagonals and an eighth of their cross product
};

ShellPressure::AtCell ShellPressure::at(int cell, double t, const VectorXd& q, const VectorXd& v) const {
  AtCell c;
  c.center = {.t = t,
              .s = centers_[cell][0],
              .s2 = centers_[cell][1],
              .position = Vector3d::Zero(),
              .rotation = Matrix3d::Identity(),
              .velocity = Vector3d::Zero(),
              .angular_velocity = Vector3d::Zero()};
  for (int i = 0; i < 4; ++i) {
    const NodeFrame& frame = frames_[shell_->corners(cell)[i]];
    c.pose[i] = frame.pose(q);
    c.twist[i] = frame.twist(c.pose[i], v);
    c.center.position += 0.25 * c.pose[i].x;
    c.center.velocity += 0.25 * (c.pose[i].R * c.twist[i].U);
  }
  c.first = c.pose[3].x - c.pose[0].x, c.second = c.pose[2].x - c.pose[1].x;
  c.area = 0.125 * c.first.cross(c.second);
  return c;
}

void ShellPressure::add_forces(double t, const VectorXd& q, const VectorXd& v, VectorRef f) const {
  for (int k = 0; k < shell_->cells(); ++k) {
    const AtCell c = at(k, t, q, v);
    const Vector3d F = pressure_.value(c.center).force[2] * c.area;
    for (int i = 0; i < 4; ++i)
      frames_[shell_->corners(k)[i]].add_wrench(c.pose[i], Vector3d::Zero(), c.pose[i].R.transpose() * F, f);
  }
}

// (SH.16) D(p a) = p Da + a Dp, where every corner moves the centre by a quarter of its own motion.
void ShellPressure::add_force_derivatives(double t, const VectorXd& q, const VectorXd& v, double scale_q,
                                          double scale_v, NodeMatrix& H) const {
  if (scale_q == 0 && (scale_v == 0 || !pressure_.sees().velocity)) return;
  for (int k = 0; k < shell_->cells(); ++k) {
    const AtCell c = at(k, t, q, v);
    const double p = pressure_.value(c.center).force[2];
    const LoadDerivatives d = pressure_.derivatives(c.center);
    const Matrix3d by_first = -0.125 * p * lie::skw(c.second), by_second = 0.125 * p * lie::skw(c.first),
                   by_position = 0.25 * c.area * d.by_position.row(2),
                   by_velocity = 0.25 * c.area * d.by_velocity.row(2);
    const std::array<Matrix3d, 4> by{by_position - by_first, by_position - by_second, by_position + by_second,
                                     by_position + by_first};
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
        const NodeFrame &on = frames_[shell_->corners(k)[i]], &of = frames_[shell_->corners(k)[j]];
        const Matrix3d to_body = c.pose[i].R.transpose(), by_U = to_body * by_velocity * c.pose[j].R;
        Matrix6d K = Matrix6d::Zero(), by_twist = Matrix6d::Zero();
        by_twist.bottomRightCorner<3, 3>() = by_U;
        K.bottomRightCorner<3, 3>() = scale_q * (to_body * by[j] * c.pose[j].R) + scale_v * by_U;
        K.bottomLeftCorner<3, 3>() = -scale_q * (by_U * lie::skw(c.twist[j].U));
        of.complete_twist_derivative(c.twist[j], scale_q * by_twist, K);
        if (i == j) {
          const Vector3d body = to_body * (p * c.area);
          K.bottomLeftCorner<3, 3>() += scale_q * lie::skw(body);
          on.complete_pose_derivative(body, scale_q, K);
        }
        NodeFrame::add_block(on, c.pose[i], of, c.pose[j], K, forces_[k].blocks()(H, i, j));
      }
  }
}

void ShellPressure::add_switches(double t, const VectorXd& q, const VectorXd& v, mechanics::SwitchList& out) const {
  for (int k = 0; k < shell_->cells(); ++k) {
    out.begin_law();
    pressure_.add_switches(at(k, t, q, v).center, out);
  }
}

void add_shell_pressure(SystemBuilder& builder, std::shared_ptr<const Shell> shell, const std::string& name,
                        LoadLaw pressure, std::vector<Eigen::Vector2d> centers) {
  builder.add_part(std::make_shared<ShellPressure>(std::move(shell), name, std::move(pressure), std::move(centers)));
}

}  // namespace filum::parts
