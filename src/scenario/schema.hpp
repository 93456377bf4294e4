/// Keys of scenario files that belong to no object: time, method, output. User document: docs/guide/scenarios.md.
#pragma once

#include <filum/config/reader.hpp>
#include <filum/config/writer.hpp>
#include <filum/scenario/scenario.hpp>

#include <type_traits>

namespace filum::scenario {

using config::not_negative;
using config::positive;
using config::required;
using config::required_decision;
using config::required_positive;
using config::Rule;

void read_value(config::Reader&, const config::Node&, OutputInterval&, const std::string& path, const Rule&);
std::string format_value(const config::Writer&, const OutputInterval& value);

/// Where the file has an option of a method: step control stands beside the others, Newton's method has a table of its
/// own.
std::string key_of_option(const std::string& option);

template <class A>
void fields(A& a, Time& x) {
  a("start", x.start);
  a("end", x.end, required);
  std::optional<double> step = x.step > 0 ? std::optional(x.step) : std::nullopt;
  a("step", step, positive);
  x.step = step.value_or(0);
  a("accuracy", x.accuracy, positive);
  a("output_every", x.output_every);
  a("grid", x.grid);
  a("seed", x.seed, not_negative);
  a("start_from", x.start_from);
}

template <class A>
void fields(A& a, Statics& x) {
  a("path", x.path);
  a("to", x.to);
  a("at", x.at);
  a("critical", x.critical);
  a("branch", x.branch);
  a("regularize", x.regularize, not_negative);
  a("max_steps", x.max_steps, positive);
  a("max_step", x.max_step, positive);
}

template <class A>
void fields(A& a, Output& x) {
  a("vtk", x.vtk);
  a("checkpoint_every", x.checkpoint_every, not_negative);
}

}  // namespace filum::scenario

namespace filum::model {

/// "SI", or { length = "mm", mass = "t", time = "s", force = "N" }.
void read_value(config::Reader&, const config::Node&, Units&, const std::string& path, const config::Rule&);
std::string format_value(const config::Writer&, const Units& value);

}  // namespace filum::model

// The options of methods are those of the library, so that their keys are found beside them.
namespace filum::linalg {

template <class A>
void fields(A& a, NewtonOptions& x) {
  a("atol", x.atol, config::positive);
  a("rtol", x.rtol, config::not_negative);
  a("max_iterations", x.max_iterations, config::positive);
}

}  // namespace filum::linalg

namespace filum::integrate {

/// A method by its place in MethodOptions.
struct MethodChoice {
  static constexpr std::size_t chosen = static_cast<std::size_t>(-1);  ///< "auto": by the program
  std::size_t index = 0;
};
void read_value(config::Reader&, const config::Node&, MethodChoice&, const std::string& path, const config::Rule&);
std::string format_value(const config::Writer&, const MethodChoice& value);
const config::Words& words_for(const MethodChoice&);
MethodOptions default_options(std::size_t index);

inline const config::Rule positive_or_infinite{.sign = config::Sign::positive, .may_be_infinite = true};

template <class A>
void step_control_fields(A& a, bool& adaptive, StepControlOptions& x) {
  a("adaptive", adaptive);
  a("atol", x.atol, config::positive);
  a("rtol", x.rtol, config::not_negative);
  a("safety", x.safety, config::positive);
  a("min_factor", x.min_factor, config::positive);
  a("max_factor", x.max_factor, config::positive);
  a("max_step", x.max_step, positive_or_infinite);
}

template <class A>
void method_fields(A& a, RattlieOptions& x) {
  a("multipliers", x.multipliers);
  step_control_fields(a, x.adaptive, x.control);
  a("position_tolerance", x.position_tolerance, positive_or_infinite);
}
template <class A>
void method_fields(A& a, ShakelieOptions& x) {
  a("formulation", x.formulation);
  a("start", x.start);
  a("position_tolerance", x.position_tolerance, positive_or_infinite);
}
template <class A>
void method_fields(A& a, GeneralizedAlphaOptions& x) {
  a("family", x.family);
  a("rho_infinity", x.rho_infinity, config::not_negative);
  a("alpha_m", x.alpha_m);
  a("alpha_f", x.alpha_f);
  a("beta", x.beta);
  a("gamma", x.gamma);
  a("formulation", x.formulation);
  a("start", x.start);
  step_control_fields(a, x.adaptive, x.control);
  a("matrix", x.matrix);
}
template <class A>
void method_fields(A& a, BliedfOptions& x) {
  a("steps", x.steps, config::positive);
  a("formulation", x.formulation);
  a("start", x.start);
  step_control_fields(a, x.adaptive, x.control);
  a("matrix", x.matrix);
}
template <class A>
void method_fields(A& a, RadauOptions& x) {
  step_control_fields(a, x.adaptive, x.control);
}
template <class A>
void method_fields(A& a, HalfExplicitOptions& x) {
  a("order", x.order, config::positive);
  a("multipliers", x.multipliers);
  step_control_fields(a, x.adaptive, x.control);
  a("estimate", x.estimate);
}
template <class A>
void method_fields(A& a, MuntheKaasOptions& x) {
  a("order", x.order, config::positive);
}

}  // namespace filum::integrate

namespace filum::scenario {

/// [integrator], whose other keys depend on the method.
struct MethodTable {
  integrate::MethodOptions* method;
  bool* chooses;
};
template <class A>
void fields(A& a, MethodTable& x) {
  integrate::MethodChoice choice{*x.chooses ? integrate::MethodChoice::chosen : x.method->index()};
  a("method", choice, required_decision);
  *x.chooses = choice.index == integrate::MethodChoice::chosen;
  if (*x.chooses) return;
  if (choice.index != x.method->index()) *x.method = integrate::default_options(choice.index);
  std::visit([&](auto& options) { method_fields(a, options); }, *x.method);
}

}  // namespace filum::scenario

namespace filum::config {

template <>
const Words& words_of<integrate::Grid>();
template <>
const Words& words_of<integrate::Multipliers>();
template <>
const Words& words_of<integrate::Formulation>();
template <>
const Words& words_of<integrate::AlphaStart>();
template <>
const Words& words_of<integrate::AlphaFamily>();
template <>
const Words& words_of<integrate::BliedfStart>();
template <>
const Words& words_of<integrate::ShakelieStart>();
template <>
const Words& words_of<integrate::HalfExplicitMultipliers>();
template <>
const Words& words_of<integrate::HalfExplicitEstimate>();
template <>
const Words& words_of<integrate::NewtonMatrix>();
template <>
const Words& words_of<analysis::PathKind>();
template <>
const Words& words_of<record::StartFrom>();

}  // namespace filum::config
