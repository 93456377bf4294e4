/// Setting up a beam: checks, inertia, initial state, names. Theory: docs/theory/beam.md, sec. 1.
#include "node_pair.hpp"

#include <filum/parts/beam.hpp>

#include <cmath>
#include <stdexcept>

namespace filum::parts {
namespace {

[[noreturn]] void refuse(const BeamOptions& o, const std::string& reason) {
  throw std::invalid_argument("beam " + o.name + ": " + reason);
}

template <class T>
const T& entry(const std::vector<T>& list, std::size_t m) {
  return list.size() == 1 ? list.front() : list[m];
}

void check(const BeamOptions& o) {
  const std::size_t nodes = o.grid.size();
  if (nodes < 2) refuse(o, "needs at least two nodes, has " + std::to_string(nodes));
  if (o.positions.size() != nodes || o.orientations.size() != nodes)
    refuse(o, "has " + std::to_string(nodes) + " grid points, " + std::to_string(o.positions.size()) +
                  " positions and " + std::to_string(o.orientations.size()) +
                  " orientations; the three numbers must agree");
  for (std::size_t m = 1; m < nodes; ++m)
    if (!(o.grid[m] > o.grid[m - 1]))
      refuse(o, "arc lengths must ascend, but node " + std::to_string(m) + " does not lie after the one before it");
  for (const Vector4d& p : o.orientations)
    if (!(std::abs(p.norm() - 1) < 1e-9)) refuse(o, "orientations must be unit quaternions");
  if (!lie::is_rigid_motion(o.group))
    refuse(o, "group " + std::string(lie::name(o.group)) + " does not describe rigid motions");
  const auto per_segment = [&](std::size_t size, const char* what, bool may_be_empty) {
    if (size == 1 || size == nodes - 1 || (may_be_empty && size == 0)) return;
    refuse(o, std::string(what) + " needs one entry or one per segment (" + std::to_string(nodes - 1) + "), has " +
                  std::to_string(size));
  };
  if (o.law && o.held != cosserat) refuse(o, "has held strains and a strain law; give one of them");
  if (o.law && (o.law->rows() < 1 || o.law->rows() > 6))
    refuse(o, "a strain law has one to six equations, this one has " + std::to_string(o.law->rows()));
  per_segment(o.stiffness.size(), "stiffness", false);
  per_segment(o.viscosity.size(), "viscosity", true);
  per_segment(o.rest_strain.size(), "rest_strain", true);
  per_segment(o.mass_per_length.size(), "mass_per_length", false);
  per_segment(o.inertia_per_length.size(), "inertia_per_length", false);
  per_segment(o.mass_center.size(), "mass_center", true);
  for (const double mass : o.mass_per_length)
    if (!(mass > 0) || !std::isfinite(mass)) refuse(o, "mass_per_length must be positive");
  for (const Matrix3d& J : o.inertia_per_length)
    if (!J.allFinite() || !J.isApprox(J.transpose(), 1e-10))
      refuse(o, "inertia_per_length must be a finite symmetric matrix");
  for (const Vector3d& c : o.mass_center)
    if (!c.allFinite()) refuse(o, "mass_center is not finite");
  const auto symmetric = [&](const Matrix6d& M, const char* what) {
    if (!M.allFinite() || !M.isApprox(M.transpose(), 1e-12))
      refuse(o, std::string(what) + " must be a finite symmetric matrix");
    if (M.selfadjointView<Eigen::Lower>().ldlt().vectorD().minCoeff() < -1e-12 * M.norm())
      refuse(o, std::string(what) + " must not have negative eigenvalues");
  };
  for (const Matrix6d& M : o.stiffness) symmetric(M, "stiffness");
  for (const Matrix6d& M : o.viscosity) symmetric(M, "viscosity");
}

}  // namespace

Beam::Beam(const SystemBuilder& builder, const BeamOptions& o, int first_node)
    : name_(o.name), group_(o.group), grid_(o.grid), law_(o.law), first_node_(first_node) {
  q_at_ = builder.space().q_offset(first_node);
  v_at_ = builder.space().v_offset(first_node);
  direct_ = o.group == lie::GroupId::SO3xR3 || o.group == lie::GroupId::S3xR3;
  for (int i = 0; i < 6; ++i)
    if (o.held[i]) held_[held_count_++] = i;
  if (law_) held_count_ = law_->rows();
  segments_.resize(o.grid.size() - 1);
  for (std::size_t m = 0; m < segments_.size(); ++m) segments_[m].length = o.grid[m + 1] - o.grid[m];
  gather_masses(o);
  for (std::size_t m = 0; m < segments_.size(); ++m) {
    Segment& s = segments_[m];
    s.rest = o.rest_strain.empty() ? strain(builder.start().q, static_cast<int>(m)) : entry(o.rest_strain, m);
    if (m == 0 || o.stiffness.size() > 1 || o.viscosity.size() > 1) add_material(o, m);
    s.material = static_cast<int>(materials_.size()) - 1;
  }
}

void Beam::add_material(const BeamOptions& o, std::size_t segment) {
  Material material{entry(o.stiffness, segment),
                    o.viscosity.empty() ? Matrix6d(Matrix6d::Zero()) : entry(o.viscosity, segment)};
  for (int k = 0; k < (law_ ? 0 : held_count_);
       ++k)  // (BM.9) what a held strain would contribute belongs to its multiplier
    for (Matrix6d* A : {&material.C, &material.V}) A->row(held_[k]).setZero(), A->col(held_[k]).setZero();
  viscous_ = viscous_ || !material.V.isZero(0);
  materials_.push_back(material);
}

Vector3d Beam::position(const State& x, int node) const {
  return lie::visit_rigid_motion(group_, [&]<class G>(lie::GroupTag<G>) {
    return G::position(mechanics::element<G>(x.q, q_at_ + node * G::size));
  });
}

Vector4d Beam::orientation(const State& x, int node) const {
  return lie::visit_rigid_motion(group_, [&]<class G>(lie::GroupTag<G>) {
    return G::quaternion(mechanics::element<G>(x.q, q_at_ + node * G::size));
  });
}

void Beam::declare(mechanics::Declaration& declaration) {
  if (held_count_ > 0) constraints_.resize(segments_.size());
  for (int m = 0; m < segments(); ++m) {
    const std::array<int, 2> pair{first_node_ + m, first_node_ + m + 1};
    segments_[m].force = declaration.forces(pair, {.velocity = viscous_});
    if (held_count_ > 0)
      constraints_[m] = declaration.constraint(mechanics::ConstraintKind::holonomic, held_count_, pair);
  }
}

RowRange Beam::rows() const {
  return constraints_.empty() ? RowRange{} : RowRange{constraints_.front().row(), held_count_ * segments()};
}

std::string Beam::held_strain(int k) const {
  if (law_) return "strain law " + std::to_string(k + 1);
  static constexpr std::array<const char*, 6> names{"bending 1", "bending 2", "torsion",
                                                    "shear 1",   "shear 2",   "extension"};
  return names[held_[k]];
}

std::string Beam::row_name(int constraint, int row) const {
  return name() + ": " + held_strain(row) + (law_ ? "" : " held") + " in segment " + std::to_string(constraint + 1) +
         " of " + std::to_string(segments());
}

double Beam::nodal_length(int node) const {
  const double before = node > 0 ? segments_[node - 1].length : 0,
               after = node < segments() ? segments_[node].length : 0;
  return 0.5 * (before + after);
}

void add_weight(Gravity& gravity, const Beam& beam) {
  for (int i = 0; i < beam.nodes(); ++i) gravity.add(beam.mass_center(i), beam.node_mass(i));
}

// (BM.3) Half of every segment belongs to each of its nodes.
void Beam::gather_masses(const BeamOptions& o) {
  masses_.resize(grid_.size());
  for (std::size_t m = 0; m < segments_.size(); ++m) {
    const double half = 0.5 * segments_[m].length, mass = half * entry(o.mass_per_length, m);
    const Vector3d c = o.mass_center.empty() ? Vector3d(Vector3d::Zero()) : entry(o.mass_center, m);
    for (const std::size_t i : {m, m + 1}) {
      masses_[i].mass += mass;
      masses_[i].center += mass * c;  // divided by the mass below
      masses_[i].inertia += shifted_inertia(half * entry(o.inertia_per_length, m), mass, c);
    }
  }
  for (NodeMass& n : masses_) n.center /= n.mass;
}

std::shared_ptr<const Beam> add_beam(SystemBuilder& builder, const BeamOptions& o) {
  check(o);
  const int nodes = static_cast<int>(o.grid.size());
  const int first = builder.add_nodes(o.group, nodes);
  const auto velocity = [](const std::vector<Vector3d>& list, std::size_t i) {
    return list.empty() ? Vector3d(Vector3d::Zero()) : entry(list, i);
  };
  for (std::size_t i = 0; i < o.grid.size(); ++i)
    set_initial_node(builder, o.group, first + static_cast<int>(i), o.positions[i], o.orientations[i],
                     velocity(o.angular_velocities, i), velocity(o.velocities, i));
  auto beam = std::make_shared<Beam>(builder, o, first);
  for (int i = 0; i < nodes; ++i) {
    const Beam::NodeMass& n = beam->masses_[static_cast<std::size_t>(i)];
    add_node_inertia(builder, o.group, first + i, n.mass, n.center, n.inertia);
  }
  return builder.add_part(std::move(beam));
}

void set_straight(BeamOptions& o, const Vector3d& from, const Vector3d& to, int segments) {
  const Vector3d d = to - from;
  const double length = d.norm();
  if (!(length > 0) || segments < 1)
    refuse(o, "a straight beam needs two different end points and at least one segment");
  const Vector4d p = lie::quaternion::from_e3_to(d / length);
  o.grid.clear(), o.positions.clear(), o.orientations.clear();
  for (int i = 0; i <= segments; ++i) {
    o.grid.push_back(length * i / segments);
    o.positions.push_back(from + d * (static_cast<double>(i) / segments));
    o.orientations.push_back(p);
  }
}

Matrix6d diagonal_stiffness(const Vector3d& bending_and_torsion, const Vector3d& shear_and_extension) {
  Vector6d c;
  c << bending_and_torsion, shear_and_extension;
  return c.asDiagonal();
}

}  // namespace filum::parts
