/// What a part announces is what it does: everything else is refused when the system is built.
#include "support/derivative_checks.hpp"

#include <filum/mechanics/consistent_start.hpp>
#include <filum/mechanics/system_builder.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>

namespace filum::mechanics {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// A part made of functions; what is missing is not overridden in effect.
class Scripted final : public Part {
 public:
  std::function<void(Declaration&, Scripted&)> announce;
  std::function<void(double, const VectorXd&, const VectorXd&, VectorRef)> forces = [](auto&&...) {};
  std::function<void(double, const VectorXd&, const VectorXd&, NodeMatrix&)> force_derivatives = [](auto&&...) {};
  std::function<void(double, const VectorXd&, VectorRef)> phi = [this](double, const VectorXd& q, VectorRef out) {
    out[row.row()] = q[0];
  };
  std::function<void(double, const VectorXd&, VectorRef)> rate = [](auto&&...) {};
  std::function<void(double, const VectorXd&, RowMatrix&)> rows = [this](double, const VectorXd&, RowMatrix& C) {
    row.columns(C, 0)[0] = 1, row.columns(C, 0)[1] = 0;
  };
  std::function<void(const VectorXd&, VectorRef)> gamma = [this](const VectorXd&, VectorRef out) {
    out[row.row()] = 0;
  };
  Constraint<1> row;
  Force<2> force;

