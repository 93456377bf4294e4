/// Areas, moments and shear factors of sections. User document: docs/guide/scenarios.md, "Sections".
#include <filum/scenario/beam_shape.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace filum::scenario {
namespace {

using std::numbers::pi;

struct Geometry {
  double area, moment_1, moment_2, torsion, shear_factor;
};

Geometry circle(double r, double nu) {
  const double I = pi * std::pow(r, 4) / 4;
  return {pi * r * r, I, I, 2 * I, 6 * (1 + nu) / (7 + 6 * nu)};
}

/// Cowper's factor of the thick-walled tube.
Geometry ring(double a, double b, double nu) {
  const double I = pi * (std::pow(a, 4) - std::pow(b, 4)) / 4, m = b / a, n = std::pow(1 + m * m, 2);
  return {pi * (a * a - b * b), I, I, 2 * I, 6 * (1 + nu) * n / ((7 + 6 * nu) * n + (20 + 12 * nu) * m * m)};
}

/// Saint-Venant's torsion constant a b³ (1/3 − 64/π⁵ b/a Σ tanh(nπa/2b)/n⁵), n odd, a ≥ b. With 1 for tanh the sum is
/// known, and what is left converges at once.
double torsion_of_rectangle(double width, double height) {
  const double a = std::max(width, height), b = std::min(width, height);
  double sum = 1.0045237627951382;  // 31 ζ(5)/32
  for (int n = 1; n < 20; n += 2) sum -= 2 / (std::exp(n * pi * a / b) + 1) / std::pow(n, 5);
  return a * b * b * b * (1.0 / 3 - 64 / std::pow(pi, 5) * (b / a) * sum);
}

Geometry rectangle(double width, double height, double nu) {
  const double bending_1 = width * std::pow(height, 3) / 12, bending_2 = height * std::pow(width, 3) / 12;
  return {width * height, bending_1, bending_2, torsion_of_rectangle(width, height), 10 * (1 + nu) / (12 + 11 * nu)};
}

}  // namespace

SectionProperties properties_of(const Section& s) {
  const Geometry g = s.shape == SectionShape::circle ? circle(s.radius, s.nu)
                     : s.shape == SectionShape::ring ? ring(s.radius, s.inner_radius, s.nu)
                                                     : rectangle(s.width, s.height, s.nu);
  const double G = s.E / (2 * (1 + s.nu)), shear = s.shear_correction.value_or(g.shear_factor) * G * g.area;
  return {.mass = s.rho * g.area,
          .inertia = s.rho * Vector3d(g.moment_1, g.moment_2, g.moment_1 + g.moment_2),
          .bending_and_torsion = Vector3d(s.E * g.moment_1, s.E * g.moment_2, G * g.torsion),
          .shear_and_axial = Vector3d(shear, shear, s.E * g.area)};
}

}  // namespace filum::scenario
