/// Projection of initial values onto the constraints. Theory: docs/theory/mechanics.md, sec. 5.
#include <filum/linalg/dense_decompositions.hpp>
#include <filum/mechanics/consistent_start.hpp>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace filum::mechanics {
namespace {

/// Largest absolute entry and where it is; NaN counts as largest.
std::pair<double, int> worst(const VectorXd& x) {
  double size = 0;
  int row = -1;
  for (Eigen::Index i = 0; i < x.size(); ++i)
    if (!(std::abs(x[i]) <= size)) size = std::abs(x[i]), row = static_cast<int>(i);
  return {size, row};
}

std::string listed(const System& system, const std::vector<int>& rows) {
  constexpr std::size_t most = 20;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, rows.size()); ++i) text += "\n  " + system.row_name(rows[i]);
  if (rows.size() > most) text += "\n  and " + std::to_string(rows.size() - most) + " more";
  return text;
}

void check_finite(const State& s) {
  if (!s.q.allFinite() || !s.v.allFinite())
    throw InconsistentStart("the initial configuration or velocity is not finite");
}

class Projector {
 public:
  Projector(const System& system, const RowSelection& rows, State& state, const ConsistencyOptions& options)
      : system_(system),
        rows_(rows),
        state_(state),
        options_(options),
        solver_(system, rows),
        zero_(VectorXd::Zero(system.size_v())),
        step_(system.size_v()),
        residual_(VectorXd::Zero(system.size_rows())),
        y_(system.size_rows()) {}

  void positions(ConsistencyReport& report) {
    position_residual();
    std::tie(report.position_off, report.worst_position_row) = worst(residual_);
    report.position_left = report.position_off;
    if (!(report.position_off <= options_.position_limit))
      refuse(report.position_off, report.worst_position_row, "positions violate", options_.position_limit);
    for (int k = 0; k < 20 && report.position_left > options_.tolerance; ++k) {
      if (!solver_.factorize(state_.t, state_.q).ok)
        throw InconsistentStart("the matrix of the constraints is singular at the start");
      residual_ = -residual_;
      solver_.solve_linear(zero_, residual_, step_, y_);
      system_.space().advance(state_.q, 1, step_, state_.q);
      position_residual();
      const double left = worst(residual_).first;
      if (!(left < report.position_left) && k > 2) break;  // rounding level
      report.position_left = left;
    }
    if (!(report.position_left <= 1e-9 * (1 + report.position_off)))
      refuse(report.position_left, worst(residual_).second, "positions, corrected as far as possible, violate", 1e-9);
  }

  void velocities(ConsistencyReport& report) {
    const double speed = state_.v.size() > 0 ? state_.v.cwiseAbs().maxCoeff() : 0.0;
    for (int k = 0; k < 2; ++k) {  // the second pass removes the rounding errors of the first
      solver_.factorize(state_.t, state_.q);
      velocity_residual();
      const auto [off, row] = worst(residual_);
      if (k == 0) {
        report.velocity_off = off;
        report.worst_velocity_row = row;
        if (!options_.repair_velocity_fully && !(off <= options_.velocity_limit * (1 + speed)))
          refuse(off, row, "velocities violate", options_.velocity_limit * (1 + speed), "; try: consistent velocities");
      }
      residual_ = -residual_;
      solver_.solve_linear(zero_, residual_, step_, y_);
      state_.v += step_;
    }
    velocity_residual();
    report.velocity_left = worst(residual_).first;
  }

  void accelerations() {
    if (solver_.solve(state_).ok) return;
    throw InconsistentStart(system_.has_singular_mass()
                                ? "no accelerations at the start: some node has no inertia in some direction; give it "
                                  "mass and rotational inertia"
                                : "no accelerations at the start: the matrix of the constraints is singular");
  }

 private:
  void position_residual() {
    system_.constraint(state_.t, state_.q, residual_);
    residual_.tail(system_.size_mu()).setZero();
    rows_.clear_inactive(residual_);
  }

