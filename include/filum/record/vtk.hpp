/// Frames for ParaView: tubes, surfaces and solids of all objects, with the frames of their nodes. User document:
/// docs/guide/results.md.
#pragma once

#include <filum/model/layout.hpp>

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace filum::record {

using mechanics::State;
using model::Layout;

/// frames/NNNNNNN.vtp. Throws FileTrouble.
void write_vtk_frame(const std::filesystem::path& folder, std::uint64_t number, const State& x, const Layout& layout);

/// result.pvd: all frames with their times.
class VtkIndex {
 public:
  /// Makes the folder `frames`. Throws FileTrouble.
  explicit VtkIndex(const std::filesystem::path& folder);
  /// The first frames of a run that is resumed; those whose files are gone are left out.
  void restore(std::span<const double> times, std::uint64_t frames);
  /// Frames from number `first` on have these times. Writes the file.
  void add(std::uint64_t first, std::span<const double> times);

 private:
  struct Frame {
    std::uint64_t number;
    double time;
  };
  std::filesystem::path folder_;
  std::vector<Frame> frames_;
};

}  // namespace filum::record
