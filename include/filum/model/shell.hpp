/// Shells of a model: surface, grid, material, rest. User document: docs/guide/scenarios.md, "Shells".
#pragma once

#include <filum/model/group_choice.hpp>
#include <filum/model/look.hpp>
#include <filum/model/object.hpp>
#include <filum/model/sheet.hpp>
#include <filum/model/surface.hpp>
#include <filum/parts/shell.hpp>

#include <array>
#include <optional>
#include <vector>

namespace filum::model {

using parts::HeldLineStrains;
using parts::ShellInertia;

/// In which direction a surface closes: tubes and rings.
enum class Closed { none, s1, s2 };

/// Strains (K1 K2 K3 Γ1 Γ2 Γ3) per coordinate where the shell is free of stress, along s1 and along s2.
using RestSurfaceStrains = std::array<OnSurface<Vector6d>, 2>;
inline RestSurfaceStrains flat_rest() { return {parts::flat_strain(0), parts::flat_strain(1)}; }

struct Shell {
  std::string name = {};
  SurfaceShape shape = Parallelogram{};
  std::array<int, 2> segments{};               ///< of equal size in s1 and s2; or
  std::array<std::vector<double>, 2> nodes{};  ///< coordinates of the nodes, from 0 on
  Closed closed = Closed::none;
  GroupChoice group = {};
  SheetMaterial material = IsotropicSheet{};
  double hourglass = 1.0 / 12;  ///< 1/4 is appendix D
  ShellInertia inertia = ShellInertia::box;
  HeldLineStrains held = {};  ///< instead of elastic
  double damping_time = 0;    ///< V = τ C / 2: a mode of frequency ω has the damping ratio τ ω / 2
  std::optional<RestSurfaceStrains> rest = {};                        ///< default: free of stress as drawn
  OnSurface<Vector3d> angular_velocity = Vector3d(Vector3d::Zero());  ///< initial, in the frame of each node
  OnSurface<Vector3d> velocity = Vector3d(Vector3d::Zero());
  Look look = {};
};

std::unique_ptr<Object> make_object(const Shell& options);

}  // namespace filum::model