  void velocity_residual() {
    system_.constraint_rate(state_.t, state_.q, residual_);
    solver_.rows().times(state_.v, y_, system_.row_blocks());
    residual_ += y_;
    rows_.clear_inactive(residual_);
  }

  [[noreturn]] void refuse(double off, int row, const char* what, double limit, const char* advice = "") const {
    std::ostringstream text;
    text.precision(3);
    text << "the initial " << what << " a constraint by " << off;
    if (row >= 0) text << " (" << system_.row_name(row) << ")";
    text << "; up to " << limit << " is corrected automatically" << advice;
    throw InconsistentStart(text.str());
  }

  const System& system_;
  const RowSelection& rows_;
  State& state_;
  const ConsistencyOptions& options_;
  AccelerationSolver solver_;
  VectorXd zero_, step_, residual_, y_;
};

/// Finds dependent rows, to be left out. Where the position is off, rows that will depend on each other after its
/// repair are only nearly dependent before.
class RedundancyRemoval {
 public:
  RedundancyRemoval(const System& system, State& state, const ConsistencyOptions& options)
      : system_(system), state_(state), options_(options), rank_(system) {}

  void run(ConsistencyReport& report) {
    report.rows = drop(std::max(strict, 10 * misfit()));
    project(report.rows, report);
    if (report.rows.is_all()) return;
    if (RowSelection rows = drop(strict); rows != report.rows) {
      ConsistencyReport again;
      project(rows, again);
      report.position_left = again.position_left;
      report.rows = std::move(rows);
    }
    if (report.rows.is_all()) return;
    check_contradictions(report.rows);
    check_neighbourhood(report.rows);
  }

  /// Dropped rows may agree in position and not in velocity: two drives of one coordinate.
  void check_velocities(const RowSelection& rows) {
    if (rows.is_all()) return;
    VectorXd residual(system_.size_rows()), rate(system_.size_rows());
    RowMatrix C(system_.pattern());
    system_.constraint_jacobian(state_.t, state_.q, C);
    C.times(state_.v, residual, system_.row_blocks());
    system_.constraint_rate(state_.t, state_.q, rate);
    const auto [off, row] = worst(residual + rate);
    if (off <= 1e-8 * (1 + state_.v.cwiseAbs().maxCoeff())) return;
    std::ostringstream text;
    text << "the constraints contradict each other: when all others hold, " << system_.row_name(row)
         << " is violated at the rate " << off << ". Check the drives of the closed loop it belongs to.";
    throw InconsistentStart(text.str());
  }

 private:
  static constexpr double strict = 1e-8;

  double misfit() const {
    VectorXd phi = VectorXd::Zero(system_.size_rows());
    system_.constraint(state_.t, state_.q, phi);
    return std::min(worst(phi.head(system_.size_lambda())).first, 1e-4);
  }

  RowSelection drop(double tolerance) {
    return RowSelection(rank_.analyse(state_.t, state_.q, tolerance).dependent_rows);
  }

  void project(const RowSelection& rows, ConsistencyReport& report) {
    Projector(system_, rows, state_, options_).positions(report);
  }

  /// Φ of the rows left out: should be 0 without being enforced.
  VectorXd left_out(const RowSelection& rows, const VectorXd& q) const {
    VectorXd phi = VectorXd::Zero(system_.size_rows());
    system_.constraint(state_.t, q, phi);
    VectorXd residual(static_cast<Eigen::Index>(rows.inactive().size()));
    for (Eigen::Index k = 0; k < residual.size(); ++k) residual[k] = phi[rows.inactive()[k]];
    return residual;
  }

  void check_contradictions(const RowSelection& rows) const {
    const auto [off, k] = worst(left_out(rows, state_.q));
    if (off <= 1e-8) return;
    std::ostringstream text;
    text << "the constraints contradict each other: when all others hold, " << system_.row_name(rows.inactive()[k])
         << " is off by " << off << ". Check lengths and axes of the closed loop it belongs to.";
    throw InconsistentStart(text.str());
  }

