/// Adding objects, and turning them into a system. User document: docs/guide/cpp.md.
#include "built_data.hpp"
#include "consistent_velocities.hpp"
#include "for_each.hpp"
#include "start_checks.hpp"

#include <filum/config/problem.hpp>
#include <filum/model/assembly.hpp>
#include <filum/model/model.hpp>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <map>
#include <set>

namespace filum::model {
namespace {

std::uint64_t next_id() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

/// Words that files give a meaning to.
const std::set<std::string, std::less<>>& reserved_names() {
  static const std::set<std::string, std::less<>> names{"ground", "system",  "time",       "energy",  "joints",
                                                        "step",   "sensors", "constraint", "springs", "loads",
                                                        "modes",  "factor",  "path"};
  return names;
}

std::string objection_to_name(std::string_view name) {
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-'; };
  const bool digits_only = std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!std::all_of(name.begin(), name.end(), is_part) || digits_only || name.size() > 60)
    return "a name is made of at most 60 letters, digits, _ and -, not of digits alone";
  return {};
}

}  // namespace

struct Model::Data {
  ModelOptions options;
  std::uint64_t id = next_id();
  std::shared_ptr<Objects> objects = std::make_shared<Objects>();
  std::map<std::string, int, std::less<>> names,
      own_names;                                   ///< shared by most kinds, and by those with names of their own
  std::map<std::string, int, std::less<>> counts;  ///< objects of each kind
  std::set<std::string> made_up;                   ///< generated names
  std::shared_ptr<const BuiltModel> built;
  bool has_fitted_velocities = false;
};

Model::Model(ModelOptions options) : data_(std::make_shared<Data>()) { data_->options = std::move(options); }

const ModelOptions& Model::options() const { return data_->options; }
int Model::size() const { return static_cast<int>(data_->objects->size()); }
bool Model::is_built() const { return data_->built != nullptr; }

const Object& Model::object(Handle handle) const {
  if (handle.model() != data_->id) throw ModelError("the handle belongs to another model");
  return *(*data_->objects)[static_cast<std::size_t>(handle.number())];
}

const Object& Model::object(int number) const { return *data_->objects->at(static_cast<std::size_t>(number)); }

bool Model::contains(std::string_view name) const { return data_->names.find(name) != data_->names.end(); }

Handle Model::find(std::string_view name) const {
  const auto found = data_->names.find(name);
  if (found != data_->names.end()) return {data_->id, found->second};
  std::vector<std::string> words;
  for (const auto& entry : data_->names) words.push_back(entry.first);
  throw ModelError("there is nothing called '" + config::shortened(name) + "'" + config::suggestion(name, words));
}

Handle Model::add_object(std::unique_ptr<Object> object, const std::string& name) {
  Data& d = *data_;
  const std::string kind(object->kind());
  std::vector<ObjectProblem> problems;
  const auto complain = [&](const std::string& option, const std::string& message) {
    problems.push_back({kind, name, option, message});
  };
  const auto attempt = [&](auto&& f) {
    try {
      f();
    } catch (const OptionError& error) {
      complain(error.option, error.what());
    } catch (const std::invalid_argument& error) {
      complain("", error.what());
    }
  };
  if (d.built) throw ModelError({{kind, name, "", "the model has been built; nothing can be added to it"}});
  auto& names = object->shares_names() ? d.names : d.own_names;
  const int count = ++d.counts[kind];
  object->name_ = name;
  for (int n = count; object->name_.empty() || (name.empty() && names.contains(object->name_)); ++n)
    object->name_ = kind + "-" + std::to_string(n);
  if (const std::string reason = objection_to_name(object->name_); !reason.empty())
    complain("name", reason);
  else if (object->shares_names() && reserved_names().contains(object->name_))
    complain("name", "the name '" + config::shortened(name) + "' is reserved; choose another");
  else if (names.contains(object->name_))
    complain("name", "the name '" + config::shortened(name) + "' is taken" +
                         (d.made_up.contains(name) ? ": it was generated for an earlier " + kind + " without a name"
                                                   : "; names must be unique"));
  attempt([&] { object->check(); });
  bool is_complete = true;
  for (const auto& [option, point] : object->points()) {
    is_complete = is_complete && point.object != Point::unresolved;
    attempt([&, &o = option, &p = point] { check_point(*object, o, p); });
  }
  if (is_complete && problems.empty()) attempt([&] { object->check_targets(*d.objects); });
  if (!is_complete || !problems.empty()) throw ModelError(std::move(problems));
  const int number = size();
  names[object->name_] = number;
  if (name.empty()) d.made_up.insert(object->name_);
  d.objects->push_back(std::move(object));
  return {d.id, number};
}

