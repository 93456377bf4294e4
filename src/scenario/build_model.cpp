/// Building the system of a scenario: bodies, beams, gravity, springs, loads, the start. User document:
/// docs/guide/scenarios.md.
#include "build_model.hpp"

#include "consistent_velocities.hpp"

#include <filum/lie/quaternion.hpp>
#include <filum/parts/beam_load.hpp>
#include <filum/parts/body_load.hpp>
#include <filum/parts/gravity.hpp>
#include <filum/parts/group_choice.hpp>
#include <filum/scenario/beam_shape.hpp>

#include <cmath>
#include <map>

namespace filum::scenario {
namespace {

lie::GroupId group_id(GroupKind kind) {
  switch (kind) {
    case GroupKind::SO3: return lie::GroupId::SO3;
    case GroupKind::S3: return lie::GroupId::S3;
    case GroupKind::SO3xR3: return lie::GroupId::SO3xR3;
    case GroupKind::S3xR3: return lie::GroupId::S3xR3;
    case GroupKind::SE3: return lie::GroupId::SE3;
    case GroupKind::UDQ: return lie::GroupId::UDQ;
    case GroupKind::automatic:
    case GroupKind::S3sdR3: break;
  }
  return lie::GroupId::S3sdR3;
}

Vector3d value_at(const Number3& f, double t, double s) { return {f[0](t, s), f[1](t, s), f[2](t, s)}; }

bool is_rotation(lie::GroupId group) { return group == lie::GroupId::SO3 || group == lie::GroupId::S3; }

}  // namespace

Model ModelBuilder::build() {
  model_.system = std::make_unique<System>();
  add_bodies();
  add_beams();
  throw_problems();
  initial_ = model_.system->make_state_of_space();
  for (const parts::RigidBody& b : model_.bodies) b.start(initial_);
  for (const parts::Beam* b : model_.beams) b->start(initial_);
  add_joints();
  add_gravity();
  add_springs();
  add_loads();
  throw_problems();
  finish();
  return std::move(model_);
}

void ModelBuilder::throw_problems() {
  if (!problems_.empty()) throw ScenarioError(std::move(problems_));
}

Target ModelBuilder::target(const Reference& reference) const {
  std::string objection;
  const Target found = resolve(scenario_, reference, objection);
  if (!objection.empty()) throw std::invalid_argument(objection);
  return found;
}

int ModelBuilder::node_at(const Target& target) const {
  const parts::Beam& beam = *model_.beams[static_cast<std::size_t>(target.index)];
  int low = 0, high = beam.nodes() - 1;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (beam.arc_length(middle) <= target.s ? low : high) = middle;
  }
  const int nearest = target.s - beam.arc_length(low) <= beam.arc_length(high) - target.s ? low : high;
  return beam.first_node() + nearest;
}

parts::Marker ModelBuilder::marker(const Target& target, const Vector3d& point) const {
  switch (target.kind) {
    case Target::Kind::body: return model_.bodies[static_cast<std::size_t>(target.index)].at(point);
    case Target::Kind::beam_point: return {.node = node_at(target), .point = point};
    default: return {.point = point};
  }
}

parts::Marker ModelBuilder::marker_in_space(const Target& target, const Vector3d& x) const {
  if (target.kind == Target::Kind::body) return model_.bodies[static_cast<std::size_t>(target.index)].at_space(x);
  if (target.kind != Target::Kind::beam_point) return {.point = x};
  const parts::Marker node = marker(target, Vector3d::Zero());
  return {.node = node.node, .point = parts::NodeFrame(*model_.system, node).locate(initial_.q, x)};
}

Vector3d ModelBuilder::initial_point(const Target& target) const {
  const parts::Marker m = marker(target, Vector3d::Zero());
  return m.node == parts::ground ? m.point : parts::NodeFrame(*model_.system, m).pose(initial_.q).act(m.point);
}

// Bodies
// ---------------------------------------------------------------------------------------------------------------

std::optional<Vector3d> ModelBuilder::fixed_point(const Body& body) const {
  if (body.pivot) return body.pivot;
  for (const Joint& j : scenario_.joints) {
    if (j.type != JointKind::spherical || !j.connects || !j.at) continue;
    const auto& [a, b] = *j.connects;
    if ((a == "ground" && b == body.name) || (b == "ground" && a == body.name)) return j.at;
  }
  return {};
}

