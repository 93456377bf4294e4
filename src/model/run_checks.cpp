/// Checks of a run as a whole by some kinds of objects.
#include "for_each.hpp"

#include <filum/model/run_checks.hpp>

namespace filum::model {

void check_times(const Objects& objects, double from, double to) {
  for_each(objects, [&](const Object& object, int) {
    if (const auto* checks = dynamic_cast<const RunChecks*>(&object)) checks->check_times(from, to);
  });
}

std::vector<integrate::EventFunction> events(const mechanics::System& system, const Objects& objects,
                                             const State& start) {
  std::vector<integrate::EventFunction> all;
  for_each(objects, [&](const Object& object, int) {
    if (const auto* checks = dynamic_cast<const RunChecks*>(&object))
      for (integrate::EventFunction& event : checks->events(system, objects, start)) all.push_back(std::move(event));
  });
  return all;
}

Limits::Limits(const mechanics::System& system, const State& start, const Objects& objects) : system_(system) {
  for (const auto& object : objects)
    if (const auto* checks = dynamic_cast<const RunChecks*>(object.get());
        checks && checks->limit(system, start, 0).empty())
      objects_.push_back(object.get());
}

std::string Limits::reached(const State& x, double h) const {
  for (const Object* object : objects_)
    if (const std::string why = dynamic_cast<const RunChecks*>(object)->limit(system_, x, h); !why.empty())
      return std::string(object->kind()) + " " + object->name() + ": " + why;
  return {};
}

}  // namespace filum::model
