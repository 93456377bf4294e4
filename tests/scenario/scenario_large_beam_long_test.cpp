/// A very long beam: checked and started without anything that grows faster than its length. User document:
/// docs/guide/scenarios.md.
#include "scenario/built.hpp"
#include "scenario/texts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace filum::scenario {
namespace {

TEST(LargeBeam, OfAHundredThousandSegmentsIsCheckedAndStarts) {
  test::Built m(test::parse(test::cantilever, {"beam.rod.segments=100000", "integrator={method=\"rattlie\"}",
                                               "time.step=1e-9", "time.end=1e-9", "parameters.L=1000"}));
  EXPECT_THAT(describe(m.scenario),
              testing::HasSubstr("600006 velocities, 200006 constraints: 400000 degrees of freedom"));
  mechanics::State x = m.start;
  EXPECT_EQ(integrate::run(m.system, *m.method(), x, m.run_options()).accepted, 1);
}

}  // namespace
}  // namespace filum::scenario
