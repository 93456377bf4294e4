/// Heavy tops in all groups, fast and slow, in both formulations: cases of suites about orders.
#pragma once

#include "trajectory.hpp"

#include <filum/integrate/condensed_corrector.hpp>

#include <gtest/gtest.h>
#include <support/benchmark_systems.hpp>

#include <string>
#include <tuple>

namespace filum::test {

using TopCase = std::tuple<lie::GroupId, TopSpeed, integrate::Formulation>;

inline auto all_top_cases() {
  using integrate::Formulation;
  return ::testing::Combine(::testing::ValuesIn(all_top_groups), ::testing::Values(TopSpeed::fast, TopSpeed::slow),
                            ::testing::Values(Formulation::index_3, Formulation::stabilized_index_2));
}

inline std::string top_case_name(const ::testing::TestParamInfo<TopCase>& info) {
  const auto [group, speed, formulation] = info.param;
  return group_name(group) + (speed == TopSpeed::fast ? "Fast" : "Slow") +
         (formulation == integrate::Formulation::index_3 ? "Index3" : "Stabilized");
}

/// Over a whole trajectory, first steps included: the fast top until t_fast, the slow one until 0.5.
inline void expect_top_order(const TopCase& c, const Trajectory::Make& make, double order, double t_fast) {
  const auto [group, speed, formulation] = c;
  const Benchmark b = heavy_top(speed, group);
  const Trajectory trajectory(*b.system, b.start, speed == TopSpeed::fast ? t_fast : 0.5, 1024);
  const Orders p = trajectory.orders(make, {64, 128, 256, 512});
  EXPECT_NEAR(p.q, order, 0.1);
  EXPECT_NEAR(p.v, order, 0.1);
  if (b.system->size_lambda() > 0) {
    EXPECT_NEAR(p.lambda, order, 0.1);
  }
}

}  // namespace filum::test
