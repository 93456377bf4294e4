/// From names in a file to integrators. User document: docs/guide/integrators.md.
#include <filum/integrate/bliedf.hpp>
#include <filum/integrate/generalized_alpha.hpp>
#include <filum/integrate/half_explicit_rk.hpp>
#include <filum/integrate/munthe_kaas_rk.hpp>
#include <filum/integrate/rattlie.hpp>
#include <filum/integrate/shakelie.hpp>
#include <filum/scenario/method.hpp>

namespace filum::scenario {

using namespace integrate;
namespace {

Multipliers multipliers_of(MultiplierKind kind) {
  switch (kind) {
    case MultiplierKind::interpolated: return Multipliers::interpolated;
    case MultiplierKind::plus: return Multipliers::plus;
    case MultiplierKind::minus: return Multipliers::minus;
    case MultiplierKind::index_1: break;
  }
  return Multipliers::index_1;
}

AlphaStart start_of(StartKind kind) {
  switch (kind) {
    case StartKind::classical: return AlphaStart::classical;
    case StartKind::perturbed_acceleration: return AlphaStart::perturbed_acceleration;
    case StartKind::perturbed: break;
  }
  return AlphaStart::perturbed;
}

}  // namespace

std::unique_ptr<integrate::Integrator> make_integrator(const Scenario& scenario, const mechanics::System& system) {
  const auto& m = scenario.integrator;
  const NewtonOptions newton{
      .atol = scenario.newton.atol, .rtol = scenario.newton.rtol, .max_iterations = scenario.newton.max_iterations};
  const StepControlOptions control{.atol = m.atol.value_or(1e-8),
                                   .rtol = m.rtol.value_or(1e-6),
                                   .safety = m.safety,
                                   .min_factor = m.min_factor,
                                   .max_factor = m.max_factor,
                                   .max_step = m.max_step};
  const Formulation formulation =
      m.formulation == FormulationKind::index_3 ? Formulation::index_3 : Formulation::stabilized_index_2;
  const NewtonMatrix matrix = m.matrix == NewtonMatrixKind::automatic ? NewtonMatrix::automatic
                              : m.matrix == NewtonMatrixKind::exact   ? NewtonMatrix::exact
                                                                      : NewtonMatrix::simplified;
  switch (m.method) {
    case Method::rattlie:
      return std::make_unique<Rattlie>(system, RattlieOptions{.multipliers = multipliers_of(m.multipliers),
                                                              .adaptive = m.adaptive,
                                                              .control = control,
                                                              .newton = newton});
    case Method::shakelie: return std::make_unique<Shakelie>(system, ShakelieOptions{.newton = newton});
    case Method::generalized_alpha:
      return std::make_unique<GeneralizedAlpha>(system, GeneralizedAlphaOptions{.rho_infinity = m.rho_infinity,
                                                                                .formulation = formulation,
                                                                                .start = start_of(m.start),
                                                                                .matrix = matrix,
                                                                                .newton = newton});
    case Method::bliedf:
      return std::make_unique<Bliedf>(
          system, BliedfOptions{.steps = m.steps, .formulation = formulation, .matrix = matrix, .newton = newton});
    case Method::half_explicit_rk:
      return std::make_unique<HalfExplicitRk>(
          system, HalfExplicitOptions{.order = m.order.value_or(5), .adaptive = m.adaptive, .control = control});
    case Method::munthe_kaas_rk: break;
  }
  return std::make_unique<MuntheKaasRk>(system, MuntheKaasOptions{.order = m.order.value_or(4)});
}

integrate::RunOptions run_options(const Scenario& scenario) {
  const Time& t = scenario.time;
  return {.end = t.end,
          .step = t.step,
          .grid = t.grid == GridKind::random ? Grid::random : Grid::fixed,
          .seed = static_cast<std::uint64_t>(t.seed),
          .output_every = t.output_every.every_step ? 0 : t.output_every.value};
}

bool is_implicit(Method method) { return method != Method::half_explicit_rk && method != Method::munthe_kaas_rk; }

}  // namespace filum::scenario
