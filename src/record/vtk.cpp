/// Frames for ParaView in its XML format. User document: docs/guide/results.md.
#include <filum/lie/quaternion.hpp>
#include <filum/record/hdf5_file.hpp>
#include <filum/record/vtk.hpp>

#include <array>
#include <cmath>
#include <cstring>
#include <fstream>
#include <numbers>

namespace filum::record {
namespace {

using Eigen::Vector3d;
constexpr int sides = 12;  ///< of a tube

/// All objects of one frame as one surface.
struct Mesh {
  std::vector<float> points, first, second, third;  ///< positions, and the frame of the section a point belongs to
  std::vector<std::int32_t> object, corners, ends;

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
  void face(std::initializer_list<int> list) {
    corners.insert(corners.end(), list.begin(), list.end());
    ends.push_back(static_cast<std::int32_t>(corners.size()));
  }
};

void add_tube(Mesh& mesh, const Drawing& d, const State& x, std::int32_t number) {
  int before = 0;
  for (int i = 0; i < d.nodes; ++i) {
    const Eigen::Matrix3d R = lie::quaternion::to_matrix(d.orientation(x, i));
    const Vector3d center = d.position(x, i);
    int begin = 0;
    for (int k = 0; k < sides; ++k) {
      const double angle = 2 * std::numbers::pi * k / sides;
      const int at = mesh.add(center + d.radius * (std::cos(angle) * R.col(0) + std::sin(angle) * R.col(1)), R, number);
      if (k == 0) begin = at;
    }
    if (i > 0)
      for (int k = 0; k < sides; ++k)
        mesh.face({before + k, before + (k + 1) % sides, begin + (k + 1) % sides, begin + k});
    before = begin;
  }
}

void add_box(Mesh& mesh, const Drawing& d, const State& x, std::int32_t number) {
  const Eigen::Matrix3d R = lie::quaternion::to_matrix(d.orientation(x, 0));
  const Vector3d center = d.position(x, 0);
  std::array<int, 8> c{};
  for (int k = 0; k < 8; ++k)
    c[static_cast<std::size_t>(k)] =
        mesh.add(center + d.radius * R * Vector3d((k & 1) != 0 ? 1 : -1, (k & 2) != 0 ? 1 : -1, (k & 4) != 0 ? 1 : -1),
                 R, number);
  mesh.face({c[0], c[2], c[3], c[1]}), mesh.face({c[4], c[5], c[7], c[6]}), mesh.face({c[0], c[1], c[5], c[4]});
  mesh.face({c[2], c[6], c[7], c[3]}), mesh.face({c[0], c[4], c[6], c[2]}), mesh.face({c[1], c[3], c[7], c[5]});
}

/// A block of numbers: its length in bytes and the bytes, in base 64.
template <class T>
std::string encoded(const std::vector<T>& values) {
  static constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::uint32_t size = static_cast<std::uint32_t>(values.size() * sizeof(T));
  std::vector<unsigned char> bytes(4 + size);
  std::memcpy(bytes.data(), &size, 4);
  if (size > 0) std::memcpy(bytes.data() + 4, values.data(), size);
  std::string text;
  text.reserve(bytes.size() * 4 / 3 + 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
    const unsigned word = unsigned{bytes[i]} << 16 | (left > 1 ? unsigned{bytes[i + 1]} << 8 : 0) |
                          (left > 2 ? unsigned{bytes[i + 2]} : 0);
    for (std::size_t k = 0; k < 4; ++k) text += k <= left ? letters[word >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

template <class T>
void write_array(std::ofstream& out, const char* name, int components, const std::vector<T>& values) {
  out << "<DataArray type=\"" << (std::is_same_v<T, float> ? "Float32" : "Int32") << "\" Name=\"" << name
      << "\" NumberOfComponents=\"" << components << "\" format=\"binary\">" << encoded(values) << "</DataArray>\n";
}

std::string file_name(std::uint64_t number) {
  std::string digits = std::to_string(number);
  return std::string(digits.size() < 7 ? 7 - digits.size() : 0, '0') + digits + ".vtp";
}

}  // namespace

void prepare_vtk(const std::filesystem::path& folder, std::uint64_t first) {
  const auto frames = folder / "frames", list = frames / "times.txt";
  std::filesystem::create_directories(frames);
  std::vector<std::string> lines;
  std::ifstream in(list);
  for (std::string line; lines.size() < first && std::getline(in, line);) lines.push_back(line);
  in.close();
  std::ofstream out(list, std::ios::trunc);
  for (const std::string& line : lines) out << line << "\n";
}

void write_vtk_frame(const std::filesystem::path& folder, std::uint64_t number, const State& x,
                     const std::vector<Drawing>& drawings) {
  Mesh mesh;
  std::int32_t count = 0;
  for (const Drawing& d : drawings) (d.nodes > 1 ? add_tube : add_box)(mesh, d, x, count++);
  const auto path = folder / "frames" / file_name(number);
  std::ofstream out(path, std::ios::trunc);
  out << "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"0.1\" "
         "byte_order=\"LittleEndian\">\n<PolyData>\n<Piece NumberOfPoints=\""
      << mesh.object.size() << "\" NumberOfVerts=\"0\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\""
      << mesh.ends.size() << "\">\n<Points>\n";
  write_array(out, "Points", 3, mesh.points);
  out << "</Points>\n<PointData>\n";
  write_array(out, "object", 1, mesh.object);
  write_array(out, "d1", 3, mesh.first);
  write_array(out, "d2", 3, mesh.second);
  write_array(out, "d3", 3, mesh.third);
  out << "</PointData>\n<Polys>\n";
  write_array(out, "connectivity", 1, mesh.corners);
  write_array(out, "offsets", 1, mesh.ends);
  out << "</Polys>\n</Piece>\n</PolyData>\n</VTKFile>\n";
  std::ofstream times(folder / "frames" / "times.txt", std::ios::app);
  times.precision(17);
  times << x.t << "\n";
  if (!out.flush() || !times.flush())
    throw FileTrouble(path.string() + ": the file cannot be written; is the disk full?");
}

void write_vtk_index(const std::filesystem::path& folder) {
  std::ifstream times(folder / "frames" / "times.txt");
  std::ofstream out(folder / "result.pvd", std::ios::trunc);
  out << "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
         "byte_order=\"LittleEndian\">\n<Collection>\n";
  std::uint64_t number = 0;
  for (std::string time; std::getline(times, time); ++number)
    out << "<DataSet timestep=\"" << time << "\" file=\"frames/" << file_name(number) << "\"/>\n";
  out << "</Collection>\n</VTKFile>\n";
  if (!out.flush())
    throw FileTrouble((folder / "result.pvd").string() + ": the file cannot be written; is the disk full?");
}

}  // namespace filum::record
