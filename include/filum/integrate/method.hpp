/// All methods behind one value: what a user chooses from. Theory: docs/theory/integrators.md.
#pragma once

#include <filum/integrate/bliedf.hpp>
#include <filum/integrate/generalized_alpha.hpp>
#include <filum/integrate/half_explicit_rk.hpp>
#include <filum/integrate/munthe_kaas_rk.hpp>
#include <filum/integrate/radau.hpp>
#include <filum/integrate/rattlie.hpp>
#include <filum/integrate/shakelie.hpp>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace filum::integrate {

/// A method is chosen by its options.
using MethodOptions = std::variant<RattlieOptions, ShakelieOptions, GeneralizedAlphaOptions, BliedfOptions,
                                   RadauOptions, HalfExplicitOptions, MuntheKaasOptions>;

/// One of each, with its defaults.
std::span<const MethodOptions> all_methods();

/// As in the literature and in files: "generalized-alpha".
std::string_view name(const MethodOptions& options);
/// Whether it solves nonlinear equations in every step, with its `newton` options.
bool is_implicit(const MethodOptions& options);
Capabilities capabilities(const MethodOptions& options);
/// Whether Newton's matrix leaves out stiffness and damping because it was asked to.
bool uses_simplified_matrix(const MethodOptions& options);

/// Largest step times frequency, and step times rate of decay, for which a method is stable; infinite where it always
/// is.
struct StabilityLimits {
  double frequency, damping;
};
StabilityLimits stability_limits(const MethodOptions& options);

/// What is wrong with the options, whatever the system.
std::optional<OptionProblem> objection(const MethodOptions& options);
/// The same, and what does not suit this system.
std::optional<OptionProblem> objection(const MethodOptions& options, const System& system);

/// Throws std::invalid_argument when there is an objection.
std::unique_ptr<Integrator> make_integrator(const MethodOptions& options, const System& system,
                                            const RowSelection& rows = {});

/// "rattlie, half-explicit-rk and munthe-kaas-rk" for &Capabilities::nonholonomic.
std::string methods_with(bool Capabilities::*capability);

}  // namespace filum::integrate
