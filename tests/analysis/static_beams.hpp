/// Beams that statics is tested on. Theory: docs/theory/statics.md.
#pragma once

#include "support/beam_systems.hpp"

#include <filum/analysis/static_path.hpp>
#include <filum/lie/quaternion.hpp>
#include <filum/lie/s3sdr3.hpp>
#include <filum/parts/body_load.hpp>
#include <filum/parts/joint.hpp>

#include <cmath>
#include <optional>
#include <string>

namespace filum::analysis {

using parts::Vector3d;
using test::BeamBenchmark;

struct StaticBeam {
  int segments = 8;
  double length = 1;
  double EI = 1, EI2 = 1, GA = 1e4, EA = 1e4, GJ = 1;  ///< bending about the first and second axis of the section
  parts::StrainMask held = parts::cosserat;
  lie::GroupId group = lie::GroupId::S3sdR3;
  double curvature = 0;  ///< towards e2
  Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();
  int loaded_node = -1;                               ///< −1: the last
  std::optional<parts::JointType> second_joint = {};  ///< at the last node, about e3
};

/// From the origin along e1, bending towards e2 if it is curved; the first axis of the sections is e3. Clamped at the
/// first node, loaded in space.
inline BeamBenchmark static_beam(const StaticBeam& c) {
  using G = lie::S3sdR3;
  BeamBenchmark b;
  parts::BeamOptions o;
  o.held = c.held;
  o.group = c.group;
  o.stiffness = {parts::diagonal_stiffness({c.EI, c.EI2, c.GJ}, {c.GA, c.GA, c.EA})};
  Eigen::Matrix3d R;
  R << 0, 0, 1, 0, 1, 0, -1, 0, 0;  // axes: −e3, e2, e1
  const double h = c.length / c.segments;
  G::Element q = G::from_pose(lie::quaternion::from_matrix(R), Vector3d::Zero());
  G::Tangent w;
  w << -c.curvature, 0, 0, 0, 0, 1;
  for (int i = 0; i <= c.segments; ++i) {
    o.grid.push_back(h * i);
    o.positions.push_back(G::position(q));
    o.orientations.push_back(G::quaternion(q));
    q = G::compose(q, G::exp(h * w));
  }
  b.beam = parts::add_beam(b.builder, o);
  parts::add_joint(b.builder, {.name = "clamp", .type = parts::JointType::fixed, .first = {}, .second = b.beam->at(0)});
  if (c.second_joint)
    parts::add_joint(b.builder, {.name = "second",
                                 .type = *c.second_joint,
                                 .first = {.point = o.positions.back()},
                                 .second = b.beam->at(c.segments),
                                 .axis = {0, 0, 1}});
  parts::add_load(b.builder, "load", b.beam->at(c.loaded_node < 0 ? c.segments : c.loaded_node),
                  parts::LoadFrame::space,
                  [=](double) { return parts::LoadValue{.force = c.force, .moment = c.moment}; });
  test::complete(b);
  return b;
}

inline std::string words(const Equilibrium& e) {
  std::string s = e.message + " (outcome " + std::to_string(static_cast<int>(e.outcome)) + ", " +
                  std::to_string(e.load_steps) + " load steps, " + std::to_string(e.iterations) + " iterations)";
  for (const auto& h : e.history)
    s += "\n  " + std::to_string(h.load_factor) + " 1e" + std::to_string(std::log10(h.increment)) + " " +
         std::to_string(h.step);
  return s;
}
inline std::string words(const StaticPath& p) {
  std::string s = p.message + " (outcome " + std::to_string(static_cast<int>(p.outcome)) + ", " +
                  std::to_string(p.steps) + " steps, " + std::to_string(p.rejected) + " rejected, " +
                  std::to_string(p.iterations) + " iterations, factor " + std::to_string(p.factor) + ")";
  for (const std::string& r : p.remarks) s += "\n  " + r;
  for (const CriticalPoint& c : p.critical)
    s += "\n  " + std::string(c.kind == CriticalKind::limit_point ? "limit point " : "bifurcation ") +
         std::to_string(c.factor) + ": " + std::to_string(c.negative_before) + " to " +
         std::to_string(c.negative_after);
  return s;
}

}  // namespace filum::analysis
