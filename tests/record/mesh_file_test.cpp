/// Meshes from STL and OBJ files, good and bad.
#include <filum/record/hdf5_file.hpp>
#include <filum/record/mesh_file.hpp>

#include <gmock/gmock.h>

#include <cstring>
#include <fstream>

namespace filum::record {
namespace {

using ::testing::HasSubstr;

std::filesystem::path mesh_file(const std::string& name, const std::string& bytes) {
  const auto path = std::filesystem::path(::testing::TempDir()) / ("mesh_file_test_" + name);
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

std::string complaint_about(const std::string& name, const std::string& bytes) {
  try {
    read_mesh(mesh_file(name, bytes));
    return "";
  } catch (const FileTrouble& trouble) {
    return trouble.what();
  }
}

/// The two triangles of a square.
const std::vector<std::array<float, 9>> two_triangles{{0, 0, 0, 1, 0, 0, 1, 1, 0}, {0, 0, 0, 1, 1, 0, 0, 1, 0}};

std::string binary_stl(std::uint32_t count) {
  std::string bytes(80, 's');
  bytes.append(reinterpret_cast<const char*>(&count), 4);
  for (const auto& corners : two_triangles) {
    bytes.append(12, '\0');
    bytes.append(reinterpret_cast<const char*>(corners.data()), sizeof corners);
    bytes.append(2, '\0');
  }
  return bytes;
}
std::string text_stl() {
  std::string text = "solid square\n";
  for (const auto& c : two_triangles) {
    text += "facet normal 0 0 1\n outer loop\n";
    for (std::size_t k = 0; k < 9; k += 3)
      text += "  vertex " + std::to_string(c[k]) + " " + std::to_string(c[k + 1]) + " +" + std::to_string(c[k + 2]) +
              "\r\n";
    text += " endloop\nendfacet\n";
  }
  return text + "endsolid\n";
}
const std::string obj =
    "# square\nmtllib x.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvn 0 0 1\nf 1//1 2//1 -2//1 4//1\n";

TEST(MeshFile, OfAnyFormatGivesTheSameTriangles) {
  const model::LookMesh a = read_mesh(mesh_file("a.stl", binary_stl(2))), b = read_mesh(mesh_file("b.STL", text_stl())),
                        c = read_mesh(mesh_file("c.obj", obj));
  EXPECT_EQ(a.triangles->points.size(), 12u);
  EXPECT_EQ(a.triangles->corners, (std::vector<std::uint32_t>{0, 1, 2, 0, 2, 3}));
  EXPECT_EQ(*a.triangles, *b.triangles);
  EXPECT_EQ(*a.triangles, *c.triangles);
  EXPECT_TRUE(std::filesystem::path(a.file).is_absolute());
}

TEST(MeshFile, IsScaled) {
  const auto mesh = read_mesh(mesh_file("d.obj", obj), 0.001);
  EXPECT_FLOAT_EQ(*std::max_element(mesh.triangles->points.begin(), mesh.triangles->points.end()), 0.001f);
  EXPECT_EQ(mesh.scale, 0.001);
}

TEST(MeshFile, ThatIsWrongIsRefusedWithTheReasonAndTheLine) {
  EXPECT_THAT(complaint_about("e.stl", binary_stl(3)), HasSubstr("3 triangles take 234 bytes, but it has 184"));
  EXPECT_THAT(complaint_about("f.stl", "x"), HasSubstr("too short"));
  EXPECT_THAT(complaint_about("g.stl", "solid a\nfacet normal 0 0 1\nvertex 1 2\n"),
              HasSubstr("g.stl:3: expected three numbers"));
  EXPECT_THAT(complaint_about("h.stl", "solid a\nfacet\nvertex 1 2 3\nendfacet\n"),
              HasSubstr(":4: a facet has 1 vertices"));
  EXPECT_THAT(complaint_about("i.stl", "solid a\nendsolid\n"), HasSubstr("it contains no triangles"));
  EXPECT_THAT(complaint_about("j.obj", "v 0 0 0\nf 1 2 3\n"),
              HasSubstr("j.obj:2: a face refers to point '2', but there are only 1 so far"));
  EXPECT_THAT(complaint_about("k.obj", "v 0 0 nan\n"), HasSubstr("not finite"));
  EXPECT_THAT(complaint_about("l.obj", "hello\n"), HasSubstr("l.obj:1: expected v or f, found 'hello'"));
  EXPECT_THAT(complaint_about("m.ply", "ply\n"), HasSubstr("ends in .stl or .obj"));
  EXPECT_THROW(read_mesh("/nowhere/at/all.stl"), FileTrouble);
}

TEST(MeshFile, WithTooManyTrianglesIsRefused) {
  std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf";
  for (int k = 0; k < 200'003; ++k) text += " " + std::to_string(k % 3 + 1);
  EXPECT_THAT(complaint_about("n.obj", text), HasSubstr("more than 200 000 triangles; try: a coarser mesh"));
  text.clear();
  for (int k = 0; k < 600'003; ++k) text += "v 0 0 " + std::to_string(k) + "\n";
  EXPECT_THAT(complaint_about("o.obj", text), HasSubstr("more than 600 000 points"));
}

}  // namespace
}  // namespace filum::record
