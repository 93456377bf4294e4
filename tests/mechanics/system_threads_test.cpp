/// Which parts are evaluated at the same time, and in which order. Theory: docs/theory/performance.md, "Threads".
#include <filum/linalg/team.hpp>
#include <filum/mechanics/system_builder.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <thread>
#include <vector>

namespace filum::mechanics {
namespace {

using linalg::Team;
using linalg::TeamInUse;

/// f ← f/3 + number on its nodes, so that the order of parts shows; notes who has evaluated it, and when.
class Fold final : public Part {
 public:
  Fold(int number, std::vector<int> nodes, bool is_self_contained, std::vector<int>& order)
      : number_(number), nodes_(std::move(nodes)), is_self_contained_(is_self_contained), order_(order) {}
  std::string name() const override { return "fold"; }
  void declare(Declaration& declaration) override {
    for (int k = 0; k < repeats; ++k) force_ = declaration.forces<4>(nodes_);
  }
  bool is_self_contained() const override { return is_self_contained_; }
  void add_forces(double, const VectorXd&, const VectorXd&, VectorRef f) const override {
    if (!notes) return add(f);
    evaluated_by = std::this_thread::get_id();
    if (!is_self_contained_) order_.push_back(number_);
    for (const int node : nodes_) f[node] = f[node] / 3 + number_;
  }
  void add_force_derivatives(double, const VectorXd&, const VectorXd&, double, double, NodeMatrix&) const override {}

  static constexpr int repeats = 20;  ///< announced so often, to be worth a task
  static inline bool notes = false;   ///< while a system is built parts behave
  mutable std::thread::id evaluated_by;

 private:
  void add(VectorRef f) const {
    for (const int node : nodes_) f[node] += number_;
  }
  int number_;
  std::vector<int> nodes_;
  bool is_self_contained_;
  std::vector<int>& order_;
  Force<4> force_;
};

struct Folds {
  std::vector<int> order;
  std::vector<std::shared_ptr<Fold>> parts;
  std::shared_ptr<const System> system;
};

/// Parts on `nodes` nodes on a line, numbered as they are added, each on up to three neighbours.
void build(Folds& folds, int nodes, int parts, bool all_self_contained) {
  SystemBuilder builder;
  builder.add_nodes(lie::GroupId::R1, nodes);
  for (int i = 0; i < nodes; ++i) builder.add_inertia(i, Eigen::MatrixXd::Identity(1, 1));
  std::mt19937 random(3);
  for (int k = 0; k < parts; ++k) {
    std::vector<int> on;
    const int first = static_cast<int>(random() % static_cast<unsigned>(nodes));
    for (int i = first; i < std::min(nodes, first + 1 + static_cast<int>(random() % 3)); ++i) on.push_back(i);
    const bool alone = all_self_contained || random() % 5 != 0;
    folds.parts.push_back(builder.add_part(std::make_shared<Fold>(k, on, alone, folds.order)));
  }
  Fold::notes = false;
  folds.system = builder.build();
  Fold::notes = true;
}

VectorXd forces(const System& system) {
  const State x = system.make_state();
  VectorXd f(system.size_v());
  system.forces(0, x.q, x.v, f);
  return f;
}

class PartsOnThreads : public testing::TestWithParam<int> {};

TEST_P(PartsOnThreads, GiveEveryNodeItsForcesInTheOrderOfParts) {
  Team team(GetParam());
  for (const bool all : {true, false}) {
    Folds folds;
    build(folds, 60, 200, all);
    VectorXd expected = VectorXd::Zero(60);
    const State x = folds.system->make_state();
    for (const auto& part : folds.parts) part->add_forces(0, x.q, x.v, expected);
    EXPECT_EQ(forces(*folds.system), expected);
    const TeamInUse use(&team);
    for (int repeat = 0; repeat < 20; ++repeat) EXPECT_EQ(forces(*folds.system), expected);
  }
}

TEST_P(PartsOnThreads, CallFunctionsOfUsersFromTheThreadThatStepsInAnOrderThatNeverChanges) {
  Folds folds;
  build(folds, 60, 200, false);
  folds.order.clear();
  forces(*folds.system);
  const std::vector<int> expected = folds.order;
  EXPECT_GT(expected.size(), 10U);
  Team team(GetParam());
  const TeamInUse use(&team);
  for (int repeat = 0; repeat < 20; ++repeat) {
    folds.order.clear();
    forces(*folds.system);
    EXPECT_EQ(folds.order, expected);
    for (const auto& part : folds.parts) {
      if (part->is_self_contained()) continue;
      EXPECT_EQ(part->evaluated_by, std::this_thread::get_id());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, PartsOnThreads, testing::Values(1, 2, 3, 7));

}  // namespace
}  // namespace filum::mechanics