lie::GroupId ModelBuilder::automatic_group(const Body& body) {
  static const std::map<JointKind, parts::JointType> types{{JointKind::fixed, parts::JointType::fixed},
                                                           {JointKind::spherical, parts::JointType::spherical},
                                                           {JointKind::revolute, parts::JointType::revolute},
                                                           {JointKind::prismatic, parts::JointType::prismatic},
                                                           {JointKind::cylindrical, parts::JointType::cylindrical},
                                                           {JointKind::planar, parts::JointType::planar},
                                                           {JointKind::universal, parts::JointType::universal},
                                                           {JointKind::distance, parts::JointType::distance}};
  const auto is_held = [&](const std::string& name) {
    for (const Joint& j : scenario_.joints)
      if (j.connects && (((*j.connects)[0] == "ground" && (*j.connects)[1] == name) ||
                         ((*j.connects)[1] == "ground" && (*j.connects)[0] == name)))
        return true;
    return false;
  };
  parts::BodySurroundings around;
  around.frame_at_center_of_mass = body.center_of_mass.isZero(0);
  for (const Joint& j : scenario_.joints) {
    if (!j.connects || !types.contains(j.type)) continue;
    const auto& [a, b] = *j.connects;
    if (a != body.name && b != body.name) continue;
    const std::string& other = a == body.name ? b : a;
    auto& list = other == "ground" ? around.joints_to_ground
                 : is_held(other)  ? around.joints_to_held_partners
                                   : around.joints_to_others;
    list.push_back(types.at(j.type));
  }
  const parts::GroupChoice choice = parts::choose_group(around);
  model_.remarks.push_back("body " + body.name + ": group " + std::string(lie::name(choice.group)) + ", because " +
                           choice.reason);
  return choice.group;
}

void ModelBuilder::add_bodies() {
  for (const Body& b : scenario_.bodies)
    attempt("body." + b.name, [&] {
      parts::RigidBodyOptions o;
      o.name = b.name;
      o.group = b.group != GroupKind::automatic ? group_id(b.group) : b.pivot ? lie::GroupId::S3 : automatic_group(b);
      o.mass = b.mass;
      o.inertia = b.inertia.matrix;
      o.center_of_mass = b.center_of_mass;
      o.position = b.position;
      o.orientation = b.orientation.quaternion;
      o.angular_velocity = b.angular_velocity.value;
      o.velocity = b.velocity.value;
      if (is_rotation(o.group)) o.pivot = fixed_point(b);
      const parts::RigidBody body = parts::add_rigid_body(*model_.system, o);
      if (o.pivot && !b.velocity.consistent && !o.velocity.isZero(0)) check_velocity_about(*o.pivot, o, b.name);
      if (b.angular_velocity.consistent)
        for (int k = 0; k < 3; ++k) free_velocities_.push_back(body.v_at + k);
      if (b.velocity.consistent && !o.pivot)
        for (int k = 3; k < 6; ++k) free_velocities_.push_back(body.v_at + k);
      model_.bodies.push_back(body);
    });
}

/// A body that turns about a point has the velocity of this turning, whatever a scenario says: it must say the same.
void ModelBuilder::check_velocity_about(const Vector3d& pivot, const parts::RigidBodyOptions& o,
                                        const std::string& name) {
  const Vector3d implied =
      lie::quaternion::rotate(o.orientation.normalized(), o.angular_velocity).cross(o.position - pivot);
  if ((implied - o.velocity).norm() > 1e-3 * (1 + o.velocity.norm()))
    problems_.push_back(scenario_.problem("body." + name + ".velocity",
                                          "the body turns about its pivot, and its angular velocity implies another "
                                          "velocity; leave it out, or write \"consistent\""));
}

// Beams
// ----------------------------------------------------------------------------------------------------------------

std::vector<std::vector<double>> ModelBuilder::places_on_beams() const {
  std::vector<std::vector<double>> places(scenario_.beams.size());
  const auto note = [&](const Reference& reference) {
    std::string objection;
    const Target t = resolve(scenario_, reference, objection);
    if (objection.empty() && t.kind == Target::Kind::beam_point)
      places[static_cast<std::size_t>(t.index)].push_back(t.s);
  };
  for (const Joint& j : scenario_.joints)
    if (j.connects) note((*j.connects)[0]), note((*j.connects)[1]);
  for (const Spring& s : scenario_.springs)
    if (s.connects) note((*s.connects)[0]), note((*s.connects)[1]);
  for (const Load& l : scenario_.loads) note(l.on);
  for (const Sensor& s : scenario_.sensors) note(s.on);
  return places;
}

void ModelBuilder::add_beams() {
  const auto places = places_on_beams();
  for (std::size_t i = 0; i < scenario_.beams.size(); ++i) {
    const Beam& b = scenario_.beams[i];
    attempt("beam." + b.name, [&] {
      std::vector<double> inserted;
      const std::vector<double> grid = beam_grid(b, places[i], inserted);
      parts::BeamOptions o = beam_options(b, grid);
      o.group = group_id(b.group);
      for (const double s : inserted)
        model_.remarks.push_back("beam " + b.name + ": a node was added at s = " + std::to_string(s) +
                                 ", where something is attached");
      model_.beams.push_back(&parts::add_beam(*model_.system, o));
    });
  }
}

// Forces
// ---------------------------------------------------------------------------------------------------------------

