/// Loads as inputs and sensors as outputs of a linearised model. Theory: docs/theory/modes.md, sec. 6.
#include "linear_model.hpp"

#include <filum/parts/frame_reader.hpp>

namespace filum::record {
namespace {

using Eigen::Vector3d;
using mechanics::State;
using mechanics::VectorXd;

/// Three columns for the force, three for the moment, along the axes that the load is given in: what loads of 1 put on
/// v.
void add_inputs(const model::LoadInput& load, analysis::LinearModel& out) {
  if (load.shares.empty()) return;
  for (const bool is_force : {true, false})
    for (int k = 0; k < 3; ++k) {
      VectorXd f = VectorXd::Zero(out.lin.size());
      for (const model::LoadShare& share : load.shares) {
        const parts::FrameReader frame(out.lin.system->space(), share.at);
        const parts::Pose pose = frame.pose(out.lin.x.q);
        const Vector3d unit = share.amount * Vector3d::Unit(k),
                       axis = load.in_space ? Vector3d(pose.R.transpose() * unit) : unit, none = Vector3d::Zero();
        if (is_force)
          frame.add_wrench(pose, share.at.point.cross(axis), axis, f);
        else
          frame.add_wrench(pose, axis, none, f);
      }
      out.forces.conservativeResize(Eigen::NoChange, out.forces.cols() + 1);
      out.forces.rightCols<1>() = f;
      out.input_names.push_back(load.name + (is_force ? ".f" : ".m") + "xyz"[k]);
    }
}

}  // namespace

analysis::LinearModel linear_model(const analysis::Linearization& lin, const model::Layout& layout) {
  analysis::LinearModel out{lin, Eigen::MatrixXd(lin.size(), 0), {}, {}, {}};
  for (const model::LoadInput& load : layout.inputs) add_inputs(load, out);
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
