/// Projection of initial values onto the constraints. Theory: docs/theory/mechanics.md, sec. 5.
#include <filum/mechanics/consistent_start.hpp>

#include <Eigen/Cholesky>
#include <Eigen/QR>

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

[[noreturn]] void refuse_redundant(const System& system, const RedundancyReport& redundancy) {
  std::ostringstream text;
  text << "the constraints are redundant: " << system.size_rows() << " equations of rank " << redundancy.rank << "; dependent on others:";
  for (const int row : redundancy.dependent_rows) text << "\n  " << system.row_name(row);
  throw InconsistentStart(text.str());
}

void check_finite(const State& s) {
  if (!s.q.allFinite() || !s.v.allFinite()) throw InconsistentStart("the initial configuration or velocity is not finite");
}

class Projector {
 public:
  Projector(const System& system, State& state, const ConsistencyOptions& options)
      : system_(system), state_(state), options_(options), solver_(system), zero_(VectorXd::Zero(system.size_v())), step_(system.size_v()),
        residual_(VectorXd::Zero(system.size_rows())), y_(system.size_rows()) {}

  void positions(ConsistencyReport& report) {
    system_.constraint(state_.t, state_.q, residual_);
    residual_.tail(system_.size_mu()).setZero();
    std::tie(report.position_off, report.worst_position_row) = worst(residual_);
    report.position_left = report.position_off;
    if (!(report.position_off <= options_.position_limit)) refuse(report.position_off, report.worst_position_row, "position", options_.position_limit);
    for (int k = 0; k < 20 && report.position_left > options_.tolerance; ++k) {
      if (!solver_.factorize(state_.t, state_.q).ok) refuse_redundant(system_, find_redundant_rows(system_, state_.t, state_.q));
      residual_ = -residual_;
      solver_.solve_linear(zero_, residual_, step_, y_);
      system_.space().advance(state_.q, 1, step_, state_.q);
      system_.constraint(state_.t, state_.q, residual_);
      residual_.tail(system_.size_mu()).setZero();
      const double left = worst(residual_).first;
      if (!(left < report.position_left) && k > 2) break;  // rounding level
      report.position_left = left;
    }
    if (!(report.position_left <= 1e-9 * (1 + report.position_off)))
      refuse(report.position_left, worst(residual_).second, "position, after projection", 1e-9);
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
          refuse(off, row, "velocity", options_.velocity_limit * (1 + speed));
      }
      residual_ = -residual_;
      solver_.solve_linear(zero_, residual_, step_, y_);
      state_.v += step_;
    }
    velocity_residual();
    report.velocity_left = worst(residual_).first;
  }

  void accelerations() { solver_.solve(state_); }

 private:
  void velocity_residual() {
    system_.constraint_rate(state_.t, state_.q, residual_);
    solver_.rows().times(state_.v, y_, system_.row_blocks());
    residual_ += y_;
  }

  [[noreturn]] void refuse(double off, int row, const char* level, double limit) const {
    std::ostringstream text;
    text << "the start violates the constraints (" << level << ") by " << off << ", more than " << limit << " which would be repaired silently; worst: "
         << (row >= 0 ? system_.row_name(row) : "none") << ". Correct the initial values, or ask for consistent velocities.";
    throw InconsistentStart(text.str());
  }

  const System& system_;
  State& state_;
  const ConsistencyOptions& options_;
  AccelerationSolver solver_;
  VectorXd zero_, step_, residual_, y_;
};

}  // namespace

RedundancyReport find_redundant_rows(const System& system, double t, const VectorXd& q, double tolerance) {
  RowMatrix C(system.pattern());
  system.constraint_rows(t, q, C);
  NodeMatrix M(system.pattern());
  system.mass(q, M);
  Eigen::MatrixXd A = C.to_dense(system.row_blocks());
  const auto& p = system.pattern();
  for (int i = 0; i < p.nodes(); ++i) {  // columns in the metric of M: A ← A L⁻ᵀ
    const Eigen::LLT<Eigen::MatrixXd> llt(M.block(i, i));
    auto columns = A.middleCols(p.offset(i), p.dim(i));
    columns = llt.matrixL().solve(columns.transpose()).transpose().eval();
  }
  for (Eigen::Index r = 0; r < A.rows(); ++r)
    if (const double length = A.row(r).norm(); length > 0) A.row(r) /= length;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(A.transpose());
  qr.setThreshold(tolerance);
  RedundancyReport report{.rank = static_cast<int>(qr.rank()), .dependent_rows = {}};
  for (Eigen::Index k = qr.rank(); k < A.rows(); ++k) report.dependent_rows.push_back(qr.colsPermutation().indices()[k]);
  std::sort(report.dependent_rows.begin(), report.dependent_rows.end());
  return report;
}

ConsistencyReport make_consistent(const System& system, State& state, const ConsistencyOptions& options) {
  check_finite(state);
  ConsistencyReport report;
  if (system.size_rows() > 0) {
    // Beyond this size the dense factorisation takes seconds; a singular matrix is then found by the projection.
    constexpr int dense_rank_limit = 600;
    if (system.size_rows() <= dense_rank_limit) {
      const RedundancyReport redundancy = find_redundant_rows(system, state.t, state.q);
      if (!redundancy.dependent_rows.empty()) refuse_redundant(system, redundancy);
    }
    Projector projector(system, state, options);
    projector.positions(report);
    projector.velocities(report);
    projector.accelerations();
  } else {
    AccelerationSolver(system).solve(state);
  }
  if (!state.a.allFinite() || !state.lambda.allFinite())
    throw InconsistentStart("accelerations or multipliers at the start are not finite: a force or a constraint is not defined there");
  return report;
}

}  // namespace filum::mechanics
