/// The mass matrix where a method needs it: one for all configurations where it does not vary.
/// Theory: docs/theory/mechanics.md, sec. 2.
#pragma once

#include <filum/mechanics/system.hpp>

#include <optional>

namespace filum::mechanics {

/// Takes memory only where M depends on q; otherwise every configuration has the system's own.
class MassMatrix {
 public:
  explicit MassMatrix(const System& system) : system_(system), current_(&system.constant_mass()) {
    if (!system.has_varying_mass()) return;
    current_ = &own_.emplace(system.pattern(), linalg::Structure::separable);
    system.mass(system.space().identity(), *own_);
  }
  MassMatrix(const MassMatrix&) = delete;
  MassMatrix& operator=(const MassMatrix&) = delete;

  bool varies() const { return own_.has_value(); }
  /// M(q), which is `current` from then on.
  const NodeMatrix& at(const VectorXd& q) {
    if (own_) system_.mass(q, *own_);
    return *current_;
  }
  const NodeMatrix& current() const { return *current_; }

 private:
  const System& system_;
  std::optional<NodeMatrix> own_;
  const NodeMatrix* current_;
};

}  // namespace filum::mechanics
