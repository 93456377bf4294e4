/// Loads on objects. User document: docs/guide/scenarios.md, "Loads".
#include <filum/model/assembly.hpp>
#include <filum/model/lines.hpp>
#include <filum/model/load.hpp>
#include <filum/model/records.hpp>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace filum::model {
namespace {

parts::Dependence both(const parts::Dependence& a, const parts::Dependence& b) {
  return {.position = a.position || b.position,
          .rotation = a.rotation || b.rotation,
          .velocity = a.velocity || b.velocity,
          .angular_velocity = a.angular_velocity || b.angular_velocity};
}

/// Of a law for the force and one for the moment.
parts::LoadLaw combined(const parts::LoadLaw& force, const parts::LoadLaw& moment) {
  const parts::Dependence f = force.sees(), m = moment.sees();
  const auto value = [=](const PointMotion& x) {
    return parts::LoadValue{force.value(x).force, moment.value(x).force};
  };
  const bool switches =
      force.switching() != mechanics::Switching::none || moment.switching() != mechanics::Switching::none;
  const auto add_switches = [=](const PointMotion& x, mechanics::SwitchList& out) {
    force.add_switches(x, out);
    moment.add_switches(x, out);
  };
  if (force.takes_many() || moment.takes_many()) {
    const auto values = [=](std::span<const PointMotion> at, std::span<parts::LoadValue> out) {
      std::vector<parts::LoadValue> moments(at.size());
      force.values(at, out);
      moment.values(at, moments);
      for (std::size_t k = 0; k < at.size(); ++k) out[k].moment = moments[k].force;
    };
    parts::LoadLaw law = parts::LoadLaw::of_many(values, both(f, m));
    if (switches) law.set_switches(add_switches);
    return law;
  }
  if (!f.any() && !m.any()) {
    parts::LoadLaw law = parts::LoadLaw::of_motion(value, nullptr, {});
    if (switches) law.set_switches(add_switches);
    return law;
  }
  const auto derivatives = [=](const PointMotion& x) {
    parts::LoadDerivatives d = force.derivatives(x);
    const parts::LoadDerivatives e = moment.derivatives(x);
    d.by_position.bottomRows<3>() = e.by_position.topRows<3>();
    d.by_rotation.bottomRows<3>() = e.by_rotation.topRows<3>();
    d.by_velocity.bottomRows<3>() = e.by_velocity.topRows<3>();
    d.by_angular_velocity.bottomRows<3>() = e.by_angular_velocity.topRows<3>();
    return d;
  };
  parts::LoadLaw law = parts::LoadLaw::of_motion(value, derivatives, both(f, m));
  if (switches) law.set_switches(add_switches);
  return law;
}

/// In the order of variables_of_load: t, s, x y z, vx vy vz, wx wy wz, s1 s2.
using LoadVariables = std::array<double, 13>;
LoadVariables values_of(const PointMotion& m) {
  const Vector3d &x = m.position, &v = m.velocity, &w = m.angular_velocity;
  return {m.t, m.s, x[0], x[1], x[2], v[0], v[1], v[2], w[0], w[1], w[2], m.s, m.s2};
}

bool uses_one_of(std::span<const Number> numbers, std::initializer_list<const char*> names) {
  for (const Number& n : numbers)
    for (const char* name : names)
      if (n.uses(name)) return true;
  return false;
}

/// For a law that looks at t, s and s2 alone.
template <class Value>
parts::LoadLaw law_of_time(const Value& value) {
  const auto still = [value](const PointMotion& at) {
    PointMotion m;
    m.t = at.t, m.s = at.s, m.s2 = at.s2;
    m.position.setZero(), m.velocity.setZero(), m.angular_velocity.setZero();
    return value(m);
  };
  return parts::LoadLaw::of_motion(still, nullptr, {});
}

/// One call for all points.
parts::LoadLaw law_of_many(const config::BoundCallable& f, const parts::Dependence& sees) {
  const auto values = [f](std::span<const PointMotion> motions, std::span<parts::LoadValue> out) {
    std::vector<double> at, forces(3 * motions.size());
    for (const PointMotion& m : motions)
      for (const double x : values_of(m)) at.push_back(x);
    f.at_points(motions.size(), at, forces);
    for (std::size_t k = 0; k < motions.size(); ++k)
      out[k] = {Vector3d(forces[3 * k], forces[3 * k + 1], forces[3 * k + 2]), Vector3d::Zero()};
  };
  return parts::LoadLaw::of_many(values, sees);
}

/// One call gives all three; derivatives by differences.
parts::LoadLaw law_of_callable(const config::BoundCallable& f, const parts::Dependence& sees) {
  if (f.takes_many()) return law_of_many(f, sees);
  const auto value = [f](const PointMotion& m) {
    const auto at = values_of(m);
    parts::LoadValue load;
    f(at, std::span<double>(load.force.data(), 3));
    return load;
  };
  return sees.any() ? parts::LoadLaw::of_motion(value, sees) : law_of_time(value);
}

parts::LoadLaw law_without_switches(const std::array<Number, 3>& n) {
  const parts::Dependence sees{.position = uses_one_of(n, {"x", "y", "z"}),
                               .rotation = false,
                               .velocity = uses_one_of(n, {"vx", "vy", "vz"}),
                               .angular_velocity = uses_one_of(n, {"wx", "wy", "wz"})};
  if (const config::BoundCallable* f = config::whole_callable(n)) return law_of_callable(*f, sees);
  const auto value = [n](const PointMotion& m) {
    const auto at = values_of(m);
    return parts::LoadValue{Vector3d(n[0].value(at), n[1].value(at), n[2].value(at)), Vector3d::Zero()};
  };
  if (!sees.any()) return law_of_time(value);
  const auto derivatives = [n](const PointMotion& m) {
    const auto at = values_of(m);
    parts::LoadDerivatives d;
    for (int i = 0; i < 3; ++i) {
      const config::Gradient g = n[static_cast<std::size_t>(i)].gradient(at);
      for (int k = 0; k < 3; ++k) {
        d.by_position(i, k) = g.by[2 + k];
        d.by_velocity(i, k) = g.by[5 + k];
        d.by_angular_velocity(i, k) = g.by[8 + k];
      }
    }
    return d;
  };
  return parts::LoadLaw::of_motion(value, derivatives, sees);
}

parts::LoadLaw law_of_formulas(const std::array<Number, 3>& n) {
  parts::LoadLaw law = law_without_switches(n);
  if (std::any_of(n.begin(), n.end(), [](const Number& x) { return x.has_switches(); }))
    law.set_switches([n](const PointMotion& m, mechanics::SwitchList& out) {
      const auto at = values_of(m);
      for (const Number& x : n) add_switches(x, at, out);
    });
  return law;
}

/// In the order of variables_of_pressure: t, s1 s2, x y z, vx vy vz.
std::array<double, 9> values_at_center(const PointMotion& m) {
  const Vector3d &x = m.position, &v = m.velocity;
  return {m.t, m.s, m.s2, x[0], x[1], x[2], v[0], v[1], v[2]};
}

parts::LoadLaw law_of_pressure(const Number& n) {
  const std::span<const Number> one(&n, 1);
  const parts::Dependence sees{.position = uses_one_of(one, {"x", "y", "z"}),
                               .velocity = uses_one_of(one, {"vx", "vy", "vz"})};
  const auto value = [n](const PointMotion& m) {
    return parts::LoadValue{.force = {0, 0, n.value(values_at_center(m))}};
  };
  const auto derivatives = [n](const PointMotion& m) {
    const config::Gradient g = n.gradient(values_at_center(m));
    parts::LoadDerivatives d;
    for (int k = 0; k < 3; ++k) d.by_position(2, k) = g.by[3 + k], d.by_velocity(2, k) = g.by[6 + k];
    return d;
  };
  parts::LoadLaw law = sees.any() ? parts::LoadLaw::of_motion(value, derivatives, sees) : law_of_time(value);
  if (n.has_switches())
    law.set_switches(
        [n](const PointMotion& m, mechanics::SwitchList& out) { add_switches(n, values_at_center(m), out); });
  return law;
}

class LoadObject final : public ObjectOf<Load> {
 public:
  using ObjectOf::ObjectOf;

