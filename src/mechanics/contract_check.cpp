/// Marks and how to read them. Theory: docs/theory/mechanics.md, sec. 3.
#include "contract_check.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <stdexcept>

namespace filum::mechanics {
namespace {

/// A quiet NaN that no computation makes: an entry that still has it was not written, or was added to instead of
/// written.
constexpr std::uint64_t mark_bits = 0x7ff8f11ad0c0ffeeULL;
const double mark = std::bit_cast<double>(mark_bits);
bool is_marked(double x) { return (std::bit_cast<std::uint64_t>(x) | 1ULL << 63) == (mark_bits | 1ULL << 63); }

bool differ(double a, double b) { return a != b && !std::isnan(a) && !std::isnan(b); }

}  // namespace

ContractCheck::ContractCheck(const System& system, const std::vector<Ledger>& ledgers, const State& start)
    : system_(system),
      p_(system.pattern()),
      ledgers_(ledgers),
      x_(start),
      later_(start.t + 1e-3 * (1 + std::abs(start.t))),
      other_v_(start.v),
      f_(VectorXd::Zero(system.size_v())),
      f_other_(f_),
      rows_(VectorXd::Constant(system.size_rows(), mark)),
      rows_other_(rows_),
      ones_(VectorXd::Ones(system.size_rows())),
      H_(p_),
      C_(p_),
      C_other_(p_) {
  for (Eigen::Index i = 0; i < other_v_.size(); ++i)
    other_v_[i] += 0.1 + 0.37 * std::sin(1.0 + 2.3 * static_cast<double>(i));
  C_.values().setConstant(mark);
  C_other_.values().setConstant(mark);
}

// All parts together first; only when something is wrong are they looked at one by one.
void ContractCheck::run() {
  check_all(false);
  if (is_dirty()) ContractCheck(system_, ledgers_, x_).check_all(true);
}

void ContractCheck::check_all(bool one_by_one) {
  for (const Ledger& ledger : ledgers_) {
    if (ledger.has(true)) {
      check_forces(ledger);
      if (!ledger.is_differenced(true)) check_force_derivatives(ledger);
    }
    if (ledger.has(false)) {
      check_constraints(ledger);
      check_rows(ledger);
      if (!ledger.is_differenced(false)) check_constraint_derivatives(ledger);
    }
    if (one_by_one && is_dirty()) blame(ledger);
  }
}

void ContractCheck::check_forces(const Ledger& ledger) {
  const Part& part = ledger.part();
  part.add_forces(x_.t, x_.q, x_.v, f_);
  part.add_forces(x_.t, x_.q, other_v_, f_other_);
  for (const auto& e : ledger.entries())  // where velocity was announced any change is fine
    if (e.is_force && e.varies)
      for (const int i : ledger.nodes(e))
        f_.segment(p_.offset(i), p_.dim(i)).setZero(), f_other_.segment(p_.offset(i), p_.dim(i)).setZero();
  for (const auto& e : ledger.entries())
    if (e.is_force && !e.varies)
      for (const int i : ledger.nodes(e))
        for (int c = p_.offset(i); c < p_.offset(i) + p_.dim(i); ++c)
          if (differ(f_[c], f_other_[c]))
            refuse(ledger,
                   "its forces on " + node_name(i) + " change with the velocity; announce them with .velocity = true");
  clear_nodes(ledger, f_);
  clear_nodes(ledger, f_other_);
}

void ContractCheck::check_force_derivatives(const Ledger& ledger) {
  ledger.part().add_force_derivatives(x_.t, x_.q, other_v_, 1, 1, H_);
  clear_blocks(ledger, true);
}

void ContractCheck::check_constraint_derivatives(const Ledger& ledger) {
  ledger.part().add_constraint_force_derivatives(x_.t, x_.q, ones_, 1, H_);
  clear_blocks(ledger, false);
}

// Φ and its rate, then the curvature, in the same marked vector.
void ContractCheck::check_constraints(const Ledger& ledger) {
  const Part& part = ledger.part();
  const auto each_row = [&](auto&& f) {
    int number = 0;
    for (const auto& e : ledger.entries()) {
      if (e.is_force) continue;
      const int first = p_.row_block(e.row_block).first_row;
      for (int r = first; r < first + e.rows; ++r) f(e, r, number, r - first);
      ++number;
    }
  };
  const auto check_written = [&](const VectorXd& x, const char* function, auto&& is_expected) {
    each_row([&](const Ledger::Entry& e, int row, int number, int k) {
      if (is_marked(x[row]) && is_expected(e))
        refuse(ledger, std::string(function) + " does not write the row \"" + part.row_name(number, k) + "\"");
    });
  };
  const auto mark_again = [&](VectorXd& x) {
    each_row([&](const Ledger::Entry&, int row, int, int) { x[row] = mark; });
  };
  const auto is_holonomic = [](const Ledger::Entry& e) { return e.kind == ConstraintKind::holonomic; };

  if (ledger.any(false, is_holonomic)) {
    part.constraint(x_.t, x_.q, rows_);
    check_written(rows_, "constraint", is_holonomic);
    part.constraint(later_, x_.q, rows_other_);
    each_row([&](const Ledger::Entry& e, int row, int number, int k) {
      if (!e.varies && differ(rows_[row], rows_other_[row]))
        refuse(ledger,
               "the equation \"" + part.row_name(number, k) + "\" changes with time; announce it with .time = true");
    });
    mark_again(rows_), mark_again(rows_other_);
  }
  if (ledger.varies(false)) {
    part.constraint_rate(x_.t, x_.q, rows_);
    check_written(rows_, "constraint_rate", [](const Ledger::Entry& e) { return e.varies; });
    mark_again(rows_);
  }
  part.curvature(x_.t, x_.q, other_v_, rows_);
  check_written(rows_, "curvature", [](const Ledger::Entry&) { return true; });
  mark_again(rows_);
}

void ContractCheck::check_rows(const Ledger& ledger) {
  const Part& part = ledger.part();
  part.constraint_jacobian(x_.t, x_.q, C_);
  part.constraint_jacobian(later_, x_.q, C_other_);
  int number = 0;
  for (const auto& e : ledger.entries()) {
    if (e.is_force) continue;
    const linalg::RowBlock& b = p_.row_block(e.row_block);
    for (const linalg::NodeRef& ref : p_.refs(b))
      for (int k = 0; k < b.rows * p_.dim(ref.node); ++k) {
        double &value = C_.data()[ref.value_offset + k], &later = C_other_.data()[ref.value_offset + k];
        if (is_marked(value))
          refuse(ledger, "constraint_jacobian does not write all columns of " + node_name(ref.node) + " in the row \"" +
                             part.row_name(number, k % b.rows) + "\"");
        if (!e.varies && differ(value, later))
          refuse(ledger, "the row \"" + part.row_name(number, k % b.rows) +
                             "\" of C changes with time; announce it with .time = true");
        value = later = mark;
      }
    ++number;
  }
}

void ContractCheck::clear_nodes(const Ledger& ledger, VectorXd& x) const {
  for (const auto& e : ledger.entries())
    if (e.is_force)
      for (const int i : ledger.nodes(e)) x.segment(p_.offset(i), p_.dim(i)).setZero();
}

void ContractCheck::clear_blocks(const Ledger& ledger, bool forces) {
  for (const auto& e : ledger.entries())
    if (e.is_force == forces)
      for (const int i : ledger.nodes(e))
        for (const int j : ledger.nodes(e)) H_.block(i, j).setZero();
}

bool ContractCheck::is_dirty() const {
  const auto touched = [](const VectorXd& x) {
    for (const double value : x)
      if (!is_marked(value)) return true;
    return false;
  };
  return !(f_.array() == 0).all() || !(f_other_.array() == 0).all() || !(H_.values().array() == 0).all() ||
         touched(rows_) || touched(rows_other_) || touched(C_.values()) || touched(C_other_.values());
}

void ContractCheck::blame(const Ledger& ledger) const {
  for (int i = 0; i < p_.nodes(); ++i)
    if (!(f_.segment(p_.offset(i), p_.dim(i)).array() == 0).all() ||
        !(f_other_.segment(p_.offset(i), p_.dim(i)).array() == 0).all())
      refuse(ledger, "it has forces on " + node_name(i) + " that it did not announce");
  for (int i = 0; i < p_.nodes(); ++i) {
    if (!(H_.block(i, i).array() == 0).all())
      refuse(ledger, "it has derivatives at " + node_name(i) + " that it did not announce");
    for (const int j : p_.upper_neighbours(i))
      if (!(H_.block(i, j).array() == 0).all() || !(H_.block(j, i).array() == 0).all())
        refuse(ledger, "it has derivatives between " + node_name(i) + " and " + node_name(j) +
                           " that it did not announce together");
  }
  for (int r = 0; r < p_.rows(); ++r)
    if (!is_marked(rows_[r]) || !is_marked(rows_other_[r]))
      refuse(ledger,
             "it writes to row " + std::to_string(r) + " (" + system_.row_name(r) + "), which it did not announce");
  refuse(ledger, "it writes to columns of C that it did not announce");
}

void ContractCheck::refuse(const Ledger& ledger, const std::string& what) const {
  throw std::logic_error("part " + ledger.part().name() + " does not keep to its announcements: " + what);
}

std::string ContractCheck::node_name(int node) const {
  return "node " + std::to_string(node) + " (" + std::string(lie::name(system_.space().group(node))) + ")";
}

}  // namespace filum::mechanics
