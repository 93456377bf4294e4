/// Shells: grid, material, places, series and drawing. User document: docs/guide/scenarios.md, "Shells".
#include "point_probes.hpp"
#include "shell_grid.hpp"

#include <filum/lie/group_id.hpp>
#include <filum/model/assembly.hpp>
#include <filum/model/lines.hpp>
#include <filum/model/records.hpp>
#include <filum/model/shell.hpp>
#include <filum/parts/body_load.hpp>
#include <filum/parts/node_frame_inline.hpp>
#include <filum/parts/shell_pressure.hpp>
#include <filum/parts/viscous_damping.hpp>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace filum::model {
namespace {

using parts::LoadShare;
using parts::Vector12d;

class ShellObject final : public ObjectOf<Shell>, public HasLines, public TakesPressure {
 public:
  using ObjectOf::ObjectOf;

  std::string_view kind() const override { return "shell"; }
  int expected_nodes() const override { return grid_of(o_).nodes(0) * grid_of(o_).nodes(1); }

  std::string objection(const Place& place, std::string_view use) const override {
    if (place.is_whole())
      return use == "load" ? ""
                           : "expected a place on the shell: an edge '" + name() + ":s1=0', a corner '" + name() +
                                 ":0,end' or a node '" + name() + "@S1,S2'";
    if (place.count != 2) return "a shell has two coordinates: '" + name() + ":s1=0', '" + name() + "@S1,S2'";
    if (is_line(place) && use != "load" && use != "joint" && use != "support" && use != "drive")
      return "a " + std::string(use) + " acts at one node, such as '" + name() +
             "@S1,S2'; for a whole edge join it to a body and use that";
    const Vector2d size = extent(o_);
    for (int d = 0; d < 2; ++d) {
      const double s = place.at[static_cast<std::size_t>(d)];
      if (std::isnan(s) || s == Place::end || (s >= 0 && s <= size[d] * (1 + 1e-12))) continue;
      std::ostringstream text;
      text << "the shell '" << name() << "' has s" << d + 1 << " from 0 to " << size[d] << "; " << s
           << " is not among them";
      return text.str();
    }
    return {};
  }

  void check() const override {
    if (o_.group.group && !lie::is_rigid_motion(*o_.group.group))
      throw OptionError("group", "a shell moves through space: expected a group of rigid motions, such as S3sdR3");
    check_grid(o_);
    properties_of(o_.material);
    if (!(o_.hourglass > 0) || !std::isfinite(o_.hourglass))
      throw OptionError("hourglass",
                        "expected a positive number: without it cells have hourglass motions that nothing resists");
    if (!(o_.damping_time >= 0)) throw OptionError("damping.time", "expected a non-negative number");
    if (std::holds_alternative<RestSurface>(o_.shape) && !o_.rest)
      throw OptionError("initial", "initial = \"rest\" needs a rest shape: give `rest_strain1` and `rest_strain2`");
  }

  void add_nodes(Assembly& a) override {
    std::vector<std::string> inserted;
    grid_ = with_places(grid_of(o_), a.plan().needed_places(a.current()), inserted);
    for (const std::string& line : inserted)
      a.remark("shell " + name() + ": a line of nodes was added at " + line + ", where something is attached");
    const SheetProperties sheet = properties_of(o_.material);
    parts::ShellOptions o;
    o.name = name();
    o.group = o_.group.group ? *o_.group.group : a.choose_group("shell " + name(), {.is_shell = true});
    o.nodes = {grid_.nodes(0), grid_.nodes(1)};
    o.closed = grid_.closed;
    o.stiffness = {sheet.stiffness};
    if (o_.damping_time > 0) o.viscosity = {0.5 * o_.damping_time * sheet.stiffness};
    o.hourglass = o_.hourglass;
    o.mass_per_area = sheet.mass;
    o.mass_offset = sheet.mass_offset;
    o.turning_inertia = sheet.turning_inertia;
    o.inertia = o_.inertia;
    o.held = o_.held;
    if (o_.rest) o.rest = rest_edges(*o_.rest, grid_);
    SurfacePoses poses = poses_on(o_.shape, grid_, o.rest);
    o.positions = std::move(poses.positions);
    o.orientations = std::move(poses.orientations);
    set_velocities(o);
    shell_ = parts::add_shell(a.system(), o);
    for (int n = 0; n < shell_->nodes(); ++n) a.weigh(shell_->mass_center(n), shell_->node_mass(n));
  }