void Model::check_point(const Object& object, const std::string& option, const Point& point) const {
  const std::string kind(object.kind());
  if (point.object == Point::on_system && kind != "sensor")
    throw OptionError(option, "a " + kind + " cannot be attached to the whole system; name one of its objects");
  if (point.object < 0) return;
  if (point.model != data_->id) throw OptionError(option, "the point belongs to another model");
  if (point.object >= size()) throw OptionError(option, "the point belongs to an object that has not been added yet");
  const Object& target = *(*data_->objects)[static_cast<std::size_t>(point.object)];
  if (const std::string reason = target.objection(point.place, option == "joint" ? "coordinate" : kind);
      !reason.empty())
    throw OptionError(option, reason);
}

namespace {

Plan checked_plan(Objects& objects) {
  Plan plan;
  for_each(objects, [&](const Object& object, int) { object.plan(plan); });
  for_each(objects, [&](const Object& object, int i) { object.check_plan(plan, i); });
  const bool moves =
      std::any_of(objects.begin(), objects.end(), [](const auto& object) { return object->expected_nodes() > 0; });
  if (!moves) throw ModelError("there is nothing that moves: add a body or a beam");
  return plan;
}

}  // namespace

void Model::check() const { checked_plan(*data_->objects); }

const BuiltModel& Model::build(double start, StartVelocities velocities) {
  Data& d = *data_;
  const bool fits = velocities == StartVelocities::fitted;
  if (d.built) {
    if (d.built->start().t != start) throw ModelError("the model has been built for another time");
    if (d.has_fitted_velocities && !fits)
      throw ModelError("the model has been built for statics; its initial velocities contradict joints or drives");
    return *d.built;
  }
  bool has_fitted_velocities = false;
  auto built = std::make_shared<BuiltModel::Data>();
  built->objects = d.objects;
  built->title = d.options.title;
  built->gravity = d.options.gravity;
  built->units = d.options.units;
  const Plan plan = checked_plan(*d.objects);
  Assembly assembly(*d.objects, plan, start, d.options.gravity);
  for_each(*d.objects, [&](Object& object, int i) {
    assembly.current_ = i;
    const int first = assembly.system().space().nodes();
    object.add_nodes(assembly);
    built->owners.push_back({first, assembly.system().space().nodes() - first});
  });
  for_each(*d.objects, [&](Object& object, int i) {
    assembly.current_ = i;
    object.add_parts(assembly);
  });
  if (!d.options.gravity.isZero(0)) {
    const auto gravity = assembly.system().add_part(std::make_shared<parts::Gravity>(d.options.gravity));
    for (const Assembly::Mass& m : assembly.masses_) gravity->add(m.at, m.mass);
  }
  try {
    State x = assembly.system().start();
    built->system = assembly.system().build();
    refuse_crowded_nodes(*built);
    built->start = built->system->make_state();
    built->start.t = x.t, built->start.q = std::move(x.q), built->start.v = std::move(x.v);
    choose_velocities(*built->system, built->start, assembly.free_velocities_);
    const State given = built->start;
    try {
      built->consistency = mechanics::make_consistent(*built->system, built->start);
    } catch (const mechanics::InconsistentStart&) {
      if (!fits) throw;
      built->start = given;
      built->consistency = mechanics::make_consistent(*built->system, built->start, {.repair_velocity_fully = true});
      has_fitted_velocities = true;
    }
  } catch (const mechanics::InconsistentStart& error) {
    if (built->system && built->start.v.allFinite() && built->start.q.allFinite()) refuse_infinite_start(*built);
    throw ModelError(error.what());
  } catch (const std::invalid_argument& error) {
    throw ModelError(error.what());
  }
  refuse_infinite_start(*built);
  for_each(*d.objects, [&](const Object& object, int) { object.check_built(*built->system, *d.objects); });
  built->remarks = std::move(assembly.remarks_);
  d.built = std::make_shared<const BuiltModel>(std::move(built));
  d.has_fitted_velocities = has_fitted_velocities;
  return *d.built;
}

}  // namespace filum::model
