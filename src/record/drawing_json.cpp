/// Drawings as JSON. User document: docs/guide/results.md, "Facts".
#include "drawing_json.hpp"

#include "base64.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace filum::record {
namespace {

using Eigen::Vector2d;
using Eigen::Vector2i;
using Eigen::Vector3d;
using Eigen::Vector4d;
using Json = nlohmann::ordered_json;

template <class Enum, std::size_t n>
struct WordList {
  std::array<std::pair<Enum, const char*>, n> list;
  const char* word(Enum value) const {
    return std::find_if(list.begin(), list.end(), [&](const auto& e) { return e.first == value; })->second;
  }
  Enum value(const JsonReader& json) const {
    const std::string text = json.text();
    for (const auto& [value, word] : list)
      if (text == word) return value;
    json.refuse("a known word", "'" + text.substr(0, 40) + "'");
  }
};
constexpr WordList<drawing::Shape, 4> shapes{{{{drawing::Shape::box, "box"},
                                               {drawing::Shape::cylinder, "cylinder"},
                                               {drawing::Shape::sphere, "sphere"},
                                               {drawing::Shape::disk, "disk"}}}};
constexpr WordList<drawing::Quantity, 2> quantities{
    {{{drawing::Quantity::force, "force"}, {drawing::Quantity::moment, "moment"}}}};
constexpr WordList<drawing::Frame, 2> frame_words{{{{drawing::Frame::space, "space"}, {drawing::Frame::body, "body"}}}};

Json color_json(const std::string& color) { return color.empty() ? Json(nullptr) : Json(color); }
std::string read_color(const JsonReader& json) {
  if (json.is_null()) return {};
  const std::string text = json.text();
  const bool good =
      text.size() == 7 && text[0] == '#' && text.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
  if (!good) json.refuse("a colour such as \"#0072b2\"", "'" + text.substr(0, 40) + "'");
  return text;
}

// Anchors and drawings ------------------------------------------------------------------------------------------------

Json to_json(const Anchor& a) {
  if (a.is_ground()) return {{"point", list(a.point)}};
  return {{"object", a.object}, {"node", a.node}, {"point", list(a.point)}};
}
Anchor read_anchor(const JsonReader& json) {
  Anchor a;
  if (json.has("object")) {
    a.object = json["object"].text();
    a.node = json["node"].integer();
  }
  a.point = vector<Vector3d>(json["point"]);
  return a;
}
Json to_json(const std::vector<Anchor>& anchors) {
  Json json = Json::array();
  for (const Anchor& a : anchors) json.push_back(to_json(a));
  return json;
}
std::vector<Anchor> read_anchors(const JsonReader& json) { return json.list(read_anchor); }

Json to_json(const drawing::Solid& d) {
  return {{"type", "solid"},
          {"node", d.node},
          {"shape", shapes.word(d.shape)},
          {"size", list(d.size)},
          {"position", list(d.position)},
          {"orientation", list(d.orientation)},
          {"color", color_json(d.color)},
          {"estimated", d.is_estimated}};
}
Drawing read_solid(const JsonReader& json) {
  return drawing::Solid{.node = json["node"].integer(),
                        .shape = shapes.value(json["shape"]),
                        .size = vector<Vector3d>(json["size"]),
                        .position = vector<Vector3d>(json["position"]),
                        .orientation = vector<Vector4d>(json["orientation"]),
                        .color = read_color(json["color"]),
                        .is_estimated = json["estimated"].flag()};
}

/// Numbers as they are in memory: little-endian on every machine that filum runs on.
template <class T>
std::string packed(const std::vector<T>& values) {
  return base64(std::span(reinterpret_cast<const unsigned char*>(values.data()), sizeof(T) * values.size()));
}
template <class T>
std::vector<T> unpacked(const JsonReader& json) {
  const auto bytes = bytes_of_base64(json.text());
  if (!bytes || bytes->size() % (3 * sizeof(T)) != 0) json.refuse("packed numbers in threes", "something else");
  std::vector<T> values(bytes->size() / sizeof(T));
  std::memcpy(values.data(), bytes->data(), bytes->size());
  return values;
}

Json to_json(const drawing::Mesh& d) {
  return {{"type", "mesh"},
          {"node", d.node},
          {"points", packed(d.triangles->points)},
          {"corners", packed(d.triangles->corners)},
          {"color", color_json(d.color)}};
}
Drawing read_mesh_drawing(const JsonReader& json) {
  auto triangles = std::make_shared<model::Triangles>();
  triangles->points = unpacked<float>(json["points"]);
  triangles->corners = unpacked<std::uint32_t>(json["corners"]);
  for (const std::uint32_t corner : triangles->corners)
    if (corner >= triangles->points.size() / 3) json["corners"].refuse("numbers of points", std::to_string(corner));
  return drawing::Mesh{.node = json["node"].integer(), .triangles = triangles, .color = read_color(json["color"])};
}

Json to_json(const drawing::Tube& d) {
  Json json{{"type", "tube"}};
  if (d.rectangle)
    json["rectangle"] = list(*d.rectangle);
  else
    json["radius"] = d.radius;
  json["color"] = color_json(d.color);
  json["estimated"] = d.is_estimated;
  return json;
}
Drawing read_tube(const JsonReader& json) {
  drawing::Tube d;
  if (json.has("rectangle"))
    d.rectangle = vector<Vector2d>(json["rectangle"]);
  else
    d.radius = json["radius"].number();
  d.color = read_color(json["color"]);
  d.is_estimated = json.has("estimated") && json["estimated"].flag();
  return d;
}

Json to_json(const drawing::Surface& d) {
  return {{"type", "surface"},
          {"grid", list(d.grid)},
          {"closed", Json::array({d.closes_first, d.closes_second})},
          {"thickness", d.thickness},
          {"color", color_json(d.color)}};
}
Drawing read_surface(const JsonReader& json) {
  json["grid"].expect_size(2);
  json["closed"].expect_size(2);
  return drawing::Surface{.grid = Vector2i(json["grid"].at(0).integer(), json["grid"].at(1).integer()),
                          .closes_first = json["closed"].at(0).flag(),
                          .closes_second = json["closed"].at(1).flag(),
                          .thickness = json["thickness"].number(),
                          .color = read_color(json["color"])};
}

Json to_json(const drawing::Symbol& d) {
  return {{"type", "symbol"},
          {"symbol", d.symbol},
          {"at", to_json(d.at)},
          {"axis", list(d.axis)},
          {"partners", to_json(d.partners)}};
}
Drawing read_symbol(const JsonReader& json) {
  return drawing::Symbol{.symbol = json["symbol"].text(),
                         .at = read_anchor(json["at"]),
                         .axis = vector<Vector3d>(json["axis"]),
                         .partners = read_anchors(json["partners"])};
}

Json ends_json(const char* type, const Anchor& from, const Anchor& to) {
  return {{"type", type}, {"ends", Json::array({to_json(from), to_json(to)})}};
}
Json to_json(const drawing::Rod& d) { return ends_json("rod", d.from, d.to); }
Json to_json(const drawing::Coil& d) { return ends_json("coil", d.from, d.to); }
template <class Primitive>
Drawing read_ends(const JsonReader& json) {
  json["ends"].expect_size(2);
  return Primitive{read_anchor(json["ends"].at(0)), read_anchor(json["ends"].at(1))};
}

Json to_json(const drawing::Arrows& d) {
  return {{"type", "arrows"},
          {"series", d.series},
          {"quantity", quantities.word(d.quantity)},
          {"frame", frame_words.word(d.frame)},
          {"at", to_json(d.at)}};
}
Drawing read_arrows(const JsonReader& json) {
  return drawing::Arrows{.series = json["series"].text(),
                         .quantity = quantities.value(json["quantity"]),
                         .frame = frame_words.value(json["frame"]),
                         .at = read_anchors(json["at"])};
}

Json to_json(const drawing::Plane& d) {
  return {{"type", "plane"}, {"position", list(d.position)}, {"normal", list(d.normal)}};
}
Drawing read_plane(const JsonReader& json) {
  return drawing::Plane{.position = vector<Vector3d>(json["position"]), .normal = vector<Vector3d>(json["normal"])};
}

constexpr std::pair<std::string_view, Drawing (*)(const JsonReader&)> primitives[] = {
    {"solid", read_solid},
    {"mesh", read_mesh_drawing},
    {"tube", read_tube},
    {"surface", read_surface},
    {"symbol", read_symbol},
    {"rod", read_ends<drawing::Rod>},
    {"coil", read_ends<drawing::Coil>},
    {"arrows", read_arrows},
    {"plane", read_plane}};

}  // namespace

Json drawing_json(const Drawing& d) {
  return std::visit([](const auto& primitive) { return to_json(primitive); }, d);
}

std::vector<Drawing> read_drawings(const JsonReader& json) {
  std::vector<Drawing> drawings;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const std::string type = json.at(i)["type"].text();
    for (const auto& [name, read] : primitives)
      if (type == name) drawings.push_back(read(json.at(i)));
  }
  return drawings;
}

}  // namespace filum::record
