/// Dispatch between the saddle-point methods. Theory: docs/theory/solver.md.
#include "kkt_method.hpp"

#include <stdexcept>
#include <utility>

namespace filum::linalg {

void KktSolver::Method::solve_columns(const MatrixXd& A, MatrixXd& X, int size_rows) {
  const VectorXd none = VectorXd::Zero(size_rows);
  VectorXd x(A.rows()), y(none.size());
  X.resize(A.rows(), A.cols());
  for (Eigen::Index k = 0; k < A.cols(); ++k) {
    solve(A.col(k), none, x, y);
    X.col(k) = x;
  }
}

KktSolver::KktSolver(const BlockPattern& pattern, RowSelection rows)
    : pattern_(&pattern), rows_(std::move(rows)), separable_(make_schur_kkt(pattern, rows_)) {
  active_ = separable_.get();
}
KktSolver::~KktSolver() = default;
KktSolver::KktSolver(KktSolver&&) noexcept = default;
KktSolver& KktSolver::operator=(KktSolver&&) noexcept = default;

FactorReport KktSolver::set_nodes(const NodeMatrix& H, Structure structure) {
  const bool coupled = structure == Structure::coupled;
  if (coupled && !coupled_) coupled_ = make_coupled_kkt(*pattern_, rows_);
  active_ = coupled ? coupled_.get() : separable_.get();
  return active_->set_nodes(H);
}

FactorReport KktSolver::set_rows(const RowMatrix& C, const RowMatrix& G, int blocks) {
  return active_->set_rows(C, G, blocks);
}

void KktSolver::solve(const VectorXd& a, const VectorXd& b, VectorXd& x, VectorXd& y) { active_->solve(a, b, x, y); }
void KktSolver::solve_columns(const MatrixXd& A, MatrixXd& X) { active_->solve_columns(A, X, pattern_->rows()); }

namespace {

constexpr int header = 2;  // number of row blocks, number of values

void save_pivots(KktSolver::Method* method, std::vector<double>& memory) {
  Factor* factor = method ? method->factor() : nullptr;
  const std::span<const double> source = factor ? factor->pivots_chosen_from() : std::span<const double>();
  memory.push_back(source.empty() ? 0 : method->blocks());
  memory.push_back(static_cast<double>(source.size()));
  memory.insert(memory.end(), source.begin(), source.end());
}

/// Takes the numbers of one method from the memory: row blocks, and values to choose pivots from.
std::pair<int, std::span<const double>> take(std::span<const double>& memory, int most_blocks) {
  const auto fits = [](double x, double largest) {
    return x >= 0 && x <= largest && x == static_cast<double>(static_cast<long>(x));
  };
  if (memory.size() < header || !fits(memory[0], most_blocks) ||
      !fits(memory[1], static_cast<double>(memory.size() - header)))
    throw std::invalid_argument("the saved pivots belong to another system");
  const auto count = static_cast<std::size_t>(memory[1]);
  const std::pair taken{static_cast<int>(memory[0]), memory.subspan(header, count)};
  memory = memory.subspan(header + count);
  return taken;
}

void restore_pivots(KktSolver::Method& method, int blocks, std::span<const double> source) {
  if (method.blocks() != blocks) method.prepare(blocks);
  if (!method.factor()) throw std::invalid_argument("the saved pivots belong to another system");
  method.factor()->choose_pivots(source);
}

}  // namespace

void KktSolver::save(std::vector<double>& memory) const {
  save_pivots(separable_.get(), memory);
  save_pivots(coupled_.get(), memory);
}

void KktSolver::restore(std::span<const double>& memory) {
  forget_pivots();
  if (const auto [blocks, source] = take(memory, pattern_->row_blocks()); !source.empty())
    restore_pivots(*separable_, blocks, source);
  if (const auto [blocks, source] = take(memory, pattern_->row_blocks()); !source.empty()) {
    if (!coupled_) coupled_ = make_coupled_kkt(*pattern_, rows_);
    restore_pivots(*coupled_, blocks, source);
  }
}

void KktSolver::forget_pivots() {
  for (Method* method : {separable_.get(), coupled_.get()})
    if (method && method->factor()) method->factor()->forget_pivots();
}

const char* KktSolver::method() const { return active_->name(); }

}  // namespace filum::linalg
