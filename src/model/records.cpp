/// Filling the layout of a run. How to add a kind of object: docs/how-to-add-an-object.md.
#include <filum/lie/quaternion.hpp>
#include <filum/model/records.hpp>
#include <filum/parts/frame_reader.hpp>

#include <algorithm>

namespace filum::model {

void Records::motion(ObjectPoses poses) {
  const auto& space = system_.space();
  const int count = poses.nodes, dim = lie::dim(space.group(poses.first_node)), v_at = space.v_offset(poses.first_node);
  const std::string& name = poses.object;
  channel(name + "/position", {count, 3}, [count, at = poses.at](const State& x, double* out) {
    for (int i = 0; i < count; ++i) put(at(x, i).position, out + 3 * i);
  });
  channel(name + "/orientation", {count, 4}, [count, at = poses.at](const State& x, double* out) {
    for (int i = 0; i < count; ++i) put(at(x, i).orientation, out + 4 * i);
  });
  channel(name + "/velocity", {count, dim},
          [=](const State& x, double* out) { std::copy_n(x.v.data() + v_at, count * dim, out); });
  facts().nodes = count;
  facts().is_semidirect = lie::is_semidirect(space.group(poses.first_node));
  layout_.poses.push_back(std::move(poses));
}

void Records::multipliers(const std::string& name, int count, int width, RowReading read,
                          const Attributes& attributes) {
  if (count == 0) return;
  const std::vector<int> shape = width > 0 ? std::vector<int>{count / width, width} : std::vector<int>{count};
  channel(
      name + "/multiplier", shape, [read](const State& x, double* out) { read(x, x.lambda, out); }, attributes);
  if (eta_)
    channel(
        name + "/eta", shape, [read, eta = eta_](const State& x, double* out) { read(x, *eta, out); }, attributes);
  facts().multiplier = name + "/multiplier";
  layout_.rows.push_back({facts().name, count, width, std::move(read)});
}

void Records::draw_on(const std::string& object, Drawing primitive) {
  for (ObjectFacts& o : layout_.facts.objects)
    if (o.name == object) {
      std::erase_if(o.drawings, [](const Drawing& d) { return std::holds_alternative<drawing::Solid>(d); });
      o.drawings.push_back(std::move(primitive));
      return;
    }
}

Anchor Records::anchor(const Point& point) const {
  if (point.is_ground()) return {.object = {}, .node = 0, .point = point.offset};
  return anchor(object(point).marker(point.place, point.offset));
}

// Recorded poses need not be those of nodes: a body that turns about a pivot has its node there.
Anchor Records::anchor(const parts::Marker& marker) const {
  if (marker.node == parts::ground) return {.object = {}, .node = 0, .point = marker.point};
  const Vector3d x = parts::FrameReader(system_.space(), marker).pose(start_.q).act(marker.point);
  for (const ObjectPoses& o : layout_.poses) {
    const int node = marker.node - o.first_node;
    if (node < 0 || node >= o.nodes) continue;
    const NodePose pose = o.at(start_, node);
    return {
        .object = o.object, .node = node, .point = lie::quaternion::rotate_inv(pose.orientation, x - pose.position)};
  }
  return {.object = {}, .node = 0, .point = x};
}

}  // namespace filum::model
