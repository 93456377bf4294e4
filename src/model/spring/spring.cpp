/// Springs between points and on joints. User document: docs/guide/scenarios.md, "Springs".
#include <filum/model/assembly.hpp>
#include <filum/model/joint.hpp>
#include <filum/model/records.hpp>
#include <filum/model/spring.hpp>
#include <filum/parts/joint_spring.hpp>
#include <filum/parts/spring.hpp>

#include <array>
#include <sstream>

namespace filum::model {
namespace {

template <class Options>
void check_coefficients(const Options& o) {
  for (const auto& [option, value] : {std::pair{"stiffness", o.stiffness}, std::pair{"damping", o.damping}})
    if (!(value >= 0)) throw OptionError(option, "expected a non-negative number");
  if (o.force && (o.stiffness != 0 || o.damping != 0))
    throw OptionError("force", "`force` replaces `stiffness` and `damping`");
}

template <class Options>
std::string described(const Options& o) {
  std::ostringstream text;
  text.precision(9);
  if (o.force)
    text << "force "
         << (o.force->number() && o.force->number()->formula() ? o.force->number()->formula()->text()
                                                               : "by a function");
  else
    text << "stiffness " << o.stiffness << ", damping " << o.damping;
  return text.str();
}

template <class Options>
std::optional<parts::SpringLaw> law_of(const Options& o) {
  return o.force ? std::optional(o.force->law()) : std::nullopt;
}

class SpringObject final : public ObjectOf<Spring> {
 public:
  using ObjectOf::ObjectOf;

  std::string_view kind() const override { return "spring"; }
  std::string objection(const Place& place, std::string_view use) const override {
    if (use != "sensor") return Object::objection(place, use);
    return place.is_whole() ? "" : "a spring has no places";
  }
  std::vector<std::pair<std::string, Point>> points() const override {
    return {{"connects[0]", o_.first}, {"connects[1]", o_.second}};
  }
  void check() const override {
    check_coefficients(o_);
    if (!(o_.length >= 0)) throw OptionError("length", "expected a non-negative number");
    const bool same = o_.first.object != Point::unresolved && o_.first.object == o_.second.object &&
                      o_.first.place.at == o_.second.place.at && o_.first.place.count == o_.second.place.count;
    if (same) throw OptionError("connects", "both partners are the same");
  }
  void plan(Plan& plan) const override {
    plan.need_node(o_.first);
    plan.need_node(o_.second);
  }
  void add_parts(Assembly& a) override {
    spring_ = parts::add_spring(
        a.system(),
        {.name = name(), .stiffness = o_.stiffness, .damping = o_.damping, .length = o_.length, .law = law_of(o_)},
        a.marker(o_.first), a.marker(o_.second));
  }
  std::vector<std::string> quantities(const Place&) const override { return {"length", "tension"}; }
  std::vector<Probe> probes(const mechanics::System&, const Point&) const override {
    const parts::SpringHandle spring = spring_;
    return {{"length", {""}, [spring](const State& x, double* out) { *out = spring.length(x); }, {dimension::length}},
            {"tension", {""}, [spring](const State& x, double* out) { *out = spring.tension(x); }, {dimension::force}}};
  }
  void record(Records& r) const override {
    r.facts().drawings.push_back(drawing::Coil{r.anchor(o_.first), r.anchor(o_.second)});
  }
  std::string description() const override { return described(o_); }

 private:
  parts::SpringHandle spring_;
};

class JointSpringObject final : public ObjectOf<JointSpring> {
 public:
  using ObjectOf::ObjectOf;

  std::string_view kind() const override { return "spring"; }
  std::string objection(const Place& place, std::string_view use) const override {
    if (use != "sensor") return Object::objection(place, use);
    return place.is_whole() ? "" : "a spring has no places";
  }
  std::vector<std::pair<std::string, Point>> points() const override { return {{"joint", o_.joint}}; }
  void check() const override { check_coefficients(o_); }
  void add_parts(Assembly& a) override {
    const auto* joint = o_.joint.object >= 0 ? dynamic_cast<const JointObject*>(&a.object(o_.joint)) : nullptr;
    if (!joint) throw OptionError("joint", "expected a joint");
    const JointType type = joint->options().type;
    const bool slides = type == JointType::prismatic || type == JointType::cylindrical;
    if (!slides && type != JointType::revolute)
      throw OptionError("joint", "a spring acts on revolute and prismatic joints; '" + joint->name() + "' is " +
                                     std::string(parts::name(type)));
    spring_ = parts::add_joint_spring(
        a.system(),
        {.name = name(),
         .coordinate = slides ? parts::JointCoordinate::displacement : parts::JointCoordinate::angle,
         .stiffness = o_.stiffness,
         .damping = o_.damping,
         .rest = o_.rest,
         .law = law_of(o_)},
        joint->joint());
    slides_ = slides;
  }
  std::vector<Probe> probes(const mechanics::System&, const Point&) const override {
    const parts::JointSpringHandle spring = spring_;
    return {{slides_ ? "force" : "torque", {""}, [spring](const State& x, double* out) { *out = spring.effort(x); }}};
  }
  std::string description() const override { return described(o_); }

 private:
  parts::JointSpringHandle spring_;
  bool slides_ = false;
};

/// Variables in the order of variables_of_spring: t, length, rate.
parts::SpringLaw law_of_formula(const Number& f) {
  if (f.entry())  // a function of a program is called as seldom as possible
    return parts::SpringLaw::of(
        [f](double length, double rate, double t) {
          const std::array<double, 3> at{t, length, rate};
          return f.value(at);
        },
        f.uses("rate"));
  parts::SpringLaw law = parts::SpringLaw::with_derivatives(
      [f](double length, double rate, double t) {
        const std::array<double, 3> at{t, length, rate};
        const config::Gradient g = f.gradient(at);
        return parts::SpringForce{g.value, g.by[1], g.by[2]};
      },
      f.uses("rate"));
  if (f.has_switches())
    law.set_switches([f](double length, double rate, double t, mechanics::SwitchList& out) {
      const std::array<double, 3> at{t, length, rate};
      add_switches(f, at, out);
    });
  return law;
}

}  // namespace

SpringForce::SpringForce(Number formula) : law_(law_of_formula(formula)), number_(std::move(formula)) {}

std::unique_ptr<Object> make_object(const Spring& options) { return std::make_unique<SpringObject>(options); }
std::unique_ptr<Object> make_object(const JointSpring& options) { return std::make_unique<JointSpringObject>(options); }

}  // namespace filum::model