  parts::Marker marker(const Place& place, const Vector3d& offset) const override {
    parts::Marker m = shell_->at(node(place));
    m.point = offset;
    return m;
  }
  std::vector<Place> nodes_along(const Place& place) const override {
    std::vector<Place> all;
    const int d = std::isnan(place.at[0]) ? 0 : 1;  // the direction that the line runs in
    for (int k = 0; k < grid_.nodes(d); ++k) {
      Place p = place;
      p.at[static_cast<std::size_t>(d)] = grid_.s[d][static_cast<std::size_t>(k)];
      all.push_back(p);
    }
    return all;
  }

  LoadPlaces add_load(Assembly& a, const LoadRequest& request) override {
    const bool whole = request.place.is_whole();
    if (!request.offset.isZero(0) && (whole || is_line(request.place)))
      throw OptionError("point", "a load on a surface or an edge acts on the surface itself");
    const std::vector<LoadShare> shares = load_shares(request);
    if (shares.size() == 1) warn_of_drilling(a, request, shares[0].at);
    parts::add_shared_load(a.system(), request.name, shares, request.frame, request.law);
    return drawn_load(shares, [request](const parts::PointMotion& m) { return request.law.value(m); });
  }
  LoadPlaces add_pressure(Assembly& a, const std::string& load, const parts::LoadLaw& pressure) override {
    const auto middle = [this](int d, int i) {
      return (grid_.s[d][static_cast<std::size_t>(i)] + grid_.s[d][static_cast<std::size_t>(i) + 1]) / 2;
    };
    std::vector<Vector2d> centers;
    for (int j = 0; j < grid_.cells(1); ++j)
      for (int i = 0; i < grid_.cells(0); ++i) centers.emplace_back(middle(0, i), middle(1, j));
    parts::add_shell_pressure(a.system(), shell_, load, pressure, std::move(centers));
    std::vector<LoadShare> shares;
    for (int n = 0; n < shell_->nodes(); ++n) shares.push_back(share(n, 1));
    return drawn_load(shares, [pressure](const parts::PointMotion& m) {
      return parts::LoadValue{.force = pressure.value(m).force[2] * m.rotation.col(2)};
    });
  }
  void add_damping(Assembly& a, const std::string& load, double rate) override {
    for (int n = 0; n < shell_->nodes(); ++n)
      parts::add_viscous_damping(a.system(), {.name = load, .translational = rate * shell_->node_mass(n)},
                                 shell_->mass_center(n));
  }

  std::vector<std::string> quantities(const Place&) const override {
    std::vector<std::string> words = point_quantities();
    words.insert(words.end(), {"strain", "stress"});
    return words;
  }
  std::vector<Probe> probes(const mechanics::System& system, const Point& point) const override {
    std::vector<Probe> all = point_probes(system, marker(point.place, point.offset));
    const auto shell = shell_;
    const std::vector<int> around = cells_around(node(point.place));
    const auto mean = [around](auto at) -> Reading {
      return [=](const State& x, double* out) {
        Vector12d sum = Vector12d::Zero();
        for (const int k : around) sum += at(x, k);
        put(Vector12d(sum / static_cast<double>(around.size())), out);
      };
    };
    all.push_back({"strain", strain_columns("K", "Gamma"),
                   mean([shell](const State& x, int k) { return shell->strain(x.q, k); }),
                   six_twice(dimension::curvature, dimension::number)});
    all.push_back({"stress", strain_columns("m", "n"),
                   mean([shell](const State& x, int k) { return shell->stress(x, k); }),
                   six_twice(dimension::moment.per(dimension::length), dimension::force.per(dimension::length))});
    return all;
  }

  void record(Records& r) const override {
    const auto shell = shell_;
    const int count = shell->cells();
    r.group(name(), {{"kind", "shell"},
                     {"group", std::string(lie::name(shell_->group()))},
                     {"nodes", std::to_string(shell->nodes(0)) + " x " + std::to_string(shell->nodes(1))}});
    r.motion({.object = name(),
              .first_node = shell->first_node(),
              .nodes = shell->nodes(),
              .at = [shell](const State& x, int i) {
                return NodePose{shell->position(x, i), shell->orientation(x, i)};
              }});
    r.channel(name() + "/strain", {count, 12},
              [=](const State& x, double* out) {
                for (int k = 0; k < count; ++k) put(shell->strain(x.q, k), out + 12 * k);
              },
              {{"components",
                "K1 K2 K3 Gamma1 Gamma2 Gamma3 along the first axis of the surface, then along the second; by cell"}});
    r.channel(name() + "/stress", {count, 12},
              [=](const State& x, double* out) {
                for (int k = 0; k < count; ++k) put(shell->stress(x, k), out + 12 * k);
              },
              {{"components", "moments and forces per length, conjugate to the strains; by cell"}});
    r.channel(name() + "/energy", {count},
              [=](const State& x, double* out) {
                for (int k = 0; k < count; ++k) out[k] = shell->elastic_energy(x.q, k) / shell->area(k);
              },
              {{"components", "elastic energy per area; by cell"}});
    if (o_.held.any()) r.multipliers(name(), shell->rows().count, 1, plain_rows({shell->rows()}));
    for (int d = 0; d < 2; ++d) r.array(name() + "/s" + std::to_string(d + 1), node_coordinates(d));
    add_facts(r);
  }

