/// Point masses: their node, series and drawing. User document: docs/guide/cpp.md.
#include "point_probes.hpp"

#include <filum/model/assembly.hpp>
#include <filum/model/point_mass.hpp>
#include <filum/model/records.hpp>
#include <filum/parts/point_mass.hpp>
#include <filum/parts/viscous_damping.hpp>

#include <sstream>

namespace filum::model {
namespace {

class PointMassObject final : public ObjectOf<PointMass> {
 public:
  using ObjectOf::ObjectOf;

  std::string_view kind() const override { return "mass"; }
  std::string kinds() const override { return "masses"; }
  int expected_nodes() const override { return 1; }
  std::string objection(const Place& place, std::string_view) const override {
    return place.is_whole() ? "" : "'" + name() + "' is a point and has no places";
  }

  void add_nodes(Assembly& a) override {
    mass_ = parts::add_point_mass(
        a.system(),
        {.name = name(), .group = o_.group, .mass = o_.mass, .position = o_.position, .velocity = o_.velocity});
    a.weigh(mass_.marker(), o_.mass);
  }
  parts::Marker marker(const Place&, const Vector3d& offset) const override {
    parts::Marker m = mass_.marker();
    m.point = offset;
    return m;
  }
  void add_damping(Assembly& a, const std::string& load, double rate) override {
    parts::add_viscous_damping(a.system(), {.name = load, .translational = rate * o_.mass}, mass_.marker());
  }
  std::vector<std::string> quantities(const Place&) const override { return point_quantities(); }
  std::vector<Probe> probes(const mechanics::System& system, const Point& point) const override {
    return point_probes(system, marker(point.place, point.offset));
  }
  void record(Records& r) const override {
    r.group(name(), {{"kind", "mass"}, {"group", std::string(lie::name(o_.group))}});
    const parts::PointMass mass = mass_;
    r.motion({.object = name(), .first_node = mass_.node, .nodes = 1, .at = [mass](const State& x, int) {
                return NodePose{.position = mass.position(x)};
              }});
    r.facts().trails.push_back({.label = name(), .node = 0, .on = true});
    if (o_.look.mesh) {
      r.facts().drawings.push_back(drawing::Mesh{.triangles = o_.look.mesh->triangles, .color = o_.look.color});
      return;
    }
    drawing::Solid ball{.shape = drawing::Shape::sphere, .color = o_.look.color, .is_estimated = true};
    if (o_.look.shape) ball.shape = o_.look.shape->shape, ball.size = o_.look.shape->size, ball.is_estimated = false;
    r.facts().drawings.push_back(ball);
  }
  std::string description() const override {
    std::ostringstream text;
    text << "mass " << o_.mass << ", group " << lie::name(o_.group);
    return text.str();
  }

 private:
  parts::PointMass mass_;
};

}  // namespace

std::unique_ptr<Object> make_object(const PointMass& options) { return std::make_unique<PointMassObject>(options); }

}  // namespace filum::model
