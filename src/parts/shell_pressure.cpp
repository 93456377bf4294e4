/// Pressure on the cells of a shell, (SH.15). Theory: docs/theory/shell.md, sec. 4.
#include <filum/parts/node_frame_inline.hpp>
#include <filum/parts/shell_pressure.hpp>

#include <stdexcept>

namespace filum::parts {

ShellPressure::ShellPressure(std::shared_ptr<const Shell> shell, std::string name, CellPressure pressure)
    : shell_(std::move(shell)), name_(std::move(name)), pressure_(std::move(pressure)) {
  if (!pressure_) throw std::invalid_argument("load " + name_ + ": there is no pressure");
}

void ShellPressure::declare(mechanics::Declaration& declaration) {
  frames_.clear(), forces_.clear();
  for (int n = 0; n < shell_->nodes(); ++n) frames_.emplace_back(declaration.space(), shell_->at(n));
  for (int k = 0; k < shell_->cells(); ++k) {
    std::array<int, 4> nodes = shell_->corners(k);
    for (int& n : nodes) n += shell_->first_node();
    forces_.push_back(declaration.forces<4>(nodes, {.load = true}));
  }
}

void ShellPressure::add_forces(double t, const VectorXd& q, const VectorXd&, VectorRef f) const {
  for (int k = 0; k < shell_->cells(); ++k) {
    const double p = pressure_(t, k) / 8;
    const auto& nodes = shell_->corners(k);
    std::array<Pose, 4> pose;
    for (int i = 0; i < 4; ++i) pose[i] = frames_[nodes[i]].pose(q);
    const Vector3d F = p * (pose[3].x - pose[0].x).cross(pose[2].x - pose[1].x);
    for (int i = 0; i < 4; ++i) frames_[nodes[i]].add_wrench(pose[i], Vector3d::Zero(), pose[i].R.transpose() * F, f);
  }
}

void ShellPressure::add_force_derivatives(double t, const VectorXd& q, const VectorXd&, double scale_q, double,
                                          NodeMatrix& H) const {
  if (scale_q == 0) return;
  for (int k = 0; k < shell_->cells(); ++k) {
    const double p = pressure_(t, k) / 8;
    const auto& nodes = shell_->corners(k);
    std::array<Pose, 4> pose;
    for (int i = 0; i < 4; ++i) pose[i] = frames_[nodes[i]].pose(q);
    const Vector3d first = pose[3].x - pose[0].x, second = pose[2].x - pose[1].x, F = p * first.cross(second);
    const Matrix3d by_first = -p * lie::skw(second), by_second = p * lie::skw(first);
    const std::array<Matrix3d, 4> by{-by_first, -by_second, by_second, by_first};
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
        const NodeFrame &on = frames_[nodes[i]], &of = frames_[nodes[j]];
        Matrix6d K = Matrix6d::Zero();
        K.bottomRightCorner<3, 3>() = scale_q * (pose[i].R.transpose() * by[j] * pose[j].R);
        if (i == j) {
          const Vector3d body = pose[i].R.transpose() * F;
          K.bottomLeftCorner<3, 3>() = scale_q * lie::skw(body);
          on.complete_pose_derivative(body, scale_q, K);
        }
        NodeFrame::add_block(on, pose[i], of, pose[j], K, forces_[k].blocks()(H, i, j));
      }
  }
}

void add_shell_pressure(SystemBuilder& builder, std::shared_ptr<const Shell> shell, const std::string& name,
                        CellPressure pressure) {
  builder.add_part(std::make_shared<ShellPressure>(std::move(shell), name, std::move(pressure)));
}

}  // namespace filum::parts
