/// Nodes of a beam: grids, straight lines, curves with frames by parallel transport, rest shapes.
/// User document: docs/guide/scenarios.md, "Beams".
#include <filum/lie/quaternion.hpp>
#include <filum/lie/s3sdr3.hpp>
#include <filum/scenario/beam_shape.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace filum::scenario {
namespace {

using parts::BeamOptions;
using parts::Vector6d;

[[noreturn]] void refuse(const std::string& message) { throw std::invalid_argument(message); }

Vector3d at(const Number3& f, double s) { return {f[0](0, s), f[1](0, s), f[2](0, s)}; }

/// The shortest rotation from e3 to the unit vector t; where t = −e3 a half turn about e1.
Vector4d shortest_rotation(const Vector3d& t) {
  const Vector4d p(1 + t[2], -t[1], t[0], 0);
  return p.norm() > 1e-12 ? Vector4d(p.normalized()) : Vector4d(0, 1, 0, 0);
}

/// The frame at s = 0: the third axis is t, the first lies in the plane of t and the director.
Vector4d first_frame(const Beam& beam, const Vector3d& t) {
  if (!beam.director) return shortest_rotation(t);
  const Vector3d normal = *beam.director - beam.director->dot(t) * t;
  if (!(normal.norm() > 1e-9 * beam.director->norm())) refuse("the director is parallel to the beam");
  Matrix3d R;
  R.col(0) = normal.normalized();
  R.col(2) = t;
  R.col(1) = t.cross(R.col(0));
  return lie::quaternion::from_matrix(R);
}

void straight(const Beam& beam, BeamOptions& o) {
  const Vector3d way = *beam.to - *beam.from;
  const Vector4d p = first_frame(beam, way.normalized());
  for (const double s : o.grid) {
    o.positions.push_back(*beam.from + way * (s / o.grid.back()));
    o.orientations.push_back(p);
  }
}

/// dr/ds by differences of sixth order, one-sided at the ends: formulas have no derivative.
Vector3d tangent(const Number3& curve, double s, double length) {
  const double h = 2e-3 * length;
  if (s >= 3 * h && s <= length - 3 * h) {
    const auto pair = [&](int k) { return Vector3d(at(curve, s + k * h) - at(curve, s - k * h)); };
    return (45 * pair(1) - 9 * pair(2) + pair(3)) / (60 * h);
  }
  const double d = s < length / 2 ? h : -h;
  const auto f = [&](int k) { return at(curve, s + k * d); };
  return (-147 * f(0) + 360 * f(1) - 450 * f(2) + 400 * f(3) - 225 * f(4) + 72 * f(5) - 10 * f(6)) / (60 * d);
}

/// Carries the first axis along without twist: two reflections a step, error of fourth order.
Vector3d transported(const Vector3d& axis, const Vector3d& x0, const Vector3d& t0, const Vector3d& x1,
                     const Vector3d& t1) {
  const Vector3d v = x1 - x0;
  const double c = v.squaredNorm();
  if (!(c > 0)) return axis;
  const Vector3d axis_l = axis - (2 / c) * v.dot(axis) * v, t_l = t0 - (2 / c) * v.dot(t0) * v, w = t1 - t_l;
  const double d = w.squaredNorm();
  return d > 0 ? Vector3d(axis_l - (2 / d) * w.dot(axis_l) * w) : axis_l;
}

void curved(const Beam& beam, BeamOptions& o) {
  const Number3& curve = *beam.curve;
  const double length = *beam.length;
  constexpr int parts_per_segment = 8;
  Vector3d x = at(curve, 0), t = tangent(curve, 0, length);
  const auto check = [&](double s) {
    if (!x.allFinite() || !(std::abs(t.norm() - 1) <= 1e-6))
      refuse("`curve` must be given by its arc length, |dr/ds| = 1, but at s = " + std::to_string(s) + " it is " +
             std::to_string(t.norm()));
  };
  check(0);
  Matrix3d R = lie::quaternion::to_matrix(first_frame(beam, t.normalized()));
  Vector3d axis = R.col(0);
  for (std::size_t i = 0; i < o.grid.size(); ++i) {
    for (int k = 1; i > 0 && k <= parts_per_segment; ++k) {
      const double s = o.grid[i - 1] + (o.grid[i] - o.grid[i - 1]) * k / parts_per_segment;
      const Vector3d x_next = at(curve, s), t_next = tangent(curve, s, length);
      axis = transported(axis, x, t.normalized(), x_next, t_next.normalized());
      x = x_next, t = t_next;
      check(s);
    }
    R.col(2) = t.normalized();
    R.col(0) = (axis - axis.dot(R.col(2)) * R.col(2)).normalized();
    R.col(1) = R.col(2).cross(R.col(0));
    Vector4d p = lie::quaternion::from_matrix(R);
    if (i > 0 && p.dot(o.orientations.back()) < 0)
      p = -p;  // neighbours on one sheet: their difference is the short way
    o.positions.push_back(x);
    o.orientations.push_back(p);
  }
}

/// q_{m+1} = q_m ∘ exp(Δs w*_m).
void along_rest_shape(const Beam& beam, BeamOptions& o) {
  using G = lie::S3sdR3;
  Vector4d p = beam.orientation ? beam.orientation->quaternion : Vector4d(1, 0, 0, 0);
  G::Element q = G::from_pose(p.normalized(), *beam.from);
  for (std::size_t i = 0; i < o.grid.size(); ++i) {
    if (i > 0)
      q = G::compose(q, G::exp((o.grid[i] - o.grid[i - 1]) * o.rest_strain[o.rest_strain.size() == 1 ? 0 : i - 1]));
    o.positions.push_back(G::position(q));
    o.orientations.push_back(lie::quaternion::unit(G::quaternion(q)));
  }
}

/// f(s) at the middle of every segment; one entry when it is the same everywhere.
template <class T, class F>
std::vector<T> per_segment(const std::vector<double>& grid, bool constant, const F& f) {
  std::vector<T> values;
  for (std::size_t m = 0; m + 1 < grid.size() && !(constant && m > 0); ++m)
    values.push_back(f(0.5 * (grid[m] + grid[m + 1])));
  return values;
}

template <class Numbers>
bool constant(const Numbers& list) {
  return std::all_of(list.begin(), list.end(), [](const Number& n) { return n.is_constant(); });
}

std::vector<parts::Matrix6d> diagonals(const SectionValues& v, const std::vector<double>& grid, const char* what) {
  const bool fixed = constant(v.bending) && constant(v.shear) && v.torsion.is_constant() && v.axial.is_constant();
  return per_segment<parts::Matrix6d>(grid, fixed, [&](double s) -> parts::Matrix6d {
    Vector6d d;
    d << v.bending[0](0, s), v.bending[1](0, s), v.torsion(0, s), v.shear[0](0, s), v.shear[1](0, s), v.axial(0, s);
    if (!(d.minCoeff() >= 0))
      refuse(std::string(what) + " must not be negative, but at s = " + std::to_string(s) + " it is");
    return d.asDiagonal();
  });
}

void set_material(const Beam& beam, BeamOptions& o) {
  if (beam.section) {
    const SectionProperties p = properties_of(*beam.section);
    o.mass_per_length = p.mass;
    o.inertia_per_length = p.inertia.asDiagonal();
    o.stiffness = {parts::diagonal_stiffness(p.bending_and_torsion, p.shear_and_axial)};
  } else {
    o.mass_per_length = *beam.mass_per_length;
    o.inertia_per_length = beam.inertia_per_length->asDiagonal();
    o.stiffness = diagonals(*beam.stiffness, o.grid, "the stiffness");
  }
  if (beam.damping) o.viscosity = diagonals(*beam.damping, o.grid, "the damping");
}

void set_rest(const Beam& beam, BeamOptions& o) {
  if (beam.rest == RestKind::straight) o.rest_strain = {parts::straight_strain()};
  if (!beam.rest_curvature && !beam.rest_strain) return;
  const Number3 curvature = beam.rest_curvature.value_or(Number3{0, 0, 0}),
                strain = beam.rest_strain.value_or(Number3{0, 0, 1});
  o.rest_strain = per_segment<Vector6d>(o.grid, constant(curvature) && constant(strain), [&](double s) {
    Vector6d w;
    w << at(curvature, s), at(strain, s);
    if (!w.allFinite()) refuse("the rest shape is not finite at s = " + std::to_string(s));
    return w;
  });
}

}  // namespace

