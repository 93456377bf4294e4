/// A kind of object that the library does not know: charges that repel each other. It touches no file but this one.
/// How to add a kind of object: docs/how-to-add-an-object.md.
#include <filum/integrate/rattlie.hpp>
#include <filum/integrate/run.hpp>
#include <filum/mechanics/declaration.hpp>
#include <filum/model/assembly.hpp>
#include <filum/model/model.hpp>
#include <filum/model/point_mass.hpp>
#include <filum/model/records.hpp>
#include <filum/model/sensor.hpp>
#include <filum/testing/part_checks.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace charges {

using filum::mechanics::VectorXd;
using filum::model::Point;
using filum::model::State;

/// Every pair of charges repels with e₁ e₂ / r², units such that nothing else stands there.
class Coulomb final : public filum::mechanics::Part {
 public:
  int add(int node, double charge) {
    charges_.push_back({node, charge});
    return static_cast<int>(charges_.size()) - 1;
  }
  std::string name() const override { return "charges"; }
  void declare(filum::mechanics::Declaration& d) override {
    pairs_.clear();
    for (Charge& c : charges_) c.at = d.space().v_offset(c.node), c.q_at = d.space().q_offset(c.node);
    for (std::size_t i = 0; i < charges_.size(); ++i)
      for (std::size_t j = i + 1; j < charges_.size(); ++j)
        pairs_.push_back({i, j, d.forces<2>({charges_[i].node, charges_[j].node})});
  }
  void add_forces(double, const VectorXd& q, const VectorXd&, filum::mechanics::VectorRef f) const override {
    for (const Pair& p : pairs_) {
      const Eigen::Vector3d r = way(p, q), push = product(p) / std::pow(r.norm(), 3) * r;
      f.segment<3>(charges_[p.i].at) -= push;
      f.segment<3>(charges_[p.j].at) += push;
    }
  }
  double potential_energy(double, const VectorXd& q) const override {
    double energy = 0;
    for (const Pair& p : pairs_) energy += product(p) / way(p, q).norm();
    return energy;
  }
  void add_force_derivatives(double, const VectorXd& q, const VectorXd&, double scale_q, double,
                             filum::mechanics::NodeMatrix& H) const override {
    for (const Pair& p : pairs_) {
      const Eigen::Vector3d r = way(p, q);
      const double l = r.norm();
      const Eigen::Matrix3d K =
          scale_q * product(p) / std::pow(l, 3) * (Eigen::Matrix3d::Identity() - 3 * r * r.transpose() / (l * l));
      for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b) Eigen::Map<Eigen::Matrix3d>(p.force.blocks()(H, a, b)) += (a == b ? 1 : -1) * K;
    }
  }

 private:
  struct Charge {
    int node;
    double charge;
    int at = 0, q_at = 0;
  };
  struct Pair {
    std::size_t i, j;
    filum::mechanics::Force<2> force;
  };
  Eigen::Vector3d way(const Pair& p, const VectorXd& q) const {
    return q.segment<3>(charges_[p.j].q_at) - q.segment<3>(charges_[p.i].q_at);
  }
  double product(const Pair& p) const { return charges_[p.i].charge * charges_[p.j].charge; }

  std::vector<Charge> charges_;
  std::vector<Pair> pairs_;
};

struct PointCharge {
  std::string name = {};
  Point on = filum::model::ground;
  double charge = 0;
};