  std::string name() const override { return "script"; }
  void declare(Declaration& d) override { announce(d, *this); }
  void add_forces(double t, const VectorXd& q, const VectorXd& v, VectorRef f) const override { forces(t, q, v, f); }
  void add_force_derivatives(double t, const VectorXd& q, const VectorXd& v, double, double,
                             NodeMatrix& H) const override {
    force_derivatives(t, q, v, H);
  }
  void constraint(double t, const VectorXd& q, VectorRef out) const override { phi(t, q, out); }
  void constraint_jacobian(double t, const VectorXd& q, RowMatrix& C) const override { rows(t, q, C); }
  void constraint_rate(double t, const VectorXd& q, VectorRef out) const override { rate(t, q, out); }
  void curvature(double, const VectorXd& q, const VectorXd&, VectorRef out) const override { gamma(q, out); }
  void add_constraint_force_derivatives(double, const VectorXd&, const VectorXd&, double, NodeMatrix&) const override {}
  std::string row_name(int, int) const override { return "the row"; }
};

const auto announce_force = [](Declaration& d, Scripted& s) { s.force = d.forces({0, 1}); };
const auto announce_row = [](Declaration& d, Scripted& s) { s.row = d.constraint<1>(ConstraintKind::holonomic, {0}); };

SystemBuilder three_points() {
  SystemBuilder builder;
  for (int i = 0; i < 3; ++i) builder.add_inertia(builder.add_nodes(lie::GroupId::R2), Eigen::Matrix2d::Identity());
  return builder;
}

/// What building says to a part, empty when it is accepted.
std::string objection(const std::function<void(Scripted&)>& change) {
  SystemBuilder builder = three_points();
  auto part = std::make_shared<Scripted>();
  change(*part);
  builder.add_part(part);
  try {
    builder.build();
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "";
}

TEST(Contract, IsKeptByHonestParts) {
  EXPECT_EQ(objection([](Scripted& s) { s.announce = announce_row; }), "");
  EXPECT_EQ(objection([](Scripted& s) {
              s.announce = announce_force;
              s.forces = [](double, const VectorXd& q, const VectorXd&, VectorRef f) {
                f.head<2>() -= q.head<2>() - q.segment<2>(2);
              };
              s.force_derivatives = [&s](double, const VectorXd&, const VectorXd&, NodeMatrix& H) {
                s.force.blocks()(H, 0, 1)[0] += 1;
              };
            }),
            "");
}

TEST(Contract, DoesNotMindResultsThatAreNotNumbers) {
  EXPECT_EQ(objection([](Scripted& s) {
              s.announce = announce_force;
              s.forces = [](double, const VectorXd&, const VectorXd&, VectorRef f) { f[1] = std::nan(""); };
            }),
            "");
  EXPECT_EQ(objection([](Scripted& s) {
              s.announce = announce_row;
              s.phi = [&s](double, const VectorXd&, VectorRef out) { out[s.row.row()] = std::nan(""); };
            }),
            "");
}

TEST(Contract, RefusesForcesOnNodesThatWereNotAnnounced) {
  EXPECT_THAT(objection([](Scripted& s) {
                s.announce = announce_force;
                s.forces = [](double, const VectorXd&, const VectorXd&, VectorRef f) { f[5] += 1; };
              }),
              AllOf(HasSubstr("part script"), HasSubstr("forces on node 2 (R2)")));
}

TEST(Contract, RefusesForcesThatChangeWithTheVelocityUnannounced) {
  const auto damper = [](double, const VectorXd&, const VectorXd& v, VectorRef f) { f.head<2>() -= v.head<2>(); };
  EXPECT_THAT(objection([&](Scripted& s) {
                s.announce = announce_force;
                s.forces = damper;
              }),
              HasSubstr("node 0 (R2) change with the velocity"));
  EXPECT_EQ(objection([&](Scripted& s) {
              s.announce = [](Declaration& d, Scripted& p) { p.force = d.forces({0, 1}, {.velocity = true}); };
              s.forces = damper;
            }),
            "");
}

TEST(Contract, RefusesDerivativesBetweenNodesThatWereNotAnnouncedTogether) {
  EXPECT_THAT(objection([](Scripted& s) {
                s.announce = [](Declaration& d, Scripted& p) { p.force = d.forces({0, 1}), d.forces({1, 2}); };
                s.force_derivatives = [](double, const VectorXd&, const VectorXd&, NodeMatrix& H) {
                  H.block(2, 2)(0, 0) = 1;
                };
              }),
              "");
  EXPECT_THAT(objection([](Scripted& s) {
                s.announce = announce_force;
                s.force_derivatives = [](double, const VectorXd&, const VectorXd&, NodeMatrix& H) {
                  H.block(2, 2)(0, 0) = 1;
                };
              }),
              HasSubstr("derivatives at node 2 (R2)"));
}

TEST(Contract, RefusesRowsThatAreNotWrittenOrOnlyAddedTo) {
  EXPECT_THAT(objection([](Scripted& s) {
                s.announce = announce_row;
                s.phi = [](auto&&...) {};
              }),
              HasSubstr("constraint does not write the row \"the row\""));
  EXPECT_THAT(objection([](Scripted& s) {
                s.announce = announce_row;
                s.gamma = [&s](const VectorXd&, VectorRef out) { out[s.row.row()] += 1; };
              }),
              HasSubstr("curvature does not write"));
  EXPECT_THAT(objection([](Scripted& s) {
                s.announce = announce_row;
                s.rows = [&s](double, const VectorXd&, RowMatrix& C) { s.row.columns(C, 0)[0] = 1; };
              }),
              HasSubstr("constraint_jacobian does not write all columns of node 0 (R2)"));
}

TEST(Contract, RefusesRowsOfOthers) {
  SystemBuilder builder = three_points();
  auto honest = std::make_shared<Scripted>(), rude = std::make_shared<Scripted>();
  honest->announce = announce_row;
  rude->announce = announce_row;
  rude->phi = [](double, const VectorXd& q, VectorRef out) { out.head<2>() = q.head<2>(); };
  builder.add_part(honest);
  builder.add_part(rude);
  try {
    builder.build();
    FAIL() << "accepted";
  } catch (const std::logic_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("writes to row 0"));
  }
}

TEST(Contract, RefusesEquationsThatChangeWithTimeUnannounced) {
  const auto moving = [](Scripted& s) {
    s.phi = [&s](double t, const VectorXd& q, VectorRef out) { out[s.row.row()] = q[0] - t; };
    s.rate = [&s](double, const VectorXd&, VectorRef out) { out[s.row.row()] = -1; };
  };
  EXPECT_THAT(objection([&](Scripted& s) {
                s.announce = announce_row;
                moving(s);
              }),
              HasSubstr("changes with time"));
  const auto announced = [](Declaration& d, Scripted& s) {
    s.row = d.constraint<1>(ConstraintKind::holonomic, {0}, {.time = true});
  };
  EXPECT_EQ(objection([&](Scripted& s) {
              s.announce = announced;
              moving(s);
            }),
            "");
  EXPECT_THAT(objection([&](Scripted& s) {
                s.announce = announced;
                moving(s);
                s.rate = [](auto&&...) {};
              }),
              HasSubstr("constraint_rate does not write"));
}

TEST(Contract, RefusesAnnouncementsThatMakeNoSense) {
  EXPECT_THAT(objection([](Scripted& s) { s.announce = [](Declaration& d, Scripted&) {
                                            d.forces({0, 7});
                                          }; }),
              HasSubstr("there is no node 7"));
  EXPECT_THAT(objection([](Scripted& s) { s.announce = [](Declaration& d, Scripted&) {
                                            d.forces({1, 1});
                                          }; }),
              HasSubstr("named node 1 twice"));
  EXPECT_THAT(objection([](Scripted& s) { s.announce = [](Declaration& d, Scripted&) {
                                            d.forces<2>({0, 1, 2});
                                          }; }),
              HasSubstr("has room for 2"));
  EXPECT_THAT(objection([](Scripted& s) {
                s.announce = [](Declaration& d, Scripted&) { d.constraint(ConstraintKind::holonomic, 0, {0}); };
              }),
              HasSubstr("at least one row"));
  EXPECT_THAT(objection([](Scripted& s) {
                s.announce = [](Declaration& d, Scripted&) { d.forces({0, 1}, {.load = true}), d.forces({1, 2}); };
              }),
              HasSubstr("announced some forces as loads and others not"));
  int calls = 0;
  EXPECT_THAT(objection([&](Scripted& s) { s.announce = [&](Declaration& d, Scripted&) {
                                             d.forces({calls++, 2});
                                           }; }),
              HasSubstr("must announce the same both times"));
}

/// Announces forces and overrides nothing.
class Silent final : public Part {
 public:
  std::string name() const override { return "silent"; }
  void declare(Declaration& d) override { d.forces<1>({0}); }
};

TEST(Contract, RefusesPartsThatDoNotOverrideWhatTheyAnnounce) {
  SystemBuilder builder = three_points();
  builder.add_part(std::make_shared<Silent>());
  try {
    builder.build();
    FAIL() << "accepted";
  } catch (const std::logic_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("part silent announced forces, but does not override add_forces"));
  }
}

