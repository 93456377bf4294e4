/// Checks of a scenario as a whole, and the defaults that depend on it. User document: docs/guide/error-messages.md.
#include "check_scenario.hpp"

#include <filum/scenario/words.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace filum::scenario {
namespace {

bool is_rotation(GroupKind group) { return group == GroupKind::SO3 || group == GroupKind::S3; }

std::string key_of(const char* kind, const std::string& name, std::size_t index) {
  return std::string(kind) + "." + (name.empty() ? std::to_string(index) : name);
}

class Checker {
 public:
  explicit Checker(const Scenario& scenario) : s_(scenario) {}
  std::vector<Problem> problems;

  void run() {
    if (s_.schema != 1)
      complain("schema", "expected 1, the only schema this version knows, found " + std::to_string(s_.schema));
    time();
    integrator();
    names();
    if (s_.bodies.empty() && s_.beams.empty())
      complain("", "the scenario has no [[body]] and no [[beam]]: there is nothing to move");
    for (std::size_t i = 0; i < s_.bodies.size(); ++i) body(s_.bodies[i], key_of("body", s_.bodies[i].name, i));
    for (std::size_t i = 0; i < s_.beams.size(); ++i) beam(s_.beams[i], key_of("beam", s_.beams[i].name, i));
    for (std::size_t i = 0; i < s_.joints.size(); ++i) joint(s_.joints[i], key_of("joint", s_.joints[i].name, i));
    for (std::size_t i = 0; i < s_.springs.size(); ++i) spring(s_.springs[i], key_of("spring", s_.springs[i].name, i));
    for (std::size_t i = 0; i < s_.loads.size(); ++i) load(s_.loads[i], key_of("load", s_.loads[i].name, i));
    for (std::size_t i = 0; i < s_.sensors.size(); ++i) sensor(s_.sensors[i], key_of("sensor", s_.sensors[i].name, i));
  }

 private:
  void complain(const std::string& key, const std::string& message) { problems.push_back(s_.problem(key, message)); }

  void time() {
    const Time& t = s_.time;
    if (!(t.end > t.start)) complain("time.end", "expected a time after time.start");
    const double steps = (t.end - t.start) / t.step;
    if (t.step > 0 && !(steps < 1e12))
      complain("time.step", "the step is too small: more than 1e12 of them would be needed");
  }

  void integrator() {
    const Integrator& m = s_.integrator;
    const bool runge_kutta = m.method == Method::half_explicit_rk || m.method == Method::munthe_kaas_rk;
    if (m.rho_infinity > 1) complain("integrator.rho_infinity", "expected a number between 0 and 1");
    if (m.method == Method::bliedf && m.steps > 2) complain("integrator.steps", "expected 1 or 2");
    if (runge_kutta && m.order && (*m.order < 2 || *m.order > 5)) complain("integrator.order", "expected 2, 3, 4 or 5");
    if (m.adaptive && m.method == Method::half_explicit_rk && m.order.value_or(5) != 5)
      complain("integrator.adaptive", "only the method of order 5 estimates its error");
    if (m.adaptive && s_.time.grid == GridKind::random)
      complain("time.grid", "an adaptive method chooses its own steps; use grid = \"fixed\"");
    if (m.safety >= 1) complain("integrator.safety", "expected a number between 0 and 1");
    if (m.min_factor >= 1) complain("integrator.min_factor", "expected a number between 0 and 1");
    if (m.max_factor <= 1) complain("integrator.max_factor", "expected a number greater than 1");
  }

  void names() {
    std::set<std::string> objects, sensors;
    const auto check = [&](const char* kind, const auto& list, std::set<std::string>& taken) {
      for (std::size_t i = 0; i < list.size(); ++i) {
        const std::string& name = list[i].name;
        if (name.empty()) continue;  // missing where it is required was reported by the reader
        const std::string key = key_of(kind, name, i) + ".name";
        static const std::set<std::string> reserved{"ground", "system",  "time",       "energy", "joints",
                                                    "step",   "sensors", "constraint", "springs"};
        const auto is_part = [](char c) {
          return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
        };
        const bool digits_only = std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
        if (!std::all_of(name.begin(), name.end(), is_part) || digits_only || name.size() > 60)
          complain(key, "a name is made of at most 60 letters, digits, _ and -, not of digits alone");
        else if (&taken == &objects && reserved.contains(name))
          complain(key, "the name '" + name + "' has a meaning of its own; choose another");
        else if (!taken.insert(name).second)
          complain(key, "the name '" + name + "' is taken; names must be different");
      }
    };
    check("body", s_.bodies, objects);
    check("beam", s_.beams, objects);
    check("joint", s_.joints, objects);
    check("spring", s_.springs, objects);
    check("load", s_.loads, objects);
    check("sensor", s_.sensors, sensors);
  }

