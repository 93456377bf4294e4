/// Checks of a run as a whole by some kinds of objects. How to add one: docs/how-to-add-an-object.md.
#pragma once

#include <filum/integrate/event.hpp>
#include <filum/mechanics/system.hpp>
#include <filum/model/object.hpp>

namespace filum::model {

/// Beside Object, for objects that prescribe a motion, describe only some, or end a run.
class RunChecks {
 public:
  virtual ~RunChecks() = default;
  /// Looks at what it prescribes between the start and the end of a run. Throws OptionError.
  virtual void check_times(double /*from*/, double /*to*/) const {}
  /// Why a step of size h from x leads to a motion that it does not describe; empty: it does not. Runs stop there.
  virtual std::string limit(const mechanics::System&, const State&, double /*h*/) const { return {}; }
  /// Event functions of a run from `start`, each with its own memory. Throws OptionError.
  virtual std::vector<integrate::EventFunction> events(const mechanics::System&, const Objects&,
                                                       const State& /*start*/) const {
    return {};
  }
};

/// What is prescribed between two times can be followed: nothing jumps. Throws ModelError.
void check_times(const Objects& objects, double from, double to);

/// Of all objects. Throws ModelError.
std::vector<integrate::EventFunction> events(const mechanics::System& system, const Objects& objects,
                                             const State& start);

/// Objects that know their limits, and are within them at the start.
class Limits {
 public:
  Limits(const mechanics::System& system, const State& start, const Objects& objects);
  /// The object, and why it cannot describe a step of size h from x; empty when all can.
  std::string reached(const State& x, double h) const;

 private:
  const mechanics::System& system_;
  std::vector<const Object*> objects_;
};

}  // namespace filum::model
