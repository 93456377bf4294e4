/// Sensors. User document: docs/guide/scenarios.md, "Sensors".
#include <filum/config/problem.hpp>
#include <filum/model/assembly.hpp>
#include <filum/model/records.hpp>
#include <filum/model/sensor.hpp>

#include <algorithm>

namespace filum::model {
namespace {

std::vector<Probe> probes_of_system(const mechanics::System& system) {
  return {{"energy",
           {"kinetic", "potential", "total"},
           [&system](const State& x, double* out) {
             out[0] = system.kinetic_energy(x.q, x.v);
             out[1] = system.potential_energy(x.t, x.q);
             out[2] = out[0] + out[1];
           },
           {dimension::energy}}};
}

/// "m", or "1/m, 1/m, 1/m, 1, 1, 1"; a pure number has the unit 1.
std::string joined_units(const std::vector<std::string>& units) {
  std::string text;
  for (const std::string& unit : units) text += (text.empty() ? "" : ", ") + (unit.empty() ? std::string("1") : unit);
  return text;
}

class SensorObject final : public ObjectOf<Sensor>, public Gauge {
 public:
  using ObjectOf::ObjectOf;

  std::string_view kind() const override { return "sensor"; }
  bool shares_names() const override { return false; }
  std::vector<std::pair<std::string, Point>> points() const override { return {{"on", o_.on}}; }
  void check() const override {
    if (o_.on.is_ground()) throw OptionError("on", "the ground does not move");
  }
  void check_targets(const Objects& objects) const override {
    if (o_.on.object == Point::on_system) return check_word({"energy"}, "the system");
    const Object& target = *objects[static_cast<std::size_t>(o_.on.object)];
    check_word(target.quantities(o_.on.place), "a " + std::string(target.kind()));
  }
  void plan(Plan& plan) const override { plan.need_node(o_.on); }
  void check_built(const mechanics::System& system, const Objects& objects) const override { probe(system, objects); }

  void record(Records& r) const override {
    const Probe found = probe(r.system(), r.objects());
    std::vector<std::string> columns;
    for (const std::string& c : found.columns) columns.push_back(c.empty() ? name() : name() + "." + c);
    std::string components;
    for (const std::string& c : columns) components += (components.empty() ? "" : ", ") + c;
    const int size = static_cast<int>(columns.size());
    const std::string on = o_.on.object >= 0 ? r.object(o_.on).name() : "system";
    const std::vector<std::string> units =
        r.units().is_given() ? units_of(r.units(), found.dimensions) : std::vector<std::string>{};
    Attributes attributes{{"on", on}, {"quantity", o_.quantity}, {"components", components}};
    if (!units.empty()) attributes.emplace_back("unit", joined_units(units));
    Channel channel{"sensors/" + name(), size == 1 ? std::vector<int>{} : std::vector<int>{size}, found.read,
                    std::move(attributes)};
    r.sensor({std::move(channel), columns});
    r.plot({.group = "Sensors",
            .title = "Sensor " + name(),
            .label = name(),
            .series = "sensors/" + name(),
            .components = columns,
            .note = o_.quantity + " of " + on,
            .quantity = o_.quantity,
            .rank = PlotRank::measured,
            .units = units});
  }
  std::string description() const override { return o_.quantity; }

  Probe probe(const mechanics::System& system, const Objects& objects) const override {
    const bool of_system = o_.on.object == Point::on_system;
    const Object* target = of_system ? nullptr : objects[static_cast<std::size_t>(o_.on.object)].get();
    std::vector<Probe> all = of_system ? probes_of_system(system) : target->probes(system, o_.on);
    std::vector<std::string> words;
    for (Probe& p : all) {
      if (p.quantity == o_.quantity) return std::move(p);
      words.push_back(p.quantity);
    }
    if (words.empty())
      throw OptionError(
          "on",
          "this " + std::string(target->kind()) +
              " has no equations of its own: it is absorbed by the group of a body, and nothing can be measured on it");
    check_word(words, of_system ? "the system" : "a " + std::string(target->kind()));
    throw std::logic_error("a quantity was found and not found");
  }

 private:
  /// No words: nothing is known yet.
  void check_word(const std::vector<std::string>& words, const std::string& on) const {
    if (words.empty() || std::find(words.begin(), words.end(), o_.quantity) != words.end()) return;
    throw OptionError(
        "quantity", "'" + o_.quantity + "' cannot be measured on " + on + "; expected " + config::alternatives(words));
  }
};

}  // namespace

std::unique_ptr<Object> make_object(const Sensor& options) { return std::make_unique<SensorObject>(options); }

}  // namespace filum::model
