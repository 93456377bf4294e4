/// Where the expansion at the start holds, and starts where it does not. Theory: docs/theory/generalized_alpha.md,
/// sec. 4.
#include <filum/integrate/bliedf.hpp>
#include <filum/integrate/generalized_alpha.hpp>
#include <filum/integrate/start_derivatives.hpp>
#include <filum/parts/gravity.hpp>

#include <gtest/gtest.h>
#include <support/beam_systems.hpp>
#include <support/small_systems.hpp>

#include <numbers>

namespace filum::test {
namespace {

using integrate::Bliedf;
using integrate::Formulation;
using integrate::GeneralizedAlpha;
using integrate::Integrator;
using parts::Vector3d;

/// The force −k q − d v on node 0.
class SpringAndDamper final : public Part {
 public:
  SpringAndDamper(double k, double d) : k_(k), d_(d) {}
  std::string name() const override { return "spring and damper"; }
  void declare(mechanics::Declaration& declaration) override { declaration.forces<1>({0}, {.velocity = true}); }
  void add_forces(double, const VectorXd& q, const VectorXd& v, mechanics::VectorRef f) const override {
    f -= k_ * q + d_ * v;
  }
  void add_force_derivatives(double, const VectorXd&, const VectorXd&, double scale_q, double scale_v,
                             mechanics::NodeMatrix& H) const override {
    H.block(0, 0).diagonal().array() -= scale_q * k_ + scale_v * d_;
  }

 private:
  double k_, d_;
};

bool holds(double k, double d, double h) {
  SystemBuilder builder =
      one_node(GroupId::R1, VectorXd::Ones(1), VectorXd::Constant(1, 0.7), VectorXd::Constant(1, -0.1));
  builder.add_part(std::make_shared<SpringAndDamper>(k, d));
  const SmallSystem s = started(builder);
  integrate::StartDerivatives start(*s.system, {});
  start.evaluate(s.start, h);
  return start.is_valid();
}

TEST(StartDerivatives, HoldOverStepsThatResolveFrequenciesAndDampingOnly) {
  for (const double h : {1e-4, 1e-2, 1.0}) {
    EXPECT_TRUE(holds(1 / (h * h), 0, h));
    EXPECT_FALSE(holds(9 / (h * h), 0, h));
    EXPECT_TRUE(holds(1e-3 / (h * h), 1 / h, h));
    EXPECT_FALSE(holds(1e-3 / (h * h), 5 / h, h));
  }
  EXPECT_TRUE(holds(0, 0, 1)) << "nothing at all happens";
}

/// A clamped steel rod of 2 mm, 1 m long, released from the horizontal.
BeamBenchmark steel_rod(double damping_time) {
  BeamBenchmark b;
  parts::BeamOptions o;
  const double r = 1e-3, E = 2.1e11, G = E / 2.6, A = std::numbers::pi * r * r, I = A * r * r / 4, rho = 7850;
  o.stiffness = {parts::diagonal_stiffness(Vector3d(E * I, E * I, 2 * G * I), Vector3d(G * A, G * A, E * A))};
  o.viscosity = {0.5 * damping_time * o.stiffness[0]};
  o.mass_per_length = {rho * A};
  o.inertia_per_length = {rho * I * parts::Matrix3d(Vector3d(1, 1, 2).asDiagonal())};
  parts::set_straight(o, Vector3d::Zero(), Vector3d(1, 0, 0), 8);
  b.beam = parts::add_beam(b.builder, o);
  parts::add_joint(b.builder, {.name = "clamp", .type = parts::JointType::fixed, .first = {}, .second = b.beam->at(0)});
  parts::add_weight(*parts::add_gravity(b.builder, Vector3d(0, 0, -9.81)), *b.beam);
  complete(b);
  return b;
}

std::vector<std::unique_ptr<Integrator>> implicit_methods(const System& s) {
  std::vector<std::unique_ptr<Integrator>> all;
  for (const Formulation f : {Formulation::index_3, Formulation::stabilized_index_2}) {
    all.push_back(std::make_unique<GeneralizedAlpha>(s, integrate::GeneralizedAlphaOptions{.formulation = f}));
    for (const int k : {1, 2})
      all.push_back(std::make_unique<Bliedf>(s, integrate::BliedfOptions{.steps = k, .formulation = f}));
  }
  return all;
}

/// C v̇ + γ, what the constraints leave of the accelerations.
double acceleration_residual(const System& system, const State& x) {
  mechanics::RowMatrix C(system.pattern());
  VectorXd residual = VectorXd::Zero(system.size_rows()), curvature = residual;
  system.constraint_jacobian(x.t, x.q, C);
  C.times(x.a, residual, system.row_blocks());
  system.curvature(x.t, x.q, x.v, curvature);
  return (residual + curvature).norm();
}

TEST(StartsOfStiffRods, FallBackAndSaySoAndReportMultipliersThatFitTheAccelerations) {
  const double h = 1e-3;
  for (const double damping_time : {1e-3, 1e-2}) {
    const BeamBenchmark b = steel_rod(damping_time);
    State fine = b.start;
    GeneralizedAlpha reference(*b.system);
    reference.start(fine, h / 16);
    for (int k = 0; k < 20 * 16; ++k) ASSERT_TRUE(reference.step(fine, h / 16).accepted());
    for (const auto& method : implicit_methods(*b.system)) {
      State x = b.start;
      method->start(x, h);
      EXPECT_NE(method->remark().find("stiff"), std::string::npos);
      for (int k = 0; k < 20; ++k) {
        ASSERT_TRUE(method->step(x, h).accepted()) << method->name() << ", step " << k + 1;
        method->complete(x);
        EXPECT_LT(acceleration_residual(*b.system, x), 1e-9 * (1 + x.a.norm()));
      }
      EXPECT_NEAR(b.tip(x)[2], b.tip(fine)[2], 0.1 * std::abs(b.tip(fine)[2])) << method->name();
    }
  }
}

TEST(StartsOfStiffRods, AreRememberedByAResumedRun) {
  const BeamBenchmark b = steel_rod(1e-3);
  GeneralizedAlpha one(*b.system), two(*b.system);
  State x = b.start;
  one.start(x, 1e-3);
  std::vector<double> memory;
  one.save(memory);
  two.restore(memory);
  EXPECT_FALSE(one.remark().empty());
  EXPECT_EQ(one.remark(), two.remark());
}

TEST(StartsOfBodies, NeedNoFallBack) {
  const Benchmark top = heavy_top(TopSpeed::fast, GroupId::SO3xR3);
  for (const auto& method : implicit_methods(*top.system)) {
    State x = top.start;
    method->start(x, 0x1p-9);
    EXPECT_EQ(method->remark(), "");
  }
}

}  // namespace
}  // namespace filum::test
