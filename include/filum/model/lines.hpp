/// What some kinds of objects have besides Object: lines of nodes, and a surface that takes a pressure. How to add a
/// kind: docs/how-to-add-an-object.md.
#pragma once

#include <filum/model/object.hpp>
#include <filum/parts/load_law.hpp>

#include <cmath>
#include <vector>

namespace filum::model {

/// Whether a place stands for many nodes: an edge of a surface, or all nodes of a beam.
inline bool is_line(const Place& place) {
  return (place.count > 0 && std::isnan(place.at[0])) || (place.count > 1 && std::isnan(place.at[1]));
}

/// Objects that have lines of nodes, which joints and supports hold individually.
class HasLines {
 public:
  virtual ~HasLines() = default;
  /// The places of the nodes along a line, when all nodes are there.
  virtual std::vector<Place> nodes_along(const Place& line) const = 0;
};

/// The nodes of a point: itself, or those along its line.
inline std::vector<Point> nodes_of(const Object& object, const Point& point) {
  if (!is_line(point.place)) return {point};
  std::vector<Point> all;
  for (const Place& place : dynamic_cast<const HasLines&>(object).nodes_along(point.place)) {
    all.push_back(point);
    all.back().place = place;
  }
  return all;
}

/// Objects with a surface.
class TakesPressure {
 public:
  virtual ~TakesPressure() = default;
  /// A pressure along the normal, per area of the surface as it is, on all of it: the third component of the law.
  virtual LoadPlaces add_pressure(Assembly& assembly, const std::string& name, const parts::LoadLaw& pressure) = 0;
};

}  // namespace filum::model