  std::string_view kind() const override { return "load"; }
  std::vector<std::pair<std::string, Point>> points() const override { return {{"on", o_.on}}; }
  void check() const override {
    if (o_.on.is_ground()) throw OptionError("on", "a load on the ground does nothing");
    if (!(o_.damping >= 0)) throw OptionError("damping", "expected a non-negative number");
    if (o_.pressure && !o_.on.place.is_whole()) throw OptionError("pressure", "a pressure acts on a whole shell");
    if (o_.pressure && (!o_.force.is_zero() || !o_.moment.is_zero()))
      throw OptionError("pressure", "a load has either a pressure or a force and a moment; use two loads");
    if (o_.damping > 0 && !o_.on.place.is_whole())
      throw OptionError("damping", "damping in proportion to mass acts on a whole object");
  }
  void check_targets(const Objects& objects) const override {
    Object& target = *objects[static_cast<std::size_t>(o_.on.object)];
    if (o_.pressure) pressed(target);
    if (dynamic_cast<TakesPressure*>(&target)) return;
    for (const auto& [vector, option] : {std::pair(&o_.force, "force"), std::pair(&o_.moment, "moment")})
      if (vector->numbers() && uses_one_of(*vector->numbers(), {"s1", "s2"}))
        throw OptionError(
            option, "s1 and s2 are coordinates on a shell; '" + target.name() + "' is a " + std::string(target.kind()));
  }
  void plan(Plan& plan) const override {
    if (!o_.on.offset.isZero(0)) plan.need_node(o_.on);
  }
  void add_parts(Assembly& a) override {
    Object& target = a.object(o_.on);
    if (o_.damping > 0) target.add_damping(a, name(), o_.damping);
    on_ = target.name();
    if (o_.pressure) places_ = pressed(target).add_pressure(a, name(), o_.pressure->law());
    if (o_.force.is_zero() && o_.moment.is_zero()) return;
    places_ = target.add_load(a, {.name = name(),
                                  .place = o_.on.place,
                                  .offset = o_.on.offset,
                                  .frame = o_.frame,
                                  .rule = o_.rule,
                                  .law = combined(o_.force.law(), o_.moment.law())});
  }
  void record(Records& r) const override {
    const int count = static_cast<int>(places_.at.size());
    if (count == 0) return;
    std::vector<Anchor> anchors;
    for (const parts::Marker& m : places_.at) anchors.push_back(r.anchor(m));
    const auto add = [&](const char* what, const Reading& read, drawing::Quantity quantity) {
      const std::string series = "loads/" + name() + "/" + what;
      r.load_channel(series, {count, 3}, read);
      r.facts().drawings.push_back(
          drawing::Arrows{.series = series,
                          .quantity = quantity,
                          .frame = o_.frame == LoadFrame::space ? drawing::Frame::space : drawing::Frame::body,
                          .at = anchors});
    };
    r.group("loads/" + name(), {{"on", on_}, {"frame", o_.frame == LoadFrame::space ? "space" : "body"}});
    add("force", places_.forces, drawing::Quantity::force);
    add("moment", places_.moments, drawing::Quantity::moment);
    r.input({.name = name(), .in_space = o_.frame == LoadFrame::space, .shares = places_.shares});
  }
  std::string description() const override { return "on " + on_; }

