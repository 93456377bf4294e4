/// Inputs, outputs, and what lies between them: matrices, state space, frequency response. Theory:
/// docs/theory/modes.md, sec. 6. User document: docs/guide/modes.md.
#pragma once

#include <filum/analysis/linearization.hpp>

#include <functional>
#include <string>
#include <vector>

namespace filum::analysis {

/// (MO.24) δy = by_q δq + by_v δv + by_a δv̇ + by_lambda δλ.
struct OutputMap {
  SparseMatrix by_q, by_v, by_a, by_lambda;
};

/// Derivatives of numbers read off a state, by central differences on the manifold.
OutputMap differentiate_outputs(const System& system, const State& x, int size,
                                const std::function<void(const State& x, double* out)>& read);

/// Forces in, readings out.
struct LinearModel {
  Linearization lin;
  Eigen::MatrixXd forces;  ///< on v, a column per input
  OutputMap outputs;
  std::vector<std::string> input_names, output_names;
};

/// (MO.25) ẋ = A x + B u, y = C x + D u with minimal coordinates x = (y, w) of (MO.23).
struct StateSpace {
  Eigen::MatrixXd A, B, C, D;
};

/// Dense: for some thousand velocities at most. Throws NoModes when the mass matrix is singular where it matters.
StateSpace state_space(const LinearModel& model);

/// (MO.26) Outputs by inputs that vary with exp(iωt): a matrix per ω. Throws NoModes at an ω where an undamped system
/// resonates.
std::vector<Eigen::MatrixXcd> frequency_response(const LinearModel& model, const std::vector<double>& omegas);

}  // namespace filum::analysis
