/// Names of derived units.
#include <filum/model/units.hpp>

#include <gtest/gtest.h>

namespace filum::model {
namespace {

TEST(Units, OfSiHaveTheirUsualNames) {
  const Units si = si_units();
  EXPECT_EQ(unit_of(si, dimension::length), "m");
  EXPECT_EQ(unit_of(si, dimension::velocity), "m/s");
  EXPECT_EQ(unit_of(si, dimension::angular_velocity), "rad/s");
  EXPECT_EQ(unit_of(si, dimension::force), "N");
  EXPECT_EQ(unit_of(si, dimension::moment), "N m");
  EXPECT_EQ(unit_of(si, dimension::energy), "J");
  EXPECT_EQ(unit_of(si, dimension::energy.per(dimension::area)), "J/m²");
  EXPECT_EQ(unit_of(si, dimension::curvature), "1/m");
  EXPECT_EQ(unit_of(si, dimension::force.per(dimension::area)), "N/m²");
  EXPECT_EQ(unit_of(si, dimension::number), "");
}

TEST(Units, OfATableAreProductsOfItsNames) {
  const Units plain{.length = "mm", .mass = "t", .time = "ms"};
  EXPECT_EQ(unit_of(plain, dimension::force), "t mm/ms²");
  EXPECT_EQ(unit_of(plain, dimension::force.per(dimension::area)), "t/(mm ms²)");
  const Units named{.length = "mm", .mass = "t", .time = "s", .force = "N"};
  EXPECT_EQ(unit_of(named, dimension::energy), "N mm");
  EXPECT_EQ(unit_of(named, dimension::moment.per(dimension::length)), "N");
}

TEST(Units, ThatAreNotGivenHaveNoNames) { EXPECT_EQ(unit_of({}, dimension::force), ""); }

TEST(Units, WhoseForceIsAnotherOneAreRefusedAsFarAsTheyAreKnown) {
  EXPECT_EQ(objection(si_units()), "");
  EXPECT_EQ(objection({"mm", "t", "s", "N"}), "");
  EXPECT_EQ(objection({"mm", "kg", "ms", "kN"}), "");
  EXPECT_NE(objection({"mm", "kg", "s", "N"}).find("1 kg mm/s² is 0.001 N"), std::string::npos);
  EXPECT_EQ(objection({"cubit", "kg", "s", "N"}), "");
}

}  // namespace
}  // namespace filum::model