TEST(SystemBuilder, IsUsedUpByBuilding) {
  SystemBuilder builder = three_points();
  const auto system = builder.build();
  EXPECT_EQ(builder.start().a.size(), 6);
  EXPECT_THROW(builder.build(), std::logic_error);
  EXPECT_THROW(builder.add_nodes(lie::GroupId::R1), std::logic_error);
  EXPECT_THROW(builder.add_inertia(0, Eigen::Matrix2d::Identity()), std::logic_error);
  EXPECT_THROW(builder.add_part(std::make_shared<Silent>()), std::logic_error);
  EXPECT_EQ(system->space().nodes(), 3);
}

TEST(SystemBuilder, TakesAPartOnce) {
  SystemBuilder builder = three_points(), other = three_points();
  const auto part = builder.add_part(std::make_shared<Silent>());
  EXPECT_THROW(builder.add_part(part), std::invalid_argument);
  EXPECT_THROW(other.add_part(part), std::invalid_argument);
}

TEST(SystemBuilder, StartsNewNodesAtTheIdentityAndAtRest) {
  SystemBuilder builder;
  builder.add_nodes(lie::GroupId::S3);
  builder.start().q << 0, 1, 0, 0;
  builder.start().v << 1, 2, 3;
  builder.add_nodes(lie::GroupId::S3sdR3, 2);
  const State& x = builder.start();
  EXPECT_EQ(x.q.head<4>(), Eigen::Vector4d(0, 1, 0, 0));
  EXPECT_EQ(x.v.head<3>(), Eigen::Vector3d(1, 2, 3));
  EXPECT_EQ(x.v.tail(12).norm(), 0);
  SystemBuilder plain;
  plain.add_nodes(lie::GroupId::S3sdR3, 2);
  EXPECT_EQ(x.q.tail(14), plain.space().identity());
}

