/// What kinds of objects have in common. How to add one: docs/how-to-add-an-object.md.
#include <filum/model/assembly.hpp>
#include <filum/parts/body_load.hpp>

namespace filum::model {

std::string Object::objection(const Place&, std::string_view use) const {
  return "a " + std::string(use) + " cannot be attached to a " + std::string(kind());
}

parts::Marker Object::marker(const Place&, const Vector3d&) const {
  throw std::logic_error(std::string(kind()) + " " + name() + " has no nodes to attach to");
}

LoadPlaces Object::add_load(Assembly& a, const LoadRequest& request) {
  const parts::Marker at = marker(request.place, request.offset);
  const auto load = parts::add_load(a.system(), request.name, at, request.frame, request.law);
  return {{at},
          [load](const State& x, double* out) { put(load->value(x).force, out); },
          [load](const State& x, double* out) { put(load->value(x).moment, out); },
          {{at}}};
}

void Object::add_damping(Assembly&, const std::string&, double) {
  throw OptionError("damping",
                    "the motion of a " + std::string(kind()) + " cannot be damped in proportion to its mass");
}

}  // namespace filum::model
