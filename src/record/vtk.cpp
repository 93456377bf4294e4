/// Frames for ParaView in its XML format. User document: docs/guide/results.md.
#include "base64.hpp"

#include <filum/lie/quaternion.hpp>
#include <filum/record/hdf5_file.hpp>
#include <filum/record/marks.hpp>
#include <filum/record/replace_file.hpp>
#include <filum/record/vtk.hpp>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <numbers>
#include <set>
#include <sstream>

namespace filum::record {
namespace {

namespace drawing = model::drawing;
using Eigen::Vector2d;
using Eigen::Vector3d;
using model::Drawing;
using model::NodePose;
using model::ObjectFacts;
using model::ObjectPoses;
constexpr int sides = 12;        ///< of a tube
constexpr int round_sides = 32;  ///< of a cylinder or sphere

/// Numbers per face; faces of objects that do not have them have NaN.
struct FaceField {
  int size = 1;
  std::vector<float> values = {};

  void fill_up(std::size_t faces) {
    values.resize(faces * static_cast<std::size_t>(size), std::numeric_limits<float>::quiet_NaN());
  }
};

/// All objects of one frame as one surface.
struct Mesh {
  std::vector<float> points, first, second, third;  ///< positions, and the frame of the section a point belongs to
  std::vector<std::int32_t> object, corners, ends;
  std::map<std::string, FaceField> fields;

  int add(const Vector3d& x, const Eigen::Matrix3d& R, std::int32_t number) {
    for (int k = 0; k < 3; ++k) {
      points.push_back(static_cast<float>(x[k]));
      first.push_back(static_cast<float>(R(k, 0)));
      second.push_back(static_cast<float>(R(k, 1)));
      third.push_back(static_cast<float>(R(k, 2)));
    }
    object.push_back(number);
    return static_cast<int>(object.size()) - 1;
  }
  void face(std::initializer_list<int> list) { face(list.begin(), list.end()); }
  template <class At>
  void face(At begin, At end) {
    corners.insert(corners.end(), begin, end);
    ends.push_back(static_cast<std::int32_t>(corners.size()));
  }
};

/// The drawings of one object, with the poses of its nodes.
class Painter {
 public:
  Painter(Mesh& mesh, const ObjectFacts& object, const ObjectPoses& poses, const State& x, std::int32_t number)
      : mesh_(mesh), object_(object), poses_(poses), x_(x), number_(number) {}

  void operator()(const drawing::Tube& d) const {
    std::vector<Vector2d> outline;
    if (d.rectangle) {
      const Vector2d half = *d.rectangle / 2;
      outline = {half, {-half[0], half[1]}, -half, {half[0], -half[1]}};
    } else {
      for (int k = 0; k < sides; ++k) outline.push_back(d.radius * on_circle(k, sides));
    }
    for (int i = 0; i < object_.nodes; ++i) {
      const Frame node = frame(i);
      ring(node, outline, Vector3d::Zero(), i > 0);
    }
  }

  void operator()(const drawing::Surface& d) const {
    const int rows = d.grid[0], columns = d.grid[1];
    int first = 0;
    for (int i = 0; i < object_.nodes; ++i) {
      const Frame node = frame(i);
      const int at = mesh_.add(node.x, node.R, number_);
      if (i == 0) first = at;
    }
    for (int j = 0; j + (d.closes_second ? 0 : 1) < columns; ++j)
      for (int i = 0; i + (d.closes_first ? 0 : 1) < rows; ++i) {
        const int next = (i + 1) % rows, low = first + j * rows, high = first + (j + 1) % columns * rows;
        mesh_.face({low + i, low + next, high + next, high + i});
      }
  }

  void operator()(const drawing::Solid& d) const {
    Frame node = frame(d.node);
    node.x += node.R * d.position;
    node.R = (node.R * lie::quaternion::to_matrix(d.orientation)).eval();
    switch (d.shape) {
      case drawing::Shape::box: return box(node, d.size / 2);
      case drawing::Shape::sphere: return sphere(node, d.size / 2);
      case drawing::Shape::cylinder:
      case drawing::Shape::disk: return cylinder(node, d.size / 2);
    }
  }

  void operator()(const drawing::Mesh& d) const {
    const Frame f = frame(d.node);
    const model::Triangles& t = *d.triangles;
    int first = 0;
    for (std::size_t k = 0; k + 2 < t.points.size(); k += 3) {
      const int at = mesh_.add(f.x + f.R * Vector3d(t.points[k], t.points[k + 1], t.points[k + 2]), f.R, number_);
      if (k == 0) first = at;
    }
    const auto point = [&](std::size_t k) { return first + static_cast<int>(t.corners[k]); };
    for (std::size_t k = 0; k + 2 < t.corners.size(); k += 3) mesh_.face({point(k), point(k + 1), point(k + 2)});
  }

