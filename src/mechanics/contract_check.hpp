/// Does every part do what it announced, and nothing else? Asked once, when a system is built.
/// Theory: docs/theory/mechanics.md, sec. 3.
#pragma once

#include "ledger.hpp"

#include <filum/mechanics/system.hpp>

#include <string>
#include <vector>

namespace filum::mechanics {

/// Evaluates all parts at the start into vectors and matrices that are marked beforehand: marks must be gone where
/// something was announced and be there everywhere else. Results that are not numbers are no mistake.
class ContractCheck {
 public:
  ContractCheck(const System& system, const std::vector<Declaration::Ledger>& ledgers, const State& start);
  /// Throws std::logic_error that names the part, what it did, and where.
  void run();

 private:
  using Ledger = Declaration::Ledger;

  void check_all(bool one_by_one);
  void check_forces(const Ledger& ledger);
  void check_force_derivatives(const Ledger& ledger);
  void check_constraints(const Ledger& ledger);
  void check_rows(const Ledger& ledger);
  void check_constraint_derivatives(const Ledger& ledger);
  /// True when something outside of what was announced has been touched.
  bool is_dirty() const;
  [[noreturn]] void blame(const Ledger& ledger) const;
  [[noreturn]] void refuse(const Ledger& ledger, const std::string& what) const;
  std::string node_name(int node) const;
  void clear_nodes(const Ledger& ledger, VectorXd& x) const;
  void clear_blocks(const Ledger& ledger, bool forces);

  const System& system_;
  const BlockPattern& p_;
  const std::vector<Ledger>& ledgers_;
  const State& x_;
  const double later_;  ///< a little later only: functions of time need not reach far
  VectorXd other_v_, f_, f_other_, rows_, rows_other_, ones_;
  NodeMatrix H_;
  RowMatrix C_, C_other_;
};

}  // namespace filum::mechanics
