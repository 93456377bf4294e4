/// Motions that nothing resists. Theory: docs/theory/statics.md, sec. 4.
#pragma once

#include "static_equations.hpp"

namespace filum::analysis {

/// (EQ.8) A basis of all z with K z + Cᵀy = 0 and C z = 0 up to rounding errors, at p; columns of length 1.
Eigen::MatrixXd free_motions(StaticEquations& equations, const StaticPoint& p);

/// (EQ.19) Combinations of free motions that turn several nodes and move none from its place: a round rope between two
/// ball joints rolls about its own axis.
Eigen::MatrixXd rolling_among(const System& system, const VectorXd& weights, const Eigen::MatrixXd& free);
/// Those at p without loads; none when its shape is not in equilibrium without loads.
Eigen::MatrixXd rolling_motions(StaticEquations& equations, const StaticPoint& p);
/// One node for each column of Z that stops it.
std::vector<Anchor> anchors_against(const StaticEquations& equations, Eigen::MatrixXd Z);

}  // namespace filum::analysis
