/// Meshes that bodies are drawn with, from STL and OBJ files. User document: docs/guide/scenarios.md, "Meshes".
#pragma once

#include <filum/model/look.hpp>

#include <filesystem>

namespace filum::record {

/// Reads NAME.stl (binary or text) or NAME.obj; lengths are multiplied by `scale`. Points that coincide become one.
/// Throws FileTrouble, with what is wrong, for other files and for more than 200 000 triangles.
model::LookMesh read_mesh(const std::filesystem::path& file, double scale = 1);

}  // namespace filum::record
