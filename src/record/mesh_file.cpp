/// STL and OBJ files. User document: docs/guide/scenarios.md, "Meshes".
#include <filum/record/hdf5_file.hpp>
#include <filum/record/mesh_file.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <string_view>

namespace filum::record {
namespace {

using Point = std::array<float, 3>;

// A page with 200 000 triangles has 5 MB.
constexpr std::size_t most_triangles = 200'000;
constexpr std::size_t most_points = 3 * most_triangles;  // others belong to none, and take memory
constexpr std::uintmax_t most_bytes = 100'000'000;

class MeshReader {
 public:
  MeshReader(const std::filesystem::path& file, double scale) : file_(file), scale_(scale), text_(bytes()) {}

  model::Triangles read() {
    std::string ending = file_.extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
    if (ending == ".stl")
      is_binary() ? read_binary() : read_text();
    else if (ending == ".obj")
      read_obj();
    else
      refuse("expected a file that ends in .stl or .obj");
    if (mesh_.corners.empty()) refuse("it contains no triangles");
    return std::move(mesh_);
  }

 private:
  std::string bytes() const {
    std::error_code error;
    if (!std::filesystem::is_regular_file(file_, error)) refuse("there is no such file");
    if (std::filesystem::file_size(file_, error) > most_bytes) refuse("it is larger than 100 MB; " + advice_);
    std::ifstream in(file_, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(in)), {});
    if (!in.is_open() || in.bad()) refuse("it cannot be read");
    return text;
  }

  // Binary STL: 80 bytes, the number of triangles, then a normal, three points and two bytes for each.
  static constexpr std::size_t head = 84, record = 50;
  std::uint32_t count() const {
    std::uint32_t n = 0;
    std::memcpy(&n, text_.data() + 80, 4);
    return n;
  }
  bool is_binary() const {
    if (text_.size() >= head && text_.size() == head + record * static_cast<std::size_t>(count())) return true;
    return text_.compare(0, 5, "solid") != 0;
  }
  void read_binary() {
    if (text_.size() < head) refuse("it is not an STL file: too short");
    const std::size_t wanted = head + record * static_cast<std::size_t>(count());
    if (text_.size() != wanted)
      refuse("it is not an STL file, or it is incomplete: " + std::to_string(count()) + " triangles take " +
             std::to_string(wanted) + " bytes, but it has " + std::to_string(text_.size()));
    for (std::size_t n = 0; n < count(); ++n) {
      float x[9];
      std::memcpy(x, text_.data() + head + record * n + 12, sizeof x);
      add_triangle({point(x[0], x[1], x[2]), point(x[3], x[4], x[5]), point(x[6], x[7], x[8])});
    }
  }

  void read_text() {
    std::vector<std::uint32_t> corners;
    bool is_facet = false;
    for_lines([&](std::string_view word, std::string_view rest) {
      if (word == "facet") {
        if (is_facet) refuse("a facet begins within another");
        is_facet = true;
      } else if (word == "vertex") {
        const std::array<double, 3> x = numbers(rest);
        corners.push_back(point(x[0], x[1], x[2]));
      } else if (word == "endfacet") {
        if (!is_facet || corners.size() != 3)
          refuse("a facet has " + std::to_string(corners.size()) + " vertices, expected 3");
        add_triangle({corners[0], corners[1], corners[2]});
        corners.clear();
        is_facet = false;
      } else if (word != "solid" && word != "outer" && word != "endloop" && word != "endsolid") {
        refuse("expected a facet, found '" + std::string(word.substr(0, 30)) + "'");
      }
    });
    if (is_facet) refuse("it ends within a facet");
  }

