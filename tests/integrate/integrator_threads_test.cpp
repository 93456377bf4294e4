/// Threads change no bit of a run: docs/theory/performance.md, "Threads".
#include "support/allocation_counter.hpp"
#include "support/beam_systems.hpp"
#include "support/large_systems.hpp"
#include "support/multibody_systems.hpp"

#include <filum/integrate/method.hpp>
#include <filum/integrate/run.hpp>
#include <filum/linalg/team.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <memory>

namespace filum::integrate {
namespace {

using linalg::Team;
using linalg::TeamInUse;

/// A system that outlives what refers to it.
struct Model {
  std::shared_ptr<const void> owner;
  const System* system;
  State start;
  linalg::RowSelection rows;
  double step;
};

template <class S>
Model model(S made, const linalg::RowSelection& rows, double step) {
  const auto owner = std::make_shared<const S>(std::move(made));
  return {owner, owner->system.get(), owner->start, rows, step};
}
Model large(test::LargeSystem s, double step) {
  const linalg::RowSelection rows = s.rows;
  return model(std::move(s), rows, step);
}
Model multibody(test::Multibody m, double step) {
  const linalg::RowSelection rows = m.report.rows;
  return model(std::move(m), rows, step);
}

/// Independent chains, a long one, a sheet, a net with loops, and bodies that many joints share.
struct LargeCase {
  const char* name;
  std::function<Model()> make;
};
const LargeCase shared_cases[] = {
    {"yarns", [] { return large(test::yarns(20, 32), 0x1p-13); }},
    {"stiff yarns", [] { return large(test::yarns(16, 40, parts::kirchhoff), 0x1p-13); }},
    {"beam", [] { return model(test::flying_spaghetti({.segments = 600}), {}, 0x1p-16); }},
    {"beam in SE3",
     [] {
       return model(test::flying_spaghetti({.segments = 530, .group = test::GroupId::SE3, .held = parts::cosserat}), {},
                    0x1p-16);
     }},
    {"sheet", [] { return large(test::soft_sheet(24), 0x1p-9); }},
    {"net", [] { return multibody(test::beam_net(10, 2), 0x1p-13); }},
    {"tree", [] { return multibody(test::rod_tree(8, test::GroupId::S3xR3), 0x1p-10); }}};

/// Null when the method cannot treat the system.
std::unique_ptr<Integrator> method_for(const Model& m, const MethodOptions& options) {
  try {
    return make_integrator(options, *m.system, m.rows);
  } catch (const std::invalid_argument&) {
    return nullptr;
  }
}

/// The bits of everything a run of a few steps computes.
std::vector<double> trajectory(const Model& m, const MethodOptions& options, int threads) {
  Team team(threads);
  const TeamInUse use(threads > 1 ? &team : nullptr);
  const auto method = method_for(m, options);
  std::vector<double> all;
  State x = m.start;
  const auto add = [&](const VectorXd& y) { all.insert(all.end(), y.data(), y.data() + y.size()); };
  run(*m.system, *method, x, {.end = 3 * m.step, .step = m.step},
      [&](State& y, const StepReport&, const RunStatistics&) {
        method->complete(y);
        for (const VectorXd* part : {&y.q, &y.v, &y.a, &y.lambda}) add(*part);
        return true;
      });
  return all;
}

std::vector<MethodOptions> methods_and_exact() {
  std::vector<MethodOptions> all(all_methods().begin(), all_methods().end());
  all.push_back(GeneralizedAlphaOptions{.matrix = NewtonMatrix::exact});
  all.push_back(GeneralizedAlphaOptions{.formulation = Formulation::index_3, .matrix = NewtonMatrix::exact});
  return all;
}

class Threads : public testing::TestWithParam<MethodOptions> {};

TEST_P(Threads, ChangeNoBit) {
  int compared = 0;
  for (const LargeCase& c : shared_cases) {
    const Model m = c.make();
    if (!method_for(m, GetParam())) continue;
    ++compared;
    const std::vector<double> expected = trajectory(m, GetParam(), 1);
    ASSERT_FALSE(expected.empty()) << c.name;
    for (const int threads : {2, 3, 7}) {
      const std::vector<double> found = trajectory(m, GetParam(), threads);
      ASSERT_EQ(found.size(), expected.size());
      EXPECT_EQ(std::memcmp(found.data(), expected.data(), expected.size() * sizeof(double)), 0)
          << c.name << ", " << threads << " threads";
    }
  }
  EXPECT_GT(compared, 1);
}

TEST_P(Threads, MayBeOthersWhenARunIsResumed) {
  const Model m = shared_cases[0].make();
  const auto one = method_for(m, GetParam()), other = method_for(m, GetParam());
  if (!one) GTEST_SKIP() << "no constraints";
  State x = m.start;
  one->start(x, m.step);
  for (int k = 0; k < 2; ++k) ASSERT_TRUE(one->step(x, m.step).accepted());
  std::vector<double> memory;
  one->save(memory);
  other->restore(memory);
  State y = x;
  Team team(3);
  const TeamInUse use(&team);
  for (int k = 0; k < 2; ++k) {
    ASSERT_TRUE(other->step(y, m.step).accepted());
    const TeamInUse none(nullptr);
    ASSERT_TRUE(one->step(x, m.step).accepted());
  }
  EXPECT_EQ(x.q, y.q);
  EXPECT_EQ(x.v, y.v);
}

TEST_P(Threads, AllocateNothingInAStep) {
  Team team(3);
  const TeamInUse use(&team);
  for (const LargeCase& c : shared_cases) {
    const Model m = c.make();
    const auto method = method_for(m, GetParam());
    if (!method) continue;
    State x = m.start;
    method->start(x, m.step);
    for (int k = 0; k < 2; ++k) ASSERT_TRUE(method->step(x, m.step).accepted()) << c.name;
    EXPECT_EQ(test::allocations_of([&] { method->step(x, m.step); }), 0) << c.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, Threads, testing::ValuesIn(methods_and_exact()), [](const auto& each) {
  std::string text = std::to_string(each.index) + "_" + std::string(name(each.param));
  std::replace(text.begin(), text.end(), '-', '_');
  return text;
});

}  // namespace
}  // namespace filum::integrate
