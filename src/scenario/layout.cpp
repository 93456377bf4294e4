/// What a run of a model records: series of all objects, joints and sensors. User document: docs/guide/results.md.
#include "check_scenario.hpp"

#include <filum/lie/quaternion.hpp>
#include <filum/parts/node_frame.hpp>
#include <filum/scenario/model.hpp>
#include <filum/scenario/words.hpp>

#include <algorithm>
#include <cmath>

namespace filum::scenario {
namespace {

using record::Attributes;
using record::Channel;
using record::Layout;

template <class V>
void put(const V& value, double* out) {
  std::copy(value.data(), value.data() + value.size(), out);
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

class LayoutMaker {
 public:
  LayoutMaker(const Scenario& scenario, const Model& model, const mechanics::VectorXd* eta)
      : s_(scenario), m_(model), eta_(eta) {}

  Layout make() {
    layout_.attributes = {{"title", s_.title}, {"method", word_of(s_.integrator.method)}};
    for (const parts::RigidBody& b : m_.bodies) body(b);
    for (std::size_t i = 0; i < m_.beams.size(); ++i) beam(s_.beams[i], *m_.beams[i], m_.beam_rows[i]);
    for (const ModelJoint& j : m_.joints) joint(j);
    for (const Sensor& x : s_.sensors) sensor(x);
    return std::move(layout_);
  }

 private:
  void add(const std::string& name, std::vector<int> shape, std::function<void(const State&, double*)> read,
           Attributes attributes = {}) {
    layout_.channels.push_back({name, std::move(shape), std::move(read), std::move(attributes)});
  }

  /// Positions and orientations of `count` nodes of one kind; velocities are those of the group.
  template <class Object>
  void motion(const std::string& name, int count, int first_node, const Object& object, double radius) {
    const auto& space = m_.system->space();
    const int dim = lie::dim(space.group(first_node)), v_at = space.v_offset(first_node);
    const auto position = [object](const State& x, int i) { return object.position(x, i); };
    const auto orientation = [object](const State& x, int i) { return object.orientation(x, i); };
    add(name + "/position", {count, 3}, [=](const State& x, double* out) {
      for (int i = 0; i < count; ++i) put(position(x, i), out + 3 * i);
    });
    add(name + "/orientation", {count, 4}, [=](const State& x, double* out) {
      for (int i = 0; i < count; ++i) put(orientation(x, i), out + 4 * i);
    });
    add(name + "/velocity", {count, dim},
        [=](const State& x, double* out) { std::copy_n(x.v.data() + v_at, count * dim, out); });
    layout_.drawings.push_back({name, count, radius, position, orientation});
  }

  void body(const parts::RigidBody& b) {
    struct {
      parts::RigidBody body;
      Vector3d position(const State& x, int) const { return body.position(x); }
      Vector4d orientation(const State& x, int) const { return body.orientation(x); }
    } const object{b};
    const double size =
        std::sqrt(2.5 * b.initial.inertia.trace() / b.mass()) / 2;  // a cube or ball of about this inertia
    layout_.groups.push_back({b.initial.name, {{"kind", "body"}, {"group", std::string(lie::name(b.group()))}}});
    motion(b.initial.name, 1, b.node, object, size);
  }

  void beam(const Beam& described, const parts::Beam& b, const std::vector<int>& rows) {
    struct {
      const parts::Beam* beam;
      Vector3d position(const State& x, int i) const { return beam->position(x, i); }
      Vector4d orientation(const State& x, int i) const { return beam->orientation(x, i); }
    } const object{&b};
    const std::string& name = described.name;
    const parts::Beam* beam = &b;
    const int count = b.segments();
    layout_.groups.push_back(
        {name, {{"kind", "beam"}, {"group", word_of(described.group)}, {"model", word_of(described.model)}}});
    motion(name, b.nodes(), b.first_node(), object, radius_of(described, b));
    add(name + "/strain", {count, 6},
        [=](const State& x, double* out) {
          for (int m = 0; m < count; ++m) put(beam->strain(x.q, m), out + 6 * m);
        },
        {{"components", "bending 1, bending 2, torsion, shear 1, shear 2, extension"}});
    add(name + "/stress", {count, 6},
        [=](const State& x, double* out) {
          for (int m = 0; m < count; ++m) put(beam->stress(x, m), out + 6 * m);
        },
        {{"components", "moment 1, moment 2, torque, force 1, force 2, axial force"}});
    add(name + "/energy", {count},
        [=](const State& x, double* out) {
          for (int m = 0; m < count; ++m)
            out[m] = beam->elastic_energy(x.q, m) / (beam->arc_length(m + 1) - beam->arc_length(m));
        },
        {{"components", "elastic energy per length"}});
    if (!rows.empty()) multipliers(name, {count, static_cast<int>(rows.size()) / count}, rows, {});
    std::vector<double> grid;
    for (int i = 0; i < b.nodes(); ++i) grid.push_back(b.arc_length(i));
    layout_.arrays.push_back({name + "/arc_length", std::move(grid)});
  }

  static double radius_of(const Beam& described, const parts::Beam& b) {
    if (described.section)
      return described.section->shape == SectionShape::rectangle ? described.section->width / 2
                                                                 : described.section->radius;
    return b.arc_length(b.nodes() - 1) / 100;
  }

  void joint(const ModelJoint& j) {
    if (j.rows.empty()) return;
    std::vector<std::string> names;
    for (const int r : j.rows) {
      const std::string name = m_.system->row_name(r);
      names.push_back(name.substr(std::min(name.size(), name.find(": ") + 2)));
    }
    layout_.groups.push_back({"joints/" + j.name, {{"type", word_of(j.type)}}});
    multipliers("joints/" + j.name, {static_cast<int>(j.rows.size())}, j.rows, {{"rows", joined(names)}});
  }

  /// λ of some rows, and η of the same rows where the method has one.
  void multipliers(const std::string& name, const std::vector<int>& shape, const std::vector<int>& rows,
                   const Attributes& attributes) {
    const auto chosen = [rows](const mechanics::VectorXd& from, double* out) {
      for (std::size_t k = 0; k < rows.size(); ++k) out[k] = from[rows[k]];
    };
    add(
        name + "/multiplier", shape, [=](const State& x, double* out) { chosen(x.lambda, out); }, attributes);
    if (eta_)
      add(
          name + "/eta", shape, [=, eta = eta_](const State&, double* out) { chosen(*eta, out); }, attributes);
  }

  // Sensors
  // --------------------------------------------------------------------------------------------------------------

  void sensor(const Sensor& x) {
    std::vector<std::string> columns;
    const auto read = reading(x, columns);
    for (std::string& c : columns) c = c.empty() ? x.name : x.name + "." + c;
    const int size = static_cast<int>(columns.size());
    Channel channel{"sensors/" + x.name,
                    size == 1 ? std::vector<int>{} : std::vector<int>{size},
                    read,
                    {{"on", x.on}, {"quantity", word_of(x.quantity)}, {"components", joined(columns)}}};
    layout_.sensors.push_back({std::move(channel), std::move(columns)});
  }

  using Reading = std::function<void(const State&, double*)>;

  Reading reading(const Sensor& x, std::vector<std::string>& columns) {
    const System* system = m_.system.get();
    if (x.on == "system") {
      columns = {"kinetic", "potential", "total"};
      return [system](const State& state, double* out) {
        out[0] = system->kinetic_energy(state.q, state.v);
        out[1] = system->potential_energy(state.t, state.q);
        out[2] = out[0] + out[1];
      };
    }
    if (const ModelJoint* j = m_.find_joint(x.on)) return of_joint(x, *j, columns);
    for (std::size_t i = 0; i < s_.springs.size(); ++i)
      if (s_.springs[i].name == x.on) return of_spring(x, m_.springs[i], columns);
    std::string objection;
    return of_point(x, resolve(s_, x.on, objection), columns);
  }

  Reading of_joint(const Sensor& x, const ModelJoint& j, std::vector<std::string>& columns) {
    const System* system = m_.system.get();
    const parts::JointHandle handle = j.handle;
    const bool is_read_by_rows = x.quantity == Quantity::multiplier;
    if (is_read_by_rows ? j.rows.empty() : handle.kind == parts::JointHandle::Kind::absorbed)
      throw ScenarioError(
          {s_.problem("sensor." + x.name + ".on", j.type == JointKind::rolling_disk
                                                      ? "a rolling disk has no joint axes: measure its multiplier"
                                                      : "this joint has no equations of its own: it is absorbed by the "
                                                        "group of a body, or drives another joint")});
    columns = {"x", "y", "z"};
    switch (x.quantity) {
      case Quantity::force:
        return [=](const State& s, double* out) { put(parts::read_joint(*system, handle, s).force, out); };
      case Quantity::moment:
        return [=](const State& s, double* out) { put(parts::read_joint(*system, handle, s).moment, out); };
      case Quantity::angle:
        columns = {""};
        return [=](const State& s, double* out) { *out = parts::read_joint(*system, handle, s).angle; };
      case Quantity::displacement:
        return [=](const State& s, double* out) { put(parts::read_joint(*system, handle, s).displacement, out); };
      case Quantity::length:
        columns = {""};
        return [=](const State& s, double* out) { *out = parts::read_joint(*system, handle, s).distance; };
      default: break;
    }
    columns.clear();
    for (std::size_t k = 0; k < j.rows.size(); ++k) columns.push_back(std::to_string(k + 1));
    return [rows = j.rows](const State& s, double* out) {
      for (std::size_t k = 0; k < rows.size(); ++k) out[k] = s.lambda[rows[k]];
    };
  }

  Reading of_spring(const Sensor& x, int number, std::vector<std::string>& columns) {
    columns = {""};
    const parts::Springs* springs = m_.spring_part;
    if (number < 0)
      throw ScenarioError({s_.problem("sensor." + x.name + ".on",
                                      "a spring on a joint is measured on the joint: its angle or displacement")});
    if (x.quantity == Quantity::length)
      return [=](const State& s, double* out) { *out = springs->length(number, s.q); };
    return [=](const State& s, double* out) { *out = springs->tension(number, s.q, s.v); };
  }

  /// Number of the node of a beam at an arc length, counted from the beam's first.
  static int node_at(const parts::Beam& beam, double s) {
    int node = 0;
    while (node + 1 < beam.nodes() && std::abs(beam.arc_length(node + 1) - s) <= std::abs(beam.arc_length(node) - s))
      ++node;
    return node;
  }

  Reading of_point(const Sensor& x, const Target& target, std::vector<std::string>& columns) {
    columns = {"x", "y", "z"};
    parts::Marker marker{.point = x.point};
    const parts::Beam* beam = nullptr;
    int node = 0;
    if (target.kind == Target::Kind::body) {
      marker = m_.bodies[static_cast<std::size_t>(target.index)].at(x.point);
    } else {
      beam = m_.beams[static_cast<std::size_t>(target.index)];
      node = node_at(*beam, target.s);
      marker.node = beam->first_node() + node;
    }
    const parts::NodeFrame frame(*m_.system, marker);
    const Vector3d point = marker.point;
    switch (x.quantity) {
      case Quantity::position: return [=](const State& s, double* out) { put(frame.pose(s.q).act(point), out); };
      case Quantity::velocity:
        return [=](const State& s, double* out) {
          const parts::Pose pose = frame.pose(s.q);
          put(Vector3d(pose.R * frame.twist(pose, s.v).at(point)), out);
        };
      case Quantity::angular_velocity:
        return [=](const State& s, double* out) { put(frame.twist(frame.pose(s.q), s.v).O, out); };
      case Quantity::orientation: return orientation_of(target, beam, node, columns);
      default: return of_section(x.quantity, *beam, node, columns);
    }
  }

  Reading orientation_of(const Target& target, const parts::Beam* beam, int node, std::vector<std::string>& columns) {
    columns = {"p0", "p1", "p2", "p3"};
    if (beam) return [=](const State& s, double* out) { put(beam->orientation(s, node), out); };
    return [body = m_.bodies[static_cast<std::size_t>(target.index)]](const State& s, double* out) {
      put(body.orientation(s), out);
    };
  }

  /// Strains and stresses belong to segments; at an inner node the mean of its two neighbours.
  static Reading of_section(Quantity quantity, const parts::Beam& b, int node, std::vector<std::string>& columns) {
    const parts::Beam* beam = &b;
    const int before = std::max(0, node - 1), after = std::min(b.segments() - 1, node);
    if (quantity == Quantity::strain) {
      columns = {"bending1", "bending2", "torsion", "shear1", "shear2", "extension"};
      return [=](const State& s, double* out) {
        put(parts::Vector6d(0.5 * (beam->strain(s.q, before) + beam->strain(s.q, after))), out);
      };
    }
    columns = {"1", "2", "3"};
    const int first = quantity == Quantity::moment ? 0 : 3;
    return [=](const State& s, double* out) {
      put(Vector3d(0.5 * (beam->stress(s, before) + beam->stress(s, after)).template segment<3>(first)), out);
    };
  }

  const Scenario& s_;
  const Model& m_;
  const mechanics::VectorXd* eta_;
  Layout layout_;
};

}  // namespace

record::Layout layout_of(const Scenario& scenario, const Model& model, const mechanics::VectorXd* eta) {
  return LayoutMaker(scenario, model, eta).make();
}

}  // namespace filum::scenario
