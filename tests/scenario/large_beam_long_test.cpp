/// A very long beam: checked and started without anything that grows faster than its length. User document:
/// docs/guide/scenarios.md.
#include "scenario/texts.hpp"

#include <filum/scenario/describe.hpp>
#include <filum/scenario/method.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace filum::scenario {
namespace {

TEST(LargeBeam, OfAHundredThousandSegmentsIsCheckedAndStarts) {
  const Scenario s = test::parse(test::cantilever, {"beam.rod.segments=100000", "integrator={method=\"rattlie\"}",
                                                    "time.step=1e-9", "time.end=1e-9", "parameters.L=1000"});
  Model m = build_model(s);
  EXPECT_THAT(describe_model(s, m),
              testing::HasSubstr("600006 velocities, 200006 constraints: 400000 degrees of freedom"));
  const auto method = make_integrator(s, *m.system);
  State x = m.start;
  EXPECT_EQ(integrate::run(*m.system, *method, x, run_options(s)).accepted, 1);
}

}  // namespace
}  // namespace filum::scenario
