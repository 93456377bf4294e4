/// Areas, moments and shear factors of sections. User document: docs/guide/scenarios.md, "Sections".
#include <filum/model/model_error.hpp>
#include <filum/model/section.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace filum::model {
namespace {

using std::numbers::pi;

struct Geometry {
  double area, moment_1, moment_2, torsion, shear_factor;
};

Geometry of_circle(double r, double nu) {
  const double I = pi * std::pow(r, 4) / 4;
  return {pi * r * r, I, I, 2 * I, 6 * (1 + nu) / (7 + 6 * nu)};
}

/// Cowper's factor of the thick-walled tube.
Geometry of_ring(double a, double b, double nu) {
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

Geometry of_rectangle(double width, double height, double nu) {
  const double bending_1 = width * std::pow(height, 3) / 12, bending_2 = height * std::pow(width, 3) / 12;
  return {width * height, bending_1, bending_2, torsion_of_rectangle(width, height), 10 * (1 + nu) / (12 + 11 * nu)};
}

void check(const Section& s) {
  const auto positive = [](const char* option, double value) {
    if (!(value > 0) || !std::isfinite(value))
      throw OptionError(std::string("section.") + option, "expected a positive number, found " + std::to_string(value));
  };
  if (s.shape == SectionShape::rectangle) {
    positive("width", s.width);
    positive("height", s.height);
  } else {
    positive("radius", s.radius);
  }
  if (s.shape == SectionShape::ring) {
    positive("inner_radius", s.inner_radius);
    if (s.inner_radius >= s.radius) throw OptionError("section.inner_radius", "expected less than the radius");
  }
  positive("E", s.material.E);
  positive("rho", s.material.rho);
  if (!(s.material.nu > -1 && s.material.nu <= 0.5))
    throw OptionError("section.nu", "expected a number above -1 and at most 0.5");
  if (s.shear_correction) positive("shear_correction", *s.shear_correction);
}

}  // namespace

Section circle(const CircleOptions& o) {
  return {.shape = SectionShape::circle, .radius = o.radius, .material = o.material};
}
Section ring(const RingOptions& o) {
  return {.shape = SectionShape::ring, .radius = o.radius, .inner_radius = o.inner_radius, .material = o.material};
}
Section rectangle(const RectangleOptions& o) {
  return {.shape = SectionShape::rectangle, .width = o.width, .height = o.height, .material = o.material};
}

SectionProperties properties_of(const Section& s) {
  check(s);
  const Material& m = s.material;
  const Geometry g = s.shape == SectionShape::circle ? of_circle(s.radius, m.nu)
                     : s.shape == SectionShape::ring ? of_ring(s.radius, s.inner_radius, m.nu)
                                                     : of_rectangle(s.width, s.height, m.nu);
  const double G = m.shear_modulus(), shear = s.shear_correction.value_or(g.shear_factor) * G * g.area;
  return {.mass = m.rho * g.area,
          .inertia = m.rho * Vector3d(g.moment_1, g.moment_2, g.moment_1 + g.moment_2),
          .bending_and_torsion = Vector3d(m.E * g.moment_1, m.E * g.moment_2, G * g.torsion),
          .shear_and_axial = Vector3d(shear, shear, m.E * g.area)};
}

}  // namespace filum::model
