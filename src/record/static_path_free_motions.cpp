/// What can move freely, in words. User document: docs/guide/statics.md.
#include <filum/linalg/dense_decompositions.hpp>
#include <filum/parts/frame_reader.hpp>
#include <filum/record/static_path.hpp>

namespace filum::record {
namespace {

using Eigen::MatrixXd;

int rank(const MatrixXd& A, double size) {
  if (A.size() == 0 || !(size > 0)) return 0;
  return static_cast<int>((linalg::singular_values(A).array() > 1e-6 * size).count());
}

std::string counted(int n, const char* what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

/// Motions of the nodes of an object in space: rows per node are angular velocity and velocity.
class ObjectMotion {
 public:
  ObjectMotion(const mechanics::System& system, const mechanics::State& x, const MatrixXd& motions,
               const model::ObjectPoses& poses)
      : w_(3 * poses.nodes, motions.cols()), u_(3 * poses.nodes, motions.cols()) {
    for (int i = 0; i < poses.nodes; ++i) {
      const parts::FrameReader frame(system.space(), {.node = poses.first_node + i});
      const parts::Pose pose = frame.pose(x.q);
      x_.push_back(pose.x);
      for (Eigen::Index k = 0; k < motions.cols(); ++k) {
        const parts::Twist V = frame.twist(pose, motions.col(k));
        w_.block<3, 1>(3 * i, k) = pose.R * V.O;
        u_.block<3, 1>(3 * i, k) = pose.R * V.U;
      }
      size_ = std::max(size_, (pose.x - x_.front()).norm());
    }
    if (size_ == 0) size_ = 1;
  }

  bool moves() const { return largest() > 1e-6; }
  bool is_rigid() const {
    double off = 0;
    for (Eigen::Index k = 0; k < w_.cols(); ++k)
      for (std::size_t i = 1; i < x_.size(); ++i) {
        const Eigen::Index at = 3 * static_cast<Eigen::Index>(i);
        const Eigen::Vector3d w = w_.block<3, 1>(0, k), u = u_.block<3, 1>(0, k), arm = x_[i] - x_[0];
        off = std::max(
            {off, (w_.block<3, 1>(at, k) - w).norm(), (u_.block<3, 1>(at, k) - u - w.cross(arm)).norm() / size_});
      }
    return off < 1e-5 * largest();
  }
  /// A round rod rolls about its axis, bent or straight, and none of its points moves.
  bool turns_in_place() const { return u_.cwiseAbs().maxCoeff() <= 1e-3 * size_ * w_.cwiseAbs().maxCoeff(); }
  std::string text() const {
    if (x_.size() > 1 && turns_in_place()) return "rolling about its own axis";
    if (!is_rigid()) return counted(rank(stacked(), largest()), "free motion");
    const MatrixXd w = w_.topRows(3);
    const int turns = rank(w, largest()), all = rank(stacked().topRows(6), largest());
    std::string words;
    if (all > turns) words = counted(all - turns, "translation");
    if (turns > 0) words += (words.empty() ? "" : " and ") + counted(turns, "rotation");
    return words;
  }

 private:
  double largest() const { return std::max(w_.cwiseAbs().maxCoeff(), u_.cwiseAbs().maxCoeff() / size_); }
  MatrixXd stacked() const {
    MatrixXd all(w_.rows() + u_.rows(), w_.cols());
    for (Eigen::Index i = 0; i < w_.rows(); i += 3)
      all.middleRows(2 * i, 3) = w_.middleRows(i, 3), all.middleRows(2 * i + 3, 3) = u_.middleRows(i, 3) / size_;
    return all;
  }

  MatrixXd w_, u_;
  std::vector<Eigen::Vector3d> x_;
  double size_ = 0;
};

}  // namespace

std::string free_motion_text(const model::BuiltModel& model, const mechanics::State& x, const MatrixXd& motions) {
  if (motions.cols() == 0) return "something";
  constexpr int most = 5;  // a net has hundreds of objects
  std::string text;
  int found = 0;
  for (const model::ObjectPoses& poses : model.layout().poses) {
    const ObjectMotion motion(model.system(), x, motions, poses);
    if (motion.moves() && ++found <= most)
      text += (text.empty() ? "" : ", ") + poses.object + " (" + motion.text() + ")";
  }
  if (found > most) text += " and " + std::to_string(found - most) + " more";
  return text.empty() ? "something" : text;
}

}  // namespace filum::record
