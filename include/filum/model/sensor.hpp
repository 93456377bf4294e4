/// Sensors: what is written to sensors.csv besides the series of all objects. User document: docs/guide/scenarios.md,
/// "Sensors".
#pragma once

#include <filum/model/object.hpp>

namespace filum::model {

struct Sensor {
  std::string name = {};
  Point on = whole_system;  ///< a point of a body or beam, a joint, a spring, or the whole system
  std::string quantity =
      "position";  ///< what that object can measure: position, orientation, velocity, force, strain, angle, energy, ...
};

/// Beside Object, for objects whose numbers conditions may name.
class Gauge {
 public:
  virtual ~Gauge() = default;
  virtual Probe probe(const mechanics::System& system, const Objects& objects) const = 0;
};

std::unique_ptr<Object> make_object(const Sensor& options);

}  // namespace filum::model
