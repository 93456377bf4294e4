/// Motions of a whole system as one rigid body, and which of them nothing resists. Theory: docs/theory/modes.md,
/// sec. 4.
#pragma once

#include <filum/analysis/linearization.hpp>

#include <array>
#include <string>
#include <vector>

namespace filum::analysis {

/// A motion that no force and no constraint resists, as a displacement ζ of a linearisation.
struct FreeMotion {
  std::string name;
  VectorXd direction;  ///< |ζ|_M = 1
};

/// δq of the translations along and the rotations about the axes of space through `about`: one column each.
Eigen::Matrix<double, Eigen::Dynamic, 6> rigid_motions(const System& system, const VectorXd& q,
                                                       const Eigen::Vector3d& about);

/// The same, zero where some node cannot follow, because its group does not know the motion.
Eigen::Matrix<double, Eigen::Dynamic, 6> known_rigid_motions(const System& system, const VectorXd& q,
                                                             const Eigen::Vector3d& about);

/// Centre of mass of all nodes that describe rigid motions or points.
Eigen::Vector3d center_of_mass(const System& system, const VectorXd& q);

/// (MO.16) A basis, orthogonal in the metric of M, of the rigid motions of the whole system that nothing resists.
std::vector<FreeMotion> free_rigid_motions(const Linearization& lin);

}  // namespace filum::analysis
