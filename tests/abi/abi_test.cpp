// Code built for this machine and code built for any machine work in one program. See cmake/FilumLayer.cmake.
#include "layout.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace filum::abi {

TEST(Abi, LayoutDoesNotDependOnTheInstructionSet) { EXPECT_EQ(generic::layout(), native::layout()); }

TEST(Abi, MemoryOfOneHalfIsFreedByTheOther) {
  Eigen::VectorXd x = Eigen::VectorXd::Ones(1);
  for (int i = 0; i < 6; ++i) x = generic::grown(native::grown(std::move(x)));
  EXPECT_EQ(x.size(), 8191);
  EXPECT_EQ(x.sum(), 8191.0);
}

}  // namespace filum::abi