  /// Polygons become fans. Normals, textures, groups and materials mean nothing here.
  void read_obj() {
    static constexpr std::string_view skipped[] = {"vt", "vn", "vp", "o", "g", "s", "usemtl", "mtllib", "l", "p"};
    std::vector<std::uint32_t> known;
    for_lines([&](std::string_view word, std::string_view rest) {
      if (word == "v") {
        const std::array<double, 3> x = numbers(rest);
        known.push_back(point(x[0], x[1], x[2]));
      } else if (word == "f") {
        std::vector<std::uint32_t> corners;
        while (!rest.empty()) corners.push_back(corner(next(rest), known));
        if (corners.size() < 3) refuse("a face has fewer than three corners");
        for (std::size_t k = 2; k < corners.size(); ++k) add_triangle({corners[0], corners[k - 1], corners[k]});
      } else if (word[0] != '#' && std::find(std::begin(skipped), std::end(skipped), word) == std::end(skipped)) {
        refuse("expected v or f, found '" + std::string(word.substr(0, 30)) + "'");
      }
    });
  }
  /// "7", "7/1/3", "-1": counted from 1, or back from the last point.
  std::uint32_t corner(std::string_view text, const std::vector<std::uint32_t>& known) const {
    long long number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const auto size = static_cast<long long>(known.size());
    if (error != std::errc() || (end != text.data() + text.size() && *end != '/') || number == 0 || number > size ||
        number < -size)
      refuse("a face refers to point '" + std::string(text.substr(0, 30)) + "', but there are only " +
             std::to_string(size) + " so far");
    return known[static_cast<std::size_t>(number > 0 ? number - 1 : size + number)];
  }

  /// The first word, which is taken off.
  static std::string_view next(std::string_view& rest) {
    constexpr const char* blanks = " \t\r";
    const std::size_t end = std::min(rest.find_first_of(blanks), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(end);
    rest.remove_prefix(std::min(rest.find_first_not_of(blanks), rest.size()));
    return word;
  }
  template <class Take>
  void for_lines(const Take& take) {
    for (std::size_t from = 0; from < text_.size();) {
      const std::size_t to = std::min(text_.find('\n', from), text_.size());
      std::string_view line = std::string_view(text_).substr(from, to - from);
      ++line_;
      from = to + 1;
      line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
      if (line.empty()) continue;
      const std::string_view word = next(line);
      take(word, line);
    }
    line_ = 0;
  }
  std::array<double, 3> numbers(std::string_view rest) const {
    std::array<double, 3> x{};
    for (double& value : x) {
      std::string_view text = next(rest);
      if (!text.empty() && text.front() == '+') text.remove_prefix(1);
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      if (error != std::errc() || end != text.data() + text.size()) refuse("expected three numbers of a point");
    }
    return x;
  }

  std::uint32_t point(double x, double y, double z) {
    const Point p{static_cast<float>(scale_ * x), static_cast<float>(scale_ * y), static_cast<float>(scale_ * z)};
    if (!std::all_of(p.begin(), p.end(), [](float c) { return std::isfinite(c); })) refuse("a point is not finite");
    if (numbers_.size() > most_points) refuse("it has more than 600 000 points; " + advice_);
    const auto [found, is_new] = numbers_.emplace(p, static_cast<std::uint32_t>(numbers_.size()));
    if (is_new) mesh_.points.insert(mesh_.points.end(), p.begin(), p.end());
    return found->second;
  }
  void add_triangle(const std::array<std::uint32_t, 3>& corners) {
    if (mesh_.corners.size() >= 3 * most_triangles) refuse("it has more than 200 000 triangles; " + advice_);
    mesh_.corners.insert(mesh_.corners.end(), corners.begin(), corners.end());
  }
  [[noreturn]] void refuse(const std::string& why) const {
    throw FileTrouble(file_.string() + (line_ > 0 ? ":" + std::to_string(line_) : "") + ": " + why);
  }

  const std::string advice_ = "try: a coarser mesh, which is enough for drawing";
  std::filesystem::path file_;
  double scale_;
  int line_ = 0;
  std::string text_;
  model::Triangles mesh_;
  std::map<Point, std::uint32_t> numbers_;
};

}  // namespace

model::LookMesh read_mesh(const std::filesystem::path& file, double scale) {
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::weakly_canonical(file, error);
  return {.file = error ? file.string() : whole.string(),
          .scale = scale,
          .triangles = std::make_shared<const model::Triangles>(MeshReader(file, scale).read())};
}

}  // namespace filum::record