  void body(const Body& b, const std::string& key) {
    if (b.pivot && !is_rotation(b.group) && b.group != GroupKind::automatic)
      complain(key + ".pivot",
               "a pivot is for the groups SO3 and S3; in " + word_of(b.group) + " use a spherical joint to the ground");
    if (!is_rotation(b.group) || b.pivot) return;
    const auto holds = [&](const Joint& j) {
      return j.type == JointKind::spherical && j.at && j.connects &&
             (((*j.connects)[0] == "ground" && (*j.connects)[1] == b.name) ||
              ((*j.connects)[1] == "ground" && (*j.connects)[0] == b.name));
    };
    if (std::none_of(s_.joints.begin(), s_.joints.end(), holds))
      complain(key + ".group",
               "the group " + word_of(b.group) +
                   " describes rotation about a fixed point: give `pivot`, or a spherical joint to the ground");
  }

  void beam(const Beam& b, const std::string& key) {
    if (is_rotation(b.group) || b.group == GroupKind::automatic)
      complain(key + ".group", "a beam moves through space: expected a group of rigid motions, such as S3sdR3");
    beam_shape(b, key);
    beam_grid(b, key);
    if ((b.rest_curvature || b.rest_strain) && b.rest != RestKind::initial)
      complain(key + ".rest", "rest = \"straight\" and rest_curvature or rest_strain exclude each other");
    if (b.section) {
      if (b.stiffness) complain(key + ".stiffness", "`section` replaces `stiffness`: give one of them");
      if (b.mass_per_length)
        complain(key + ".mass_per_length", "`section` replaces `mass_per_length`: give one of them");
      if (b.inertia_per_length)
        complain(key + ".inertia_per_length", "`section` replaces `inertia_per_length`: give one of them");
      if (b.section->shape == SectionShape::ring && b.section->inner_radius >= b.section->radius)
        complain(key + ".section.inner_radius", "expected less than the radius");
      if (b.section->nu <= -1 || b.section->nu > 0.5)
        complain(key + ".section.nu", "expected a number above -1 and not above 0.5");
      return;
    }
    if (!b.stiffness) complain(key + ".stiffness", "this key is missing, and so is `section`: give one of them");
    if (!b.mass_per_length)
      complain(key + ".mass_per_length", "this key is missing, and so is `section`: give one of them");
    if (!b.inertia_per_length)
      complain(key + ".inertia_per_length", "this key is missing, and so is `section`: give one of them");
  }

  void beam_shape(const Beam& b, const std::string& key) {
    const bool rest = b.initial && b.initial->rest;
    const int shapes = (b.to ? 1 : 0) + (b.curve ? 1 : 0) + (b.initial ? 1 : 0);
    if (shapes != 1) {
      complain(key, shapes == 0 ? "the beam has no shape: give `from` and `to`, `curve` and `length`, or `initial`"
                                : "the beam has several shapes: give only one of `from`/`to`, `curve` and `initial`");
      return;
    }
    const auto only_with = [&](bool given, bool allowed, const char* what, const char* with) {
      if (given && !allowed) complain(key + "." + what, std::string("this key belongs to ") + with);
    };
    const bool straight = b.to.has_value();
    if (straight && !b.from) complain(key + ".from", "this key is missing: a straight beam has `from` and `to`");
    if (straight && b.from && (*b.to - *b.from).norm() == 0)
      complain(key + ".to", "expected a point other than `from`");
    if (b.curve && !b.length)
      complain(key + ".length", "this key is missing: `curve` is given for s between 0 and `length`");
    if (rest && !b.from) complain(key + ".from", "this key is missing: initial = \"rest\" starts at `from`");
    if (rest && !b.rest_curvature && !b.rest_strain && b.rest == RestKind::initial)
      complain(key + ".initial",
               "initial = \"rest\" needs a rest shape: give `rest_curvature`, `rest_strain` or rest = \"straight\"");
    if (rest && !b.length && !b.nodes)
      complain(key + ".length", "this key is missing: initial = \"rest\" needs `length` or `nodes`");
    only_with(b.from.has_value(), straight || rest, "from", "straight beams and to initial = \"rest\"");
    only_with(b.length.has_value(), b.curve || rest, "length", "`curve` and to initial = \"rest\"");
    only_with(b.orientation.has_value(), rest, "orientation", "initial = \"rest\"");
    only_with(b.director.has_value(), straight || b.curve, "director", "straight beams and to `curve`");
    if (b.initial && !rest) {
      const std::size_t nodes = b.initial->positions.size();
      if (nodes < 2) complain(key + ".initial.positions", "expected at least two nodes");
      if (b.initial->orientations.size() != nodes)
        complain(key + ".initial.orientations", "expected one orientation a node, " + std::to_string(nodes) +
                                                    ", found " + std::to_string(b.initial->orientations.size()));
      if (b.nodes && b.nodes->size() != nodes)
        complain(key + ".nodes", "expected one arc length a node, " + std::to_string(nodes) + ", found " +
                                     std::to_string(b.nodes->size()));
      if (b.segments) complain(key + ".segments", "`initial` has its own nodes; leave `segments` out");
      if (!b.nodes) complain(key + ".nodes", "this key is missing: `initial` needs the arc length of every node");
    }
  }

