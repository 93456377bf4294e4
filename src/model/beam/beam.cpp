/// Beams: grid, material, series and drawing. User document: docs/guide/scenarios.md, "Beams".
#include "point_probes.hpp"

#include <filum/lie/group_id.hpp>
#include <filum/model/assembly.hpp>
#include <filum/model/beam.hpp>
#include <filum/model/lines.hpp>
#include <filum/model/records.hpp>
#include <filum/parts/viscous_damping.hpp>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace filum::model {
namespace {

/// f(s) in the middle of every segment; one entry when it is the same everywhere.
template <class T>
std::vector<T> per_segment(const std::vector<double>& grid, const Along<T>& f) {
  std::vector<T> values;
  for (std::size_t m = 0; m + 1 < grid.size() && !(f.is_constant() && m > 0); ++m)
    values.push_back(f(0.5 * (grid[m] + grid[m + 1])));
  return values;
}

class BeamObject final : public ObjectOf<Beam>, public HasLines {
 public:
  using ObjectOf::ObjectOf;

  std::string_view kind() const override { return "beam"; }
  int expected_nodes() const override { return o_.nodes.empty() ? o_.segments + 1 : static_cast<int>(o_.nodes.size()); }

  std::string objection(const Place& place, std::string_view use) const override {
    if (place.is_whole())
      return use == "load" ? ""
                           : "expected a place on the beam: '" + name() + ":start', '" + name() + ":end' or '" +
                                 name() + "@ARC_LENGTH'";
    if (place.count > 1) return "a beam has one coordinate, its arc length";
    if (is_line(place))
      return use == "joint" || use == "support"
                 ? ""
                 : "a " + std::string(use) + " acts at one place of a beam, or on all of it";
    const double s = place.at[0];
    if (s == Place::end || (s >= 0 && s <= length() * (1 + 1e-12))) return {};
    std::ostringstream text;
    text << "the beam '" << name() << "' has arc lengths from 0 to " << length() << "; " << s << " is not among them";
    return text.str();
  }

  void check() const override {
    if (o_.group.group && !lie::is_rigid_motion(*o_.group.group))
      throw OptionError("group", "a beam moves through space: expected a group of rigid motions, such as S3sdR3");
    if (const auto* line = std::get_if<Line>(&o_.shape); line && !((line->to - line->from).norm() > 0))
      throw OptionError("to", "expected a point other than `from`");
    check_grid();
    if (const auto* section = std::get_if<Section>(&o_.section)) properties_of(*section);
    if (!(o_.damping.time >= 0)) throw OptionError("damping.time", "expected a non-negative number");
    if (o_.damping.viscosity && o_.damping.time > 0)
      throw OptionError("damping", "give either `time` or a matrix, not both");
    if (const auto* points = std::get_if<Points>(&o_.shape)) check_points(*points);
    if (std::holds_alternative<RestShape>(o_.shape) && std::get_if<Rest>(&o_.rest) &&
        std::get<Rest>(o_.rest) == Rest::as_drawn)
      throw OptionError(
          "initial",
          "initial = \"rest\" needs a rest shape: give `rest_curvature`, `rest_strain` or rest = \"straight\"");
  }

  void add_nodes(Assembly& a) override {
    std::vector<double> inserted;
    parts::BeamOptions o;
    o.name = name();
    o.grid = grid(a.plan().needed_places(a.current()), inserted);
    o.held = o_.held;
    set_material(o);
    const bool on_nodes =
        std::all_of(o.mass_center.begin(), o.mass_center.end(), [](const Vector3d& c) { return c.isZero(0); });
    o.group = o_.group.group ? *o_.group.group : a.choose_group("beam " + name(), {.mass_is_on_nodes = on_nodes});
    set_rest(o);
    NodePoses poses = poses_along(o_.shape, o.grid, o.rest_strain, a.gravity());
    check_distances(poses.positions, o.grid);
    o.positions = std::move(poses.positions);
    o.orientations = std::move(poses.orientations);
    for (const double s : o.grid) {
      o.angular_velocities.push_back(o_.angular_velocity(s));
      o.velocities.push_back(o_.velocity(s));
      if (!o.angular_velocities.back().allFinite() || !o.velocities.back().allFinite())
        throw std::invalid_argument("the initial velocity is not finite at s = " + std::to_string(s));
    }
    for (const double s : inserted)
      a.remark("beam " + name() + ": a node was added at s = " + std::to_string(s) + ", where something is attached");
    beam_ = parts::add_beam(a.system(), o);
    for (int i = 0; i < beam_->nodes(); ++i) a.weigh(beam_->mass_center(i), beam_->node_mass(i));
  }

