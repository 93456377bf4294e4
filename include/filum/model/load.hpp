/// Forces and moments on objects, as functions of time and of the motion of their point. User document:
/// docs/guide/scenarios.md, "Loads".
#pragma once

#include <filum/model/object.hpp>
#include <filum/model/value.hpp>
#include <filum/parts/load_law.hpp>

#include <array>
#include <concepts>
#include <optional>
#include <type_traits>
#include <vector>

namespace filum::model {

using parts::LoadFrame;
using parts::LoadRule;
using parts::PointMotion;

/// A force or a moment: constant, three formulas, a callable of time, or a callable of the motion of its point.
/// Formulas and `differentiable` callables have exact derivatives in the Newton matrix, other callables of the motion
/// are differenced.
class LoadVector {
 public:
  LoadVector() : LoadVector(Vector3d(Vector3d::Zero())) {}
  LoadVector(const Vector3d& value);  // NOLINT: a vector is constant
  LoadVector(double x, double y, double z) : LoadVector(Vector3d(x, y, z)) {}
  LoadVector(const std::array<Number, 3>& numbers);  // NOLINT: formulas of a file
  template <class F>
  requires std::invocable<const F&, const PointMotion&> LoadVector(F f)  // NOLINT: Vector3d(const PointMotion&)
      : law_(parts::LoadLaw::of_motion([f](const PointMotion& m) {
          return parts::LoadValue{Vector3d(f(m)), Vector3d::Zero()};
        })) {}
  template <class F>
  requires std::invocable<const F&, double> &&
      (!std::invocable<const F&, const PointMotion&>)LoadVector(F f)  // NOLINT: Vector3d(double t)
      : law_(parts::LoadLaw::of_time([f](double t) {
          return parts::LoadValue{Vector3d(f(t)), Vector3d::Zero()};
        })) {}
  /// f takes a parts::BasicPointMotion<S> of any scalar S and returns three of them.
  template <class F>
  static LoadVector differentiable(F f, parts::Dependence sees = parts::Dependence::all()) {
    return LoadVector(parts::LoadLaw::differentiable(
        [f]<class S>(const parts::BasicPointMotion<S>& m) {
          parts::BasicLoadValue<S> value;
          value.force = f(m);
          return value;
        },
        sees));
  }

  /// The vector as the force of a law without moment.
  const parts::LoadLaw& law() const { return law_; }
  bool is_zero() const { return is_zero_; }
  const std::array<Number, 3>* numbers() const { return numbers_ ? &*numbers_ : nullptr; }

 private:
  explicit LoadVector(parts::LoadLaw law) : law_(std::move(law)) {}

  parts::LoadLaw law_;
  bool is_zero_ = false;
  std::optional<std::array<Number, 3>> numbers_;
};

inline config::Variables variables_of_pressure() { return {"t", "s1", "s2", "x", "y", "z", "vx", "vy", "vz"}; }
inline std::vector<config::VariableVector> vectors_of_pressure() { return {{"position", 3, 3}, {"velocity", 6, 3}}; }

/// A pressure: constant, a formula, or a callable of t, of t, s1 and s2, or of the motion of the centre of a cell, of
/// which it sees position and velocity. Formulas have exact derivatives.
class Pressure {
 public:
  Pressure(double value) : Pressure(Number(value)) {}  // NOLINT: a number is constant
  Pressure(Number number);                             // NOLINT: a formula
  template <class F>
  requires std::is_invocable_r_v<double, const F&, const PointMotion&> Pressure(F f)  // NOLINT: of the motion
      : law_(parts::LoadLaw::of_motion(along_normal(std::move(f)), {.position = true, .velocity = true})) {}
  template <class F>
  requires std::is_invocable_r_v<double, const F&, double> Pressure(F f)  // NOLINT: of t
      : Pressure([f](double t, double, double) { return f(t); }) {}
  template <class F>
  requires std::is_invocable_r_v<double, const F&, double, double, double> Pressure(F f)  // NOLINT: of t, s1 and s2
      : law_(parts::LoadLaw::of_motion(along_normal([f](const PointMotion& m) { return f(m.t, m.s, m.s2); }), nullptr,
                                       {})) {}

  /// The pressure as the third component of the force of a law.
  const parts::LoadLaw& law() const { return law_; }
  /// What it was made of, for files; nothing for a callable.
  const Number* number() const { return number_ ? &*number_ : nullptr; }

 private:
  template <class F>
  static parts::LoadLaw::Value along_normal(F f) {
    return [f](const PointMotion& m) { return parts::LoadValue{.force = {0, 0, f(m)}}; };
  }

  parts::LoadLaw law_;
  std::optional<Number> number_;
};

/// On a point: a force and a moment. On a whole beam or an edge of a shell: both per length; on a whole shell per area.
struct Load {
  std::string name = {};
  Point on = ground;  ///< its offset is where the force acts, in the frame of the body or section
  LoadFrame frame = LoadFrame::space;
  LoadVector force = {}, moment = {};
  /// On a whole shell, along its normal, per area of the surface as it is; taken at the centres of cells.
  std::optional<Pressure> pressure = {};
  LoadRule rule = LoadRule::trapezoidal;  ///< of loads on a whole beam
  double damping = 0;                     ///< the force −damping · velocity per mass, on a whole object
};

std::unique_ptr<Object> make_object(const Load& options);

}  // namespace filum::model
