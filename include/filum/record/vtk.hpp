/// Frames for ParaView: a tube or box for every object, with its section frames. User document: docs/guide/results.md.
#pragma once

#include <filum/record/layout.hpp>

#include <cstdint>
#include <filesystem>

namespace filum::record {

/// Makes the folder `frames`; when a run is resumed, forgets frames from number `first` on.
void prepare_vtk(const std::filesystem::path& folder, std::uint64_t first);
/// frames/NNNNNNN.vtp, and its time in frames/times.txt. Throws FileTrouble.
void write_vtk_frame(const std::filesystem::path& folder, std::uint64_t number, const State& x,
                     const std::vector<Drawing>& drawings);
/// result.pvd: all frames with their times.
void write_vtk_index(const std::filesystem::path& folder);

}  // namespace filum::record
