/// Grids of shells: coordinates of nodes, places on them, rest shapes of edges. User document:
/// docs/guide/scenarios.md, "Shells".
#pragma once

#include <filum/model/shell.hpp>

#include <utility>

namespace filum::model {

/// Lengths of the coordinates of a shell.
Vector2d extent(const Shell& o);
/// Throws OptionError for coordinates that do not ascend, or that the shape contradicts.
void check_grid(const Shell& o);
SurfaceGrid grid_of(const Shell& o);
/// With lines of nodes through these places, which are described in `inserted`.
SurfaceGrid with_places(SurfaceGrid grid, const std::vector<Place>& places, std::vector<std::string>& inserted);
/// The node of one direction next to s.
int nearest_node(const SurfaceGrid& grid, int direction, double s);
/// Nodes of the cell that a place lies in with their bilinear weights, those that are not zero.
std::vector<std::pair<int, double>> corner_weights(const SurfaceGrid& grid, const Place& place);
/// θ* of all edges: strains in the middle of each times its length in coordinates.
std::array<std::vector<Vector6d>, 2> rest_edges(const RestSurfaceStrains& rest, const SurfaceGrid& grid);

}  // namespace filum::model