  parts::Marker marker(const Place& place, const Vector3d& offset) const override {
    parts::Marker m = beam_->at(node(place));
    m.point = offset;
    return m;
  }

  std::vector<Place> nodes_along(const Place&) const override {
    std::vector<Place> all;
    for (int i = 0; i < beam_->nodes(); ++i) all.push_back({1, {beam_->arc_length(i)}});
    return all;
  }

  LoadPlaces add_load(Assembly& a, const LoadRequest& request) override {
    const bool whole = request.place.is_whole();
    if (!whole && !request.offset.isZero(0))
      return Object::add_load(a, request);  // off the axis: at the node that was planned
    if (whole && !request.offset.isZero(0)) throw OptionError("point", "a load on a whole beam acts on its axis");
    const auto load =
        whole ? parts::add_beam_load(
                    a.system(), beam_,
                    {.name = request.name, .frame = request.frame, .rule = request.rule, .density = request.law})
              : parts::add_beam_point_load(a.system(), beam_, request.name, arc_length(request.place), request.frame,
                                           request.law);
    LoadPlaces places =
        places_along(whole ? even_places() : std::vector<double>{arc_length(request.place)}, request.law);
    for (int k = 0; k < load->places(); ++k) places.shares.push_back({beam_->at(load->node(k)), load->share(k)});
    return places;
  }
  void add_damping(Assembly& a, const std::string& load, double rate) override {
    parts::add_mass_damping(a.system(), load, rate, *beam_);
  }

  std::vector<std::string> quantities(const Place&) const override {
    std::vector<std::string> words = point_quantities();
    words.insert(words.end(), {"force", "moment", "strain"});
    return words;
  }
  std::vector<Probe> probes(const mechanics::System& system, const Point& point) const override {
    std::vector<Probe> all = point_probes(system, marker(point.place, point.offset));
    const auto beam = beam_;
    const double s = arc_length(point.place);
    all.push_back({"strain",
                   {"bending1", "bending2", "torsion", "shear1", "shear2", "extension"},
                   [=](const State& x, double* out) { put(beam->strain_at(x, s), out); },
                   {dimension::curvature, dimension::curvature, dimension::curvature, dimension::number,
                    dimension::number, dimension::number}});
    all.push_back({"moment",
                   {"1", "2", "3"},
                   [=](const State& x, double* out) { put(Vector3d(beam->stress_at(x, s).head<3>()), out); },
                   {dimension::moment}});
    all.push_back({"force",
                   {"1", "2", "3"},
                   [=](const State& x, double* out) { put(Vector3d(beam->stress_at(x, s).tail<3>()), out); },
                   {dimension::force}});
    return all;
  }

  void record(Records& r) const override {
    const auto beam = beam_;
    const int count = beam->segments();
    r.group(name(), {{"kind", "beam"}, {"group", std::string(lie::name(beam_->group()))}, {"model", model_name()}});
    r.motion({.object = name(),
              .first_node = beam->first_node(),
              .nodes = beam->nodes(),
              .at = [beam](const State& x, int i) {
                return NodePose{beam->position(x, i), beam->orientation(x, i)};
              }});
    r.channel(name() + "/strain", {count, 6}, [=](const State& x, double* out) { beam->strains(x.q, out); },
              {{"components", "bending 1, bending 2, torsion, shear 1, shear 2, extension"}});
    r.channel(name() + "/stress", {count, 6}, [=](const State& x, double* out) { beam->stresses(x, out); },
              {{"components", "moment 1, moment 2, torque, force 1, force 2, axial force"}});
    r.channel(name() + "/energy", {count},
              [=](const State& x, double* out) {
                beam->elastic_energies(x.q, out);
                for (int m = 0; m < count; ++m) out[m] /= beam->segment_length(m);
              },
              {{"components", "elastic energy per length"}});
    r.multipliers(name(), beam->rows().count, beam->held_strains(), plain_rows({beam->rows()}));
    std::vector<double> grid;
    for (int i = 0; i < beam->nodes(); ++i) grid.push_back(beam->arc_length(i));
    r.array(name() + "/arc_length", std::move(grid));
    add_facts(r);
  }

  std::string description() const override {
    std::ostringstream text;
    text.precision(9);
    const int rows = beam_->rows().count;
    text << model_name() << ", " << beam_->segments() << (beam_->segments() == 1 ? " segment" : " segments")
         << ", length " << beam_->arc_length(beam_->nodes() - 1) << ", group " << lie::name(beam_->group()) << ", "
         << rows << (rows == 1 ? " constraint" : " constraints");
    return text.str();
  }
  std::string node_name(int node) const override {
    return "node " + std::to_string(node) + " of " + std::to_string(beam_->nodes());
  }

