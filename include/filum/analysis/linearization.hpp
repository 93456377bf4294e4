/// Small motions about a state: equations with constant coefficients, restricted to what the constraints allow.
/// Theory: docs/theory/modes.md, sec. 1 and 2.
#pragma once

#include <filum/linalg/row_selection.hpp>
#include <filum/mechanics/linearize.hpp>
#include <filum/mechanics/state.hpp>

#include <complex>
#include <optional>
#include <string>

namespace filum::analysis {

using linalg::NodeMatrix;
using linalg::RowMatrix;
using linalg::RowSelection;
using linalg::SparseMatrix;
using mechanics::State;
using mechanics::System;
using mechanics::VectorXd;

/// What a state is: at rest with all forces in balance; a motion that looks the same at all times; anything else, and
/// then the coefficients are those of an instant.
enum class Situation { equilibrium, steady_motion, instant };

/// Axes in which small displacements of a moving node are measured. At rest both give the same.
enum class Axes { body, space };

/// (MO.1) M ζ̈ + D ζ̇ + K ζ + Cᵀ δλ = 0 with C ζ = 0 on the holonomic rows and C ζ̇ + R ζ = 0 on the others. At rest ζ =
/// δq, along q ∘ exp(δq); in motion δq = Y ζ with a rotation Y for each node. The system must
/// outlive it.
struct Linearization {
  const System* system;
  State x;
  RowSelection rows;  ///< active ones
  Situation situation = Situation::equilibrium;
  Axes axes = Axes::space;
  double imbalance = 0;     ///< at rest: the force that is left, relative to the forces
  double unsteadiness = 0;  ///< in motion: change of the coefficients per radian, relative
  NodeMatrix M, D, K;
  RowMatrix C, R;
  /// δq = Y ζ, δv = Y ζ̇ + V ζ, δv̇ = Y ζ̈ + A1 ζ̇ + A0 ζ; at rest Y is the identity and the others are zero.
  SparseMatrix Y, V, A1, A0;

  int size() const { return system->size_v(); }
  /// One sentence about the situation; nothing for an equilibrium.
  std::string remark() const;
};

/// About a complete state: x.a and x.lambda belong to it. Without axes given, those are taken in which the coefficients
/// do not change; where both will do, those of space, so that frequencies are those seen by an observer at rest.
Linearization linearize_about(const System& system, const State& x, const RowSelection& rows = {},
                              std::optional<Axes> axes = std::nullopt);

}  // namespace filum::analysis
