/// Setting up a shell: checks, cells, metric, inertia, material. Theory: docs/theory/shell.md, sec. 2 and 5.
#include "node_pair.hpp"

#include <filum/linalg/dense_decompositions.hpp>
#include <filum/parts/shell.hpp>

#include <cmath>
#include <stdexcept>

namespace filum::parts {
namespace {

[[noreturn]] void refuse(const ShellOptions& o, const std::string& reason) {
  throw std::invalid_argument("shell " + o.name + ": " + reason);
}

template <class T>
const T& entry(const std::vector<T>& list, int k) {
  return list.size() == 1 ? list.front() : list[static_cast<std::size_t>(k)];
}

std::size_t cells_of(const ShellOptions& o, int direction) {
  return static_cast<std::size_t>(o.nodes[direction] - (o.closed[direction] ? 0 : 1));
}

void check_grid(const ShellOptions& o) {
  for (int d = 0; d < 2; ++d)
    if (o.nodes[d] < (o.closed[d] ? 3 : 2))
      refuse(o, "needs at least two nodes in each direction, and three where it is closed; has " +
                    std::to_string(o.nodes[0]) + " and " + std::to_string(o.nodes[1]));
  const std::size_t nodes = static_cast<std::size_t>(o.nodes[0]) * static_cast<std::size_t>(o.nodes[1]);
  if (o.positions.size() != nodes || o.orientations.size() != nodes)
    refuse(o, "has " + std::to_string(nodes) + " nodes, " + std::to_string(o.positions.size()) + " positions and " +
                  std::to_string(o.orientations.size()) + " orientations; the three numbers must agree");
  for (const Vector4d& p : o.orientations)
    if (!(std::abs(p.norm() - 1) < 1e-9)) refuse(o, "orientations must be unit quaternions");
  for (const auto* list : {&o.angular_velocities, &o.velocities})
    if (list->size() > 1 && list->size() != nodes) refuse(o, "needs initial velocities for all nodes, or for none");
  if (!lie::is_rigid_motion(o.group))
    refuse(o, "group " + std::string(lie::name(o.group)) + " does not describe rigid motions");
  const std::array<std::size_t, 2> edges{cells_of(o, 0) * static_cast<std::size_t>(o.nodes[1]),
                                         static_cast<std::size_t>(o.nodes[0]) * cells_of(o, 1)};
  if (o.rest[0].empty() != o.rest[1].empty()) refuse(o, "needs rest shapes of the edges in both directions, or none");
  for (int d = 0; d < 2; ++d)
    if (!o.rest[d].empty() && o.rest[d].size() != edges[d])
      refuse(o, "has " + std::to_string(edges[d]) + " edges along s" + std::to_string(d + 1) + " and " +
                    std::to_string(o.rest[d].size()) + " rest shapes of them");
}

void check_material(const ShellOptions& o) {
  const std::size_t cells = cells_of(o, 0) * cells_of(o, 1);
  const auto per_cell = [&](std::size_t size, const char* what, bool may_be_empty) {
    if (size == 1 || size == cells || (may_be_empty && size == 0)) return;
    refuse(o, std::string(what) + " needs one entry or one per cell (" + std::to_string(cells) + "), has " +
                  std::to_string(size));
  };
  per_cell(o.stiffness.size(), "stiffness", false);
  per_cell(o.viscosity.size(), "viscosity", true);
  for (const Matrix12d& C : o.stiffness) {
    if (!C.allFinite() || !C.isApprox(C.transpose(), 1e-10)) refuse(o, "stiffness must be a finite symmetric matrix");
    if (const std::string missing = missing_stiffness(C); !missing.empty())
      refuse(o, "the stiffness is not positive definite: " + missing);
  }
  for (const Matrix12d& V : o.viscosity) {
    if (!V.allFinite() || !V.isApprox(V.transpose(), 1e-10)) refuse(o, "viscosity must be a finite symmetric matrix");
    if (linalg::symmetric_eigenvalues(V)[0] < -1e-12 * V.norm())
      refuse(o, "viscosity must not have negative eigenvalues");
  }
  if (!(o.hourglass >= 0) || !std::isfinite(o.hourglass)) refuse(o, "hourglass must not be negative");
  if (!(o.mass_per_area > 0) || !std::isfinite(o.mass_per_area)) refuse(o, "mass_per_area must be positive");
  if (!std::isfinite(o.mass_offset)) refuse(o, "mass_offset is not finite");
  const double least = o.mass_per_area * o.mass_offset * o.mass_offset;
  if (!(o.turning_inertia >= least) || !std::isfinite(o.turning_inertia))
    refuse(o, "turning_inertia must not be smaller than mass_per_area times the square of mass_offset");
  if (o.inertia == ShellInertia::thin && !(o.turning_inertia > least))
    refuse(o, "thin inertia needs a turning_inertia, or nodes could turn without inertia");
}

}  // namespace

Shell::Shell(const SystemBuilder& builder, const ShellOptions& o, int first_node)
    : name_(o.name),
      group_(o.group),
      nodes_(o.nodes),
      closed_(o.closed),
      hourglass_(o.hourglass),
      mass_offset_(o.mass_offset),
      first_node_(first_node) {
  q_at_ = builder.space().q_offset(first_node);
  q_size_ = builder.space().q_offset(first_node + 1) - q_at_;
  v_at_ = builder.space().v_offset(first_node);
  direct_ = o.group == lie::GroupId::SO3xR3 || o.group == lie::GroupId::S3xR3;
  add_cells(o);
  set_rest(builder, o);
  for (int k = 0; k < cells(); ++k) add_shape(o, k);
  gather_masses(o);
  hold_edges(o);
}

void Shell::add_cells(const ShellOptions& o) {
  for (int j = 0; j < cells(1); ++j)
    for (int i = 0; i < cells(0); ++i) {
      const int right = (i + 1) % nodes_[0], above = (j + 1) % nodes_[1];
      Cell cell{};
      cell.nodes = {node(i, j), node(right, j), node(i, above), node(right, above)};
      const auto turns_over = [&](int a, int b) {
        return o.orientations[static_cast<std::size_t>(cell.nodes[a])].dot(
                   o.orientations[static_cast<std::size_t>(cell.nodes[b])]) < 0;
      };
      cell.flips = {turns_over(0, 1), turns_over(2, 3), turns_over(0, 2), turns_over(1, 3)};
      cells_.push_back(cell);
    }
}

void Shell::set_rest(const SystemBuilder& builder, const ShellOptions& o) {
  for (int k = 0; k < cells(); ++k) {
    Cell& cell = cells_[k];
    if (o.rest[0].empty()) {
      const std::array<Vector6d, 4> drawn = edges_at(builder.start().q, k);
      for (std::size_t e = 0; e < 4; ++e) cell.rest[e] = drawn[e];
      continue;
    }
    const int i = k % cells(0), j = k / cells(0), above = (j + 1) % nodes_[1], right = (i + 1) % nodes_[0];
    const auto at = [&](int d, int index) { return o.rest[d][static_cast<std::size_t>(index)]; };
    cell.rest = {at(0, i + j * cells(0)), at(0, i + above * cells(0)), at(1, i + j * nodes_[0]),
                 at(1, right + j * nodes_[0])};
  }
}

// (SH.4) C in the directions of the grid: Σ_ab A_αa A_βb C_ab times the area, A the inverse of the mean edges.
void Shell::add_shape(const ShellOptions& o, int k) {
  Cell& cell = cells_[k];
  Shape shape{};
  shape.edges.col(0) = 0.5 * (rest_edge(cell, 0) + rest_edge(cell, 1));
  shape.edges.col(1) = 0.5 * (rest_edge(cell, 2) + rest_edge(cell, 3));
  shape.area = shape.edges(0, 0) * shape.edges(1, 1) - shape.edges(1, 0) * shape.edges(0, 1);
  const std::string where = "cell " + std::to_string(k % cells(0)) + ", " + std::to_string(k / cells(0));
  const double size = shape.edges.col(0).norm() * shape.edges.col(1).norm();
  if (!std::isfinite(size) || !(shape.area > 1e-6 * size))
    refuse(o,
           where + (shape.area < -1e-6 * size ? " is turned over: the third axis of its nodes must point along s1 x s2"
                                              : " has no area: its edges are parallel, or of length 0"));
  const bool alike = o.stiffness.size() == 1 && o.viscosity.size() <= 1 && !shapes_.empty() &&
                     shapes_.back().edges.isApprox(shape.edges, 1e-13);
  if (!alike) {
    const Eigen::Matrix2d A = Eigen::Matrix2d(shape.edges).inverse();
    Matrix12d P;
    for (int a = 0; a < 2; ++a)
      for (int alpha = 0; alpha < 2; ++alpha) P.block<6, 6>(6 * a, 6 * alpha) = A(alpha, a) * Matrix6d::Identity();
    shape.C = shape.area * P.transpose() * entry(o.stiffness, k) * P;
    shape.V.setZero();
    if (!o.viscosity.empty()) shape.V = shape.area * P.transpose() * entry(o.viscosity, k) * P;
    viscous_ = viscous_ || !shape.V.isZero(0);
    shapes_.push_back(shape);
  }
  cell.shape = static_cast<int>(shapes_.size()) - 1;
}

// (SH.12) A quarter of every cell belongs to each of its corners.
void Shell::gather_masses(const ShellOptions& o) {
  masses_.resize(static_cast<std::size_t>(nodes()));
  for (const Cell& cell : cells_) {
    const Shape& shape = shapes_[cell.shape];
    Matrix3d J = o.turning_inertia * Matrix3d::Identity();
    if (o.inertia == ShellInertia::box) {
      Matrix3d S = Matrix3d::Zero();  // second moments of the cell in the surface, per mass
      S.topLeftCorner<2, 2>() = shape.edges * shape.edges.transpose() / 12;
      J = o.mass_per_area * (S.trace() * Matrix3d::Identity() - S);
      J(0, 0) += o.turning_inertia, J(1, 1) += o.turning_inertia;
    }
    for (const int n : cell.nodes) {
      NodeMass& m = masses_[static_cast<std::size_t>(n)];
      m.area += shape.area / 4;
      m.mass += shape.area / 4 * o.mass_per_area;
      m.inertia += shape.area / 4 * J;
    }
  }
}

double Shell::node_length(int n, int direction) const {
  // The edges of this line of nodes, each in one of the cells beside it.
  double length = 0;
  const int i = n % nodes_[0], j = n / nodes_[0], at = direction == 0 ? i : j, across = direction == 0 ? j : i;
  const int count = cells(direction), rows = cells(1 - direction);
  for (const int step : {at - 1, at}) {
    const int along = closed_[direction] ? (step + count) % count : step;
    if (along < 0 || along >= count) continue;
    const bool is_last = across == rows;  // beyond the last cell: the far edge of it
    const int row = is_last ? rows - 1 : across;
    const Cell& cell = cells_[direction == 0 ? along + row * cells(0) : row + along * cells(0)];
    length += 0.5 * rest_edge(cell, 2 * direction + (is_last ? 1 : 0)).norm();
  }
  return length;
}

Vector3d Shell::position(const State& x, int node) const {
  return lie::visit_rigid_motion(group_, [&]<class G>(lie::GroupTag<G>) {
    return G::position(mechanics::element<G>(x.q, q_at_ + node * G::size));
  });
}

Vector4d Shell::orientation(const State& x, int node) const {
  return lie::visit_rigid_motion(group_, [&]<class G>(lie::GroupTag<G>) {
    return G::quaternion(mechanics::element<G>(x.q, q_at_ + node * G::size));
  });
}

PointMotion Shell::motion_of(const State& x, int node) const {
  PointMotion m{.t = x.t, .position = position(x, node), .rotation = {}, .velocity = {}, .angular_velocity = {}};
  m.rotation = lie::quaternion::to_matrix(orientation(x, node));
  m.angular_velocity = x.v.segment<3>(v_at_ + 6 * node);
  m.velocity = x.v.segment<3>(v_at_ + 6 * node + 3);
  if (!direct_) m.velocity = (m.rotation * m.velocity).eval();
  return m;
}

void Shell::declare(mechanics::Declaration& declaration) {
  for (Cell& cell : cells_) {
    std::array<int, 4> all = cell.nodes;
    for (int& n : all) n += first_node_;
    cell.force = declaration.forces<4>(all, {.velocity = viscous_});
  }
  for (HeldEdge& e : held_)
    e.constraint = declaration.constraint(mechanics::ConstraintKind::holonomic, static_cast<int>(e.directions.rows()),
                                          {first_node_ + e.nodes[0], first_node_ + e.nodes[1]});
}

std::shared_ptr<const Shell> add_shell(SystemBuilder& builder, const ShellOptions& o) {
  check_grid(o);
  check_material(o);
  const int count = o.nodes[0] * o.nodes[1];
  const int first = builder.add_nodes(o.group, count);
  const auto velocity = [](const std::vector<Vector3d>& list, int i) {
    return list.empty() ? Vector3d(Vector3d::Zero()) : entry(list, i);
  };
  for (int i = 0; i < count; ++i) {
    const auto k = static_cast<std::size_t>(i);
    set_initial_node(builder, o.group, first + i, o.positions[k], o.orientations[k], velocity(o.angular_velocities, i),
                     velocity(o.velocities, i));
  }
  auto shell = std::make_shared<Shell>(builder, o, first);
  for (int i = 0; i < count; ++i) {
    const Shell::NodeMass& m = shell->masses_[static_cast<std::size_t>(i)];
    add_node_inertia(builder, o.group, first + i, m.mass, {0, 0, o.mass_offset}, m.inertia);
  }
  return builder.add_part(std::move(shell));
}

}  // namespace filum::parts
