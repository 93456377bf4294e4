/// Time per step of every integrator on the heavy top, h = 2⁻¹⁰, in every formulation. Theory:
/// docs/theory/benchmarks.md.
#include "support/benchmark_systems.hpp"

#include <filum/integrate/bliedf.hpp>
#include <filum/integrate/generalized_alpha.hpp>
#include <filum/integrate/half_explicit_rk.hpp>
#include <filum/integrate/munthe_kaas_rk.hpp>
#include <filum/integrate/rattlie.hpp>
#include <filum/integrate/shakelie.hpp>

#include <benchmark/benchmark.h>

#include <functional>
#include <memory>

namespace {

using namespace filum;
using Make = std::function<std::unique_ptr<integrate::Integrator>(const mechanics::System&)>;

template <class Method>
std::unique_ptr<integrate::Integrator> make(const mechanics::System& system) {
  return std::make_unique<Method>(system);
}

void step(benchmark::State& state, const Make& make_method, lie::GroupId group) {
  const test::Benchmark top = test::heavy_top(test::TopSpeed::fast, group);
  const auto method = make_method(*top.system);
  mechanics::State x = top.start;
  constexpr double h = 0x1p-10;
  method->start(x, h);
  long iterations = 0, steps = 0;
  for (auto _ : state) {
    const auto report = method->step(x, h);
    if (!report.accepted()) {
      state.SkipWithError("a step failed");
      break;
    }
    iterations += report.newton_iterations;
    ++steps;
    benchmark::DoNotOptimize(x.q.data());
  }
  state.counters["newton"] = steps > 0 ? static_cast<double>(iterations) / static_cast<double>(steps) : 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::pair<const char*, Make> methods[] = {
      {"rattlie", make<integrate::Rattlie>},
      {"shakelie", make<integrate::Shakelie>},
      {"generalized-alpha", make<integrate::GeneralizedAlpha>},
      {"bliedf", make<integrate::Bliedf>},
      {"half-explicit-rk", make<integrate::HalfExplicitRk>},
      {"munthe-kaas-rk", make<integrate::MuntheKaasRk>},
  };
  for (const auto& [name, method] : methods)
    for (const lie::GroupId group : test::all_top_groups)
      benchmark::RegisterBenchmark((std::string(name) + "/" + test::group_name(group)).c_str(), step, method, group);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
