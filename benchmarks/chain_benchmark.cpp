/// Time per step and body of chains and trees of rigid rods: it must not grow with their number.
/// Theory: docs/theory/multibody_benchmarks.md, sec. 6.
#include "support/multibody_systems.hpp"

#include <filum/integrate/generalized_alpha.hpp>
#include <filum/integrate/half_explicit_rk.hpp>
#include <filum/integrate/munthe_kaas_rk.hpp>
#include <filum/integrate/rattlie.hpp>

#include <benchmark/benchmark.h>

#include <functional>
#include <memory>
#include <string>

namespace {

using namespace filum;
using Make = std::function<std::unique_ptr<integrate::Integrator>(const mechanics::System&)>;
using Build = std::function<test::Multibody()>;

template <class Method>
std::unique_ptr<integrate::Integrator> make(const mechanics::System& system) {
  return std::make_unique<Method>(system);
}

void step(benchmark::State& state, const Make& make_method, const Build& build) {
  const test::Multibody m = build();
  const auto method = make_method(*m.system);
  constexpr double h = 1e-3;
  mechanics::State x = m.start;
  method->start(x, h);
  int done = 0;
  for (auto _ : state) {
    if (!method->step(x, h).accepted()) {
      state.SkipWithError("a step failed");
      break;
    }
    if (++done % 200 == 0) {  // long chains become chaotic: always the same short fall
      state.PauseTiming();
      x = m.start;
      method->start(x, h);
      state.ResumeTiming();
    }
  }
  using benchmark::Counter;
  state.counters["s_per_step_and_body"] = Counter(
      static_cast<double>(m.bodies.size()), Counter::Flags(Counter::kIsIterationInvariantRate | Counter::kInvert));
}

void start(benchmark::State& state, int bodies) {
  test::Multibody m = test::rod_chain(bodies, test::JointType::revolute, lie::GroupId::S3sdR3);
  for (auto _ : state) {
    mechanics::State x = m.start;
    mechanics::make_consistent(*m.system, x);
    benchmark::DoNotOptimize(x.q.data());
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::pair<const char*, Make> methods[] = {{"rattlie", make<integrate::Rattlie>},
                                                  {"half-explicit-rk", make<integrate::HalfExplicitRk>},
                                                  {"munthe-kaas-rk", make<integrate::MuntheKaasRk>},
                                                  {"generalized-alpha", make<integrate::GeneralizedAlpha>}};
  const lie::GroupId group = lie::GroupId::S3sdR3;
  for (const int n : {10, 100, 1000}) {
    const int levels = n == 10 ? 3 : (n == 100 ? 7 : 10);
    const std::pair<std::string, Build> systems[] = {
        {"spherical-chain", [=] { return test::rod_chain(n, test::JointType::spherical, group); }},
        {"revolute-chain", [=] { return test::rod_chain(n, test::JointType::revolute, group); }},
        {"tree", [=] { return test::rod_tree(levels, group); }}};
    for (const auto& [system, build] : systems)
      for (const auto& [name, method] : methods)
        benchmark::RegisterBenchmark((system + "/" + name + "/" + std::to_string(n)).c_str(), step, method, build);
    benchmark::RegisterBenchmark(("consistent-start/" + std::to_string(n)).c_str(), start, n);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