  template <class Other>
  void operator()(const Other&) const {}  // symbols are for the report page

 private:
  struct Frame {
    Vector3d x;
    Eigen::Matrix3d R;
  };
  Frame frame(int node) const {
    const NodePose pose = poses_.at(x_, node);
    return {pose.position, lie::quaternion::to_matrix(pose.orientation)};
  }
  static Vector2d on_circle(int k, int count) {
    const double angle = 2 * std::numbers::pi * k / count;
    return {std::cos(angle), std::sin(angle)};
  }

  /// A closed line of points across the third axis, joined to the one before. Returns its first point.
  int ring(const Frame& f, const std::vector<Vector2d>& outline, const Vector3d& shift, bool is_joined) const {
    const int count = static_cast<int>(outline.size());
    int begin = 0;
    for (int k = 0; k < count; ++k) {
      const Vector2d& p = outline[static_cast<std::size_t>(k)];
      const int at = mesh_.add(f.x + f.R * (shift + Vector3d(p[0], p[1], 0)), f.R, number_);
      if (k == 0) begin = at;
    }
    const int before = begin - count;
    for (int k = 0; k < count && is_joined; ++k)
      mesh_.face({before + k, before + (k + 1) % count, begin + (k + 1) % count, begin + k});
    return begin;
  }

  void box(const Frame& f, const Vector3d& half) const {
    std::array<int, 8> c{};
    for (int k = 0; k < 8; ++k) {
      const Vector3d corner((k & 1) != 0 ? 1 : -1, (k & 2) != 0 ? 1 : -1, (k & 4) != 0 ? 1 : -1);
      c[static_cast<std::size_t>(k)] = mesh_.add(f.x + f.R * half.cwiseProduct(corner), f.R, number_);
    }
    mesh_.face({c[0], c[2], c[3], c[1]}), mesh_.face({c[4], c[5], c[7], c[6]}), mesh_.face({c[0], c[1], c[5], c[4]});
    mesh_.face({c[2], c[6], c[7], c[3]}), mesh_.face({c[0], c[4], c[6], c[2]}), mesh_.face({c[1], c[3], c[7], c[5]});
  }

  void cylinder(const Frame& f, const Vector3d& half) const {
    std::vector<Vector2d> outline;
    for (int k = 0; k < round_sides; ++k) outline.push_back(half.head<2>().cwiseProduct(on_circle(k, round_sides)));
    const int low = ring(f, outline, {0, 0, -half[2]}, false), high = ring(f, outline, {0, 0, half[2]}, true);
    std::vector<int> bottom, top;
    for (int k = 0; k < round_sides; ++k) {
      bottom.push_back(low + round_sides - 1 - k);
      top.push_back(high + k);
    }
    mesh_.face(bottom.begin(), bottom.end());
    mesh_.face(top.begin(), top.end());
  }

  void sphere(const Frame& f, const Vector3d& half) const {
    constexpr int levels = round_sides / 2;
    for (int j = 0; j <= levels; ++j) {
      const double angle = std::numbers::pi * j / levels;
      std::vector<Vector2d> outline;
      for (int k = 0; k < round_sides; ++k)
        outline.push_back(std::sin(angle) * half.head<2>().cwiseProduct(on_circle(k, round_sides)));
      ring(f, outline, {0, 0, -std::cos(angle) * half[2]}, j > 0);
    }
  }

