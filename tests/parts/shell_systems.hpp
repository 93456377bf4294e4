/// Flat and curved shells that tests are made with.
#pragma once

#include "support/derivative_checks.hpp"

#include <filum/lie/quaternion.hpp>
#include <filum/parts/shell.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace filum::parts::shells {

using lie::GroupId;

inline Matrix12d full_shell_matrix(std::uint64_t seed) {
  const Matrix12d A = Eigen::Map<const Matrix12d>(test::random_vector(144, seed).data());
  return A * A.transpose() + Matrix12d::Identity();
}

inline Matrix12d isotropic(double nu, double thickness = 0.2) {
  IsotropicSheet s{.E = 30, .nu = nu, .thickness = thickness};
  s.couple_modulus = s.couple_modulus_bending = s.shear_modulus();
  s.drilling = 0.01 * s.bending_stiffness() * (1 - nu);
  return stiffness_of(s);
}

/// Nodes at x(s1, s2) with frames whose first axis is along s1 and whose third is the normal.
template <class Map>
void draw(ShellOptions& o, const Map& x, const std::vector<double>& s1, const std::vector<double>& s2) {
  o.nodes = {static_cast<int>(s1.size()), static_cast<int>(s2.size())};
  constexpr double h = 1e-5;
  for (const double b : s2)
    for (const double a : s1) {
      const Vector3d t1 = (x(a + h, b) - x(a - h, b)) / (2 * h), t2 = (x(a, b + h) - x(a, b - h)) / (2 * h);
      Matrix3d R;
      R.col(0) = t1.normalized();
      R.col(2) = t1.cross(t2).normalized();
      R.col(1) = R.col(2).cross(R.col(0));
      o.positions.push_back(x(a, b));
      o.orientations.push_back(lie::quaternion::from_matrix(R));
    }
}

inline std::vector<double> steps(double length, int count) {
  std::vector<double> s;
  for (int i = 0; i <= count; ++i) s.push_back(length * i / count);
  return s;
}

inline ShellOptions flat(const std::vector<double>& s1, const std::vector<double>& s2, const Matrix12d& C) {
  ShellOptions o;
  o.name = "sheet";
  draw(
      o, [](double a, double b) { return Vector3d(a, b, 0); }, s1, s2);
  o.stiffness = {C};
  o.mass_per_area = 1.7;
  o.turning_inertia = 0.04;
  return o;
}

inline ShellOptions flat(double L1, double L2, int M1, int M2, const Matrix12d& C) {
  return flat(steps(L1, M1), steps(L2, M2), C);
}

/// Curved, graded, not orthogonal, with a material of its own in every cell.
inline ShellOptions general_shell(GroupId group) {
  ShellOptions o;
  o.name = "sheet";
  o.group = group;
  draw(o, [](double a, double b) { return Vector3d(a + 0.2 * b, b + 0.1 * a * b, 0.3 * a * a - 0.2 * a * b); },
       {0, 0.4, 1.1}, {0, 0.7, 1.2, 1.9});
  for (int k = 0; k < 6; ++k)
    o.stiffness.push_back(full_shell_matrix(1 + k)), o.viscosity.push_back(full_shell_matrix(20 + k));
  o.mass_per_area = 1.7, o.mass_offset = 0.1, o.turning_inertia = 0.3;
  return o;
}

struct Sheet {
  SystemBuilder builder;
  std::shared_ptr<const Shell> shell;
  std::shared_ptr<const System> system_;
  const System& system;
  explicit Sheet(const ShellOptions& options)
      : shell(add_shell(builder, options)), system_(builder.build()), system(*system_) {}
  State start() const { return builder.start(); }
  State bent(std::uint64_t seed) const {
    State x = test::random_state(system, seed);
    x.q = start().q;
    system.space().advance(x.q, 1, test::random_vector(system.size_v(), seed, 0.3), x.q);
    x.v = test::random_vector(system.size_v(), seed + 1, 1.5);
    return x;
  }
  double energy(const VectorXd& q) const { return system.potential_energy(0, q); }
};

}  // namespace filum::parts::shells
