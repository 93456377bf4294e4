/// Flying spaghetti and roll-up. Theory: docs/theory/benchmarks.md, sec. 8.
#include "support/beam_systems.hpp"

#include <filum/mechanics/consistent_start.hpp>
#include <filum/parts/body_load.hpp>
#include <filum/parts/joint.hpp>

#include <cmath>
#include <numbers>

namespace filum::test {
namespace {

using parts::BeamOptions;
using parts::Vector3d;

BeamOptions beam_options(GroupId group, const parts::StrainMask& held, double bending) {
  BeamOptions o;
  o.group = group;
  o.held = held;
  o.stiffness = {parts::diagonal_stiffness(Vector3d::Constant(bending), Vector3d::Constant(1e4))};
  o.mass_per_length = {1};
  o.inertia_per_length = {10 * parts::Matrix3d::Identity()};
  return o;
}

/// 0 at t = 0, 200 at t = 2.5, 0 from t = 5 on, linear in between.
double hat_function(double t) { return t <= 0 || t >= 5 ? 0 : (t < 2.5 ? 80 * t : 80 * (5 - t)); }

double smooth_function(double t) {
  return t <= 0 || t >= 5 ? 0 : 200 * std::pow(std::sin(std::numbers::pi * t / 5), 4);
}

}  // namespace

double BeamBenchmark::energy(const State& x) const {
  return system->kinetic_energy(x.q, x.v) + system->potential_energy(x.t, x.q);
}

void complete(BeamBenchmark& b, const mechanics::ConsistencyOptions& options) {
  b.system = b.builder.build();
  b.start = b.builder.start();
  mechanics::make_consistent(*b.system, b.start, options);
}

BeamBenchmark flying_spaghetti(const SpaghettiOptions& options) {
  BeamBenchmark b;
  BeamOptions o = beam_options(options.group, options.held, options.bending);
  o.name = "spaghetti";
  o.law = options.law;
  parts::set_straight(o, Vector3d(6, 0, 0) + options.shift, Vector3d(0, 8, 0) + options.shift, options.segments);
  b.beam = parts::add_beam(b.builder, o);
  parts::add_load(b.builder, "throw", b.beam->at(0), parts::LoadFrame::space, [smooth = options.smooth](double t) {
    const double g = smooth ? smooth_function(t) : hat_function(t);
    return parts::LoadValue{.force = Vector3d(g / 10, 0, 0), .moment = Vector3d(0, -g / 2, -g)};
  });
  complete(b);
  return b;
}

BeamBenchmark roll_up(const RollUpOptions& options) {
  BeamBenchmark b;
  BeamOptions o = beam_options(options.group, options.held, options.bending);
  o.name = "strip";
  if (options.viscosity > 0) o.viscosity = {options.viscosity * parts::Matrix6d::Identity()};
  parts::set_straight(o, Vector3d::Zero(), Vector3d(10, 0, 0), options.segments);
  b.beam = parts::add_beam(b.builder, o);
  parts::add_joint(b.builder, {.name = "clamp", .type = parts::JointType::fixed, .first = {}, .second = b.beam->at(0)});
  const Vector3d moment(0, 2 * std::numbers::pi * options.bending / 10, 0);
  parts::add_load(b.builder, "moment", b.beam->at(options.segments), parts::LoadFrame::space,
                  [moment](double) { return parts::LoadValue{.moment = moment}; });
  complete(b);
  return b;
}

}  // namespace filum::test