std::vector<double> beam_grid(const Beam& beam, const std::vector<double>& extra, std::vector<double>& inserted) {
  std::vector<double> grid;
  if (beam.nodes) {
    grid = *beam.nodes;
  } else {
    const double length = beam.to ? (*beam.to - *beam.from).norm() : *beam.length;
    for (int i = 0; i <= *beam.segments; ++i) grid.push_back(length * i / *beam.segments);
  }
  const double near = 1e-9 * grid.back();
  for (const double s : extra) {
    const auto after = std::lower_bound(grid.begin(), grid.end(), s);
    const bool known = (after != grid.end() && *after - s <= near) || (after != grid.begin() && s - after[-1] <= near);
    if (known) continue;
    grid.insert(after, s);
    inserted.push_back(s);
  }
  return grid;
}

parts::BeamOptions beam_options(const Beam& beam, const std::vector<double>& grid) {
  BeamOptions o;
  o.name = beam.name;
  o.grid = grid;
  o.held = beam.model == BeamModel::cosserat    ? parts::cosserat
           : beam.model == BeamModel::kirchhoff ? parts::kirchhoff
                                                : parts::inextensible;
  set_material(beam, o);
  set_rest(beam, o);
  if (beam.to) {
    straight(beam, o);
  } else if (beam.curve) {
    curved(beam, o);
  } else if (beam.initial->rest) {
    along_rest_shape(beam, o);
  } else {
    if (grid.size() != beam.initial->positions.size())
      refuse("a joint, load or sensor needs a node that `initial` does not have; add it to `nodes` and `initial`");
    o.positions = beam.initial->positions;
    for (const Orientation& p : beam.initial->orientations) o.orientations.push_back(p.quaternion.normalized());
  }
  for (const double s : grid) {
    o.angular_velocities.push_back(at(beam.angular_velocity, s));
    o.velocities.push_back(at(beam.velocity, s));
    if (!o.angular_velocities.back().allFinite() || !o.velocities.back().allFinite())
      refuse("the initial velocity is not finite at s = " + std::to_string(s));
  }
  return o;
}

}  // namespace filum::scenario
