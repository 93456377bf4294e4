/// What the choice of the inertia of nodes does to the highest frequencies of a sheet. Theory: docs/theory/shell.md,
/// sec. 3.
#include <filum/parts/shell.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace filum::parts {
namespace {

struct Fine {
  static constexpr double rho = 2, thickness = 0.05, d1 = 0.25, d2 = 0.4;
};
const IsotropicSheet spectrum_material{.E = 30,
                                       .nu = 0.3,
                                       .thickness = Fine::thickness,
                                       .couple_modulus = 4,
                                       .couple_modulus_bending = 10,
                                       .drilling = 1e-5};

/// ω² of a motion in which all nodes of a flat sheet turn alike about one of their axes: Rayleigh's quotient, and at
/// the node in the middle, where no edge is near, force over inertia.
struct Quotients {
  double of_all, in_the_middle;
};
Quotients turning_frequency(ShellInertia inertia, int axis) {
  ShellOptions o;
  o.nodes = {5, 5};
  for (int n = 0; n < 25; ++n) {
    o.positions.emplace_back(Fine::d1 * (n % 5), Fine::d2 * (n / 5), 0);
    o.orientations.emplace_back(1, 0, 0, 0);
  }
  o.stiffness = {stiffness_of(spectrum_material)};
  o.mass_per_area = Fine::rho * Fine::thickness;
  o.turning_inertia = Fine::rho * std::pow(Fine::thickness, 3) / 12;
  o.inertia = inertia;
  SystemBuilder builder;
  const auto shell = add_shell(builder, o);
  const auto system = builder.build();
  const State x = builder.start();
  VectorXd u = VectorXd::Zero(system->size_v()), Ku = u;
  for (int n = 0; n < 25; ++n) u[6 * n + axis] = 1;
  NodeMatrix H(system->pattern());
  system->add_force_derivatives(0, x.q, 0 * u, -1, 0, H);
  Ku = H.to_dense() * u;
  const int middle = 6 * 12 + axis;
  const VectorXd alone = VectorXd::Unit(system->size_v(), middle);
  return {u.dot(Ku) / (2 * system->kinetic_energy(x.q, u)), Ku[middle] / (2 * system->kinetic_energy(x.q, alone))};
}

TEST(ShellSpectrum, DrillingHasTheFrequencyOfTheCoupleModulus) {
  const double box = 48 * 4 / (Fine::rho * (Fine::d1 * Fine::d1 + Fine::d2 * Fine::d2)),
               thin = 48 * 4 / (Fine::rho * Fine::thickness * Fine::thickness);
  for (const auto& [inertia, expected] : {std::pair(ShellInertia::box, box), std::pair(ShellInertia::thin, thin)}) {
    const Quotients found = turning_frequency(inertia, 2);
    EXPECT_NEAR(found.of_all / expected, 1, 1e-12);
    EXPECT_NEAR(found.in_the_middle / expected, 1, 1e-12);
  }
}

/// The fibre turns about d2 against the shear stiffness κGθ: with the true inertia the frequency does not depend
/// on the grid and is high, with that of the box it is that of a shear wave that crosses a cell.
TEST(ShellSpectrum, TransverseShearIsSlowedDownByTheBox) {
  const double shear = 5. / 6 * spectrum_material.shear_modulus() * Fine::thickness;
  const double thin = shear / (Fine::rho * std::pow(Fine::thickness, 3) / 12),
               box = shear /
                     (Fine::rho * Fine::thickness / 12 * (Fine::d1 * Fine::d1 + Fine::thickness * Fine::thickness));
  EXPECT_NEAR(turning_frequency(ShellInertia::thin, 1).of_all / thin, 1, 1e-12);
  EXPECT_NEAR(turning_frequency(ShellInertia::box, 1).of_all / box, 1, 1e-12);
  EXPECT_NEAR(turning_frequency(ShellInertia::thin, 1).in_the_middle / thin, 1, 1e-12);
  EXPECT_NEAR(std::sqrt(thin), std::sqrt(12 * 5. / 6 * spectrum_material.shear_modulus() / Fine::rho) / Fine::thickness,
              1e-9);
}

}  // namespace
}  // namespace filum::parts
