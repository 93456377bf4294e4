/// Laws of loads and their derivatives, (B.16). Theory: docs/theory/bodies.md, sec. 5.
#include "central_difference.hpp"

#include <filum/lie/matrix3.hpp>
#include <filum/lie/so3.hpp>
#include <filum/parts/load_law.hpp>

#include <array>
#include <vector>

namespace filum::parts {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Eigen::Matrix<double, 6, 1> stacked(const LoadValue& value) {
  Eigen::Matrix<double, 6, 1> x;
  x << value.force, value.moment;
  return x;
}

/// What one of the four blocks of derivatives is about: whether the law sees it, how far it is varied at a motion, and
/// the motion with it varied by δ.
struct Variation {
  bool Dependence::*seen;
  LoadDerivatives::Block LoadDerivatives::*block;
  double (*step)(const PointMotion&);
  void (*move)(PointMotion&, const Vector3d& by);
};

double step_of(const Vector3d& x) { return relative_step * (1 + x.cwiseAbs().maxCoeff()); }

constexpr std::array<Variation, 4> variations{{
    {&Dependence::position, &LoadDerivatives::by_position, [](const PointMotion& m) { return step_of(m.position); },
     [](PointMotion& m, const Vector3d& by) { m.position += by; }},
    {&Dependence::rotation, &LoadDerivatives::by_rotation, [](const PointMotion&) { return relative_step; },
     [](PointMotion& m, const Vector3d& by) {
       m.rotation = (m.rotation * lie::SO3::rotation(lie::SO3::exp(by))).eval();
     }},
    {&Dependence::velocity, &LoadDerivatives::by_velocity, [](const PointMotion& m) { return step_of(m.velocity); },
     [](PointMotion& m, const Vector3d& by) { m.velocity += by; }},
    {&Dependence::angular_velocity, &LoadDerivatives::by_angular_velocity,
     [](const PointMotion& m) { return step_of(m.angular_velocity); },
     [](PointMotion& m, const Vector3d& by) { m.angular_velocity += by; }},
}};

/// Central differences at every motion; law(motions, values) evaluates them all.
template <class Law>
void differenced(const Law& law, const Dependence& sees, std::span<const PointMotion> at, std::span<PointMotion> moved,
                 std::span<LoadValue> above, std::span<LoadValue> below, std::span<LoadDerivatives> out) {
  for (const Variation& variation : variations) {
    if (!(sees.*variation.seen)) continue;
    for (int k = 0; k < 3; ++k) {
      const auto evaluate = [&](double sign, std::span<LoadValue> values) {
        for (std::size_t i = 0; i < at.size(); ++i) {
          moved[i] = at[i];
          variation.move(moved[i], sign * variation.step(at[i]) * Vector3d::Unit(k));
        }
        law(moved, values);
      };
      evaluate(1, above);
      evaluate(-1, below);
      for (std::size_t i = 0; i < at.size(); ++i)
        (out[i].*variation.block).col(k) = (stacked(above[i]) - stacked(below[i])) / (2 * variation.step(at[i]));
    }
  }
}

LoadDerivatives differenced(const LoadLaw::Value& law, const Dependence& sees, const PointMotion& m) {
  PointMotion moved;
  LoadValue above, below;
  LoadDerivatives d;
  differenced([&law](std::span<const PointMotion> x, std::span<LoadValue> out) { out[0] = law(x[0]); }, sees,
              std::span(&m, 1), std::span(&moved, 1), std::span(&above, 1), std::span(&below, 1), std::span(&d, 1));
  return d;
}

}  // namespace

LoadLaw LoadLaw::constant(const LoadValue& value) {
  return {[value](const PointMotion&) { return value; }, nullptr, {}};
}

LoadLaw LoadLaw::of_time(std::function<LoadValue(double)> value) {
  if (!value) return {};
  return {[value = std::move(value)](const PointMotion& m) { return value(m.t); }, nullptr, {}};
}

LoadLaw LoadLaw::of_time(std::function<LoadValue(double, double)> value) {
  if (!value) return {};
  return {[value = std::move(value)](const PointMotion& m) { return value(m.s, m.t); }, nullptr, {}};
}

LoadLaw LoadLaw::of_motion(Value value, Dependence sees) {
  if (!value) return {};
  const auto derivatives = [value, sees](const PointMotion& m) { return differenced(value, sees, m); };
  return {std::move(value), sees.any() ? Derivative(derivatives) : Derivative(), sees};
}

LoadLaw LoadLaw::of_motion(Value value, Derivative derivatives, Dependence sees) {
  return {std::move(value), std::move(derivatives), sees};
}

LoadLaw LoadLaw::of_many(Values values, Dependence sees) {
  const auto one = [values](const PointMotion& m) {
    LoadValue value;
    values(std::span(&m, 1), std::span(&value, 1));
    return value;
  };
  LoadLaw law = of_motion(one, sees);
  law.values_ = std::move(values);
  return law;
}

void LoadLaw::values(std::span<const PointMotion> motions, std::span<LoadValue> out) const {
  if (values_) return values_(motions, out);
  for (std::size_t i = 0; i < motions.size(); ++i) out[i] = value_(motions[i]);
}

void LoadLaw::derivatives(std::span<const PointMotion> motions, std::span<LoadDerivatives> out) const {
  if (!values_ || !sees_.any()) {
    for (std::size_t i = 0; i < motions.size(); ++i) out[i] = derivatives(motions[i]);
    return;
  }
  std::vector<PointMotion> moved(motions.size());
  std::vector<LoadValue> above(motions.size()), below(motions.size());
  std::fill(out.begin(), out.end(), LoadDerivatives{});
  differenced(values_, sees_, motions, moved, above, below, out);
}

namespace detail {
namespace {

using DualVector = Eigen::Matrix<LoadDual, 3, 1>;

DualVector variables(const Vector3d& x, bool seen, int first) {
  DualVector out;
  for (int k = 0; k < 3; ++k) out[k] = seen ? LoadDual::variable(x[k], first + k) : LoadDual(x[k]);
  return out;
}

}  // namespace

BasicPointMotion<LoadDual> with_partials(const PointMotion& m, const Dependence& sees) {
  BasicPointMotion<LoadDual> x;
  x.t = m.t;
  x.s = m.s, x.s2 = m.s2;
  x.position = variables(m.position, sees.position, 0);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) x.rotation(i, j) = m.rotation(i, j);
  if (sees.rotation)  // R exp(δ) = R + R skw(δ) + …
    for (int k = 0; k < 3; ++k) {
      const Matrix3d D = m.rotation * lie::skw(Vector3d::Unit(k));
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) x.rotation(i, j).d[3 + k] = D(i, j);
    }
  x.velocity = variables(m.velocity, sees.velocity, 6);
  x.angular_velocity = variables(m.angular_velocity, sees.angular_velocity, 9);
  return x;
}

LoadDerivatives partials(const BasicLoadValue<LoadDual>& value) {
  LoadDerivatives d;
  const std::array<LoadDerivatives::Block*, 4> blocks{&d.by_position, &d.by_rotation, &d.by_velocity,
                                                      &d.by_angular_velocity};
  for (int row = 0; row < 6; ++row) {
    const LoadDual& x = row < 3 ? value.force[row] : value.moment[row - 3];
    for (int k = 0; k < 12; ++k) (*blocks[static_cast<std::size_t>(k / 3)])(row, k % 3) = x.d[k];
  }
  return d;
}

}  // namespace detail
}  // namespace filum::parts
