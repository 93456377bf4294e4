/// Nodes on flat sheets, maps and grids of points, with their frames. User document: docs/guide/scenarios.md, "Shells".
#include <filum/lie/quaternion.hpp>
#include <filum/lie/s3sdr3.hpp>
#include <filum/model/model_error.hpp>
#include <filum/model/surface.hpp>

#include <algorithm>

namespace filum::model {
namespace {

[[noreturn]] void refuse_option(const std::string& option, const std::string& message) {
  throw OptionError(option, message);
}

template <class Vector, std::size_t n>
OnSurface<Vector> vector_on_surface(const std::array<Number, n>& numbers) {
  const auto value = [numbers](double s1, double s2) {
    const std::array<double, 2> at{s1, s2};
    Vector v;
    for (std::size_t k = 0; k < n; ++k) v[static_cast<Eigen::Index>(k)] = numbers[k].value(at);
    return v;
  };
  if (std::all_of(numbers.begin(), numbers.end(), [](const Number& x) { return x.is_constant(); })) return value(0, 0);
  return {value, {numbers.begin(), numbers.end()}};
}

std::string place_name(double s1, double s2) { return "s1 = " + std::to_string(s1) + ", s2 = " + std::to_string(s2); }

/// d1 along the first tangent, d3 across both.
Vector4d frame_of(const SurfacePoint& p, const std::string& option, const std::string& where) {
  const Vector3d& a = p.tangents[0];
  const Vector3d normal = a.cross(p.tangents[1]);
  if (!p.position.allFinite() || !(normal.norm() > 1e-9 * a.norm() * p.tangents[1].norm()) || !(a.norm() > 0))
    refuse_option(option, "the surface has no normal at " + where +
                              ": its tangents along s1 and s2 must be finite and must not be parallel there");
  Matrix3d R;
  R.col(0) = a.normalized();
  R.col(2) = normal.normalized();
  R.col(1) = R.col(2).cross(R.col(0));
  return lie::quaternion::from_matrix(R);
}

SurfacePoint point_of(const Parallelogram& sheet, double s1, double s2) {
  const Vector3d a = sheet.edges[0].normalized(), b = sheet.edges[1].normalized();
  return {sheet.corner + s1 * a + s2 * b, {a, b}};
}

/// Where a direction is closed, its end must be its beginning.
template <class At>
void check_seam(const SurfaceGrid& grid, const At& at) {
  for (int d = 0; d < 2; ++d) {
    if (!grid.closed[d]) continue;
    const double length = grid.s[d].back();
    for (const double across : grid.s[1 - d]) {
      const auto point = [&](double s) -> Vector3d { return (d == 0 ? at(s, across) : at(across, s)).position; };
      const Vector3d begin = point(0);
      if ((point(length) - begin).norm() <= 1e-6 * (point(0.5 * length) - begin).norm()) continue;
      std::string problem = d == 0 ? "the shell is closed in s1, but its points at s1 = 0 and s1 = "
                                   : "the shell is closed in s2, but its points at s2 = 0 and s2 = ";
      problem += std::to_string(length);
      problem += " differ; try: closed = 'none', or another size";
      refuse_option("closed", problem);
    }
  }
}

template <class At>
SurfacePoses poses(const SurfaceGrid& grid, const std::string& option, const At& at) {
  check_seam(grid, at);
  SurfacePoses nodes;
  for (int j = 0; j < grid.nodes(1); ++j)
    for (int i = 0; i < grid.nodes(0); ++i) {
      const double s1 = grid.s[0][static_cast<std::size_t>(i)], s2 = grid.s[1][static_cast<std::size_t>(j)];
      const SurfacePoint p = at(s1, s2);
      nodes.positions.push_back(p.position);
      nodes.orientations.push_back(frame_of(p, option, place_name(s1, s2)));
    }
  return nodes;
}

/// Derivative by s of a parabola through three neighbours; at open ends one-sided.
Vector3d slope(const SurfaceGrid& grid, int direction, int at, const std::function<Vector3d(int)>& x) {
  const int n = grid.nodes(direction);
  const std::vector<double>& s = grid.s[direction];
  const auto place = [&](int k) {  // beyond the seam of a closed direction coordinates go on
    const double length = s.back() - s.front();
    return grid.closed[direction] && k < 0    ? s[static_cast<std::size_t>(k + n)] - length
           : grid.closed[direction] && k >= n ? s[static_cast<std::size_t>(k - n)] + length
                                              : s[static_cast<std::size_t>(k)];
  };
  const auto value = [&](int k) { return x((k + n) % n); };
  if (n == 2) return (value(1) - value(0)) / (place(1) - place(0));
  const int middle = grid.closed[direction] ? at : std::clamp(at, 1, n - 2);
  const double a = place(middle - 1), b = place(middle), c = place(middle + 1), t = place(at);
  return value(middle - 1) * ((2 * t - b - c) / ((a - b) * (a - c))) +
         value(middle) * ((2 * t - a - c) / ((b - a) * (b - c))) +
         value(middle + 1) * ((2 * t - a - b) / ((c - a) * (c - b)));
}

SurfacePoses poses(const SurfaceNodes& nodes, const SurfaceGrid& grid) {
  const int n1 = grid.nodes(0), n2 = grid.nodes(1);
  if (nodes.positions.size() != static_cast<std::size_t>(n1) * static_cast<std::size_t>(n2))
    refuse_option("initial", "there are " + std::to_string(n1) + " x " + std::to_string(n2) + " nodes and " +
                                 std::to_string(nodes.positions.size()) +
                                 " positions; a joint or sensor between nodes cannot add any: put it on a node");
  SurfacePoses all{nodes.positions, nodes.orientations};
  for (Vector4d& p : all.orientations) p.normalize();
  if (!all.orientations.empty()) return all;
  const auto at = [&](int i, int j) { return nodes.positions[static_cast<std::size_t>(i + j * n1)]; };
  for (int j = 0; j < n2; ++j)
    for (int i = 0; i < n1; ++i) {
      const SurfacePoint p{
          at(i, j),
          {slope(grid, 0, i, [&](int k) { return at(k, j); }), slope(grid, 1, j, [&](int k) { return at(i, k); })}};
      all.orientations.push_back(
          frame_of(p, "initial.positions", "node " + std::to_string(i) + ", " + std::to_string(j)));
    }
  return all;
}

SurfacePoses poses(const RestSurface& shape, const SurfaceGrid& grid,
                   const std::array<std::vector<Vector6d>, 2>& rest) {
  using G = lie::S3sdR3;
  const int n1 = grid.nodes(0), n2 = grid.nodes(1);
  std::vector<G::Element> q(static_cast<std::size_t>(n1) * static_cast<std::size_t>(n2));
  q[0] = G::from_pose(shape.orientation.normalized(), shape.corner);
  for (int i = 1; i < n1; ++i) {
    const auto k = static_cast<std::size_t>(i);
    q[k] = G::compose(q[k - 1], G::exp(rest[0][k - 1]));
  }
  for (std::size_t k = static_cast<std::size_t>(n1); k < q.size(); ++k) {
    const std::size_t below = k - static_cast<std::size_t>(n1);
    q[k] = G::compose(q[below], G::exp(rest[1][below]));
  }
  SurfacePoses nodes;
  for (const G::Element& e : q) {
    nodes.positions.push_back(G::position(e));
    nodes.orientations.push_back(lie::quaternion::unit(G::quaternion(e)));
  }
  return nodes;
}

}  // namespace

OnSurface<Vector3d> on_surface(const std::array<Number, 3>& numbers) { return vector_on_surface<Vector3d>(numbers); }
OnSurface<Vector6d> on_surface(const std::array<Number, 6>& numbers) { return vector_on_surface<Vector6d>(numbers); }

SurfaceMap surface_map(const std::array<Number, 3>& position, const Vector2d& size) {
  return {.at =
              [position](double s1, double s2) {
                SurfacePoint p{};
                const std::array<double, 2> at{s1, s2};
                for (int k = 0; k < 3; ++k) {
                  const config::Gradient g = position[static_cast<std::size_t>(k)].gradient(at);
                  p.position[k] = g.value;
                  p.tangents[0][k] = g.by[0], p.tangents[1][k] = g.by[1];
                }
                return p;
              },
          .size = size,
          .numbers = position};
}

SurfaceMap surface_map(std::function<Vector3d(double, double)> position, const Vector2d& size) {
  const Vector2d h = 5e-4 * size;
  return {.at =
              [position, h](double a, double b) {
                const auto along = [&](double da, double db, double step) {
                  const auto pair = [&](int k) {
                    return Vector3d(position(a + k * da, b + k * db) - position(a - k * da, b - k * db));
                  };
                  return Vector3d((8 * pair(1) - pair(2)) / (12 * step));
                };
                return SurfacePoint{position(a, b), {along(h[0], 0, h[0]), along(0, h[1], h[1])}};
              },
          .size = size,
          .numbers = {}};
}

Vector2d size_of(const SurfaceShape& shape) {
  struct {
    Vector2d operator()(const Parallelogram& x) const { return {x.edges[0].norm(), x.edges[1].norm()}; }
    Vector2d operator()(const SurfaceMap& x) const { return x.size; }
    Vector2d operator()(const SurfaceNodes&) const { return Vector2d::Zero(); }
    Vector2d operator()(const RestSurface& x) const { return x.size; }
  } const size;
  return std::visit(size, shape);
}

SurfacePoses poses_on(const SurfaceShape& shape, const SurfaceGrid& grid,
                      const std::array<std::vector<Vector6d>, 2>& rest) {
  struct {
    const SurfaceGrid& grid;
    const std::array<std::vector<Vector6d>, 2>& rest;
    SurfacePoses operator()(const Parallelogram& x) const {
      return poses(grid, "edges", [&](double a, double b) { return point_of(x, a, b); });
    }
    SurfacePoses operator()(const SurfaceMap& x) const {
      if (!x.at) refuse_option("map", "expected a function of s1 and s2");
      return poses(grid, "map", x.at);
    }
    SurfacePoses operator()(const SurfaceNodes& x) const { return poses(x, grid); }
    SurfacePoses operator()(const RestSurface& x) const { return poses(x, grid, rest); }
  } const visitor{grid, rest};
  return std::visit(visitor, shape);
}

}  // namespace filum::model
