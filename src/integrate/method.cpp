/// All methods behind one value. Theory: docs/theory/integrators.md.
#include "possible.hpp"

#include <filum/integrate/method.hpp>

#include <array>
#include <limits>
#include <vector>

namespace filum::integrate {
namespace {

/// f.template operator()<Method>(options) for the method that the options belong to.
template <class F>
decltype(auto) visit_method(const MethodOptions& options, F&& f) {
  struct Visitor {
    F& f;
    decltype(auto) operator()(const RattlieOptions& o) const { return f.template operator()<Rattlie>(o); }
    decltype(auto) operator()(const ShakelieOptions& o) const { return f.template operator()<Shakelie>(o); }
    decltype(auto) operator()(const GeneralizedAlphaOptions& o) const {
      return f.template operator()<GeneralizedAlpha>(o);
    }
    decltype(auto) operator()(const BliedfOptions& o) const { return f.template operator()<Bliedf>(o); }
    decltype(auto) operator()(const RadauOptions& o) const { return f.template operator()<Radau>(o); }
    decltype(auto) operator()(const HalfExplicitOptions& o) const { return f.template operator()<HalfExplicitRk>(o); }
    decltype(auto) operator()(const MuntheKaasOptions& o) const { return f.template operator()<MuntheKaasRk>(o); }
  };
  return std::visit(Visitor{f}, options);
}

}  // namespace

std::span<const MethodOptions> all_methods() {
  static const std::array<MethodOptions, std::variant_size_v<MethodOptions>> all{
      RattlieOptions{}, ShakelieOptions{},     GeneralizedAlphaOptions{}, BliedfOptions{},
      RadauOptions{},   HalfExplicitOptions{}, MuntheKaasOptions{}};
  return all;
}

std::string_view name(const MethodOptions& options) {
  return visit_method(options, []<class Method>(const auto&) { return Method::word; });
}

bool is_implicit(const MethodOptions& options) {
  return visit_method(options, []<class Method>(const auto&) { return Method::is_implicit; });
}

Capabilities capabilities(const MethodOptions& options) {
  return visit_method(options, []<class Method>(const auto& o) { return Method::can(o); });
}

bool uses_simplified_matrix(const MethodOptions& options) {
  return std::visit(
      [](const auto& o) {
        if constexpr (requires { o.matrix; })
          return o.matrix == NewtonMatrix::simplified || o.matrix == NewtonMatrix::paper_000;
        else
          return false;
      },
      options);
}

// Of the Störmer-Verlet method, whose damping is implicit here; of the classical Runge-Kutta method, on both axes.
StabilityLimits stability_limits(const MethodOptions& options) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  if (std::holds_alternative<RattlieOptions>(options) || std::holds_alternative<ShakelieOptions>(options))
    return {2, infinite};
  return is_implicit(options) ? StabilityLimits{infinite, infinite} : StabilityLimits{2.8, 2.8};
}

std::optional<OptionProblem> objection(const MethodOptions& options) {
  return std::visit([](const auto& o) { return objection(o); }, options);
}

std::optional<OptionProblem> objection(const MethodOptions& options, const System& system) {
  if (const auto* alpha = std::get_if<GeneralizedAlphaOptions>(&options)) return objection(*alpha, system);
  return objection(options);
}

std::unique_ptr<Integrator> make_integrator(const MethodOptions& options, const System& system,
                                            const RowSelection& rows) {
  return visit_method(options, [&]<class Method>(const auto& o) -> std::unique_ptr<Integrator> {
    return std::make_unique<Method>(system, o, rows);
  });
}

std::string methods_with(bool Capabilities::*capability) {
  std::vector<std::string_view> names;
  for (const MethodOptions& method : all_methods())
    if (capabilities(method).*capability) names.push_back(name(method));
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k)
    text += (k == 0 ? "" : k + 1 < names.size() ? ", " : " and ") + std::string(names[k]);
  return text;
}

std::string objection(const System& system, std::string_view method, const Capabilities& can) {
  const std::string name(method);
  if (system.size_mu() > 0 && !can.nonholonomic)
    return name + " does not treat nonholonomic constraints, of which there are " + std::to_string(system.size_mu()) +
           "; " + methods_with(&Capabilities::nonholonomic) + " do";
  if (system.has_varying_mass() && !can.varying_mass)
    return name +
           " needs a constant mass matrix; use a semi-direct group, put the reference frame of the body at its centre "
           "of mass, or take " +
           methods_with(&Capabilities::varying_mass);
  if (system.has_singular_mass() && !can.singular_mass) {
    const std::string others = methods_with(&Capabilities::singular_mass);
    return name + " needs the inverse of the mass matrix, but some node has no inertia in some direction" +
           (others.empty() ? "" : "; " + others + " do not");
  }
  return {};
}

}  // namespace filum::integrate
