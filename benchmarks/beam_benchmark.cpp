/// Time per step of the flying spaghetti against LAPACK's band solver on a matrix of the same size and bandwidth,
/// called T. Theory: docs/theory/benchmarks.md, sec. 8. Everything is measured alternately in one run, because machines
/// are noisy.
#include "support/beam_systems.hpp"

#include <filum/integrate/bliedf.hpp>
#include <filum/integrate/generalized_alpha.hpp>
#include <filum/integrate/half_explicit_rk.hpp>
#include <filum/integrate/munthe_kaas_rk.hpp>
#include <filum/integrate/radau.hpp>
#include <filum/integrate/rattlie.hpp>
#include <filum/integrate/run.hpp>
#include <filum/integrate/shakelie.hpp>

#include <malloc.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

extern "C" void dgbsv_(const int* n, const int* kl, const int* ku, const int* nrhs, double* ab, const int* ldab,
                       int* ipiv, double* b, const int* ldb, int* info);

namespace {

using namespace filum;
using Clock = std::chrono::steady_clock;

double seconds(const std::function<void()>& work) {
  const auto start = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The yardstick: 134 unknowns, 13 sub- and superdiagonals, one right-hand side, matrix copied each time.
class BandSolve {
 public:
  BandSolve() : matrix_(std::size_t(ld) * n), pivots_(n) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> entry(-1, 1);
    for (double& a : matrix_) a = entry(random);
  }
  void operator()() {
    work_ = matrix_;
    right_.assign(n, 1.0);
    const int one = 1, size = n, kl = band, ku = band, rows = ld;
    int info = 0;
    dgbsv_(&size, &kl, &ku, &one, work_.data(), &rows, pivots_.data(), right_.data(), &size, &info);
  }

 private:
  static constexpr int n = 134, band = 13, ld = 3 * band + 1;
  std::vector<double> matrix_, work_, right_;
  std::vector<int> pivots_;
};

using Make = std::function<std::unique_ptr<integrate::Integrator>(const mechanics::System&)>;

struct Case {
  std::string name;
  int segments;
  Make make;
  parts::StrainMask held = parts::kirchhoff;
};

/// Extension waves are explicit in RATTLie, and shear waves are faster still: beyond 64 segments the step must shrink
/// with the length of a segment.
double stable_step(const Case& c) { return (c.held[3] ? 0x1p-10 : 0x1p-12) * std::min(1.0, 64.0 / c.segments); }

/// A running integration, so that cases can take turns.
class Runner {
 public:
  explicit Runner(const Case& c)
      : name(c.name),
        segments(c.segments),
        h_(stable_step(c)),
        beam_(test::flying_spaghetti({.segments = c.segments, .held = c.held})),
        x_(beam_.start) {
    method_ = c.make(*beam_.system);
    method_->start(x_, h_);
  }
  void steps(int count) {
    for (int k = 0; k < count; ++k)
      if (!method_->step(x_, h_).accepted()) {
        std::fprintf(stderr, "%s: a step failed at t = %g\n", name.c_str(), x_.t);
        std::exit(1);
      }
  }
  std::string name;
  int segments;
  double best = 1e9;

 private:
  double h_ = 0;
  test::BeamBenchmark beam_;
  mechanics::State x_;
  std::unique_ptr<integrate::Integrator> method_;
};

long peak_memory_kb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

template <class Method, class... Options>
Make method(Options... options) {
  return [=](const mechanics::System& s) { return std::make_unique<Method>(s, options...); };
}

void compare(const std::vector<Case>& cases, int rounds) {
  std::vector<std::unique_ptr<Runner>> runners;
  for (const Case& c : cases) {
    runners.push_back(std::make_unique<Runner>(c));
    runners.back()->steps(std::max(2, 512 / c.segments));
  }
  BandSolve band;
  double T = 1e9;
  for (int round = 0; round < rounds; ++round) {
    T = std::min(T, seconds([&] {
                      for (int k = 0; k < 50; ++k) band();
                    }) / 50);
    for (auto& r : runners) {
      const int count = std::max(1, 800 / r->segments);
      r->best = std::min(r->best, seconds([&] { r->steps(count); }) / count);
    }
  }
  std::printf("T = %.2f us\n%-46s %8s %10s %8s %12s\n", 1e6 * T, "case", "segments", "us/step", "T/step", "ns/segment");
  for (const auto& r : runners)
    std::printf("%-46s %8d %10.2f %8.2f %12.1f\n", r->name.c_str(), r->segments, 1e6 * r->best, r->best / T,
                1e9 * r->best / r->segments);
}

void whole_run() {
  const test::BeamBenchmark fine = test::flying_spaghetti({.segments = 16});
  const auto end_points = [&](const mechanics::State& x) {
    Eigen::VectorXd p(6);
    p << fine.beam->position(x, 0), fine.tip(x);
    return p;
  };
  mechanics::State limit = fine.start;
  integrate::HalfExplicitRk reference(*fine.system, {.adaptive = true, .control = {.atol = 1e-10, .rtol = 1e-10}});
  integrate::run(*fine.system, reference, limit, {.end = 15, .step = 1e-3}, {});
  std::printf("\nwhole run to t = 15, 16 segments\n%-30s %10s %12s %12s\n", "method", "step", "seconds", "error");
  const auto measure = [&](const char* name, int exponent, const Make& make) {
    double best = 1e9, error = 0;
    for (int repeat = 0; repeat < 3; ++repeat) {
      mechanics::State x = fine.start;
      const auto integrator = make(*fine.system);
      best =
          std::min(best, seconds([&] {
                     integrate::run(*fine.system, *integrator, x, {.end = 15, .step = std::ldexp(1.0, -exponent)}, {});
                   }));
      error = (end_points(x) - end_points(limit)).lpNorm<Eigen::Infinity>();
    }
    std::printf("%-30s %8s%d %12.4f %12.2e\n", name, "2^-", exponent, best, error);
  };
  for (const int k : {8, 9, 10}) measure("rattlie", k, method<integrate::Rattlie>());
  measure("half-explicit-rk, order 4", 7,
          method<integrate::HalfExplicitRk>(integrate::HalfExplicitOptions{.order = 4}));
}

double allocated_kb() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd) / 1000;
}

