/// The linear combinations of stages that every Runge-Kutta method is made of.
#pragma once

#include <filum/integrate/tableaus.hpp>

#include <Eigen/Core>

#include <vector>

namespace filum::integrate {

/// out += h Σ_{j < count} a_j k_j.
inline void add_stages(double h, const Tableau::Row& a, int count, const std::vector<Eigen::VectorXd>& k,
                       Eigen::VectorXd& out) {
  for (int j = 0; j < count; ++j)
    if (a[j] != 0) out += (h * a[j]) * k[j];
}

/// out = h Σ_{j < count} a_j k_j.
inline void sum_stages(double h, const Tableau::Row& a, int count, const std::vector<Eigen::VectorXd>& k,
                       Eigen::VectorXd& out) {
  out.setZero();
  add_stages(h, a, count, k, out);
}

}  // namespace filum::integrate
