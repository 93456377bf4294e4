/// Mode shapes as displacements of what is recorded. User document: docs/guide/modes.md.
#include "mode_shapes.hpp"

#include <filum/lie/quaternion.hpp>

#include <algorithm>

namespace filum::record {
namespace {

using mechanics::State;
using mechanics::VectorXd;
using model::NodePose;

/// Recorded poses need not be those of nodes: central differences along q ∘ exp(± h ξ), with an error near 1e-11.
class Differences {
 public:
  Differences(const mechanics::System& system, const State& x, const VectorXd& direction) : plus_(x), minus_(x) {
    const double size = direction.lpNorm<Eigen::Infinity>();
    h_ = size > 0 ? 6e-6 / size : 0;
    system.space().advance(x.q, h_, direction, plus_.q);
    system.space().advance(x.q, -h_, direction, minus_.q);
  }

  void append(const model::ObjectPoses& object, std::vector<double>& position, std::vector<double>& rotation) const {
    for (int k = 0; k < object.nodes; ++k) {
      const NodePose a = object.at(plus_, k), b = object.at(minus_, k);
      const Eigen::Vector4d turn = lie::quaternion::product(a.orientation, lie::quaternion::conjugate(b.orientation));
      const double factor = h_ > 0 ? 1 / (2 * h_) : 0;
      const Eigen::Vector3d shift = factor * (a.position - b.position),
                            angle = 2 * factor * (turn[0] < 0 ? -1 : 1) * turn.tail<3>();
      position.insert(position.end(), shift.data(), shift.data() + 3);
      rotation.insert(rotation.end(), angle.data(), angle.data() + 3);
    }
  }

 private:
  State plus_, minus_;
  double h_;
};

}  // namespace

std::map<std::string, Series, std::less<>> mode_shapes(const mechanics::System& system, const State& x,
                                                       const std::vector<model::ObjectPoses>& poses,
                                                       const analysis::Modes& modes) {
  std::map<std::string, Series, std::less<>> out;
  const auto add = [&](const std::string& suffix, auto part) {
    for (const analysis::Mode& mode : modes.modes) {
      const Differences differences(system, x, part(mode.shape));
      for (const model::ObjectPoses& o : poses) {
        Series &position = out[o.object + "/position" + suffix], &rotation = out[o.object + "/rotation" + suffix];
        position.shape = rotation.shape = {o.nodes, 3};
        differences.append(o, position.values, rotation.values);
      }
    }
  };
  add("", [](const Eigen::VectorXcd& shape) { return VectorXd(shape.real()); });
  const bool is_complex = std::any_of(modes.modes.begin(), modes.modes.end(),
                                      [](const analysis::Mode& m) { return !m.shape.imag().isZero(1e-9); });
  if (is_complex) add("_imaginary", [](const Eigen::VectorXcd& shape) { return VectorXd(shape.imag()); });
  return out;
}

}  // namespace filum::record
