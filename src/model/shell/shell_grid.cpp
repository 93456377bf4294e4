/// Coordinates of nodes, places between them, rest shapes of edges. User document: docs/guide/scenarios.md, "Shells".
#include "shell_grid.hpp"

#include <algorithm>
#include <cmath>

namespace filum::model {

Vector2d extent(const Shell& o) {
  Vector2d size = size_of(o.shape);
  for (int d = 0; d < 2; ++d)
    if (!o.nodes[d].empty()) size[d] = o.nodes[d].back();
  return size;
}

void check_grid(const Shell& o) {
  const Vector2d size = size_of(o.shape);
  const bool has_own = std::holds_alternative<SurfaceNodes>(o.shape);
  for (int d = 0; d < 2; ++d) {
    const std::string key = "nodes" + std::to_string(d + 1), entry = "segments[" + std::to_string(d) + "]";
    const std::vector<double>& n = o.nodes[d];
    if (o.segments[d] > 0 && !n.empty()) throw OptionError(key, "give either `segments` or `" + key + "`, not both");
    if (o.segments[d] <= 0 && n.empty())
      throw OptionError(has_own ? key : entry, has_own
                                                   ? "this key is missing: `initial` needs the coordinates of its nodes"
                                                   : "expected a positive number of cells, or `" + key + "`");
    const bool closed = o.closed == (d == 0 ? Closed::s1 : Closed::s2);
    const std::size_t cells = n.empty() ? static_cast<std::size_t>(o.segments[d]) : n.size() - 1;
    if (cells < (closed ? 3u : 1u))
      throw OptionError(n.empty() ? entry : key, "expected at least three cells in the direction that closes");
    if (cells > 100000) throw OptionError(n.empty() ? entry : key, "expected at most 100000");
    if (n.empty()) {
      if (!(size[d] > 0) || !std::isfinite(size[d]))
        throw OptionError(std::holds_alternative<Parallelogram>(o.shape) ? "edges" : "size",
                          "expected positive lengths");
      continue;
    }
    if (n.front() != 0) throw OptionError(key + "[0]", "the first node has the coordinate 0");
    for (std::size_t i = 1; i < n.size(); ++i)
      if (!(n[i] > n[i - 1])) throw OptionError(key + "[" + std::to_string(i) + "]", "coordinates must increase");
    if (size[d] > 0 && std::abs(n.back() - size[d]) > 1e-9 * size[d])
      throw OptionError(key, "the last coordinate must be the size of the shell, " + std::to_string(size[d]));
  }
  if (const auto* own = std::get_if<SurfaceNodes>(&o.shape)) {
    const SurfaceGrid grid = grid_of(o);
    const std::size_t nodes = static_cast<std::size_t>(grid.nodes(0)) * static_cast<std::size_t>(grid.nodes(1));
    const auto require = [&](std::size_t found, const char* key) {
      if (found != nodes)
        throw OptionError(key, "expected one entry per node, " + std::to_string(grid.nodes(0)) + " x " +
                                   std::to_string(grid.nodes(1)) + ", found " + std::to_string(found));
    };
    require(own->positions.size(), "initial.positions");
    if (!own->orientations.empty()) require(own->orientations.size(), "initial.orientations");
    if (!own->velocities.empty()) require(own->velocities.size(), "initial.velocities");
  }
}

SurfaceGrid grid_of(const Shell& o) {
  const Vector2d size = extent(o);
  SurfaceGrid grid;
  for (int d = 0; d < 2; ++d) {
    grid.s[d] = o.nodes[d];
    if (grid.s[d].empty())
      for (int i = 0; i <= o.segments[d]; ++i) grid.s[d].push_back(size[d] * i / o.segments[d]);
    grid.closed[d] = o.closed == (d == 0 ? Closed::s1 : Closed::s2);
  }
  return grid;
}

SurfaceGrid with_places(SurfaceGrid grid, const std::vector<Place>& places, std::vector<std::string>& inserted) {
  for (const Place& place : places)
    for (int d = 0; d < 2; ++d) {
      std::vector<double>& s = grid.s[d];
      const double at = place.at[static_cast<std::size_t>(d)], near = 1e-9 * s.back();
      if (!std::isfinite(at)) continue;  // the end, or all of it
      const auto after = std::lower_bound(s.begin(), s.end(), at);
      const bool known = (after != s.end() && *after - at <= near) || (after != s.begin() && at - after[-1] <= near);
      if (known) continue;
      s.insert(after, at);
      inserted.push_back("s" + std::to_string(d + 1) + " = " + std::to_string(at));
    }
  return grid;
}

int nearest_node(const SurfaceGrid& grid, int direction, double at) {
  const std::vector<double>& s = grid.s[direction];
  auto after = std::lower_bound(s.begin(), s.end(), at);
  if (after == s.end() || (after != s.begin() && at - after[-1] < *after - at)) --after;
  return static_cast<int>(after - s.begin()) % grid.nodes(direction);
}

std::vector<std::pair<int, double>> corner_weights(const SurfaceGrid& grid, const Place& place) {
  std::array<int, 2> cell{};
  std::array<double, 2> share{};
  for (int d = 0; d < 2; ++d) {
    const std::vector<double>& s = grid.s[d];
    const double at = std::min(place.at[static_cast<std::size_t>(d)], s.back());
    const auto after = std::upper_bound(s.begin() + 1, s.end() - 1, at);
    cell[d] = static_cast<int>(after - s.begin()) - 1;
    share[d] = (at - after[-1]) / (*after - after[-1]);
    if (share[d] < 1e-9) share[d] = 0;
    if (share[d] > 1 - 1e-9) share[d] = 1;
  }
  std::vector<std::pair<int, double>> corners;
  for (int j = 0; j < 2; ++j)
    for (int i = 0; i < 2; ++i) {
      const double weight = (i == 0 ? 1 - share[0] : share[0]) * (j == 0 ? 1 - share[1] : share[1]);
      const int n = (cell[0] + i) % grid.nodes(0) + (cell[1] + j) % grid.nodes(1) * grid.nodes(0);
      if (weight > 0) corners.emplace_back(n, weight);
    }
  return corners;
}

std::array<std::vector<Vector6d>, 2> rest_edges(const RestSurfaceStrains& rest, const SurfaceGrid& grid) {
  std::array<std::vector<Vector6d>, 2> edges;
  const auto coordinate = [&](int d, int k) { return grid.s[d][static_cast<std::size_t>(k)]; };
  for (int d = 0; d < 2; ++d)
    for (int j = 0; j < (d == 0 ? grid.nodes(1) : grid.cells(1)); ++j)
      for (int i = 0; i < (d == 0 ? grid.cells(0) : grid.nodes(0)); ++i) {
        const int k = d == 0 ? i : j;
        const double from = coordinate(d, k), to = coordinate(d, k + 1), middle = 0.5 * (from + to);
        const Vector6d w = d == 0 ? rest[0](middle, coordinate(1, j)) : rest[1](coordinate(0, i), middle);
        if (!w.allFinite())
          throw OptionError("rest_strain" + std::to_string(d + 1),
                            "the rest strain is not finite near s1 = " + std::to_string(coordinate(0, i)) +
                                ", s2 = " + std::to_string(coordinate(1, j)));
        edges[static_cast<std::size_t>(d)].push_back((to - from) * w);
      }
  return edges;
}

}  // namespace filum::model