  std::string description() const override {
    double area = 0;
    for (int k = 0; k < shell_->cells(); ++k) area += shell_->area(k);
    std::ostringstream text;
    text.precision(9);
    text << shell_->cells(0) << " x " << shell_->cells(1) << " cells, area " << area << ", group "
         << lie::name(shell_->group());
    if (o_.held.any()) text << ", " << shell_->rows().count << " strains held";
    return text.str();
  }
  std::string node_name(int n) const override {
    return "node " + std::to_string(n % shell_->nodes(0)) + ", " + std::to_string(n / shell_->nodes(0)) + " of " +
           std::to_string(shell_->nodes(0)) + " x " + std::to_string(shell_->nodes(1));
  }

 private:
  int index(const Place& place, int d) const { return nearest_node(grid_, d, place.at[static_cast<std::size_t>(d)]); }
  int node(const Place& place) const { return shell_->node(index(place, 0), index(place, 1)); }

  void set_velocities(parts::ShellOptions& o) const {
    const auto* own = std::get_if<SurfaceNodes>(&o_.shape);
    for (int j = 0; j < o.nodes[1]; ++j)
      for (int i = 0; i < o.nodes[0]; ++i) {
        const double s1 = grid_.s[0][static_cast<std::size_t>(i)], s2 = grid_.s[1][static_cast<std::size_t>(j)];
        Vector3d angular = o_.angular_velocity(s1, s2), linear = o_.velocity(s1, s2);
        if (own && !own->velocities.empty()) {
          const Vector6d& v = own->velocities[static_cast<std::size_t>(i + j * o.nodes[0])];
          angular = v.head<3>(), linear = v.tail<3>();
        }
        if (!angular.allFinite() || !linear.allFinite())
          throw std::invalid_argument("the initial velocity is not finite at s1 = " + std::to_string(s1) +
                                      ", s2 = " + std::to_string(s2));
        o.angular_velocities.push_back(angular);
        o.velocities.push_back(linear);
      }
  }

  LoadShare share(int n, double weight) const {
    return {shell_->at(n), weight, grid_.s[0][static_cast<std::size_t>(n % shell_->nodes(0))],
            grid_.s[1][static_cast<std::size_t>(n / shell_->nodes(0))]};
  }

  std::vector<LoadShare> load_shares(const LoadRequest& request) const {
    const Place& place = request.place;
    std::vector<LoadShare> shares;
    if (place.is_whole()) {
      for (int n = 0; n < shell_->nodes(); ++n) shares.push_back(share(n, shell_->node_area(n)));
    } else if (is_line(place)) {
      const int along = std::isnan(place.at[0]) ? 0 : 1;
      for (const Place& p : nodes_along(place)) shares.push_back(share(node(p), shell_->node_length(node(p), along)));
    } else {
      for (const auto& [n, weight] : corner_weights(grid_, place)) {
        shares.push_back(share(n, weight));
        shares.back().at.point = request.offset;
      }
    }
    return shares;
  }

  /// A lone moment about the normal has no limit when cells become smaller.
  void warn_of_drilling(Assembly& a, const LoadRequest& request, const parts::Marker& at) const {
    parts::PointMotion motion;
    const parts::Pose pose = parts::NodeFrame(a.system().space(), at).pose(a.system().start().q);
    motion.position = pose.x, motion.rotation = pose.R;
    motion.velocity.setZero(), motion.angular_velocity.setZero();
    for (int k = -7; k < 8; ++k) {  // a load may begin with nothing
      motion.t = a.system().start().t + (k == -7 ? 0 : std::exp2(k));
      const Vector3d m = request.law.value(motion).moment;
      const double about = std::abs(request.frame == parts::LoadFrame::space ? pose.R.col(2).dot(m) : m[2]);
      if (!(about > 1e-9 * m.norm())) continue;
      return a.remark("load " + request.name +
                      ": a moment about the normal of a single node turns that node the further the finer the grid is; "
                      "spread it along an edge, or join the edge to a body and load that");
    }
  }