 private:
  double length() const { return o_.nodes.empty() ? length_of(o_.shape) : o_.nodes.back(); }
  double arc_length(const Place& place) const { return place.at[0] == Place::end ? length() : place.at[0]; }
  int node(const Place& place) const { return beam_->node_at(arc_length(place)); }

  /// Where a load on the whole beam is drawn.
  std::vector<double> even_places() const {
    constexpr int count = 9;
    std::vector<double> places;
    for (int k = 0; k < count; ++k) places.push_back(length() * k / (count - 1));
    return places;
  }

  LoadPlaces places_along(const std::vector<double>& places, const parts::LoadLaw& law) const {
    LoadPlaces all;
    for (const double s : places) all.at.push_back(beam_->at(beam_->node_at(s)));
    const auto reading = [beam = beam_, places, law](auto part) -> Reading {
      return [=](const State& x, double* out) {
        for (std::size_t k = 0; k < places.size(); ++k)
          put(Vector3d(part(law.value(beam->motion_at(x, places[k])))), out + 3 * k);
      };
    };
    all.forces = reading([](const parts::LoadValue& v) { return v.force; });
    all.moments = reading([](const parts::LoadValue& v) { return v.moment; });
    return all;
  }

  void check_grid() const {
    const bool has_own = std::holds_alternative<Points>(o_.shape);
    if (o_.segments > 0 && !o_.nodes.empty()) throw OptionError("nodes", "give either `segments` or `nodes`, not both");
    if (o_.segments <= 0 && o_.nodes.empty())
      throw OptionError(has_own ? "nodes" : "segments",
                        has_own ? "this key is missing: `initial` needs the arc length of every node"
                                : "this key is missing, and so is `nodes`: give one of them");
    if (o_.segments > 10000000) throw OptionError("segments", "expected at most 1e7");
    if (o_.nodes.empty()) {
      if (!(length() > 0) || !std::isfinite(length())) throw OptionError("length", "expected a positive length");
      return;
    }
    const std::vector<double>& n = o_.nodes;
    if (n.size() < 2) throw OptionError("nodes", "expected at least two arc lengths");
    if (n.front() != 0) throw OptionError("nodes[0]", "the first node has arc length 0");
    for (std::size_t i = 1; i < n.size(); ++i)
      if (!(n[i] > n[i - 1])) throw OptionError("nodes[" + std::to_string(i) + "]", "arc lengths must increase");
    const double wanted = length_of(o_.shape);
    if (wanted > 0 && std::abs(n.back() - wanted) > 1e-9 * wanted)
      throw OptionError("nodes", "the last arc length must be the length of the beam, " + std::to_string(wanted));
  }

  void check_points(const Points& p) const {
    const std::size_t nodes = p.positions.size();
    if (nodes < 2) throw OptionError("initial.positions", "expected at least two nodes");
    if (p.orientations.size() != nodes)
      throw OptionError("initial.orientations", "expected one orientation per node, " + std::to_string(nodes) +
                                                    ", found " + std::to_string(p.orientations.size()));
    if (o_.nodes.size() != nodes)
      throw OptionError("nodes", "expected one arc length per node, " + std::to_string(nodes) + ", found " +
                                     std::to_string(o_.nodes.size()));
  }

  /// Between two nodes at one place there is no direction, and no strain that means anything.
  void check_distances(const std::vector<Vector3d>& x, const std::vector<double>& grid) const {
    for (std::size_t i = 1; i < x.size(); ++i)
      if (!((x[i] - x[i - 1]).norm() > 1e-9 * (grid[i] - grid[i - 1])))
        throw OptionError(std::holds_alternative<Points>(o_.shape) ? "initial" : "",
                          "nodes " + std::to_string(i - 1) + " and " + std::to_string(i) +
                              " are at the same place (nodes count from 0)");
  }

  /// Arc lengths of the nodes, with those that something needs.
  std::vector<double> grid(const std::vector<Place>& needed, std::vector<double>& inserted) const {
    std::vector<double> grid = o_.nodes;
    if (grid.empty())
      for (int i = 0; i <= o_.segments; ++i) grid.push_back(length() * i / o_.segments);
    const double near = 1e-9 * grid.back();
    for (const Place& place : needed) {
      if (is_line(place)) continue;
      const double s = arc_length(place);
      const auto after = std::lower_bound(grid.begin(), grid.end(), s);
      const bool known =
          (after != grid.end() && *after - s <= near) || (after != grid.begin() && s - after[-1] <= near);
      if (known) continue;
      grid.insert(after, s);
      inserted.push_back(s);
    }
    return grid;
  }