class PointChargeObject final : public filum::model::ObjectOf<PointCharge> {
 public:
  using ObjectOf::ObjectOf;
  std::string_view kind() const override { return "charge"; }
  std::vector<std::pair<std::string, Point>> points() const override { return {{"on", o_.on}}; }
  std::string objection(const filum::model::Place&, std::string_view) const override { return {}; }
  void add_parts(filum::model::Assembly& a) override {
    const auto marker = a.marker(o_.on);
    if (a.system().space().group(marker.node) != filum::lie::GroupId::R3)
      throw filum::model::OptionError("on", "a charge sits on a point mass in R3");
    a.system().shared_part<Coulomb>()->add(marker.node, o_.charge);
    marker_ = marker;
  }
  std::vector<filum::model::Probe> probes(const filum::mechanics::System&, const Point&) const override {
    return {{"charge", {""}, [e = o_.charge](const State&, double* out) { *out = e; }}};
  }
  void record(filum::model::Records& r) const override {
    r.channel("charges/" + name(), {}, [e = o_.charge](const State&, double* out) { *out = e; });
    const auto at = r.anchor(marker_);
    r.facts().drawings.push_back(filum::model::drawing::Rod{at, at});
  }
  std::string description() const override { return "charge " + std::to_string(o_.charge); }

 private:
  filum::parts::Marker marker_;
};

std::unique_ptr<filum::model::Object> make_object(const PointCharge& options) {
  return std::make_unique<PointChargeObject>(options);
}

}  // namespace charges

namespace filum::model {
namespace {

using charges::PointCharge;

/// Two charged balls at rest, 1 apart.
struct TwoBalls {
  Model model;
  Handle left = model.add(PointMass{.name = "left", .mass = 1}),
         right = model.add(PointMass{.name = "right", .mass = 1, .position = {1, 0, 0}});
  Handle charge = model.add(PointCharge{.on = left, .charge = 2});
  Handle other = model.add(PointCharge{.on = right, .charge = 3});
};

TEST(NewKind, IsBuiltMovedAndMeasuredLikeEveryOther) {
  TwoBalls balls;
  balls.model.add(Sensor{.name = "e", .on = balls.charge, .quantity = "charge"});
  const BuiltModel& built = balls.model.build();
  EXPECT_EQ(built.objects()[2]->name(), "charge-1");
  State x = built.start();
  integrate::Rattlie method(built.system(), {}, built.rows());
  integrate::run(built.system(), method, x, {.end = 1, .step = 1e-3});
  // Energy of the relative motion: ¼ ṙ² + 6/r = 6; the centre of mass stays.
  const double r = (built.position(balls.right, x) - built.position(balls.left, x)).norm();
  const Vector3d v = x.v.tail<3>() - x.v.head<3>();
  EXPECT_NEAR(0.25 * v.squaredNorm() + 6 / r, 6, 1e-4);
  EXPECT_NEAR((built.position(balls.right, x) + built.position(balls.left, x))[0], 1, 1e-12);
  EXPECT_EQ(built.measure(balls.charge, "charge", x)[0], 2);
}

TEST(NewKind, HasChannelsFactsAndAWordInTheDescription) {
  TwoBalls balls;
  const BuiltModel& built = balls.model.build();
  const Layout layout = built.layout();
  EXPECT_EQ(layout.channels.back().name, "charges/charge-2");
  EXPECT_EQ(layout.facts.objects.back().kind, "charge");
  EXPECT_EQ(std::get<drawing::Rod>(layout.facts.objects.back().drawings.at(0)).from.object, "right");
  EXPECT_THAT(built.description(), testing::HasSubstr("charge charge-1: charge 2"));
}

TEST(NewKind, ItsPartIsDifferentiatedRight) {
  TwoBalls balls;
  const BuiltModel& built = balls.model.build();
  const State x = filum::checks::random_state(built.system(), 5);
  const auto report = filum::checks::check_force_derivatives(built.system(), x, 1e-8);
  EXPECT_TRUE(report.ok) << report.text;
}

TEST(NewKind, ItsMistakesAreNamed) {
  Model model;
  try {
    const Handle ball = model.add(PointMass{.name = "flat", .group = lie::GroupId::R2, .mass = 1});
    model.add(PointCharge{.name = "e", .on = ball, .charge = 1});
    model.build();
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_STREQ(error.what(), "charge e, on: a charge sits on a point mass in R3");
  }
}

}  // namespace
}  // namespace filum::model
