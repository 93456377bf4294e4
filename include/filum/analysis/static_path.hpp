/// Paths of equilibria over a load factor or over time, their stability and critical points.
/// Theory: docs/theory/statics.md, sec. 5 to 7. User document: docs/guide/statics.md.
#pragma once

#include <filum/analysis/equilibrium.hpp>

#include <functional>
#include <string>
#include <vector>

namespace filum::analysis {

/// load: all loads times a factor from 0 on. time: loads and drives as functions of time, slowly. arc_length: as load,
/// but the factor may fall again where the path turns.
enum class PathKind { load, time, arc_length };

struct PathOptions {
  PathKind kind = PathKind::load;
  double to = 1;         ///< last load factor
  double end = 0;        ///< last time, of paths in time; they begin at the time of the start
  bool critical = true;  ///< locate limit points and bifurcations
  int branch = 0;  ///< the bifurcation, from 1 on, where the path leaves along the critical mode; −1: against it
  int max_steps = 1000;                      ///< accepted ones
  double max_step = 0.5;                     ///< largest motion of a step: radians, or sizes of the model
  double tolerance = 1e-10, regularize = 0;  ///< as EquilibriumOptions
  int max_iterations = 30;
  bool relax = true;
};

/// limit_point: the factor has an extreme value. bifurcation: another path crosses.
enum class CriticalKind { limit_point, bifurcation };

struct CriticalPoint {
  CriticalKind kind = CriticalKind::bifurcation;
  double factor = 0;
  State state;
  VectorXd mode;                                ///< derivative vector of the motion that is not resisted, length 1
  int negative_before = 0, negative_after = 0;  ///< directions
  double path_length = 0;                       ///< sum of PathPoint::step_size up to there
};

struct PathPoint {
  const State& x;
  double factor;
  /// (EQ.14) Number of independent directions that the constraints allow and that lower the energy; 0: stable.
  int negative_directions;
  int iterations;    ///< of Newton, since the point before
  double step_size;  ///< arc length of the step
};
/// Sees every accepted point; false ends the path.
using PathObserver = std::function<bool(const PathPoint&)>;

enum class PathOutcome {
  done,
  free_motion,     ///< as EquilibriumOutcome
  not_found,       ///< no equilibrium to begin with
  stopped,         ///< the path cannot be continued
  too_many_steps,  ///< max_steps
  interrupted      ///< by the observer
};

struct StaticPath {
  PathOutcome outcome = PathOutcome::done;
  std::string message;               ///< why it ended before its end, and what to try
  std::vector<std::string> remarks;  ///< what else a reader should know: jumps, loads that are not conservative
  int steps = 0, rejected = 0, iterations = 0;
  State state;  ///< the last point
  double factor = 0;
  int negative_directions = 0;
  bool is_conservative = true;  ///< K was symmetric everywhere
  std::vector<CriticalPoint> critical;
  Eigen::MatrixXd free_motions, held_motions;  ///< as Equilibrium's

  bool is_done() const { return outcome == PathOutcome::done; }
};

/// Numerical failure is an outcome: everything up to there has been seen by the observer.
StaticPath follow_path(const System& system, const State& start, const RowSelection& rows = {},
                       const PathOptions& options = {}, const PathObserver& observer = {});

}  // namespace filum::analysis
