/// Systems with so many nodes that threads share their loops. Theory: docs/theory/performance.md, "Threads".
#pragma once

#include "support/benchmark_systems.hpp"

#include <filum/mechanics/consistent_start.hpp>
#include <filum/parts/beam.hpp>

namespace filum::test {

struct LargeSystem {
  SystemBuilder builder = {};
  std::shared_ptr<const System> system = nullptr;
  State start = {};
  linalg::RowSelection rows = {};
};

/// Horizontal yarns of length 1 beside each other, clamped at one end, that fall under gravity.
LargeSystem yarns(int count, int segments, const parts::StrainMask& held = parts::cosserat);
/// Square cells of 0.1 that spin, stretch and bend freely.
LargeSystem soft_sheet(int cells);

}  // namespace filum::test
