// What two differently compiled halves of a program have to agree on. The reason is in cmake/FilumLayer.cmake.
#pragma once

#include <Eigen/Core>

#include <cstddef>
#include <vector>

namespace filum::abi {

/// A vector of each alignment class, between members that move when an alignment changes.
struct Mixed {
  char first;
  Eigen::Vector4d four;
  char second;
  Eigen::Matrix<double, 6, 1> six;
  char third;
  Eigen::Matrix<double, 8, 1> eight;
  char last;
};

namespace generic {
std::vector<std::size_t> layout();
Eigen::VectorXd grown(Eigen::VectorXd x);
}  // namespace generic

namespace native {
/// Sizes, alignments and offsets as this half of the program sees them.
std::vector<std::size_t> layout();
/// Frees memory that the other half allocated, and allocates memory that the other half will free.
Eigen::VectorXd grown(Eigen::VectorXd x);
}  // namespace native

}  // namespace filum::abi
