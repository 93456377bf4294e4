/// Methods chosen by value, and what is wrong with their options: docs/theory/integrators.md.
#include "support/benchmark_systems.hpp"
#include "support/multibody_systems.hpp"
#include "support/small_systems.hpp"

#include <filum/integrate/method.hpp>
#include <filum/integrate/run.hpp>
#include <filum/mechanics/consistent_start.hpp>
#include <filum/parts/body_load.hpp>
#include <filum/parts/joint.hpp>

#include <gtest/gtest.h>

namespace filum::integrate {
namespace {

using test::Benchmark;
using test::GroupId;
using test::TopSpeed;

TEST(Method, IsMadeByItsOptionsAndHasTheirName) {
  const Benchmark top = test::heavy_top(TopSpeed::slow, GroupId::S3);
  std::string names;
  for (const MethodOptions& options : all_methods()) {
    const auto method = make_integrator(options, *top.system);
    EXPECT_EQ(method->name(), name(options));
    names += std::string(name(options)) + (is_implicit(options) ? "* " : " ");
  }
  EXPECT_EQ(names, "rattlie* shakelie* generalized-alpha* bliedf* radau* half-explicit-rk munthe-kaas-rk ");
}

TEST(Method, RefusalsNameAllMethodsThatCan) {
  EXPECT_EQ(methods_with(&Capabilities::nonholonomic), "rattlie, radau, half-explicit-rk and munthe-kaas-rk");
  EXPECT_EQ(methods_with(&Capabilities::variable_steps),
            "rattlie, generalized-alpha, bliedf, radau, half-explicit-rk and munthe-kaas-rk");
  const Benchmark disk = test::rolling_disk(GroupId::S3sdR3);
  for (const MethodOptions& options : all_methods()) {
    if (capabilities(options).nonholonomic) continue;
    std::string reason;
    try {
      reason = objection(*disk.system, *make_integrator(options, *disk.system), {});
    } catch (const std::invalid_argument& error) {
      reason = error.what();
    }
    EXPECT_NE(reason.find("rattlie, radau, half-explicit-rk and munthe-kaas-rk do"), std::string::npos)
        << name(options) << ": " << reason;
  }
}

TEST(Method, OptionsOutOfRangeAreNamed) {
  const auto option = [](const MethodOptions& options) {
    const auto problem = objection(options);
    return problem ? problem->option : "";
  };
  for (const MethodOptions& options : all_methods()) EXPECT_EQ(option(options), "") << name(options);
  EXPECT_EQ(option(RattlieOptions{.newton = {.atol = 0}}), "newton.atol");
  EXPECT_EQ(option(ShakelieOptions{.newton = {.max_iterations = 0}}), "newton.max_iterations");
  EXPECT_EQ(option(RattlieOptions{.adaptive = true, .control = {.max_factor = 1}, .newton = {}}), "control.max_factor");
  EXPECT_EQ(option(RattlieOptions{.control = {.max_factor = 1}, .newton = {}}), "") << "not in use";
  EXPECT_EQ(option(GeneralizedAlphaOptions{.rho_infinity = 1.1}), "rho_infinity");
  EXPECT_EQ(option(BliedfOptions{.steps = 3}), "steps");
  EXPECT_EQ(option(HalfExplicitOptions{.order = 6}), "order");
  EXPECT_EQ(option(HalfExplicitOptions{.order = 4, .adaptive = true}), "order");
  EXPECT_EQ(option(HalfExplicitOptions{.adaptive = true, .control = {.safety = 1}}), "control.safety");
  EXPECT_EQ(option(MuntheKaasOptions{.order = 1}), "order");
  const Benchmark top = test::heavy_top(TopSpeed::slow, GroupId::S3);
  EXPECT_THROW(make_integrator(BliedfOptions{.steps = 3}, *top.system), std::invalid_argument);
}

TEST(Method, OptionsMayNotSuitASystem) {
  const Benchmark top = test::heavy_top(TopSpeed::slow, GroupId::S3sdR3);
  const auto problem = objection(MethodOptions(GeneralizedAlphaOptions{.rho_infinity = 1}), *top.system);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->option, "rho_infinity");
  EXPECT_FALSE(objection(MethodOptions(GeneralizedAlphaOptions{}), *top.system));
}

TEST(Method, RefusesAMassMatrixWithoutInverse) {
  mechanics::SystemBuilder builder;
  const int node = builder.add_nodes(GroupId::SE3);
  Eigen::MatrixXd M = Eigen::MatrixXd::Identity(6, 6);
  M(0, 0) = 0;  // a thin rod
  builder.add_inertia(node, M);
  const auto built = builder.build();
  const mechanics::System& system = *built;
  EXPECT_TRUE(system.has_singular_mass());
  for (const MethodOptions& options : all_methods()) {
    const auto reason = [&]() -> std::string {
      try {
        return objection(system, *make_integrator(options, system), {});
      } catch (const std::invalid_argument& error) {
        return error.what();
      }
    }();
    EXPECT_EQ(reason.find("needs the inverse of the mass matrix") != std::string::npos,
              !capabilities(options).singular_mass)
        << name(options) << ": " << reason;
  }
}

/// A rod along the first axis, hinged at its end about the second: how it turns about itself never matters.
State swing(const MethodOptions& options, double inertia_about_itself) {
  mechanics::SystemBuilder builder;
  const int rod = builder.add_nodes(GroupId::SE3);
  Eigen::VectorXd inertia(6);
  inertia << inertia_about_itself, 1. / 12, 1. / 12, 1, 1, 1;
  builder.add_inertia(rod, inertia.asDiagonal().toDenseMatrix());
  const Eigen::Vector3d end(-0.5, 0, 0);
  parts::add_joint(builder, {.type = parts::JointType::revolute,
                             .first = {.node = rod, .point = end},
                             .second = {.point = end},
                             .axis = {0, 1, 0}});
  parts::add_load(builder, "weight", {.node = rod}, parts::LoadFrame::space,
                  parts::LoadLaw::constant({.force = Eigen::Vector3d(0, 0, -9.81)}));
  const auto system = builder.build();
  EXPECT_EQ(system->has_singular_mass(), inertia_about_itself == 0);
  State x = builder.start();
  const auto rows = mechanics::make_consistent(*system, x).rows;
  const auto method = make_integrator(options, *system, rows);
  run(*system, *method, x, {.end = 0.5, .step = 0x1p-8});
  return x;
}

TEST(Method, ThatNeedsNoInverseOfTheMassMatrixMovesAThinRod) {
  EXPECT_EQ(methods_with(&Capabilities::singular_mass), "generalized-alpha, bliedf and radau");
  for (const MethodOptions& options : all_methods()) {
    if (!capabilities(options).singular_mass) continue;
    const State thin = swing(options, 0), thick = swing(options, 0.01);
    EXPECT_LT((thin.q - thick.q).norm(), 1e-9) << name(options);
    EXPECT_LT((thin.v - thick.v).norm(), 1e-8) << name(options);
    EXPECT_LT((thin.lambda - thick.lambda).norm(), 1e-6) << name(options);
    EXPECT_GT(thin.v.norm(), 1) << name(options);
  }
}

TEST(Start, ThatFailsIsToldFromOtherErrors) {
  const test::SmallSystem s = test::redundant_pendulum();
  for (const MethodOptions& options :
       {MethodOptions(GeneralizedAlphaOptions{}), MethodOptions(BliedfOptions{}), MethodOptions(RadauOptions{})}) {
    State x = s.start;
    EXPECT_THROW(make_integrator(options, *s.system)->start(x, 1e-3), StartFailed) << name(options);
  }
}

TEST(Complete, OfAStateWithoutAccelerationsIsNotANumber) {
  const test::SmallSystem s = test::redundant_pendulum();
  Rattlie method(*s.system);
  State x = s.start;
  x.a.setZero(), x.lambda.setZero();
  method.complete(x);
  EXPECT_TRUE(std::isnan(x.a[0]));
  EXPECT_TRUE(std::isnan(x.lambda[0]));
}

}  // namespace
}  // namespace filum::integrate