/// A few steps and nothing else, for compare_instructions.py; or what they take in memory.
int take_steps(int argc, char** argv) {
  const std::map<std::string, Make> methods = {
      {"rattlie", method<integrate::Rattlie>()},
      {"shakelie", method<integrate::Shakelie>()},
      {"half-explicit-rk", method<integrate::HalfExplicitRk>()},
      {"half-explicit-rk-4", method<integrate::HalfExplicitRk>(integrate::HalfExplicitOptions{.order = 4})},
      {"munthe-kaas-rk", method<integrate::MuntheKaasRk>()},
      {"generalized-alpha", method<integrate::GeneralizedAlpha>()},
      {"bliedf", method<integrate::Bliedf>()},
      {"radau", method<integrate::Radau>()}};
  const std::map<std::string, parts::StrainMask> models = {
      {"cosserat", parts::cosserat}, {"kirchhoff", parts::kirchhoff}, {"inextensible", parts::inextensible}};
  if (argc != 6 || !methods.contains(argv[3]) || !models.contains(argv[4])) {
    std::fprintf(stderr, "beam_benchmark --steps|--memory COUNT METHOD MODEL SEGMENTS\n");
    return 2;
  }
  const int segments = std::stoi(argv[5]);
  const double before = allocated_kb();
  Runner runner(Case{argv[3], segments, methods.at(argv[3]), models.at(argv[4])});
  const auto time = seconds([&] { runner.steps(std::stoi(argv[2])); });
  if (std::string(argv[1]) == "--memory")
    std::printf("%s, %s: %.2f kB a segment now, %.2f at the peak of the process; %.0f ns per segment and step\n",
                argv[3], argv[4], (allocated_kb() - before) / segments, double(peak_memory_kb()) * 1.024 / segments,
                1e9 * time / segments / std::stoi(argv[2]));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  if (argc > 1 && (std::string(argv[1]) == "--steps" || std::string(argv[1]) == "--memory"))
    return take_steps(argc, argv);
  const bool quick = argc > 1 && std::string(argv[1]) == "--quick";
  const integrate::Formulation index_3 = integrate::Formulation::index_3;
  compare({{"rattlie", 16, method<integrate::Rattlie>()},
           {"generalized-alpha, stabilized index 2", 16, method<integrate::GeneralizedAlpha>()},
           {"the same, exact matrix", 16,
            method<integrate::GeneralizedAlpha>(
                integrate::GeneralizedAlphaOptions{.matrix = integrate::NewtonMatrix::exact})},
           {"generalized-alpha, index 3", 16,
            method<integrate::GeneralizedAlpha>(integrate::GeneralizedAlphaOptions{.formulation = index_3})},
           {"bliedf, stabilized index 2", 16, method<integrate::Bliedf>()},
           {"half-explicit-rk, order 5", 16, method<integrate::HalfExplicitRk>()}},
          quick ? 20 : 200);
  std::printf("\n");
  compare({{"rattlie", 64, method<integrate::Rattlie>()},
           {"rattlie, cosserat", 64, method<integrate::Rattlie>(), parts::cosserat},
           {"rattlie, inextensible", 64, method<integrate::Rattlie>(), parts::inextensible},
           {"half-explicit-rk, order 5", 64, method<integrate::HalfExplicitRk>()},
           {"rattlie", 256, method<integrate::Rattlie>()},
           {"rattlie", 4096, method<integrate::Rattlie>()}},
          quick ? 10 : 100);
  if (!quick) whole_run();
  if (!quick) {
    const long before = peak_memory_kb();
    compare({{"rattlie", 100000, method<integrate::Rattlie>()}}, 10);
    std::printf("memory: %.2f kB a segment\n", double(peak_memory_kb() - before) / 100000);
  }
}