  void beam_grid(const Beam& b, const std::string& key) {
    const bool own_nodes = b.initial && !b.initial->rest;
    if (!own_nodes && b.segments && b.nodes) complain(key + ".nodes", "`segments` and `nodes` exclude each other");
    if (!own_nodes && !b.segments && !b.nodes)
      complain(key + ".segments", "this key is missing, and so is `nodes`: give one of them");
    if (b.segments && *b.segments > 10000000) complain(key + ".segments", "expected at most 1e7");
    if (!b.nodes) return;
    const std::vector<double>& n = *b.nodes;
    if (n.size() < 2) return complain(key + ".nodes", "expected at least two arc lengths");
    if (n.front() != 0) complain(key + ".nodes[0]", "the first node has arc length 0");
    for (std::size_t i = 1; i < n.size(); ++i)
      if (!(n[i] > n[i - 1])) return complain(key + ".nodes[" + std::to_string(i) + "]", "arc lengths must ascend");
    const std::optional<double> wanted = b.to && b.from ? std::optional((*b.to - *b.from).norm()) : b.length;
    if (wanted && std::abs(n.back() - *wanted) > 1e-9 * *wanted)
      complain(key + ".nodes", "the last arc length must be the length of the beam, " + std::to_string(*wanted));
  }

  /// Checks one reference; `whole_beam`: whether a beam without a place on it will do.
  std::optional<Target> reference(const Reference& text, const std::string& key, bool whole_beam) {
    std::string objection;
    const Target target = resolve(s_, text, objection);
    if (objection.empty() && target.kind == Target::Kind::beam && !whole_beam)
      objection = "expected a place on the beam: '" + text + ":start', '" + text + ":end' or '" + text + "@ARC_LENGTH'";
    if (objection.empty()) return target;
    complain(key, objection);
    return {};
  }

  void partners(const std::optional<std::array<Reference, 2>>& connects, const std::string& key) {
    if (!connects)
      return complain(key + ".connects", "this key is missing: expected two partners, such as [\"ground\", \"NAME\"]");
    const auto a = reference((*connects)[0], key + ".connects[0]", false),
               b = reference((*connects)[1], key + ".connects[1]", false);
    if (!a || !b) return;
    const bool same = a->kind == b->kind && a->index == b->index && a->s == b->s;
    if (same) complain(key + ".connects", "both partners are the same");
  }

  const Joint* find_joint(const std::string& name, const std::string& key) {
    Words words;
    for (const Joint& j : s_.joints) {
      if (j.name == name && j.type != JointKind::drive) return &j;
      if (j.type != JointKind::drive) words.push_back(j.name);
    }
    complain(key, "there is no joint '" + name + "'" + suggestion(name, words));
    return nullptr;
  }

  void joint(const Joint& j, const std::string& key) {
    const auto missing = [&](bool given, const char* what, const char* why) {
      if (!given) complain(key + "." + what, std::string("this key is missing: ") + why);
    };
    if (j.type == JointKind::drive) return drive(j, key);
    partners(j.connects, key);
    switch (j.type) {
      case JointKind::rolling_disk:
        missing(j.radius.has_value(), "radius", "a rolling disk needs it");
        if (j.connects && (*j.connects)[0] != "ground" && (*j.connects)[1] != "ground")
          complain(key + ".connects", "a disk rolls on the ground: one partner must be \"ground\"");
        return;
      case JointKind::distance:
        missing(j.points.has_value(), "points", "a distance joins two points, one in the frame of each partner");
        return;
      case JointKind::fixed: return;
      default: break;
    }
    const auto is_on_beam = [](const Reference& r) { return r.find_first_of(":@") != Reference::npos; };
    const bool placed = j.at || (j.connects && (is_on_beam((*j.connects)[0]) || is_on_beam((*j.connects)[1])));
    missing(placed, "at", "where in space is the joint?");
    if (j.type == JointKind::spherical) return;
    missing(j.axis.has_value(), "axis", "this type of joint has one");
    if (j.axis && j.axis->norm() == 0) complain(key + ".axis", "the axis must not be zero");
    if (j.type != JointKind::universal) return;
    missing(j.axis2.has_value(), "axis2", "a universal joint has two axes");
    if (j.axis && j.axis2 && std::abs(j.axis->normalized().dot(j.axis2->normalized())) > 1e-9)
      complain(key + ".axis2", "the two axes of a universal joint must be perpendicular");
  }