  /// Some of the places of a load, with its values there.
  LoadPlaces drawn_load(const std::vector<LoadShare>& shares,
                        const std::function<parts::LoadValue(const parts::PointMotion&)>& value) const {
    constexpr std::size_t most = 25;
    const std::size_t count = std::min(shares.size(), most);
    LoadPlaces all;
    std::vector<LoadShare> some;
    for (std::size_t k = 0; k < count; ++k) {
      some.push_back(shares[count < most ? k : k * (shares.size() - 1) / (most - 1)]);
      all.at.push_back(some.back().at);
    }
    const auto reading = [shell = shell_, some, value](auto part) -> Reading {
      return [=](const State& x, double* out) {
        for (std::size_t k = 0; k < some.size(); ++k) {
          parts::PointMotion motion = shell->motion_of(x, some[k].at.node - shell->first_node());
          motion.s = some[k].s1, motion.s2 = some[k].s2;
          put(Vector3d(part(value(motion))), out + 3 * k);
        }
      };
    };
    all.forces = reading([](const parts::LoadValue& v) { return v.force; });
    all.moments = reading([](const parts::LoadValue& v) { return v.moment; });
    return all;
  }

  std::vector<int> cells_around(int n) const {
    std::vector<int> cells;
    for (int k = 0; k < shell_->cells(); ++k) {
      const auto& c = shell_->corners(k);
      if (std::find(c.begin(), c.end(), n) != c.end()) cells.push_back(k);
    }
    return cells;
  }

  /// Three numbers of the one and three of the other, along both axes.
  static Dimensions six_twice(const Dimension& first, const Dimension& second) {
    return {first, first, first, second, second, second, first, first, first, second, second, second};
  }

  static std::vector<std::string> strain_columns(const std::string& first, const std::string& second) {
    std::vector<std::string> columns;
    for (const char* along : {"_1", "_2"})
      for (const std::string& what : {first, second})
        for (const char* k : {"1", "2", "3"}) columns.push_back(what + k + along);
    return columns;
  }

  std::vector<double> node_coordinates(int d) const {
    std::vector<double> s;
    for (int j = 0; j < grid_.nodes(1); ++j)
      for (int i = 0; i < grid_.nodes(0); ++i) s.push_back(grid_.s[d][static_cast<std::size_t>(d == 0 ? i : j)]);
    return s;
  }

  void add_facts(Records& r) const {
    ObjectFacts& f = r.facts();
    f.parameters = {name() + "/s1", name() + "/s2"};
    const auto field = [&](const char* what, const char* label, const char* source, int size,
                           std::vector<int> components, const Dimension& of) {
      f.fields.push_back({what, label, name() + "/" + source, size, std::move(components), 0, r.unit(of)});
    };
    field("curvature", "Strain: curvature", "strain", 12, {0, 1, 6, 7}, dimension::curvature);
    field("membrane_force", "Membrane force", "stress", 12, {3, 4, 9, 10}, dimension::force.per(dimension::length));
    field("moment", "Bending moment", "stress", 12, {0, 1, 6, 7}, dimension::moment.per(dimension::length));
    field("shear_force", "Transverse shear force", "stress", 12, {5, 11}, dimension::force.per(dimension::length));
    field("speed", "Speed", "velocity", 6, {3, 4, 5}, dimension::velocity);
    field("energy", "Elastic energy per area", "energy", 1, {0}, dimension::energy.per(dimension::area));
    f.trails.push_back({.label = name() + ":0,0", .node = 0, .on = false});
    f.trails.push_back({.label = name() + ":end,end", .node = shell_->nodes() - 1, .on = true});
    f.drawings.push_back(drawing::Surface{.grid = {shell_->nodes(0), shell_->nodes(1)},
                                          .closes_first = grid_.closed[0],
                                          .closes_second = grid_.closed[1],
                                          .thickness = properties_of(o_.material).thickness,
                                          .color = o_.look.color});
  }

  SurfaceGrid grid_;
  std::shared_ptr<const parts::Shell> shell_;
};

}  // namespace

std::unique_ptr<Object> make_object(const Shell& options) { return std::make_unique<ShellObject>(options); }

}  // namespace filum::model
