/// Derivatives of prescribed motions: formulas have none of their own. User document: docs/guide/scenarios.md,
/// "Drives".
#pragma once

#include <filum/parts/joint.hpp>
#include <filum/scenario/scenario.hpp>

#include <functional>

namespace filum::scenario {

struct Derivatives {
  double value = 0, first = 0, second = 0;
};

/// Central differences with Richardson extrapolation over a range of spacings about `scale`; the best estimate is
/// taken. A smooth function has errors near 1e-12 in the first and 1e-9 in the second derivative, relative to its size
/// over the scale.
Derivatives differentiate(const std::function<double(double)>& f, double t, double scale);

/// A frame whose point follows `position` and that is turned from `start` by the rotation vector `rotation`, both in
/// space.
parts::FrameMotion prescribed_motion(const Number3& position, const Number3& rotation, const Vector4d& start, double t,
                                     double scale);

}  // namespace filum::scenario