void ModelBuilder::add_gravity() {
  if (scenario_.gravity.isZero(0)) return;
  parts::Gravity& gravity = parts::add_gravity(*model_.system, scenario_.gravity, {});
  for (const parts::RigidBody& b : model_.bodies) gravity.add(b);
  for (const parts::Beam* b : model_.beams) parts::add_weight(gravity, *b);
}

void ModelBuilder::add_springs() {
  for (const Spring& s : scenario_.springs)
    attempt("spring." + s.name, [&] {
      if (s.joint) return add_spring_on_joint(s);
      const std::array<Vector3d, 2> points =
          s.points.value_or(std::array<Vector3d, 2>{Vector3d::Zero(), Vector3d::Zero()});
      const parts::Marker a = marker(target((*s.connects)[0]), points[0]),
                          b = marker(target((*s.connects)[1]), points[1]);
      model_.springs.push_back(parts::add_spring(
          *model_.system, {.name = s.name, .stiffness = s.stiffness, .damping = s.damping, .length = s.length}, a, b));
    });
  for (const auto& part : model_.system->parts())
    if (const auto* springs = dynamic_cast<const parts::Springs*>(part.get())) model_.spring_part = springs;
}

void ModelBuilder::add_loads() {
  for (const Load& l : scenario_.loads)
    attempt("load." + l.name, [&] {
      const Target on = target(l.on);
      const parts::LoadFrame frame = l.frame == LoadFrameKind::space ? parts::LoadFrame::space : parts::LoadFrame::body;
      const Number3 force = l.force, moment = l.moment;
      if (on.kind == Target::Kind::beam)
        return add_distributed_load(l, *model_.beams[static_cast<std::size_t>(on.index)], frame);
      const double s = on.s;
      parts::add_load(*model_.system, l.name, marker(on, l.point), frame, [=](double t) {
        return parts::LoadValue{value_at(force, t, s), value_at(moment, t, s)};
      });
    });
}

void ModelBuilder::add_distributed_load(const Load& l, const parts::Beam& beam, parts::LoadFrame frame) {
  const Number3 force = l.force, moment = l.moment;
  parts::BeamLoadOptions o;
  o.name = l.name;
  o.frame = frame;
  o.density = [=](double s, double t) { return parts::LoadValue{value_at(force, t, s), value_at(moment, t, s)}; };
  parts::add_beam_load(*model_.system, beam, std::move(o));
}

// The start
// ------------------------------------------------------------------------------------------------------------

/// Rows by the object they belong to: names of rows begin with it.
void ModelBuilder::find_rows() {
  std::map<std::string, std::vector<int>> rows;
  for (int r = 0; r < model_.system->size_rows(); ++r) {
    const std::string name = model_.system->row_name(r);
    rows[name.substr(0, name.find(':'))].push_back(r);
  }
  for (const Beam& b : scenario_.beams) model_.beam_rows.push_back(rows["beam " + b.name]);
  for (ModelJoint& j : model_.joints)
    j.rows = rows[(j.type == JointKind::rolling_disk ? "rolling disk " : "joint ") + j.name];
}

void ModelBuilder::finish() {
  System& system = *model_.system;
  try {
    system.finish();
    find_rows();
    model_.start = system.make_state();
    model_.start.t = scenario_.time.start;
    model_.start.q = initial_.q;
    model_.start.v = initial_.v;
    choose_velocities(system, model_.start, free_velocities_);
    model_.consistency = mechanics::make_consistent(system, model_.start);
  } catch (const mechanics::InconsistentStart& error) {
    throw ScenarioError({scenario_.problem("", error.what())});
  } catch (const std::invalid_argument& error) {
    throw ScenarioError({scenario_.problem("", error.what())});
  }
}

Model build_model(const Scenario& scenario) { return ModelBuilder(scenario).build(); }

const ModelJoint* Model::find_joint(const std::string& name) const {
  for (const ModelJoint& j : joints)
    if (j.name == name) return &j;
  return nullptr;
}

std::string velocity_name(const Scenario& scenario, const Model& model, int component) {
  const auto& space = model.system->space();
  int node = 0;
  while (node + 1 < space.nodes() && space.v_offset(node + 1) <= component) ++node;
  std::string owner = "node " + std::to_string(node);
  for (const parts::RigidBody& b : model.bodies)
    if (b.node == node) owner = "body " + b.initial.name;
  for (std::size_t i = 0; i < model.beams.size(); ++i)
    if (const int k = node - model.beams[i]->first_node(); k >= 0 && k < model.beams[i]->nodes())
      owner = "beam " + scenario.beams[i].name + ", node " + std::to_string(k) + " of " +
              std::to_string(model.beams[i]->nodes());
  const int k = component - space.v_offset(node);
  return owner + ": " + (k < 3 ? "angular velocity " : "velocity ") + std::to_string(k % 3 + 1);
}

}  // namespace filum::scenario