  std::string broken_formula(double from, double to) const override {
    for (const LoadVector* vector : {&o_.force, &o_.moment}) {
      if (!vector->numbers()) continue;
      for (const Number& n : *vector->numbers())
        for (const double t : {from, 0.5 * (from + to), to}) {
          if (!n.formula() || vector->law().sees().any() || n.uses("s") || n.uses("s1") || n.uses("s2")) continue;
          const LoadVariables at{t};
          if (!std::isfinite(n.value(at)))
            return "the formula '" + n.formula()->text() + "' is not a number at t = " + std::to_string(t);
        }
    }
    return {};
  }

 private:
  static TakesPressure& pressed(Object& target) {
    if (auto* surface = dynamic_cast<TakesPressure*>(&target)) return *surface;
    throw OptionError("pressure", "a pressure acts on a whole shell, not on a " + std::string(target.kind()));
  }

  LoadPlaces places_;
  std::string on_;
};

}  // namespace

LoadVector::LoadVector(const Vector3d& value)
    : law_(parts::LoadLaw::constant({value, Vector3d::Zero()})), is_zero_(value.isZero(0)) {
  numbers_ = std::array<Number, 3>{Number(value[0]), Number(value[1]), Number(value[2])};
}

LoadVector::LoadVector(const std::array<Number, 3>& numbers) : law_(law_of_formulas(numbers)), numbers_(numbers) {
  is_zero_ = true;
  for (const Number& n : numbers) is_zero_ = is_zero_ && n.is_constant() && n() == 0;
}

Pressure::Pressure(Number number) : law_(law_of_pressure(number)), number_(number) {}

std::unique_ptr<Object> make_object(const Load& options) { return std::make_unique<LoadObject>(options); }

}  // namespace filum::model
