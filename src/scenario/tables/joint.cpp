/// [[joint]]: joints, rolling disks and drives. User document: docs/guide/scenarios.md, "Joints".
#include "table_values.hpp"

#include <filum/model/drive.hpp>
#include <filum/model/joint.hpp>
#include <filum/model/rolling_disk.hpp>

namespace filum::config {

template <>
const Words& words_of<model::JointRows>() {
  static const Words words{"space", "body"};
  return words;
}

}  // namespace filum::config

namespace filum::scenario {
namespace {

/// The types of joints of the library, and two more words.
struct JointWord {
  enum class Kind { joint, rolling_disk, drive };
  Kind kind = Kind::joint;
  model::JointType type = model::JointType::fixed;
};

const config::Words& joint_words() {
  static const config::Words words = [] {
    config::Words names;
    for (int k = 0; k <= static_cast<int>(model::JointType::distance); ++k)
      names.emplace_back(parts::name(static_cast<model::JointType>(k)));
    names.insert(names.end(), {"rolling-disk", "drive"});
    return names;
  }();
  return words;
}

const config::Words& words_for(const JointWord&) { return joint_words(); }

void read_value(config::Reader& reader, const config::Node& node, JointWord& value, const std::string& path,
                const Rule&) {
  const int choice = reader.word(node, path, joint_words()), joints = static_cast<int>(joint_words().size()) - 2;
  if (choice < 0) return;
  value.kind = choice < joints    ? JointWord::Kind::joint
               : choice == joints ? JointWord::Kind::rolling_disk
                                  : JointWord::Kind::drive;
  if (choice < joints) value.type = static_cast<model::JointType>(choice);
}
std::string format_value(const config::Writer&, const JointWord& value) {
  const std::size_t joints = joint_words().size() - 2;
  return config::toml_text(joint_words()[value.kind == JointWord::Kind::joint ? static_cast<std::size_t>(value.type)
                                         : value.kind == JointWord::Kind::rolling_disk ? joints
                                                                                       : joints + 1]);
}

struct JointTable {
  std::string name;
  JointWord type;
  std::optional<std::array<Reference, 2>> connects;
  std::optional<Vector3d> at, axis, axis2;
  std::optional<std::array<Vector3d, 2>> points;
  std::optional<double> length, radius;
  std::optional<model::JointRows> rows;
  std::optional<Reference> joint;
  std::optional<Number> angle, displacement;
  std::optional<Number3> position, rotation;
};

template <class A>
void fields(A& a, JointTable& x) {
  a("name", x.name);
  a("type", x.type, required_decision);
  a("connects", x.connects);
  if (x.type.kind == JointWord::Kind::rolling_disk) return a("radius", x.radius, positive);
  if (x.type.kind == JointWord::Kind::drive) {
    a("joint", x.joint);
    a("angle", x.angle, of_time);
    a("displacement", x.displacement, of_time);
    a("at", x.at);
    a("position", x.position, of_time);
    a("rotation", x.rotation, of_time);
    return;
  }
  if (x.type.type == model::JointType::distance) {
    a("points", x.points);
    a("length", x.length, positive);
    return;
  }
  a("at", x.at);
  if (parts::holds_point(x.type.type)) a("rows", x.rows);
  if (x.type.type == model::JointType::fixed || x.type.type == model::JointType::spherical) return;
  a("axis", x.axis);
  if (x.type.type == model::JointType::universal) a("axis2", x.axis2);
}

/// Drives need the joints they act on.
int order_within(const JointTable& x) { return x.type.kind == JointWord::Kind::drive ? 1 : 0; }

const std::array<Reference, 2>& partners(const JointTable& t) {
  if (!t.connects)
    throw model::OptionError("connects", "this key is missing: expected two partners, such as [\"ground\", \"NAME\"]");
  return *t.connects;
}

model::Handle add_drive(TableContext& c, const JointTable& t) {
  if (t.joint) {
    if (t.connects) throw model::OptionError("connects", "a drive acts on a `joint` or on partners, not on both");
    if (t.position || t.rotation || t.at)
      throw model::OptionError("",
                               "a drive of a joint has `angle` or `displacement`, not `at`, `position` or `rotation`");
    model::JointDrive drive{.name = t.name, .joint = c.point(*t.joint, "joint")};
    if (t.angle) drive.angle = *t.angle;
    if (t.displacement) drive.displacement = *t.displacement;
    return c.model().add(drive);
  }
  if (t.angle || t.displacement) throw model::OptionError("", "`angle` and `displacement` need the name of a `joint`");
  if (partners(t)[0] != "ground")
    throw model::OptionError("connects[0]", "a motion is prescribed in space: expected \"ground\"");
  const auto of_time_3 = [](const Number3& n) { return std::array<model::OfTime, 3>{n[0], n[1], n[2]}; };
  model::MotionDrive drive{.name = t.name, .on = c.point(partners(t)[1], "connects[1]"), .at = t.at};
  if (t.position) drive.position = of_time_3(*t.position);
  if (t.rotation) drive.rotation = of_time_3(*t.rotation);
  return c.model().add(drive);
}

model::Handle add_disk(TableContext& c, const JointTable& t) {
  const auto& [a, b] = partners(t);
  if (!t.radius) throw model::OptionError("radius", "this key is missing: a rolling disk needs it");
  if (a != "ground" && b != "ground")
    throw model::OptionError("connects", "a disk rolls on the ground: one partner must be \"ground\"");
  return c.model().add(model::RollingDisk{.name = t.name,
                                          .body = a == "ground" ? c.point(b, "connects[1]") : c.point(a, "connects[0]"),
                                          .radius = *t.radius});
}

model::Handle add_table(TableContext& c, const JointTable& t) {
  if (t.type.kind == JointWord::Kind::drive) return add_drive(c, t);
  if (t.type.kind == JointWord::Kind::rolling_disk) return add_disk(c, t);
  const bool is_distance = t.type.type == model::JointType::distance;
  if (is_distance && !t.points)
    throw model::OptionError("points",
                             "this key is missing: a distance joins two points, one in the frame of each partner");
  const std::array<Vector3d, 2> points = t.points.value_or(std::array<Vector3d, 2>{Vector3d::Zero(), Vector3d::Zero()});
  return c.model().add(model::Joint{.name = t.name,
                                    .type = t.type.type,
                                    .first = c.point(partners(t)[0], "connects[0]", points[0]),
                                    .second = c.point(partners(t)[1], "connects[1]", points[1]),
                                    .at = t.at,
                                    .axis = t.axis,
                                    .axis2 = t.axis2,
                                    .length = t.length.value_or(0),
                                    .rows = t.rows});
}

std::optional<JointTable> table_of(const model::Model& m, const model::Object& object, JointTable*) {
  JointTable t;
  t.name = object.name();
  if (const auto* o = options_of<model::Joint>(object)) {
    t.type = {JointWord::Kind::joint, o->type};
    t.connects = {reference_to(m, o->first), reference_to(m, o->second)};
    t.at = o->at, t.axis = o->axis, t.axis2 = o->axis2;
    t.points = {o->first.offset, o->second.offset};
    t.rows = o->rows;
    if (o->length > 0) t.length = o->length;
  } else if (const auto* disk = options_of<model::RollingDisk>(object)) {
    t.type.kind = JointWord::Kind::rolling_disk;
    t.connects = {"ground", reference_to(m, disk->body)};
    t.radius = disk->radius;
  } else if (const auto* drive = options_of<model::JointDrive>(object)) {
    t.type.kind = JointWord::Kind::drive;
    t.joint = reference_to(m, drive->joint);
    if (drive->angle) t.angle = written(*drive->angle, "angle");
    if (drive->displacement) t.displacement = written(*drive->displacement, "displacement");
  } else if (const auto* motion = options_of<model::MotionDrive>(object)) {
    t.type.kind = JointWord::Kind::drive;
    t.connects = {"ground", reference_to(m, motion->on)};
    t.at = motion->at;
    if (motion->position) t.position = written(*motion->position, "position");
    if (motion->rotation) t.rotation = written(*motion->rotation, "rotation");
  } else {
    return {};
  }
  return t;
}

}  // namespace

TableKind joint_table() { return table_kind<JointTable>("joint", 20); }

}  // namespace filum::scenario