// Without a formula only the part's own nodes are moved: it is never evaluated with another configuration of the rest.
TEST(Differences, MoveOnlyTheNodesOfThePart) {
  SystemBuilder builder = three_points();
  auto part = std::make_shared<Scripted>();
  builder.start().q << 1, 2, 3, 4, 5, 6;
  part->announce = [](Declaration& d, Scripted& s) {
    s.force = d.forces({1}, {.velocity = true, .derivatives = Derivatives::differences});
  };
  part->forces = [](double, const VectorXd& q, const VectorXd& v, VectorRef f) {
    EXPECT_EQ(q.head<2>(), Eigen::Vector2d(1, 2));
    EXPECT_EQ(q.tail<2>(), Eigen::Vector2d(5, 6));
    f[2] += q[2] * q[3] - 3 * v[3];
  };
  builder.add_part(part);
  const auto system = builder.build();
  NodeMatrix H(system->pattern());
  system->add_force_derivatives(0, builder.start().q, builder.start().v, 1, 1, H);
  Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(6, 6);
  expected(2, 2) = 4;
  expected(2, 3) = 3 - 3;
  test::expect_equal(H.to_dense(), expected, 1e-9, "the derivative");
  EXPECT_FALSE(system->couples());
  EXPECT_FALSE(system->couples_by_velocity());
  EXPECT_TRUE(system->forces_depend_on_velocity());
}

TEST(SingularMass, IsBuiltAndFoundAndTheConstraintsMayStillDetermineTheMotion) {
  SystemBuilder builder;
  builder.add_nodes(lie::GroupId::R2);
  builder.add_inertia(0, Eigen::Vector2d(2, 0).asDiagonal().toDenseMatrix());
  auto part = std::make_shared<Scripted>();
  part->announce = [](Declaration& d, Scripted& s) {
    s.row = d.constraint<1>(ConstraintKind::holonomic, {0});
    s.force = d.forces({0});
  };
  part->phi = [p = part.get()](double, const VectorXd& q, VectorRef out) { out[p->row.row()] = q[0] - q[1]; };
  part->rows = [p = part.get()](double, const VectorXd&, RowMatrix& C) {
    p->row.columns(C, 0)[0] = 1, p->row.columns(C, 0)[1] = -1;
  };
  part->forces = [](double, const VectorXd&, const VectorXd&, VectorRef f) { f[0] += 3, f[1] += 1; };
  builder.add_part(part);
  const auto system = builder.build();
  EXPECT_TRUE(system->has_singular_mass());
  EXPECT_EQ(system->singular_mass_node(), 0);
  State x = builder.start();
  make_consistent(*system, x);
  EXPECT_NEAR(x.a[0], 2, 1e-12);  // 2 a = 3 − λ, 0 = 1 + λ
  EXPECT_NEAR(x.a[1], 2, 1e-12);
  EXPECT_NEAR(x.lambda[0], -1, 1e-12);
}

TEST(SingularMass, IsStillRefusedWhenNotSymmetricOrNotFinite) {
  for (const double entry : {0.5, std::nan("")}) {
    SystemBuilder builder;
    builder.add_nodes(lie::GroupId::R2);
    Eigen::Matrix2d M = Eigen::Matrix2d::Identity();
    M(0, 1) = entry;
    builder.add_inertia(0, M);
    EXPECT_THROW(builder.build(), std::invalid_argument);
  }
}

}  // namespace
}  // namespace filum::mechanics
