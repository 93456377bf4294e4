/// How fast a system can move: the bounds of steps for explicit methods. User document: docs/guide/integrators.md.
#pragma once

#include <filum/integrate/method.hpp>
#include <filum/mechanics/state.hpp>

#include <string>

namespace filum::analysis {

struct FastestRates {
  double frequency = 0;  ///< largest angular frequency of small vibrations, constraints observed; 0: nothing vibrates
  double damping = 0;    ///< largest rate of decay by viscous forces
};

/// Power iteration with stiffness and damping of the forces at x: good to a few percent, which is what a hint needs.
FastestRates fastest_rates(const mechanics::System& system, const mechanics::State& x,
                           const linalg::RowSelection& rows = {});

/// Steps beyond which a method blows up; infinite when it never does or nothing vibrates.
double largest_stable_step(const integrate::MethodOptions& method, const FastestRates& rates);

/// Whether there is a fixed step at which a method blows up.
bool can_blow_up(const integrate::MethodOptions& method);
/// Why a run with a fixed step over a time `length` would blow up, and what to try; empty when it would not.
std::string blow_up(const integrate::MethodOptions& method, const FastestRates& rates, double step, double length);

}  // namespace filum::analysis
