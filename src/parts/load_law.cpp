/// Laws of loads and their derivatives, (B.16). Theory: docs/theory/bodies.md, sec. 5.
#include <filum/lie/matrix3.hpp>
#include <filum/lie/so3.hpp>
#include <filum/parts/load_law.hpp>

#include <array>

namespace filum::parts {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double relative_step = 6e-6;  // cube root of the unit roundoff: truncation and rounding errors balance

Eigen::Matrix<double, 6, 1> stacked(const LoadValue& value) {
  Eigen::Matrix<double, 6, 1> x;
  x << value.force, value.moment;
  return x;
}

/// Central differences, moved(motion, δ) being the motion with one of its vectors varied by δ.
template <class Moved>
LoadDerivatives::Block differences(const LoadLaw::Value& law, const PointMotion& motion, double step, Moved&& moved) {
  LoadDerivatives::Block block;
  for (int k = 0; k < 3; ++k)
    block.col(k) = (stacked(law(moved(motion, step * Vector3d::Unit(k)))) -
                    stacked(law(moved(motion, -step * Vector3d::Unit(k))))) /
                   (2 * step);
  return block;
}

LoadDerivatives differenced(const LoadLaw::Value& law, const Dependence& sees, const PointMotion& m) {
  const auto step = [](const Vector3d& x) { return relative_step * (1 + x.cwiseAbs().maxCoeff()); };
  LoadDerivatives d;
  if (sees.position)
    d.by_position =
        differences(law, m, step(m.position), [](PointMotion x, const Vector3d& by) { return x.position += by, x; });
  if (sees.rotation)
    d.by_rotation = differences(law, m, relative_step, [](PointMotion x, const Vector3d& by) {
      return x.rotation = (x.rotation * lie::SO3::rotation(lie::SO3::exp(by))).eval(), x;
    });
  if (sees.velocity)
    d.by_velocity =
        differences(law, m, step(m.velocity), [](PointMotion x, const Vector3d& by) { return x.velocity += by, x; });
  if (sees.angular_velocity)
    d.by_angular_velocity = differences(law, m, step(m.angular_velocity),
                                        [](PointMotion x, const Vector3d& by) { return x.angular_velocity += by, x; });
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
  return {value, sees.any() ? Derivative(derivatives) : Derivative(), sees};
}

LoadLaw LoadLaw::of_motion(Value value, Derivative derivatives, Dependence sees) {
  return {std::move(value), std::move(derivatives), sees};
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
  x.s = m.s;
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
