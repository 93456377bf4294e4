/// Derivatives of functions that come without: by differences. Formulas have exact ones.
#pragma once

#include <filum/config/formula.hpp>

#include <functional>

namespace filum::config {

/// Central differences with Richardson extrapolation over a range of spacings about `scale`; the best estimate is
/// taken. A smooth function has errors near 1e-12 in the first and 1e-9 in the second derivative, relative to its size
/// over the scale.
Jet differentiate(const std::function<double(double)>& f, double t, double scale);

/// The same for a function that fills up to three numbers, with as many calls as for one.
void differentiate(const std::function<void(double t, std::span<double> out)>& f, double t, double scale,
                   std::span<Jet> out);

}  // namespace filum::config
