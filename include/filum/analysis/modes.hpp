/// Eigenvalues and mode shapes of small motions. Theory: docs/theory/modes.md. User document: docs/guide/modes.md.
#pragma once

#include <filum/analysis/linearization.hpp>

#include <complex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace filum::analysis {

/// rigid: no force holds it, s = 0. unstable: it grows.
enum class ModeKind { rigid, vibration, unstable };

/// "rigid", "vibration", "unstable".
std::string_view name(ModeKind kind);

/// A solution ζ(t) = Re(shape exp(s t)); of a complex pair the one with Im s > 0.
struct Mode {
  std::complex<double> s = 0;
  ModeKind kind = ModeKind::vibration;
  std::string name = {};  ///< of rigid ones: "translation along x", "rotation about (0, 0.6, 0.8)", "free motion 1"
  Eigen::VectorXcd shape = {};  ///< δq along q ∘ exp(δq), with |ζ|_M = 1, (MO.20)

  double omega() const { return std::abs(s); }  ///< radians per time
  double frequency() const;                     ///< oscillations per time, |Im s| / 2π
  double damping() const;                       ///< share of critical damping, −Re s / |s|; 0 of rigid ones
};

struct ModesOptions {
  int count = 12;         ///< this many of the slowest, fewer when there are fewer; a complex pair counts once
  bool undamped = false;  ///< without D, gyroscopic terms included, and with the symmetric part of K
  int dense_limit = 240;  ///< up to this many velocities all eigenvalues are computed
};

struct Modes {
  std::vector<Mode> modes;   ///< by omega
  int rigid = 0;             ///< how many of the system are rigid, whatever was asked for
  bool is_undamped = false;  ///< the symmetric problem was solved
  std::string remark = {};   ///< about the state, see Linearization::remark
  int factorizations = 0, solves = 0;
};

/// Eigenvalues that cannot be computed: a singular mass matrix where it matters, no convergence, nothing that moves.
class NoModes : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The slowest modes. Throws NoModes with the reason.
Modes find_modes(const Linearization& lin, const ModesOptions& options = {});

}  // namespace filum::analysis
