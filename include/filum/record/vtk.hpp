/// Frames for ParaView: tubes, surfaces and solids of all objects, with the frames of their nodes. User document:
/// docs/guide/results.md.
#pragma once

#include <filum/model/layout.hpp>

#include <cstdint>
#include <filesystem>

namespace filum::record {

using mechanics::State;
using model::Layout;

/// Makes the folder `frames`; when a run is resumed, forgets frames from number `first` on.
void prepare_vtk(const std::filesystem::path& folder, std::uint64_t first);
/// frames/NNNNNNN.vtp, and its time in frames/times.txt. Throws FileTrouble.
void write_vtk_frame(const std::filesystem::path& folder, std::uint64_t number, const State& x, const Layout& layout);
/// result.pvd: all frames with their times.
void write_vtk_index(const std::filesystem::path& folder);

}  // namespace filum::record
