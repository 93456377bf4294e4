/// Equal runs are equal to the last bit, wherever their memory lies: docs/theory/solver.md, sec. 6.
#include "support/allocation_counter.hpp"
#include "support/multibody_systems.hpp"

#include <filum/integrate/method.hpp>
#include <filum/integrate/run.hpp>

#include <gtest/gtest.h>

#include <cstring>

namespace filum::integrate {
namespace {

using test::GroupId;
using test::JointType;
using test::Multibody;

/// A body on a ball joint, welded to a beam: row blocks of three and six rows, a coupled matrix of 45 unknowns.
Multibody bar_and_rod() {
  Multibody m = test::beam_with_tip_body(4);
  return m;
}

/// Every factorisation comes up: dense and block tridiagonal, banded, sparse; redundant rows; nodes of all dimensions.
struct Case {
  const char* name;
  std::function<Multibody()> make;
  double step;
};
const Case compared_cases[] = {
    {"bar and rod", bar_and_rod, 0x1p-9},
    {"frame", [] { return test::beam_frame(4); }, 0x1p-10},
    {"net", [] { return test::beam_net(3, 2); }, 0x1p-11},
    {"four-bar", [] { return test::planar_four_bar(GroupId::S3xR3); }, 0x1p-10},
    {"squeezer", [] { return test::andrews_squeezer(GroupId::SE3); }, 0x1p-15},
    {"chain", [] { return test::rod_chain(12, JointType::spherical, GroupId::SO3xR3); }, 0x1p-9}};

/// The bits of everything a run computes, with all memory `shift` bytes off.
std::vector<double> trajectory(const Case& c, const MethodOptions& options, int shift) {
  EXPECT_TRUE(test::shift_allocations(shift));
  std::vector<double> all;
  {
    const Multibody m = c.make();
    const auto method = make_integrator(options, *m.system, m.report.rows);
    State x = m.start;
    const auto add = [&](const VectorXd& y) { all.insert(all.end(), y.data(), y.data() + y.size()); };
    run(*m.system, *method, x, {.end = 12 * c.step, .step = c.step, .watch_singularity = true},
        [&](State& y, const StepReport&, const RunStatistics&) {
          method->complete(y);
          for (const VectorXd* part : {&y.q, &y.v, &y.a, &y.lambda}) add(*part);
          all.push_back(m.energy(y));
          return true;
        });
  }
  test::shift_allocations(0);
  return all;
}

class Determinism : public testing::TestWithParam<MethodOptions> {};

TEST_P(Determinism, EqualRunsAreEqualWhereverTheirMemoryLies) {
  if (!test::shift_allocations(8)) GTEST_SKIP() << "addresses cannot be chosen here";
  for (const Case& c : compared_cases) {
    const std::vector<double> expected = trajectory(c, GetParam(), 0);
    ASSERT_FALSE(expected.empty());
    for (const int shift : {8, 16, 24, 32, 40, 48, 56}) {
      const std::vector<double> found = trajectory(c, GetParam(), shift);
      ASSERT_EQ(found.size(), expected.size());
      EXPECT_EQ(std::memcmp(found.data(), expected.data(), expected.size() * sizeof(double)), 0)
          << c.name << ", " << shift << " bytes";
    }
  }
}

std::vector<MethodOptions> methods() {
  std::vector<MethodOptions> all(all_methods().begin(), all_methods().end());
  all.push_back(GeneralizedAlphaOptions{.matrix = NewtonMatrix::exact});
  all.push_back(GeneralizedAlphaOptions{.formulation = Formulation::index_3, .matrix = NewtonMatrix::exact});
  all.push_back(GeneralizedAlphaOptions{.matrix = NewtonMatrix::kept});
  all.push_back(GeneralizedAlphaOptions{.formulation = Formulation::index_3, .matrix = NewtonMatrix::kept});
  all.push_back(BliedfOptions{.start = BliedfStart::euler, .matrix = NewtonMatrix::kept});
  all.push_back(HalfExplicitOptions{.multipliers = HalfExplicitMultipliers::stages});
  all.push_back(RattlieOptions{.multipliers = Multipliers::differences});
  all.push_back(RattlieOptions{.multipliers = Multipliers::interpolated});
  return all;
}
INSTANTIATE_TEST_SUITE_P(Methods, Determinism, testing::ValuesIn(methods()), [](const auto& each) {
  std::string text = std::to_string(each.index) + "_" + std::string(name(each.param));
  std::replace(text.begin(), text.end(), '-', '_');
  return text;
});

// Saved in mid-run and restored into another object, every method goes on with the same bits: also where pivots of
// sparse matrices were chosen long before.
TEST_P(Determinism, AResumedRunEqualsOneThatWasNotInterrupted) {
  for (const Case& c : compared_cases) {
    const Multibody m = c.make();
    const auto one = make_integrator(GetParam(), *m.system, m.report.rows);
    State x = m.start;
    one->start(x, c.step);
    for (int k = 0; k < 10; ++k) ASSERT_TRUE(one->step(x, c.step).accepted()) << c.name;
    std::vector<double> memory;
    one->save(memory);
    const auto two = make_integrator(GetParam(), *m.system, m.report.rows);
    two->restore(memory);
    State y = x;
    for (int k = 0; k < 10; ++k) {
      ASSERT_TRUE(one->step(x, c.step).accepted()) << c.name;
      ASSERT_TRUE(two->step(y, c.step).accepted()) << c.name;
    }
    one->complete(x), two->complete(y);
    EXPECT_EQ(x.q, y.q) << c.name;
    EXPECT_EQ(x.v, y.v) << c.name;
    EXPECT_EQ(x.a, y.a) << c.name;
    EXPECT_EQ(x.lambda, y.lambda) << c.name;
  }
}

/// The same methods with steps of their own choice, where they can.
std::vector<MethodOptions> methods_and_adaptive() {
  std::vector<MethodOptions> all = methods();
  const std::size_t count = all.size();
  for (std::size_t k = 0; k < count; ++k) {
    MethodOptions options = all[k];
    const bool can_adapt = std::visit(
        [](auto& o) {
          if constexpr (requires { o.adaptive; }) return o.adaptive = true;
          return false;
        },
        options);
    if (can_adapt && !objection(options)) all.push_back(options);
  }
  return all;
}

/// A run that ends after so many steps and is continued by another object, or one that is not interrupted (0).
struct Ended {
  State x;
  RunStatistics statistics;
};
Ended run_in_parts(const Multibody& m, const MethodOptions& options, const RunOptions& how, long steps) {
  const System& system = *m.system;
  const auto one = make_integrator(options, system, m.report.rows);
  Ended now{m.start, {}};
  now.statistics = run(system, *one, now.x, how, [&](State&, const StepReport& report, const RunStatistics& so_far) {
    return steps == 0 || so_far.accepted < steps || report.crossing || !so_far.grid.is_whole;
  });
  if (steps == 0 || now.x.t >= how.end) {
    one->complete(now.x);
    return now;
  }
  std::vector<double> memory;
  one->save(memory);
  const auto two = make_integrator(options, system, m.report.rows);
  two->restore(memory);
  const RunStatistics before = now.statistics;
  now.statistics = run(system, *two, now.x, how, {}, &before);
  two->complete(now.x);
  return now;
}

class Grids : public testing::TestWithParam<MethodOptions> {};

// Resume equals no interruption, for every method, solver and grid.
TEST_P(Grids, ARunInPartsEqualsOneThatWasNotInterrupted) {
  for (const Case& c : compared_cases) {
    const Multibody m = c.make();
    for (const Grid grid : {Grid::fixed, Grid::random})
      for (const double every : {0.0, 3.1 * c.step}) {
        const RunOptions how{.end = 10.3 * c.step, .step = c.step, .grid = grid, .seed = 7, .output_every = every};
        const auto method = make_integrator(GetParam(), *m.system, m.report.rows);
        if (!objection(*m.system, *method, how).empty()) continue;
        const Ended whole = run_in_parts(m, GetParam(), how, 0);
        for (const long steps : {1L, 4L}) {
          const Ended parts = run_in_parts(m, GetParam(), how, steps);
          const auto where = [&] {
            return std::string(c.name) + (grid == Grid::random ? ", random" : "") + ", output every " +
                   std::to_string(every) + ", in parts after " + std::to_string(steps);
          };
          EXPECT_EQ(whole.x.t, parts.x.t) << where();
          EXPECT_EQ(whole.x.q, parts.x.q) << where();
          EXPECT_EQ(whole.x.v, parts.x.v) << where();
          EXPECT_EQ(whole.x.a, parts.x.a) << where();
          EXPECT_EQ(whole.x.lambda, parts.x.lambda) << where();
          EXPECT_EQ(whole.statistics.accepted, parts.statistics.accepted) << where();
          EXPECT_EQ(whole.statistics.newton_iterations, parts.statistics.newton_iterations) << where();
        }
      }
  }
}
INSTANTIATE_TEST_SUITE_P(Methods, Grids, testing::ValuesIn(methods_and_adaptive()), [](const auto& each) {
  std::string text = std::to_string(each.index) + "_" + std::string(name(each.param));
  std::replace(text.begin(), text.end(), '-', '_');
  return text;
});

TEST(Memory, OfSparseSolversHoldsNoPivots) {
  const Multibody net = test::beam_net(3, 2), frame = test::beam_frame(2);
  const auto saved = [](const Multibody& m) {
    mechanics::AccelerationSolver solver(*m.system, m.report.rows);
    EXPECT_TRUE(solver.factorize(0, m.start.q).ok);
    std::vector<double> memory;
    solver.save(memory);
    return std::pair(std::string(solver.method()), memory.size());
  };
  EXPECT_EQ(saved(net).first, "node elimination, sparse Schur complement");
  EXPECT_EQ(saved(net).second, 4u) << "pivots follow from the matrix alone";
  EXPECT_EQ(saved(frame).second, 4u) << frame.system->size_rows();
}

TEST(Memory, OfAnotherSystemIsRefused) {
  const Multibody net = test::beam_net(3, 2), smaller = test::beam_net(2, 2);
  for (const MethodOptions& options : all_methods()) {
    const auto method = make_integrator(options, *net.system), other = make_integrator(options, *smaller.system);
    State x = net.start;
    method->start(x, 0x1p-11);
    method->step(x, 0x1p-11);
    std::vector<double> memory;
    method->save(memory);
    EXPECT_THROW(other->restore(memory), std::invalid_argument) << name(options);
    memory.resize(memory.size() / 2);
    EXPECT_THROW(method->restore(memory), std::invalid_argument) << name(options);
  }
}

// The parallelogram folds flat: wherever the run is interrupted before, it stops at the same step afterwards.
TEST(SingularPositions, StopAResumedRunAtTheSameStep) {
  const Multibody m = test::parallelogram(GroupId::SE3);
  const RunOptions options{.end = 2, .step = 1e-2};
  const auto stopped_at = [&](Integrator& method, State x, const RunStatistics* resume, const Observer& observer = {}) {
    try {
      run(*m.system, method, x, options, observer, resume);
    } catch (const IntegrationStopped& stop) {
      EXPECT_EQ(stop.report.trouble, StepTrouble::singular_position);
      return stop.state.t;
    }
    return -x.t;
  };
  Rattlie whole(*m.system, {}, m.report.rows);
  const double end = stopped_at(whole, m.start, nullptr);
  ASSERT_GT(end, 0.3);
  int resumed = 0;
  for (long steps = 1;; ++steps) {
    Rattlie first(*m.system, {}, m.report.rows), second(*m.system, {}, m.report.rows);
    State at;
    RunStatistics statistics;
    std::vector<double> memory;
    const double stop = stopped_at(first, m.start, nullptr, [&](State& x, const StepReport&, const RunStatistics& s) {
      if (s.accepted < steps || !s.grid.is_whole) return true;
      at = x, statistics = s;
      return false;
    });
    if (stop > 0) break;  // no place to interrupt it any more
    first.save(memory);
    second.restore(memory);
    EXPECT_EQ(stopped_at(second, at, &statistics), end) << steps << " steps";
    ++resumed;
  }
  EXPECT_EQ(resumed, std::lround(end / options.step) - 1) << "all steps but the last are places to resume from";
}

TEST(SingularPositions, AreWatchedWithoutAllocating) {
  const Multibody m = test::andrews_squeezer(GroupId::SE3);
  Rattlie method(*m.system, {}, m.report.rows);
  State x = m.start;
  long before = 0, steps = 0;
  run(*m.system, method, x, {.end = 60 * 0x1p-15, .step = 0x1p-15},
      [&](State&, const StepReport&, const RunStatistics&) {
        if (++steps == 2) before = test::allocations();
        if (steps == 50) {
          EXPECT_EQ(test::allocations(), before);
        }
        return true;
      });
  EXPECT_EQ(steps, 60);
}

}  // namespace
}  // namespace filum::integrate
