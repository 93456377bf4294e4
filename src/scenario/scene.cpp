/// What the report page draws besides the motion. User document: docs/guide/results.md, "The report page".
#include "scene.hpp"

#include "check_scenario.hpp"

#include <filum/lie/quaternion.hpp>
#include <filum/scenario/report.hpp>
#include <filum/scenario/words.hpp>

#include <Eigen/Eigenvalues>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace filum::scenario {
namespace {

using Json = nlohmann::ordered_json;

template <class V>
Json list(const V& v) {
  return std::vector<double>(v.data(), v.data() + v.size());
}

/// {"object": name, "s": arc length}; null is the ground.
Json reference(const Scenario& s, const Reference& text) {
  std::string objection;
  const Target target = resolve(s, text, objection);
  switch (target.kind) {
    case Target::Kind::body: return {{"object", s.bodies[static_cast<std::size_t>(target.index)].name}};
    case Target::Kind::beam: return {{"object", s.beams[static_cast<std::size_t>(target.index)].name}};
    case Target::Kind::beam_point:
      return {{"object", s.beams[static_cast<std::size_t>(target.index)].name}, {"s", target.s}};
    default: return nullptr;
  }
}

/// The homogeneous box of the same mass and principal inertias: a² = 6/m (I₂ + I₃ − I₁).
Json body(const Body& b) {
  const Eigen::SelfAdjointEigenSolver<Matrix3d> principal(b.inertia.matrix);
  const bool is_diagonal = b.inertia.matrix.isDiagonal(1e-12);
  const Vector3d I = is_diagonal ? Vector3d(b.inertia.matrix.diagonal()) : Vector3d(principal.eigenvalues());
  Matrix3d axes = is_diagonal ? Matrix3d(Matrix3d::Identity()) : Matrix3d(principal.eigenvectors());
  if (axes.determinant() < 0) axes.col(2) *= -1;
  Vector3d size = Vector3d::Zero();
  if (b.mass > 0)
    for (int k = 0; k < 3; ++k) size[k] = std::sqrt(std::max(0.0, 6 / b.mass * (I.sum() - 2 * I[k])));
  return {{"name", b.name},
          {"mass", b.mass},
          {"box", list(size)},
          {"axes", list(lie::quaternion::from_matrix(axes))},
          {"center", list(b.center_of_mass)}};
}

Json beam(const Beam& b) {
  Json json{{"name", b.name}, {"model", word_of(b.model)}, {"length", length_of(b).value_or(0)}};
  if (!b.section) return json;
  if (b.section->shape == SectionShape::rectangle)
    json["rectangle"] = {b.section->width, b.section->height};
  else
    json["radius"] = b.section->radius;
  return json;
}

Json joint(const Scenario& s, const Joint& j) {
  Json json{{"name", j.name}, {"type", word_of(j.type)}};
  if (j.connects) json["connects"] = {reference(s, (*j.connects)[0]), reference(s, (*j.connects)[1])};
  if (j.at) json["at"] = list(*j.at);
  if (j.axis) json["axis"] = list(*j.axis);
  if (j.points) json["points"] = {list((*j.points)[0]), list((*j.points)[1])};
  if (j.radius) json["radius"] = *j.radius;
  if (j.joint) json["drives"] = *j.joint;
  return json;
}

Json spring(const Scenario& s, const Spring& x) {
  Json json{{"name", x.name}};
  if (x.connects) json["connects"] = {reference(s, (*x.connects)[0]), reference(s, (*x.connects)[1])};
  if (x.points) json["points"] = {list((*x.points)[0]), list((*x.points)[1])};
  return json;
}

/// Arc lengths at which a load is drawn: one point, or some along a beam.
std::vector<double> places(const Scenario& s, const Load& load) {
  std::string objection;
  const Target target = resolve(s, load.on, objection);
  if (target.kind != Target::Kind::beam) return {target.s};
  constexpr int count = 9;
  const double length = length_of(s.beams[static_cast<std::size_t>(target.index)]).value_or(0);
  std::vector<double> at;
  for (int k = 0; k < count; ++k) at.push_back(length * k / (count - 1));
  return at;
}

Json load(const Scenario& s, const Load& x) {
  return {{"name", x.name},
          {"on", reference(s, x.on)},
          {"frame", word_of(x.frame)},
          {"point", list(x.point)},
          {"places", places(s, x)}};
}

record::ReportSeries series(const std::string& name, const Number3& value, const std::vector<double>& places) {
  return {name, static_cast<int>(3 * places.size()), [value, places](double t, double* out) {
            for (const double s : places)
              for (const Number& component : value) *out++ = component(t, s);
          }};
}

}  // namespace

std::string scene_text(const Scenario& s) {
  Json json{{"gravity", list(s.gravity)}};
  for (const char* what : {"bodies", "beams", "joints", "springs", "loads", "sensors"}) json[what] = Json::array();
  for (const Body& b : s.bodies) json["bodies"].push_back(body(b));
  for (const Beam& b : s.beams) json["beams"].push_back(beam(b));
  for (const Joint& j : s.joints) json["joints"].push_back(joint(s, j));
  for (const Spring& x : s.springs) json["springs"].push_back(spring(s, x));
  for (const Load& x : s.loads) json["loads"].push_back(load(s, x));
  for (const Sensor& x : s.sensors)
    json["sensors"].push_back({{"name", x.name}, {"on", x.on}, {"quantity", word_of(x.quantity)}});
  return json.dump();
}

std::vector<record::ReportSeries> load_series(const Scenario& s) {
  std::vector<record::ReportSeries> all;
  for (const Load& x : s.loads) {
    all.push_back(series("loads/" + x.name + "/force", x.force, places(s, x)));
    all.push_back(series("loads/" + x.name + "/moment", x.moment, places(s, x)));
  }
  return all;
}

}  // namespace filum::scenario
