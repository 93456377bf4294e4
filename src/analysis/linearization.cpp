/// Small motions about a state. Theory: docs/theory/modes.md, sec. 1 and 2.
#include "moving_axes.hpp"

#include <filum/analysis/linearization.hpp>
#include <filum/mechanics/acceleration_solver.hpp>

#include <sstream>

namespace filum::analysis {
namespace {

constexpr double balanced = 1e-6;  // share of the forces that may be left in an equilibrium
constexpr double steady = 1e-4;    // change per radian; differences pretend 1e-6

/// |M a| against the forces that make it.
double imbalance_of(const System& s, const State& x) {
  VectorXd f(s.size_v()), Ma(s.size_v()), reaction = VectorXd::Zero(s.size_v());
  s.forces(x.t, x.q, x.v, f);
  s.mass_times(x.q, x.a, Ma);
  RowMatrix C(s.pattern());
  s.constraint_jacobian(x.t, x.q, C);
  C.add_transpose_times(x.lambda, 1, reaction, s.row_blocks());
  const double scale = f.lpNorm<Eigen::Infinity>() + reaction.lpNorm<Eigen::Infinity>();
  return scale > 0 ? Ma.lpNorm<Eigen::Infinity>() / scale : 0;
}

Linearization at_rest(const System& s, State x, const RowSelection& rows) {
  x.a.setZero();
  mechanics::LinearizedBlocks b = mechanics::linearized_blocks(s, x);
  SparseMatrix identity(s.size_v(), s.size_v()), none(s.size_v(), s.size_v());
  identity.setIdentity();
  return {.system = &s,
          .x = std::move(x),
          .rows = rows,
          .M = std::move(b.M),
          .D = std::move(b.D),
          .K = std::move(b.K),
          .C = std::move(b.C),
          .R = RowMatrix(s.pattern()),
          .Y = identity,
          .V = none,
          .A1 = none,
          .A0 = none};
}

}  // namespace

std::string Linearization::remark() const {
  std::ostringstream out;
  out.precision(3);
  if (situation == Situation::steady_motion)
    out << "small motions about a steady motion, in axes of "
        << (axes == Axes::space ? "space" : "the moving bodies: frequencies are those that a body observes");
  else if (situation == Situation::instant && x.v.isZero(0))
    out << "the state is not an equilibrium (" << 100 * imbalance
        << " % of the forces are not balanced): the eigenvalues describe the instant t = " << x.t
        << ". Try: --at static";
  else if (situation == Situation::instant)
    out << "the motion is not steady (coefficients change by " << 100 * unsteadiness
        << " % per radian): the eigenvalues describe the instant t = " << x.t;
  return out.str();
}

Linearization linearize_about(const System& system, const State& x, const RowSelection& rows,
                              std::optional<Axes> axes) {
  const bool rests = x.v.isZero(0);
  const double imbalance = rests ? imbalance_of(system, x) : 0;
  if (rests && imbalance <= balanced) {
    Linearization lin = at_rest(system, x, rows);
    lin.imbalance = imbalance;
    return lin;
  }
  const auto make = [&](Axes chosen) {
    Linearization lin = moving_linearization(system, x, rows, chosen);
    lin.imbalance = imbalance;
    lin.unsteadiness = rests ? 0 : unsteadiness(lin);
    lin.situation = !rests && lin.unsteadiness < steady ? Situation::steady_motion : Situation::instant;
    return lin;
  };
  if (axes) return make(*axes);
  Linearization in_space = make(Axes::space);
  if (rests || in_space.situation == Situation::steady_motion) return in_space;
  Linearization in_bodies = make(Axes::body);
  return in_bodies.situation == Situation::steady_motion ? in_bodies : in_space;
}

}  // namespace filum::analysis
