/// Shells with held strains: against beams, plates and the elastic shell, in statics, modes and time. Theory:
/// docs/theory/shell.md, sec. 8.
#include <filum/analysis/equilibrium.hpp>
#include <filum/analysis/modes.hpp>
#include <filum/integrate/generalized_alpha.hpp>
#include <filum/integrate/rattlie.hpp>
#include <filum/integrate/run.hpp>
#include <filum/model/beam.hpp>
#include <filum/model/joint.hpp>
#include <filum/model/load.hpp>
#include <filum/model/model.hpp>
#include <filum/model/shell.hpp>
#include <filum/model/support.hpp>
#include <filum/parts/shell.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace filum::model {
namespace {

constexpr double strip_end = Place::end, whole = Place::all;
constexpr HeldLineStrains no_shear{.shear = {true, true}},
    no_strain_of_lines{.shear = {true, true}, .extension = {true, true}};

Shell held_strip(const HeldLineStrains& held, double thickness = 0.1) {
  return {.name = "strip",
          .shape = Parallelogram{Vector3d::Zero(), {Vector3d(10, 0, 0), Vector3d(0, 1, 0)}},
          .segments = {6, 1},
          .material = IsotropicSheet{.thickness = thickness, .rho = 1, .E = 1.2e6, .nu = 0},
          .inertia = ShellInertia::thin,
          .held = held};
}

/// The strip, and the beam beside it, clamped and pushed up.
struct StripAndBeam {
  Model m;
  Handle strip, beam;
  StripAndBeam(const HeldLineStrains& held, const StrainMask& mask)
      : strip(m.add(held_strip(held))),
        beam(m.add(Beam{.shape = Line{{0, 5, 0}, {10, 5, 0}, Vector3d(0, 1, 0)},
                        .segments = 6,
                        .held = mask,
                        .section = Section{.shape = SectionShape::rectangle,
                                           .width = 1,
                                           .height = 0.1,
                                           .material = {.E = 1.2e6, .nu = 0, .rho = 1},
                                           .shear_correction = 5. / 6}})) {
    m.add(Joint{.first = ground, .second = strip.at(0, whole)});
    m.add(Joint{.first = ground, .second = beam.start()});
    m.add(Load{.on = strip.at(strip_end, whole), .force = {0, 0, 4}});
    m.add(Load{.on = beam.end(), .force = {0, 0, 4}});
  }
  double difference(const BuiltModel& built, const State& x) const {
    return (built.position(strip.at(strip_end, 0), x) - built.position(beam.end(), x) + Vector3d(0, 5, 0)).norm() +
           (built.position(strip.at(strip_end, strip_end), x) - built.position(beam.end(), x) + Vector3d(0, 4, 0))
               .norm();
  }
};

TEST(HeldShellStrip, IsTheKirchhoffAndTheInextensibleBeamToRounding) {
  for (const auto& [held, mask] :
       {std::pair(no_shear, parts::kirchhoff), std::pair(no_strain_of_lines, parts::inextensible)}) {
    StripAndBeam both(held, mask);
    const BuiltModel& built = both.m.build();
    const analysis::Equilibrium e = analysis::find_equilibrium(built.system(), built.start(), built.rows());
    ASSERT_TRUE(e.is_found()) << e.message;
    EXPECT_GT(built.position(both.beam.end(), e.state)[2], 6);
    EXPECT_LT(both.difference(built, e.state), 1e-8);

    integrate::GeneralizedAlpha method(built.system(), {.newton = {.atol = 1e-12, .rtol = 1e-12}}, built.rows());
    State x = built.start();
    integrate::run(built.system(), method, x, {.end = 0.2, .step = 2e-3});
    EXPECT_GT(built.position(both.beam.end(), x)[2], 0.5);
    EXPECT_LT(both.difference(built, x), 1e-8);
  }
}

/// Shear stiffness does not matter where shear is held.
TEST(HeldShellStrip, HasTheDeflectionOfAThinBeamHoweverThick) {
  const auto tip = [](const HeldLineStrains& held) {
    Model m;
    const Handle s = m.add(held_strip(held, 2));
    m.add(Joint{.first = ground, .second = s.at(0, whole)});
    m.add(Load{.on = s.at(strip_end, whole), .force = {0, 0, 1}});
    const BuiltModel& built = m.build();
    const analysis::Equilibrium e = analysis::find_equilibrium(built.system(), built.start(), built.rows());
    EXPECT_TRUE(e.is_found()) << e.message;
    return built.position(s.at(strip_end, 0), e.state)[2];
  };
  const double bending = 1000 / (3 * 1.2e6 * 8 / 12), grid = 1 - 1. / (4 * 36) * 1, shear = 10 / (5. / 6 * 0.6e6 * 2);
  EXPECT_NEAR(tip(no_shear) / bending, grid, 3e-3);
  EXPECT_NEAR((tip({}) - tip(no_shear)) / shear, 1, 1e-3);
}

/// Frequencies of strip and beam come in pairs.
TEST(HeldShellStrip, VibratesAsTheKirchhoffBeam) {
  StripAndBeam both(no_shear, parts::kirchhoff);
  const BuiltModel& built = both.m.build();
  const analysis::Modes modes = analysis::find_modes(
      analysis::linearize_about(built.system(), built.start(), built.rows()), {.count = 4, .undamped = true});
  ASSERT_EQ(modes.modes.size(), 4u);
  EXPECT_NEAR(modes.modes[0].omega() / modes.modes[1].omega(), 1, 1e-9);
  EXPECT_NEAR(modes.modes[2].omega() / modes.modes[3].omega(), 1, 1e-9);
  EXPECT_GT(modes.modes[2].omega(), 4 * modes.modes[0].omega());
}

/// A square that spins in flight and would be curved.
TEST(HeldShell, KeepsEnergyAndConstraintsInFlight) {
  for (const HeldLineStrains& held : {no_shear, no_strain_of_lines}) {
    Model m;
    m.add(Shell{
        .shape = Parallelogram{},
        .segments = {3, 3},
        .material = IsotropicSheet{.thickness = 0.05, .rho = 10, .E = 4e4, .nu = 0.3},
        .held = held,
        .rest = RestSurfaceStrains{(Vector6d() << 0, 0.8, 0, 1, 0, 0).finished(), parts::flat_strain(1)},
        .angular_velocity = Vector3d(1, 0, 0.5),
        .velocity = [](double s1, double s2) { return Vector3d(Vector3d(1, 0, 0.5).cross(Vector3d(s1, s2, 0))); }});
    const BuiltModel& built = m.build();
    const auto energy = [&](const State& x) {
      return built.system().kinetic_energy(x.q, x.v) + built.system().potential_energy(x.t, x.q);
    };
    const auto largest = [&](integrate::Integrator& method, int steps) {
      State x = built.start();
      const double h = 1.0 / steps, e0 = energy(x);
      method.start(x, h);
      double worst = 0;
      VectorXd phi(built.system().size_lambda());
      for (int k = 0; k < steps; ++k) {
        EXPECT_TRUE(method.step(x, h).accepted());
        built.system().constraint(x.t, x.q, phi);
        EXPECT_LT(phi.lpNorm<Eigen::Infinity>(), 1e-9);
        worst = std::max(worst, std::abs(energy(x) / e0 - 1));
      }
      return worst;
    };
    const linalg::NewtonOptions tight{.atol = 1e-11, .rtol = 1e-11};
    integrate::Rattlie coarse(built.system(), {.newton = tight}, built.rows()),
        fine(built.system(), {.newton = tight}, built.rows());
    integrate::GeneralizedAlpha alpha(built.system(), {.rho_infinity = 0.95, .newton = tight}, built.rows());
    const double first = largest(coarse, 400), second = largest(fine, 800);
    EXPECT_LT(first, 1e-2);
    EXPECT_NEAR(std::log2(first / second), 2, 0.4) << first << ", " << second;
    EXPECT_LT(largest(alpha, 400), 2e-2);
  }
}

/// Resultants of held strains come from multipliers: the shear force of a cantilever is its load.
TEST(HeldShellStrip, HasTheShearForceOfItsLoad) {
  for (const std::array<int, 2> cells : {std::array{6, 1}, std::array{6, 3}}) {
    Model m;
    Shell o = held_strip(no_shear);
    o.segments = cells;
    const Handle s = m.add(o);
    m.add(Joint{.first = ground, .second = s.at(0, whole)});
    m.add(Load{.on = s.at(strip_end, whole), .force = {0, 0, 1e-3}});
    const BuiltModel& built = m.build();
    const analysis::Equilibrium e = analysis::find_equilibrium(built.system(), built.start(), built.rows());
    ASSERT_TRUE(e.is_found()) << e.message;
    const auto& shell = built.system().parts();
    const parts::Shell* part = nullptr;
    for (const auto& p : shell)
      if (const auto* found = dynamic_cast<const parts::Shell*>(p.get())) part = found;
    ASSERT_NE(part, nullptr);
    for (int k = 0; k < part->cells(); ++k) EXPECT_NEAR(part->stress(e.state, k)[5], 1e-3, 1e-6) << k;
  }
}

}  // namespace
}  // namespace filum::model
