#pragma once
/// Why a start is refused.

#include <filum/mechanics/consistent_start.hpp>

#include <string>

namespace filum::mechanics {

inline std::string refusal(const System& system, State& x, const ConsistencyOptions& options = {}) {
  try {
    make_consistent(system, x, options);
  } catch (const InconsistentStart& e) {
    return e.what();
  }
  return "accepted";
}

}  // namespace filum::mechanics
