/// Reading a built model. User document: docs/guide/cpp.md.
#include "built_data.hpp"

#include <filum/model/built_model.hpp>
#include <filum/model/records.hpp>
#include <filum/model/sensor.hpp>
#include <filum/parts/frame_reader.hpp>

#include <algorithm>
#include <sstream>

namespace filum::model {
namespace {

std::string count(long n, const char* what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

}  // namespace

const System& BuiltModel::system() const { return *data_->system; }
std::shared_ptr<const System> BuiltModel::shared_system() const { return data_->system; }
const State& BuiltModel::start() const { return data_->start; }
const mechanics::ConsistencyReport& BuiltModel::consistency() const { return data_->consistency; }
const std::vector<std::string>& BuiltModel::remarks() const { return data_->remarks; }
const Objects& BuiltModel::objects() const { return *data_->objects; }
const std::string& BuiltModel::title() const { return data_->title; }
const Vector3d& BuiltModel::gravity() const { return data_->gravity; }

Vector3d BuiltModel::position(const Point& point, const State& x) const {
  if (point.is_ground()) return point.offset;
  const parts::Marker m = objects()[static_cast<std::size_t>(point.object)]->marker(point.place, point.offset);
  return parts::FrameReader(system().space(), m).pose(x.q).act(m.point);
}

Matrix3d BuiltModel::rotation(const Point& point, const State& x) const {
  if (point.is_ground()) return Matrix3d::Identity();
  const parts::Marker m = objects()[static_cast<std::size_t>(point.object)]->marker(point.place, point.offset);
  return parts::FrameReader(system().space(), m).pose(x.q).R;
}

VectorXd BuiltModel::measure(const Point& point, std::string_view quantity, const State& x) const {
  const std::unique_ptr<Object> sensor = make_object(Sensor{.on = point, .quantity = std::string(quantity)});
  try {
    sensor->check();
    const Probe probe = dynamic_cast<const Gauge&>(*sensor).probe(system(), objects());
    VectorXd values(static_cast<Eigen::Index>(probe.columns.size()));
    probe.read(x, values.data());
    return values;
  } catch (const OptionError& error) {
    ObjectProblem problem{.message = error.what()};
    if (point.object >= 0) {
      const Object& object = *objects()[static_cast<std::size_t>(point.object)];
      problem.kind = object.kind(), problem.name = object.name();
    }
    throw ModelError({problem});
  }
}

Layout BuiltModel::layout(const VectorXd* eta) const {
  Records records(system(), start(), objects(), eta, data_->units);
  for (const auto& object : objects()) {
    records.begin(*object);
    object->record(records);
  }
  Layout layout = records.take();
  std::erase_if(layout.facts.objects,
                [](const ObjectFacts& o) { return o.nodes == 0 && o.drawings.empty() && o.multiplier.empty(); });
  // A few paths are informative, many are a tangle.
  constexpr int most_trails = 4;
  int shown = 0;
  for (const ObjectFacts& o : layout.facts.objects)
    shown += static_cast<int>(std::count_if(o.trails.begin(), o.trails.end(), [](const Trail& t) { return t.on; }));
  if (shown > most_trails)
    for (ObjectFacts& o : layout.facts.objects)
      for (Trail& t : o.trails) t.on = false;
  layout.facts.title = title();
  layout.facts.gravity = gravity();
  layout.facts.units = data_->units;
  layout.facts.axis.unit = unit_of(data_->units, dimension::time);
  layout.attributes.emplace_back("title", title());
  return layout;
}

std::string BuiltModel::velocity_name(int component) const {
  const auto& space = system().space();
  int node = 0;
  while (node + 1 < space.nodes() && space.v_offset(node + 1) <= component) ++node;
  std::string owner = "node " + std::to_string(node);
  for (std::size_t i = 0; i < objects().size(); ++i) {
    const int k = node - data_->owners[i].first;
    if (k < 0 || k >= data_->owners[i].count) continue;
    const Object& object = *objects()[i];
    const std::string where = object.node_name(k);
    owner = std::string(object.kind()) + " " + object.name() + (where.empty() ? "" : ", " + where);
  }
  const int k = component - space.v_offset(node);
  const bool turns = space.group(node) > lie::GroupId::R3;
  return owner + ": " + (turns && k < 3 ? "angular velocity " : "velocity ") + std::to_string(k % 3 + 1);
}

std::string BuiltModel::description() const {
  const mechanics::ConsistencyReport& c = consistency();
  std::ostringstream out;
  out.precision(9);
  out << (title().empty() ? "(no title)" : title()) << "\n";
  constexpr std::size_t most_objects = 1000;
  for (std::size_t i = 0; i < std::min(most_objects, objects().size()); ++i) {
    const Object& object = *objects()[i];
    const std::string about = object.description();
    out << "  " << object.kind() << " " << object.name() << (about.empty() ? "" : ": " + about) << "\n";
  }
  if (objects().size() > most_objects) out << "  and " << objects().size() - most_objects << " more objects\n";
  const auto dropped = static_cast<long>(rows().inactive().size());
  out << "size\n  " << count(system().space().nodes(), "node") << ", " << system().size_v() << " velocities, "
      << count(system().size_rows(), "constraint")
      << (system().size_mu() > 0 ? " (" + std::to_string(system().size_mu()) + " of them nonholonomic)" : "") << ": "
      << count(system().size_v() - system().size_rows() + dropped, "degree") << " of freedom\n";
  const auto row = [&](int r) { return r >= 0 ? " (" + system().row_name(r) + ")" : std::string(); };
  out << "start\n";
  if (system().size_rows() == 0) {
    out << "  no constraints\n";
  } else {
    if (dropped == 0) out << "  the constraints are independent\n";
    constexpr long most = 20;
    for (long k = 0; k < std::min(most, dropped); ++k)
      out << "  redundant, left out: " << system().row_name(rows().inactive()[static_cast<std::size_t>(k)]) << "\n";
    if (dropped > most) out << "  redundant, left out: " << dropped - most << " more\n";
    const auto fit = [&](const char* what, double off, double left, int worst) {
      constexpr double rounding = 1e-12;
      if (off < rounding)
        out << "  " << what << " satisfy the constraints\n";
      else
        out << "  " << what << " violated the constraints by " << off << row(worst) << ", corrected to " << left
            << "\n";
    };
    out.precision(3);
    fit("positions", c.position_off, c.position_left, c.worst_position_row);
    fit("velocities", c.velocity_off, c.velocity_left, c.worst_velocity_row);
    out.precision(9);
  }
  out << "  energy: kinetic " << system().kinetic_energy(start().q, start().v) << ", potential "
      << system().potential_energy(start().t, start().q) << "\n";
  return out.str();
}

}  // namespace filum::model
