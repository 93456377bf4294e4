/// Whether a method can treat a system, by what it says it can.
#pragma once

#include <filum/integrate/integrator.hpp>

#include <stdexcept>
#include <string>
#include <string_view>

namespace filum::integrate {

/// Why a method with these capabilities cannot treat the system; empty when it can.
std::string objection(const System& system, std::string_view method, const Capabilities& can);

/// Throws std::invalid_argument: for methods that would compute something else instead.
inline void refuse_unless_possible(const System& system, std::string_view method, const Capabilities& can) {
  if (const std::string reason = objection(system, method, can); !reason.empty()) throw std::invalid_argument(reason);
}

}  // namespace filum::integrate
