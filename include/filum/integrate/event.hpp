/// Functions of the state whose changes of sign matter to a run. Theory: docs/theory/events.md.
#pragma once

#include <filum/mechanics/state.hpp>

#include <functional>
#include <string>

namespace filum::integrate {

enum class Direction { both, rising, falling };
enum class EventAction { go_on, stop };

/// g(t, q, v) with sign + for g ≥ 0 and − for g < 0. A step ends where the sign changes in the given direction; there
/// `change` is called, and the method restarts or the run ends. Switches of forces and drives are not listed here:
/// parts say them (mechanics::SwitchingPart).
struct EventFunction {
  std::string name = {};
  std::function<double(const mechanics::State& x)> value;
  Direction direction = Direction::both;
  EventAction action = EventAction::go_on;
  /// Called at every event, for records, impacts and loads that change. May change v within what the constraints allow,
  /// and whatever loads look at.
  std::function<void(mechanics::State& x)> change = {};
  /// A resumed run calls this with the number of events there have been: what `change` has changed outside the state.
  std::function<void(long times)> restore = {};
  bool needs_multipliers = false;  ///< g also looks at a and lambda
};

/// How often an event function has changed its sign, and when it last did.
struct EventCount {
  long count = 0;
  double last = 0;
};

}  // namespace filum::integrate
