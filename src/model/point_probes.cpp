/// Readings of the motion of a point. User document: docs/guide/scenarios.md, "Sensors".
#include "point_probes.hpp"

#include <filum/parts/frame_reader.hpp>

namespace filum::model {

std::vector<Probe> point_probes(const mechanics::System& system, const parts::Marker& marker) {
  const parts::FrameReader frame(system.space(), marker);
  const Vector3d point = marker.point;
  return {{"position",
           {"x", "y", "z"},
           [=](const State& s, double* out) { put(frame.pose(s.q).act(point), out); },
           {dimension::length}},
          {"orientation",
           {"p0", "p1", "p2", "p3"},
           [=](const State& s, double* out) { put(frame.quaternion(s.q), out); },
           {dimension::number}},
          {"velocity",
           {"x", "y", "z"},
           [=](const State& s, double* out) {
             const parts::Pose pose = frame.pose(s.q);
             put(Vector3d(pose.R * frame.twist(pose, s.v).at(point)), out);
           },
           {dimension::velocity}},
          {"angular_velocity",
           {"x", "y", "z"},
           [=](const State& s, double* out) { put(frame.twist(frame.pose(s.q), s.v).O, out); },
           {dimension::angular_velocity}}};
}

}  // namespace filum::model
