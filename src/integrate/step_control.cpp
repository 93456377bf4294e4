/// Units of tolerances. Theory: docs/theory/step_control.md.
#include <filum/integrate/step_control.hpp>

namespace filum::integrate {

Eigen::VectorXd tolerance_units(const mechanics::ConfigurationSpace& space, double length) {
  Eigen::VectorXd units = Eigen::VectorXd::Constant(space.size_v(), length);
  for (int node = 0; node < space.nodes(); ++node)
    if (!lie::is_point(space.group(node))) units.segment<3>(space.v_offset(node)).setOnes();
  return units;
}

}  // namespace filum::integrate
