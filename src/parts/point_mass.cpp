/// Adding and reading point masses. Theory: docs/theory/bodies.md, sec. 1.
#include <filum/parts/node_frame_inline.hpp>
#include <filum/parts/point_mass.hpp>

#include <cmath>
#include <stdexcept>

namespace filum::parts {
namespace {

Vector3d padded(const VectorXd& flat, int at, int dim) {
  Vector3d x = Vector3d::Zero();
  x.head(dim) = flat.segment(at, dim);
  return x;
}

}  // namespace

PointMass add_point_mass(SystemBuilder& builder, const PointMassOptions& o) {
  const auto refuse = [&](const std::string& reason) { throw std::invalid_argument("mass " + o.name + ": " + reason); };
  if (!lie::is_point(o.group)) refuse("a point lives in R1, R2 or R3, not in " + std::string(lie::name(o.group)));
  if (!(o.mass > 0) || !std::isfinite(o.mass)) refuse("the mass must be positive, got " + std::to_string(o.mass));
  const int d = lie::dim(o.group);
  if (!o.position.allFinite() || !o.velocity.allFinite()) refuse("position or velocity is not finite");
  if (!o.position.tail(3 - d).isZero(0) || !o.velocity.tail(3 - d).isZero(0))
    refuse("position or velocity leaves " + std::string(lie::name(o.group)));

  PointMass mass{.initial = o, .node = builder.add_nodes(o.group)};
  mass.q_at = builder.space().q_offset(mass.node);
  mass.v_at = builder.space().v_offset(mass.node);
  builder.start().q.segment(mass.q_at, d) = o.position.head(d);
  builder.start().v.segment(mass.v_at, d) = o.velocity.head(d);
  builder.add_inertia(mass.node, o.mass * Eigen::MatrixXd::Identity(d, d));
  return mass;
}

Vector3d PointMass::position(const State& state) const { return padded(state.q, q_at, lie::dim(initial.group)); }
Vector3d PointMass::velocity(const State& state) const { return padded(state.v, v_at, lie::dim(initial.group)); }

}  // namespace filum::parts