  // (M.17) Motions that the other rows allow must keep the dropped ones; otherwise they are needed elsewhere.
  void check_neighbourhood(const RowSelection& rows) {
    AccelerationSolver solver(system_, rows);
    if (!solver.factorize(state_.t, state_.q).ok) return;
    for (int trial = 1; trial <= 4; ++trial) {
      const auto [off, k] = worst(residual_after_motion(rows, solver, trial));
      if (k < 0 || off <= 1e-9 * row_size(rows.inactive()[k])) continue;
      throw InconsistentStart(
          "the mechanism starts in a singular configuration: these equations depend on others here, but not nearby:" +
          listed(system_, rows.inactive()) + "\nStart from another configuration.");
    }
  }

  /// Φ of the dropped rows after a move of size 0.05 along the others, in some direction. Zero where nothing can move.
  VectorXd residual_after_motion(const RowSelection& rows, AccelerationSolver& solver, int trial) const {
    constexpr double step = 0.05;
    VectorXd push(system_.size_v()), move(system_.size_v()), none = VectorXd::Zero(system_.size_rows()), y = none;
    for (Eigen::Index i = 0; i < push.size(); ++i)
      push[i] = std::sin(trial + 3.7 * trial * static_cast<double>(i));  // any direction will do
    solver.solve_linear(push, none, move, y);
    const double size = move.cwiseAbs().maxCoeff();
    const VectorXd unmoved = VectorXd::Zero(static_cast<Eigen::Index>(rows.inactive().size()));
    if (!(size > 1e-9 * push.cwiseAbs().maxCoeff())) return unmoved;
    State near = state_;
    system_.space().advance(state_.q, step / size, move, near.q);
    ConsistencyReport ignored;
    try {
      Projector(system_, rows, near, {.position_limit = 1e300}).positions(ignored);
    } catch (const InconsistentStart&) {
      return unmoved;  // the motion leads out of reach: nothing is known
    }
    return left_out(rows, near.q);
  }

  /// Largest entry of a row of C.
  double row_size(int row) {
    RowMatrix C(system_.pattern());
    system_.constraint_jacobian(state_.t, state_.q, C);
    const auto& p = system_.pattern();
    const linalg::RowBlock& b = p.row_block(p.block_of_row(row));
    double size = 0;
    for (const linalg::NodeRef& ref : p.refs(b))
      for (int c = 0; c < p.dim(ref.node); ++c)
        size = std::max(size, std::abs(C.data()[ref.value_offset + (row - b.first_row) + c * b.rows]));
    return size;
  }

  const System& system_;
  State& state_;
  const ConsistencyOptions& options_;
  ConstraintRank rank_;
};

}  // namespace

ConsistencyReport make_consistent(const System& system, State& state, const ConsistencyOptions& options) {
  if (state.q.size() != system.size_q() || state.v.size() != system.size_v())
    throw std::invalid_argument("the start belongs to another system");
  state.a.setZero(system.size_v());
  state.lambda.setZero(system.size_rows());
  check_finite(state);
  ConsistencyReport report;
  if (system.size_rows() > 0) {
    RedundancyRemoval redundancy(system, state, options);
    redundancy.run(report);
    Projector projector(system, report.rows, state, options);
    projector.velocities(report);
    redundancy.check_velocities(report.rows);
    projector.accelerations();
  } else {
    Projector(system, report.rows, state, options).accelerations();
  }
  if (!state.a.allFinite() || !state.lambda.allFinite())
    throw InconsistentStart(
        "accelerations or multipliers at the start are not finite: a force or a constraint is not defined there");
  return report;
}

VectorXd minimum_norm_multipliers(const System& system, const State& x, const RowSelection& rows) {
  if (rows.is_all()) return x.lambda;
  RowMatrix C(system.pattern());
  system.constraint_jacobian(x.t, x.q, C);
  const Eigen::MatrixXd dense = C.to_dense(system.row_blocks());
  return linalg::LeastNorm(dense.transpose(), 1e-10).solve(dense.transpose() * x.lambda);
}

}  // namespace filum::mechanics