  void drive(const Joint& j, const std::string& key) {
    if (j.joint) {
      if (j.connects) complain(key + ".connects", "a drive acts on a `joint` or on partners, not on both");
      if (j.position || j.rotation || j.at)
        complain(key, "a drive of a joint has `angle` or `displacement`, not `at`, `position` or `rotation`");
      if (j.angle.has_value() == j.displacement.has_value())
        complain(key, "a drive of a joint needs `angle` or `displacement`, one of them");
      find_joint(*j.joint, key + ".joint");
      return;
    }
    partners(j.connects, key);
    if (j.connects && (*j.connects)[0] != "ground")
      complain(key + ".connects[0]", "a motion is prescribed in space: expected \"ground\"");
    if (j.angle || j.displacement) complain(key, "`angle` and `displacement` need the name of a `joint`");
    if (!j.position && !j.rotation)
      complain(key, "the drive has nothing to prescribe: give `joint`, or `position` or `rotation`");
  }

  void spring(const Spring& s, const std::string& key) {
    if (s.joint) {
      if (s.connects || s.points) complain(key + ".joint", "a spring acts on a `joint` or between points, not on both");
      if (const Joint* j = find_joint(*s.joint, key + ".joint"))
        if (j->type != JointKind::revolute && j->type != JointKind::prismatic && j->type != JointKind::cylindrical)
          complain(key + ".joint",
                   "a spring acts on revolute and prismatic joints; '" + *s.joint + "' is " + word_of(j->type));
      return;
    }
    partners(s.connects, key);
    if (s.length < 0) complain(key + ".length", "expected a number that is not negative");
  }

  void load(const Load& l, const std::string& key) {
    const auto target = reference(l.on, key + ".on", true);
    if (!target) return;
    if (target->kind == Target::Kind::ground) return complain(key + ".on", "a load on the ground does nothing");
    if (target->kind == Target::Kind::beam && !l.point.isZero(0))
      complain(key + ".point", "a load on a whole beam acts on its axis");
    if (target->kind != Target::Kind::body) return;
    for (const auto& [vector, what] : {std::pair{&l.force, ".force"}, std::pair{&l.moment, ".moment"}})
      for (std::size_t i = 0; i < 3; ++i)
        if (!(*vector)[i].is_constant() && (*vector)[i].formula()->uses_s())
          complain(key + what + "[" + std::to_string(i) + "]", "a body has no arc length s");
  }

  void sensor(const Sensor& x, const std::string& key) {
    using enum Quantity;
    const auto one_of = [&](std::initializer_list<Quantity> list) {
      return std::find(list.begin(), list.end(), x.quantity) != list.end();
    };
    const auto not_there = [&](const std::string& what) {
      complain(key + ".quantity", "'" + word_of(x.quantity) + "' cannot be measured on " + what);
    };
    if (x.on == "system") {
      if (!one_of({energy})) not_there("the system");
      return;
    }
    for (const Joint& j : s_.joints)
      if (j.name == x.on) {
        if (!one_of({force, moment, multiplier, angle, displacement, length})) not_there("a joint");
        return;
      }
    for (const Spring& s : s_.springs)
      if (s.name == x.on) {
        if (!one_of({length, tension})) not_there("a spring");
        return;
      }
    std::string objection;
    const Target target = resolve(s_, x.on, objection);
    if (!objection.empty()) {
      Words words{"system"};
      for (const Joint& j : s_.joints) words.push_back(j.name);
      for (const Spring& s : s_.springs) words.push_back(s.name);
      if (const std::string word = nearest_word(x.on, words); !word.empty()) objection += ", or '" + word + "'";
      return complain(key + ".on", objection);
    }
    switch (target.kind) {
      case Target::Kind::ground: complain(key + ".on", "the ground does not move"); break;
      case Target::Kind::beam: reference(x.on, key + ".on", false); break;
      case Target::Kind::body:
        if (!one_of({position, orientation, velocity, angular_velocity})) not_there("a body");
        break;
      case Target::Kind::beam_point:
        if (!one_of({position, orientation, velocity, angular_velocity, force, moment, strain})) not_there("a beam");
        break;
    }
  }

  const Scenario& s_;
};

}  // namespace

std::vector<Problem> find_problems(const Scenario& scenario) {
  Checker checker(scenario);
  checker.run();
  return std::move(checker.problems);
}

}  // namespace filum::scenario
