/// Decisions inside forces and drives: where a law goes on with another branch. Theory: docs/theory/events.md.
#pragma once

#include <Eigen/Core>

#include <algorithm>
#include <limits>
#include <vector>

namespace filum::mechanics {

/// What a part decides by: nothing, the time alone, or the motion as well.
enum class Switching { none, of_time, of_motion };

/// (EV.1) One decision: a quantity, and the interval low ≤ value < high within which everything stays smooth.
struct Switch {
  double value = 0;
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  bool jumps = true;  ///< false: at the ends of the interval only derivatives jump

  bool holds(double x) const { return x >= low && x < high; }
  /// Distance of x to the nearer end, negative outside.
  double margin(double x) const { return std::min(x - low, high - x); }
};

/// The decisions of one evaluation, law by law. Those of a law come in the order in which they are taken: up to the
/// first one that differs, two evaluations of a law list the same decisions.
class SwitchList {
 public:
  struct Entry : Switch {
    int law = 0;
  };

  void clear() {
    entries_.clear();
    laws_ = 0;
  }
  /// What is added from now on belongs to another law: a formula, a contact pair.
  void begin_law() { ++laws_; }
  void add(const Switch& decision) { entries_.push_back({decision, laws_}); }
  const std::vector<Entry>& entries() const { return entries_; }
  int laws() const { return laws_; }

 private:
  std::vector<Entry> entries_;
  int laws_ = 0;
};

/// Beside Part, for parts whose forces or constraints take branches.
class SwitchingPart {
 public:
  virtual ~SwitchingPart() = default;
  /// What the branches depend on; known when the system is built.
  virtual Switching switching() const = 0;
  /// The decisions that an evaluation at (t, q, v) takes, always of the same laws. Those of a part that switches with
  /// time alone depend on t only.
  virtual void add_switches(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, SwitchList& out) const = 0;
};

}  // namespace filum::mechanics
