/// Loads as inputs and sensors as outputs of a linearised model. Theory: docs/theory/modes.md, sec. 6.
#include "linear_model.hpp"

#include <filum/lie/quaternion.hpp>

#include <algorithm>

namespace filum::record {
namespace {

using Eigen::Vector3d;
using mechanics::State;
using mechanics::VectorXd;
using model::NodePose;
namespace drawing = model::drawing;

/// A place that moves with a node of an object.
struct Place {
  const model::ObjectPoses* object;
  int node;
  Vector3d point;

  Vector3d position(const State& x) const {
    const NodePose pose = object->at(x, node);
    return pose.position + lie::quaternion::rotate(pose.orientation, point);
  }
};

/// Forces on v of a unit force or moment along an axis, by virtual work: what the place does when v moves it.
VectorXd unit_forces(const analysis::Linearization& lin, const Place& at, drawing::Quantity quantity,
                     const Vector3d& axis) {
  const auto& space = lin.system->space();
  const int node = at.object->first_node + at.node, offset = space.v_offset(node);
  VectorXd f = VectorXd::Zero(lin.size());
  constexpr double h = 6e-6;
  State plus = lin.x, minus = lin.x;
  for (int c = 0; c < lie::dim(space.group(node)); ++c) {
    space.advance_node(node, lin.x.q, c, h, plus.q);
    space.advance_node(node, lin.x.q, c, -h, minus.q);
    Vector3d moved = at.position(plus) - at.position(minus);
    if (quantity == drawing::Quantity::moment) {
      const Eigen::Vector4d turn =
          lie::quaternion::product(at.object->at(plus, at.node).orientation,
                                   lie::quaternion::conjugate(at.object->at(minus, at.node).orientation));
      moved = 2 * (turn[0] < 0 ? -1 : 1) * turn.tail<3>();
    }
    f[offset + c] = axis.dot(moved) / (2 * h);
  }
  return f;
}

void add_inputs(const model::ObjectFacts& object, const drawing::Arrows& arrows, const model::Layout& layout,
                analysis::LinearModel& out) {
  if (arrows.at.size() != 1 || arrows.at[0].is_ground()) return;
  const model::Anchor& anchor = arrows.at[0];
  const auto poses = std::find_if(layout.poses.begin(), layout.poses.end(),
                                  [&](const model::ObjectPoses& p) { return p.object == anchor.object; });
  if (poses == layout.poses.end()) return;
  const Place at{&*poses, anchor.node, anchor.point};
  const Eigen::Vector4d orientation = poses->at(out.lin.x, anchor.node).orientation;
  for (int k = 0; k < 3; ++k) {
    const Vector3d unit = Vector3d::Unit(k);
    const Vector3d axis = arrows.frame == drawing::Frame::body ? lie::quaternion::rotate(orientation, unit) : unit;
    out.forces.conservativeResize(Eigen::NoChange, out.forces.cols() + 1);
    out.forces.rightCols<1>() = unit_forces(out.lin, at, arrows.quantity, axis);
    out.input_names.push_back(object.name + (arrows.quantity == drawing::Quantity::force ? ".f" : ".m") + "xyz"[k]);
  }
}

}  // namespace

analysis::LinearModel linear_model(const analysis::Linearization& lin, const model::Layout& layout) {
  analysis::LinearModel out{lin, Eigen::MatrixXd(lin.size(), 0), {}, {}, {}};
  for (const model::ObjectFacts& object : layout.facts.objects)
    for (const model::Drawing& d : object.drawings)
      if (const auto* arrows = std::get_if<drawing::Arrows>(&d)) add_inputs(object, *arrows, layout, out);
  for (const model::SensorChannel& s : layout.sensors)
    out.output_names.insert(out.output_names.end(), s.columns.begin(), s.columns.end());
  out.outputs = analysis::differentiate_outputs(*lin.system, lin.x, static_cast<int>(out.output_names.size()),
                                                [&](const State& x, double* to) {
                                                  for (const model::SensorChannel& s : layout.sensors) {
                                                    s.channel.read(x, to);
                                                    to += s.channel.size();
                                                  }
                                                });
  return out;
}

}  // namespace filum::record
