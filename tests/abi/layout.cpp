// One half of the program; the build compiles it twice, with FILUM_ABI_HALF the namespace of the half.
#include "layout.hpp"

namespace filum::abi::FILUM_ABI_HALF {

std::vector<std::size_t> layout() {
  return {sizeof(Mixed),
          alignof(Mixed),
          offsetof(Mixed, four),
          offsetof(Mixed, six),
          offsetof(Mixed, eight),
          offsetof(Mixed, last),
          alignof(Eigen::Vector2d),
          alignof(Eigen::Vector4d),
          alignof(Eigen::Matrix4d),
          EIGEN_MAX_ALIGN_BYTES,
          EIGEN_MAX_STATIC_ALIGN_BYTES};
}

Eigen::VectorXd grown(Eigen::VectorXd x) {
  const Eigen::Index old_size = x.size();
  x.conservativeResize(2 * old_size + 1);
  x.tail(old_size + 1).setOnes();
  return x;
}

}  // namespace filum::abi::FILUM_ABI_HALF
