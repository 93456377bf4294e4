/// Which part of a twist a group knows, and the scatter of derivatives. Theory: docs/theory/joints.md, sec. 1.
#include <filum/mechanics/nodes.hpp>
#include <filum/parts/node_frame.hpp>

#include <stdexcept>
#include <string>

namespace filum::parts {

NodeFrame::NodeFrame(const ConfigurationSpace& space, const Marker& marker)
    : node_(marker.node), origin_(marker.origin) {
  if (marker.node == ground) return;
  if (marker.node < 0 || marker.node >= space.nodes())
    throw std::invalid_argument("there is no node " + std::to_string(marker.node) + " to attach to; the system has " +
                                std::to_string(space.nodes()));
  group_ = space.group(node_);
  q_at_ = space.q_offset(node_);
  v_at_ = space.v_offset(node_);
  dim_ = lie::dim(group_);
  lie::visit(group_, [&]<class G>(lie::GroupTag<G>) {
    if constexpr (lie::RigidMotion<G>) {
      kind_ = G::is_semidirect ? Kind::semidirect : Kind::direct;
    } else if constexpr (requires { &G::rotation; }) {
      kind_ = Kind::rotation;
    } else {
      kind_ = Kind::point;
      first_ = 3;
    }
  });
}

void NodeFrame::add_block(const NodeFrame& i, const Pose& pose_i, const NodeFrame& j, const Pose& pose_j,
                          const Matrix6d& K, double* out) {
  if (i.kind_ == Kind::semidirect && j.kind_ == Kind::semidirect) {
    Eigen::Map<Matrix6d>{out} += K;
    return;
  }
  Matrix6d L = K;
  if (i.is_direct()) L.bottomRows<3>() = pose_i.R * K.bottomRows<3>();
  if (j.is_direct()) L.rightCols<3>() = (L.rightCols<3>() * pose_j.R.transpose()).eval();
  Eigen::Map<Eigen::MatrixXd>(out, i.dim_, j.dim_) += L.block(i.first_, j.first_, i.dim_, j.dim_);
}

}  // namespace filum::parts
