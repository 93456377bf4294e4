/// The systems that integrators are measured on, ready to start. Theory: docs/theory/benchmarks.md.
#pragma once

#include <filum/mechanics/system_builder.hpp>
#include <filum/parts/joint.hpp>
#include <filum/parts/point_mass.hpp>
#include <filum/parts/rigid_body.hpp>

#include <array>
#include <memory>
#include <string>

namespace filum::test {

using lie::GroupId;
using mechanics::State;
using mechanics::System;
using mechanics::SystemBuilder;

/// A system and its consistent start (accelerations and multipliers included).
struct Benchmark {
  std::shared_ptr<const System> system;
  State start;
  parts::RigidBody body{};        ///< the only body, where there is one
  parts::PointMass mass_point{};  ///< of the pendulum

  double energy(const State& x) const;
};

/// All formulations of the heavy top: two without constraints, five with.
inline constexpr std::array<GroupId, 7> all_top_groups{GroupId::SO3, GroupId::S3,     GroupId::SO3xR3, GroupId::S3xR3,
                                                       GroupId::SE3, GroupId::S3sdR3, GroupId::UDQ};
inline constexpr std::array<GroupId, 5> rigid_motion_groups{GroupId::SO3xR3, GroupId::S3xR3, GroupId::SE3,
                                                            GroupId::S3sdR3, GroupId::UDQ};
/// For the names of parameterised tests.
inline std::string group_name(GroupId group) { return std::string(lie::name(group)); }

enum class TopSpeed { fast, slow };

/// Paper 000, remark 5.1 and appendix C. In SO3 and S3 the top is unconstrained.
Benchmark heavy_top(TopSpeed speed, GroupId group, parts::JointRows rows = parts::JointRows::space);
/// The slow top with viscous damping: the moment −Ω/2 and the force −u at the centre of mass.
Benchmark damped_top(GroupId group);

enum class BoxMotion { rotation, rotation_and_translation };
enum class BoxFrame { at_center_of_mass, off_center_of_mass };

/// Paper 004, 5.1 (frame at the centre of mass) and 5.2 (off it), no forces. The second motion turns about e3 in 5.1
/// and tumbles in 5.2.
Benchmark free_box(BoxMotion motion, BoxFrame frame, GroupId group);

/// Paper 004, 5.3: a top that hangs on a spring; energy 2500.68625.
Benchmark spring_top(GroupId group);

/// Paper 002, example 3.2: m = l = 1, g = 9.81, in R2, with the energy m/2 − mgl and the initial deflection x0.
Benchmark mathematical_pendulum(double x0);

/// Paper 000, remark 5.2, with one holonomic and two nonholonomic rows: multipliers (λ, μ1, μ2).
Benchmark rolling_disk(GroupId group);

}  // namespace filum::test
