/// One part for all elements of a kind. Theory: docs/theory/mechanics.md, sec. 3.
#pragma once

#include <filum/mechanics/system.hpp>

#include <memory>

namespace filum::parts {

/// The part of type P that the system has already, or a new one: like elements are evaluated in one call.
template <class P>
P& shared_part(mechanics::System& system) {
  for (const auto& part : system.parts())
    if (P* found = dynamic_cast<P*>(part.get())) return *found;
  return system.add_part(std::make_unique<P>());
}

}  // namespace filum::parts
