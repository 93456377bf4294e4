/// The part of docs/how-to-add-a-part.md, as it stands there, and its checks.
#include <filum/mechanics/system_builder.hpp>
#include <filum/testing/part_checks.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace filum::mechanics;
using Eigen::Matrix3d, Eigen::Vector3d;

/// Two point charges: f = k r/|r|³ on the first, −f on the second, r leading from the second to the first.
class Charges final : public Part {
 public:
  void add(int a, int b, double k) { pairs_.push_back({a, b, k}); }

  std::string name() const override { return "charges"; }

  void declare(Declaration& d) override {
    for (Pair& p : pairs_) {
      p.force = d.forces<2>({p.a, p.b});
      p.q_a = d.space().q_offset(p.a), p.q_b = d.space().q_offset(p.b);
      p.v_a = d.space().v_offset(p.a), p.v_b = d.space().v_offset(p.b);
    }
  }

  void add_forces(double, const VectorXd& q, const VectorXd&, VectorRef f) const override {
    for (const Pair& p : pairs_) {
      const Vector3d r = q.segment<3>(p.q_a) - q.segment<3>(p.q_b), force = p.k * r / std::pow(r.norm(), 3);
      f.segment<3>(p.v_a) += force;
      f.segment<3>(p.v_b) -= force;
    }
  }

  double potential_energy(double, const VectorXd& q) const override {
    double energy = 0;
    for (const Pair& p : pairs_) energy += p.k / (q.segment<3>(p.q_a) - q.segment<3>(p.q_b)).norm();
    return energy;
  }

  void add_force_derivatives(double, const VectorXd& q, const VectorXd&, double scale_q, double,
                             NodeMatrix& H) const override {
    for (const Pair& p : pairs_) {
      const Vector3d r = q.segment<3>(p.q_a) - q.segment<3>(p.q_b);
      const double l = r.norm();
      const Matrix3d K = scale_q * p.k / (l * l * l) * (Matrix3d::Identity() - 3 / (l * l) * r * r.transpose());
      for (const int i : {0, 1})
        for (const int j : {0, 1}) Eigen::Map<Matrix3d>(p.force.blocks()(H, i, j)) += (i == j ? 1 : -1) * K;
    }
  }

 private:
  struct Pair {
    int a, b;
    double k;
    Force<2> force = {};
    int q_a = 0, q_b = 0, v_a = 0, v_b = 0;
  };
  std::vector<Pair> pairs_;
};

TEST(OwnPart, PassesTheChecks) {
  SystemBuilder builder;
  for (int i = 0; i < 3; ++i) builder.add_inertia(builder.add_nodes(filum::lie::GroupId::R3), Matrix3d::Identity());
  builder.start().q << 0, 0, 0, 1, 0, 0, 0, 2, 0;
  const auto charges = builder.shared_part<Charges>();
  charges->add(0, 1, 2.0);
  charges->add(1, 2, -1.5);
  const auto system = builder.build();

  const State x = filum::checks::random_state(*system, 1);
  filum::checks::CheckReport report = filum::checks::check_force_derivatives(*system, x, 1e-8);
  report += filum::checks::check_potential(*system, x, 1e-8);
  report += filum::checks::check_power_balance(*system, x, 0, 1e-8);
  EXPECT_TRUE(report.ok) << report.text;
}

// A check that cannot fail is worse than none.
TEST(OwnPart, DoesNotPassWithAWrongSign) {
  class Wrong final : public Part {
   public:
    std::string name() const override { return "wrong"; }
    void declare(Declaration& d) override { force_ = d.forces<1>({0}); }
    void add_forces(double, const VectorXd& q, const VectorXd&, VectorRef f) const override { f -= 2 * q; }
    double potential_energy(double, const VectorXd& q) const override { return -q.squaredNorm(); }
    void add_force_derivatives(double, const VectorXd&, const VectorXd&, double scale_q, double,
                               NodeMatrix& H) const override {
      Eigen::Map<Matrix3d>(force_.blocks()(H, 0, 0)).diagonal().array() += 2 * scale_q;
    }

   private:
    Force<1> force_;
  };
  SystemBuilder builder;
  builder.add_inertia(builder.add_nodes(filum::lie::GroupId::R3), Matrix3d::Identity());
  builder.add_part(std::make_shared<Wrong>());
  const auto system = builder.build();
  const State x = filum::checks::random_state(*system, 1);
  EXPECT_FALSE(filum::checks::check_force_derivatives(*system, x).ok);
  EXPECT_FALSE(filum::checks::check_potential(*system, x).ok);
  const filum::checks::CheckReport power = filum::checks::check_power_balance(*system, x);
  EXPECT_FALSE(power.ok);
  EXPECT_NE(power.text.find("the power of the forces"), std::string::npos);
}

}  // namespace