  void set_material(parts::BeamOptions& o) const {
    if (const auto* section = std::get_if<Section>(&o_.section)) {
      const SectionProperties p = properties_of(*section);
      o.mass_per_length = {p.mass};
      o.inertia_per_length = {Matrix3d(p.inertia.asDiagonal())};
      o.stiffness = {parts::diagonal_stiffness(p.bending_and_torsion, p.shear_and_axial)};
    } else {
      const auto& values = std::get<SectionValues>(o_.section);
      o.mass_per_length = per_segment(o.grid, values.mass_per_length);
      o.inertia_per_length = per_segment(o.grid, values.inertia_per_length);
      o.mass_center = per_segment(o.grid, values.mass_center);
      o.stiffness = per_segment(o.grid, values.stiffness);
    }
    if (o_.damping.viscosity) o.viscosity = per_segment(o.grid, *o_.damping.viscosity);
    if (o_.damping.time > 0)
      for (const Matrix6d& C : o.stiffness) o.viscosity.push_back(0.5 * o_.damping.time * C);
  }

  void set_rest(parts::BeamOptions& o) const {
    if (const auto* rest = std::get_if<Rest>(&o_.rest)) {
      if (*rest == Rest::straight) o.rest_strain = {parts::straight_strain()};
      return;
    }
    const auto& strains = std::get<RestStrains>(o_.rest);
    const auto both = [&](double s) {
      Vector6d w;
      w << strains.curvature(s), strains.strain(s);
      if (!w.allFinite()) throw std::invalid_argument("the rest shape is not finite at s = " + std::to_string(s));
      return w;
    };
    const bool constant = strains.curvature.is_constant() && strains.strain.is_constant();
    o.rest_strain = per_segment(o.grid, constant ? Along<Vector6d>(both(0)) : Along<Vector6d>(both));
  }

  std::string model_name() const {
    if (o_.held == parts::cosserat) return "cosserat";
    if (o_.held == parts::kirchhoff) return "kirchhoff";
    if (o_.held == parts::inextensible) return "inextensible";
    return std::to_string(beam_->held_strains()) + " strains held";
  }

  void add_facts(Records& r) const {
    ObjectFacts& f = r.facts();
    f.parameters = {name() + "/arc_length"};
    const auto field = [&](const char* what, const char* label, const char* source, int size,
                           std::vector<int> components, const Dimension& of, double offset = 0) {
      f.fields.push_back({what, label, name() + "/" + source, size, std::move(components), offset, r.unit(of)});
    };
    field("curvature", "Strain: curvature", "strain", 6, {0, 1}, dimension::curvature);
    field("twist", "Strain: twist", "strain", 6, {2}, dimension::curvature);
    field("extension", "Strain: extension", "strain", 6, {5}, dimension::number, 1);
    field("moment", "Bending moment", "stress", 6, {0, 1}, dimension::moment);
    field("torque", "Torque", "stress", 6, {2}, dimension::moment);
    field("axial_force", "Axial force", "stress", 6, {5}, dimension::force);
    field("speed", "Speed", "velocity", 6, {3, 4, 5}, dimension::velocity);
    field("energy", "Elastic energy per length", "energy", 1, {0}, dimension::energy.per(dimension::length));
    f.trails.push_back({.label = name() + ":start", .node = 0, .on = false});
    f.trails.push_back({.label = name() + ":middle", .node = beam_->nodes() / 2, .on = false});
    f.trails.push_back({.label = name() + ":end", .node = beam_->nodes() - 1, .on = true});
    drawing::Tube tube{.radius = length() / 100, .rectangle = {}, .color = o_.look.color, .is_estimated = true};
    if (const auto* section = std::get_if<Section>(&o_.section)) {
      tube.is_estimated = false;
      if (section->shape == SectionShape::rectangle)
        tube.rectangle = Eigen::Vector2d(section->width, section->height);
      else
        tube.radius = section->radius;
    }
    f.drawings.push_back(tube);
  }

  std::shared_ptr<const parts::Beam> beam_;
};

}  // namespace

std::unique_ptr<Object> make_object(const Beam& options) { return std::make_unique<BeamObject>(options); }

Matrix6d diagonal_stiffness(double bending1, double bending2, double torsion, double shear1, double shear2,
                            double axial) {
  return parts::diagonal_stiffness({bending1, bending2, torsion}, {shear1, shear2, axial});
}

}  // namespace filum::model
