/// Values of object tables with a syntax of their own. User document: docs/guide/scenarios.md.
#pragma once

#include "object_tables.hpp"

#include <filum/model/body.hpp>
#include <filum/model/value.hpp>

#include <array>
#include <optional>
#include <vector>

namespace filum::scenario {

using config::Number;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::Vector4d;
using Number3 = std::array<Number, 3>;

/// A quaternion, or { axis, angle }.
struct Orientation {
  Vector4d quaternion = Vector4d(1, 0, 0, 0);
};
/// Three moments, or a 3 × 3 matrix.
struct Inertia {
  Matrix3d matrix = Matrix3d::Zero();
};
/// The same with formulas of s: three entries, or nine. A function of a program returns the matrix.
struct InertiaAlong {
  std::vector<Number> entries;
};
/// A group by its name, or "auto".
struct GroupWord {
  model::GroupChoice choice = {};
};
struct VelocityWord {
  model::InitialVelocity velocity = {};
};
/// { box = [x, y, z] }, { cylinder = [diameter, diameter, height] }, { sphere = diameter }, { disk = [diameter,
/// diameter, thickness] }, { mesh = "FILE", scale = 0.001 }.
struct ShapeTable {
  model::LookShape shape = {};
  std::optional<model::LookMesh> mesh = {};
};

void read_value(config::Reader&, const config::Node&, Orientation&, const std::string& path, const Rule&);
void read_value(config::Reader&, const config::Node&, Inertia&, const std::string& path, const Rule&);
void read_value(config::Reader&, const config::Node&, InertiaAlong&, const std::string& path, const Rule&);
void read_value(config::Reader&, const config::Node&, GroupWord&, const std::string& path, const Rule&);
void read_value(config::Reader&, const config::Node&, VelocityWord&, const std::string& path, const Rule&);
void read_value(config::Reader&, const config::Node&, ShapeTable&, const std::string& path, const Rule&);
std::string format_value(const config::Writer&, const Orientation&);
std::string format_value(const config::Writer&, const Inertia&);
std::string format_value(const config::Writer&, const InertiaAlong&);
std::string format_value(const config::Writer&, const GroupWord&);
std::string format_value(const config::Writer&, const VelocityWord&);
std::string format_value(const config::Writer&, const ShapeTable&);

inline const Rule of_time{.of = model::variables_of_time()};
inline const Rule of_length{.of = model::variables_of_length()};
inline const Rule of_load{.of = model::variables_of_load(), .vectors = model::vectors_of_load()};
inline const Rule of_spring{.of = model::variables_of_spring()};

/// The numbers that a function of a program returns.
std::vector<Number> entries_of(const config::BoundCallable& f, std::size_t n);

/// How an object looks.
struct LookFields {
  std::optional<ShapeTable> shape;
  std::string color;
};
/// An empty colour is not written.
template <class A>
void color_field(A& a, std::string& color) {
  std::optional<std::string> given = color.empty() ? std::nullopt : std::optional(color);
  a("color", given);
  color = given.value_or("");
}
template <class A>
void look_fields(A& a, LookFields& x) {
  a("shape", x.shape);
  color_field(a, x.color);
}
model::Look look_of(const LookFields& fields);
LookFields fields_of(const model::Look& look);

/// Numbers of a function of time, for files.
Number written(const model::OfTime& value, const char* option);
Number3 written(const std::array<model::OfTime, 3>& value, const char* option);

/// The option and the object that is asked: nothing when it is of another kind.
template <class Options>
const Options* options_of(const model::Object& object) {
  const auto* found = dynamic_cast<const model::ObjectOf<Options>*>(&object);
  return found ? &found->options() : nullptr;
}

}  // namespace filum::scenario
