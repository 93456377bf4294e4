/// Beams that integrators are measured on, ready to start. Theory: docs/theory/benchmarks.md, sec. 8.
#pragma once

#include "support/benchmark_systems.hpp"

#include <filum/mechanics/consistent_start.hpp>
#include <filum/parts/beam.hpp>

namespace filum::test {

struct BeamBenchmark {
  SystemBuilder builder = {};
  std::shared_ptr<const System> system = nullptr;
  State start = {};
  std::shared_ptr<const parts::Beam> beam = nullptr;

  double energy(const State& x) const;
  parts::Vector3d tip(const State& x) const { return beam->position(x, beam->segments()); }
};

/// Builds the system and makes a consistent start.
void complete(BeamBenchmark& benchmark, const mechanics::ConsistencyOptions& options = {});

/// The flying spaghetti of papers 000 and 001: both ends free, a force and a moment in space at s = 0 until t = 5.
struct SpaghettiOptions {
  int segments = 8;
  GroupId group = GroupId::S3sdR3;
  parts::StrainMask held = parts::kirchhoff;
  std::shared_ptr<const parts::StrainLaw> law = nullptr;
  double bending = 500;
  parts::Vector3d shift = parts::Vector3d::Zero();  ///< of the place where it starts
  bool smooth = false;  ///< 200 sin⁴(πt/5) instead of the hat function: no kinks run along the beam
};
BeamBenchmark flying_spaghetti(const SpaghettiOptions& options);

/// A straight beam of length 10 along e1, clamped at s = 0, that the moment 2π·500/10 about e2 at the other end rolls
/// up to a circle.
struct RollUpOptions {
  int segments = 8;
  GroupId group = GroupId::S3sdR3;
  parts::StrainMask held = parts::cosserat;
  double viscosity = 100;
  double bending = 500;
};
BeamBenchmark roll_up(const RollUpOptions& options);

}  // namespace filum::test