  Mesh& mesh_;
  const ObjectFacts& object_;
  const ObjectPoses& poses_;
  const State& x_;
  std::int32_t number_;
};

/// What an object records by cell of its surface, such as the strains and stress resultants of a shell, at its last
/// faces.
void add_fields(const Layout& layout, const ObjectFacts& object, const State& x, std::size_t first_face, Mesh& mesh) {
  const std::size_t count = mesh.ends.size() - first_face;
  std::set<std::string> sources;
  for (const model::Field& field : object.fields) sources.insert(field.source);
  for (const model::Channel& channel : layout.channels) {
    if (!sources.contains(channel.name) || channel.shape.empty()) continue;
    if (static_cast<std::size_t>(channel.shape[0]) != count) continue;
    FaceField& field = mesh.fields[channel.name.substr(channel.name.rfind('/') + 1)];
    const int size = channel.size() / channel.shape[0];
    if (!field.values.empty() && field.size != size) continue;
    field.size = size;
    field.fill_up(first_face);
    std::vector<double> values(static_cast<std::size_t>(channel.size()));
    channel.read(x, values.data());
    field.values.insert(field.values.end(), values.begin(), values.end());
  }
}

Mesh mesh_of(const Layout& layout, const State& x) {
  Mesh mesh;
  for (std::size_t i = 0; i < layout.facts.objects.size(); ++i) {
    const ObjectFacts& object = layout.facts.objects[i];
    for (const ObjectPoses& poses : layout.poses)
      if (poses.object == object.name)
        for (const Drawing& d : object.drawings) {
          const std::size_t first_face = mesh.ends.size();
          std::visit(Painter(mesh, object, poses, x, static_cast<std::int32_t>(i)), d);
          if (std::holds_alternative<drawing::Surface>(d)) add_fields(layout, object, x, first_face, mesh);
        }
  }
  for (auto& [name, field] : mesh.fields) field.fill_up(mesh.ends.size());
  return mesh;
}

/// A block of numbers: its length in bytes and the bytes, in base 64.
template <class T>
std::string encoded(const std::vector<T>& values) {
  const std::uint32_t size = static_cast<std::uint32_t>(values.size() * sizeof(T));
  std::vector<unsigned char> bytes(4 + size);
  std::memcpy(bytes.data(), &size, 4);
  if (size > 0) std::memcpy(bytes.data() + 4, values.data(), size);
  return base64(bytes);
}

template <class T>
void write_array(std::ostream& out, const std::string& name, int components, const std::vector<T>& values) {
  out << "<DataArray type=\"" << (std::is_same_v<T, float> ? "Float32" : "Int32") << "\" Name=\"" << name
      << "\" NumberOfComponents=\"" << components << "\" format=\"binary\">" << encoded(values) << "</DataArray>\n";
}

const std::string xml_head = "<?xml version=\"1.0\"?>\n" + std::string(xml_mark) + "\n";

std::string file_name(std::uint64_t number) {
  std::string digits = std::to_string(number);
  return std::string(digits.size() < 7 ? 7 - digits.size() : 0, '0') + digits + ".vtp";
}

}  // namespace

void write_vtk_frame(const std::filesystem::path& folder, std::uint64_t number, const State& x, const Layout& layout) {
  const Mesh mesh = mesh_of(layout, x);
  std::ostringstream out;
  out << xml_head
      << "<VTKFile type=\"PolyData\" version=\"0.1\" "
         "byte_order=\"LittleEndian\">\n<PolyData>\n<Piece NumberOfPoints=\""
      << mesh.object.size() << "\" NumberOfVerts=\"0\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\""
      << mesh.ends.size() << "\">\n<Points>\n";
  write_array(out, "Points", 3, mesh.points);
  out << "</Points>\n<PointData>\n";
  write_array(out, "object", 1, mesh.object);
  write_array(out, "d1", 3, mesh.first);
  write_array(out, "d2", 3, mesh.second);
  write_array(out, "d3", 3, mesh.third);
  out << "</PointData>\n<CellData>\n";
  for (const auto& [name, field] : mesh.fields) write_array(out, name, field.size, field.values);
  out << "</CellData>\n<Polys>\n";
  write_array(out, "connectivity", 1, mesh.corners);
  write_array(out, "offsets", 1, mesh.ends);
  out << "</Polys>\n</Piece>\n</PolyData>\n</VTKFile>\n";
  replace_file(folder / "frames" / file_name(number), out.str(), "the frame", Durability::quick);
}

VtkIndex::VtkIndex(const std::filesystem::path& folder) : folder_(folder) {
  std::error_code error;
  const auto frames = folder / "frames";
  std::filesystem::create_directory(frames, error);
  if (!std::filesystem::is_directory(std::filesystem::symlink_status(frames, error)))
    throw FileTrouble(frames.string() + ": cannot create the folder (" + error.message() + ")");
}

void VtkIndex::restore(std::span<const double> times, std::uint64_t frames) {
  std::error_code error;
  for (std::uint64_t k = 0; k < frames; ++k)
    if (std::filesystem::exists(folder_ / "frames" / file_name(k), error)) frames_.push_back({k, times[k]});
}

void VtkIndex::add(std::uint64_t first, std::span<const double> times) {
  while (!frames_.empty() && frames_.back().number >= first) frames_.pop_back();
  for (std::size_t k = 0; k < times.size(); ++k) frames_.push_back({first + k, times[k]});
  std::ostringstream out;
  out.precision(17);
  out << xml_head << "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n<Collection>\n";
  for (const Frame& f : frames_)
    out << "<DataSet timestep=\"" << f.time << "\" file=\"frames/" << file_name(f.number) << "\"/>\n";
  out << "</Collection>\n</VTKFile>\n";
  replace_file(folder_ / "result.pvd", out.str(), "the list of frames", Durability::quick);
}

}  // namespace filum::record
