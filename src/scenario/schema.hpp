/// Every key of a scenario file, once: read by TomlReader, written by TomlWriter. User document:
/// docs/guide/scenarios.md.
#pragma once

#include <filum/scenario/words.hpp>

namespace filum::scenario {

enum class Sign { any, positive, not_negative };

/// What is asked of a value besides its type.
struct Rule {
  bool required = false;
  Sign sign = Sign::any;
  bool may_be_infinite = false;
  bool decides = false;  ///< which other keys there are
  Variables of = {};     ///< variables a formula may contain
};
inline constexpr Rule required{.required = true};
inline constexpr Rule required_decision{.required = true, .decides = true};
inline constexpr Rule positive{.sign = Sign::positive};
inline constexpr Rule not_negative{.sign = Sign::not_negative};
inline constexpr Rule required_positive{.required = true, .sign = Sign::positive};
inline constexpr Rule of_t{.of = {.t = true}};
inline constexpr Rule of_s{.of = {.s = true}};
inline constexpr Rule of_t_and_s{.of = {.t = true, .s = true}};

template <class A>
void fields(A& a, Time& x) {
  a("start", x.start);
  a("end", x.end, required);
  a("step", x.step, required_positive);
  a("output_every", x.output_every);
  a("grid", x.grid);
  a("seed", x.seed, not_negative);
}

template <class A>
void step_control_fields(A& a, Integrator& x) {
  a("adaptive", x.adaptive);
  a("atol", x.atol, positive);
  a("rtol", x.rtol, not_negative);
  a("safety", x.safety, positive);
  a("min_factor", x.min_factor, positive);
  a("max_factor", x.max_factor, positive);
  a("max_step", x.max_step, Rule{.sign = Sign::positive, .may_be_infinite = true});
}

template <class A>
void fields(A& a, Integrator& x) {
  a("method", x.method, required_decision);
  switch (x.method) {
    case Method::rattlie:
      a("multipliers", x.multipliers);
      step_control_fields(a, x);
      break;
    case Method::shakelie: break;
    case Method::generalized_alpha:
      a("rho_infinity", x.rho_infinity, not_negative);
      a("formulation", x.formulation);
      a("start", x.start);
      a("matrix", x.matrix);
      break;
    case Method::bliedf:
      a("steps", x.steps, positive);
      a("formulation", x.formulation);
      a("matrix", x.matrix);
      break;
    case Method::half_explicit_rk:
      a("order", x.order, positive);
      step_control_fields(a, x);
      break;
    case Method::munthe_kaas_rk: a("order", x.order, positive); break;
  }
}

template <class A>
void fields(A& a, Newton& x) {
  a("atol", x.atol, positive);
  a("rtol", x.rtol, not_negative);
  a("max_iterations", x.max_iterations, positive);
}

template <class A>
void fields(A& a, Output& x) {
  a("vtk", x.vtk);
  a("checkpoint_every", x.checkpoint_every, not_negative);
}

template <class A>
void fields(A& a, Body& x) {
  a("name", x.name, required);
  a("group", x.group);
  a("mass", x.mass, required_positive);
  a("inertia", x.inertia, required);
  a("center_of_mass", x.center_of_mass);
  a("position", x.position);
  a("orientation", x.orientation);
  a("angular_velocity", x.angular_velocity);
  a("velocity", x.velocity);
  a("pivot", x.pivot);
}

template <class A>
void fields(A& a, Section& x) {
  a("shape", x.shape, required_decision);
  if (x.shape == SectionShape::rectangle) {
    a("width", x.width, required_positive);
    a("height", x.height, required_positive);
  } else {
    a("radius", x.radius, required_positive);
    if (x.shape == SectionShape::ring) a("inner_radius", x.inner_radius, required_positive);
  }
  a("E", x.E, required_positive);
  a("nu", x.nu, required);
  a("rho", x.rho, required_positive);
  a("shear_correction", x.shear_correction, positive);
}

template <class A>
void fields(A& a, SectionValues& x) {
  a("bending", x.bending, of_s);
  a("torsion", x.torsion, of_s);
  a("shear", x.shear, of_s);
  a("axial", x.axial, of_s);
}

template <class A>
void fields(A& a, Beam& x) {
  a("name", x.name, required);
  a("model", x.model);
  a("group", x.group);
  a("from", x.from);
  a("to", x.to);
  a("curve", x.curve, of_s);
  a("length", x.length, positive);
  a("initial", x.initial);
  a("orientation", x.orientation);
  a("director", x.director);
  a("segments", x.segments, positive);
  a("nodes", x.nodes);
  a("rest", x.rest);
  a("rest_curvature", x.rest_curvature, of_s);
  a("rest_strain", x.rest_strain, of_s);
  a("section", x.section);
  a("mass_per_length", x.mass_per_length, positive);
  a("inertia_per_length", x.inertia_per_length, positive);
  a("stiffness", x.stiffness);
  a("damping", x.damping);
  a("angular_velocity", x.angular_velocity, of_s);
  a("velocity", x.velocity, of_s);
}

template <class A>
void fields(A& a, Joint& x) {
  a("name", x.name, required);
  a("type", x.type, required_decision);
  a("connects", x.connects);
  switch (x.type) {
    case JointKind::rolling_disk: a("radius", x.radius, positive); return;
    case JointKind::distance:
      a("points", x.points);
      a("length", x.length, positive);
      return;
    case JointKind::drive:
      a("joint", x.joint);
      a("angle", x.angle, of_t);
      a("displacement", x.displacement, of_t);
      a("at", x.at);
      a("position", x.position, of_t);
      a("rotation", x.rotation, of_t);
      return;
    default: break;
  }
  a("at", x.at);
  if (x.type == JointKind::fixed || x.type == JointKind::spherical) return;
  a("axis", x.axis);
  if (x.type == JointKind::universal) a("axis2", x.axis2);
}

template <class A>
void fields(A& a, Spring& x) {
  a("name", x.name);
  a("connects", x.connects);
  a("points", x.points);
  a("joint", x.joint);
  a("stiffness", x.stiffness, not_negative);
  a("damping", x.damping, not_negative);
  a("length", x.length);
}

template <class A>
void fields(A& a, Load& x) {
  a("name", x.name);
  a("on", x.on, required);
  a("frame", x.frame);
  a("point", x.point);
  a("force", x.force, of_t_and_s);
  a("moment", x.moment, of_t_and_s);
}

template <class A>
void fields(A& a, Sensor& x) {
  a("name", x.name, required);
  a("on", x.on, required);
  a("quantity", x.quantity, required);
  a("point", x.point);
}

/// Everything but [parameters] and [functions], which come first.
template <class A>
void fields(A& a, Scenario& x) {
  a("schema", x.schema, required);
  a("title", x.title);
  a("gravity", x.gravity);
  a.symbols(x.symbols);
  a("time", x.time, required);
  a("integrator", x.integrator);
  a("newton", x.newton);
  a("output", x.output);
  a("body", x.bodies);
  a("beam", x.beams);
  a("joint", x.joints);
  a("spring", x.springs);
  a("load", x.loads);
  a("sensor", x.sensors);
}

template <class T, class A>
concept Struct = requires(A& a, T& x) {
  fields(a, x);
};

}  // namespace filum::scenario
