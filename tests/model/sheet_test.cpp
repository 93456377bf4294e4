/// Laminates and isotropic sheets. Theory: docs/theory/shell.md, sec. 5.
#include <filum/model/model_error.hpp>
#include <filum/model/sheet.hpp>

#include <gtest/gtest.h>

#include <numbers>

namespace filum::model {
namespace {

Layer isotropic_layer(double thickness, double angle) {
  const double E = 7e4, nu = 0.3, G = E / 2 / (1 + nu);
  return {.thickness = thickness, .angle = angle, .E1 = E, .E2 = E, .nu12 = nu, .G12 = G, .G13 = G, .G23 = G, .rho = 2};
}

TEST(Sheet, OneIsotropicLayerIsAnIsotropicSheetWhateverItsAngle) {
  const SheetProperties sheet = properties_of(IsotropicSheet{.thickness = 0.3, .rho = 2, .E = 7e4, .nu = 0.3});
  for (const double angle : {0.0, 0.4, std::numbers::pi / 2}) {
    const SheetProperties layer = properties_of(Laminate{.layers = {isotropic_layer(0.3, angle)}});
    EXPECT_LT((layer.stiffness - sheet.stiffness).norm(), 1e-12 * sheet.stiffness.norm());
    EXPECT_NEAR(layer.turning_inertia, sheet.turning_inertia, 1e-15);
  }
  const SheetProperties three =
      properties_of(Laminate{.layers = {isotropic_layer(0.05, 1), isotropic_layer(0.15, 2), isotropic_layer(0.1, 3)}});
  EXPECT_LT((three.stiffness - sheet.stiffness).norm(), 1e-12 * sheet.stiffness.norm());
  EXPECT_NEAR(three.mass_offset, 0, 1e-15);
}

/// Two layers of different stiffness couple stretching and bending; the neutral plane is where the moments say.
TEST(Sheet, AnUnsymmetricLaminateCouplesStretchingAndBending) {
  Layer soft = isotropic_layer(0.1, 0), stiff = isotropic_layer(0.1, 0);
  soft.nu12 = stiff.nu12 = 0;
  stiff.E1 = stiff.E2 = 3 * soft.E1, stiff.rho = 6;
  const SheetProperties p = properties_of(Laminate{.layers = {soft, stiff}});
  const double E = soft.E1, t = 0.1;
  EXPECT_NEAR(p.stiffness(3, 3), 4 * E * t, 1e-9 * E);                // A
  EXPECT_NEAR(p.stiffness(3, 1), (3 - 1) * E * t * t / 2, 1e-9 * E);  // B: ε11 with κ11
  EXPECT_NEAR(p.stiffness(1, 1), 4 * E * t * t * t / 3, 1e-9 * E);    // D
  EXPECT_NEAR(p.mass_offset, (6 - 2) * t * t / 2 / (8 * t), 1e-15);
  EXPECT_EQ(parts::missing_stiffness(p.stiffness), "");
}

/// Classical: a layer along d1 is stiff there, and at 45° it couples stretching and shear.
TEST(Sheet, AngledLayersTurnTheirStiffness) {
  const Layer along{
      .thickness = 1, .angle = 0, .E1 = 40, .E2 = 1, .nu12 = 0.25, .G12 = 0.5, .G13 = 0.5, .G23 = 0.2, .rho = 1};
  Layer across = along, diagonal = along;
  across.angle = std::numbers::pi / 2, diagonal.angle = std::numbers::pi / 4;
  const Matrix12d a = properties_of(Laminate{.layers = {along}}).stiffness,
                  b = properties_of(Laminate{.layers = {across}}).stiffness,
                  d = properties_of(Laminate{.layers = {diagonal}}).stiffness;
  EXPECT_NEAR(a(3, 3), b(10, 10), 1e-12);
  EXPECT_NEAR(a(10, 10), b(3, 3), 1e-12);
  EXPECT_NEAR(a(5, 5), b(11, 11), 1e-12);
  EXPECT_NEAR(a(3, 4), 0, 1e-12);
  EXPECT_GT(std::abs(d(3, 4)), 1);
  EXPECT_NEAR(d(3, 3), d(10, 10), 1e-12);
}

TEST(Sheet, RefusesWhatCannotBe) {
  const auto option = [](const SheetMaterial& material) {
    try {
      properties_of(material);
      return std::string("nothing was refused");
    } catch (const OptionError& error) {
      return error.option;
    }
  };
  EXPECT_EQ(option(IsotropicSheet{.thickness = 0.1, .rho = 1, .E = 1, .nu = 0.7}), "nu");
  EXPECT_EQ(option(IsotropicSheet{.thickness = 0, .rho = 1, .E = 1, .nu = 0.3}), "thickness");
  EXPECT_EQ(option(Laminate{}), "layers");
  Layer bad = isotropic_layer(1, 0);
  bad.nu12 = 2;
  EXPECT_EQ(option(Laminate{.layers = {isotropic_layer(1, 0), bad}}), "layers.1.nu12");
  EXPECT_EQ(option(SheetMatrix{.stiffness = Matrix12d::Zero(), .thickness = 1, .rho = 1}), "stiffness");
}

}  // namespace
}  // namespace filum::model
