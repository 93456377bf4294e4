/// Steps of large systems with one thread and with several, alternately in one run, because machines are noisy.
/// Theory: docs/theory/performance.md, "Threads".
#include "support/beam_systems.hpp"
#include "support/large_systems.hpp"
#include "support/multibody_systems.hpp"

#include <filum/integrate/generalized_alpha.hpp>
#include <filum/integrate/half_explicit_rk.hpp>
#include <filum/integrate/rattlie.hpp>
#include <filum/linalg/team.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace filum;
using Clock = std::chrono::steady_clock;

struct Ready {
  std::shared_ptr<void> owner;
  const mechanics::System* system;
  mechanics::State start;
  linalg::RowSelection rows;
};

template <class S>
Ready ready(S made, linalg::RowSelection rows) {
  const auto owner = std::make_shared<S>(std::move(made));
  return {owner, owner->system.get(), owner->start, std::move(rows)};
}
Ready large(test::LargeSystem s) {
  const linalg::RowSelection rows = s.rows;
  return ready(std::move(s), rows);
}

struct Case {
  std::string name;
  std::function<Ready()> make;
  double explicit_step, implicit_step;
};

Ready net(int cells) {
  test::Multibody m = test::beam_net(cells, 2);
  const linalg::RowSelection rows = m.report.rows;
  return ready(std::move(m), rows);
}
Ready spaghetti(int segments, const parts::StrainMask& held) {
  return ready(test::flying_spaghetti({.segments = segments, .held = held}), {});
}

const std::vector<Case> cases = {
    {"yarns", [] { return large(test::yarns(50, 32)); }, 1e-4, 1e-3},
    {"kirchhoff-yarns", [] { return large(test::yarns(50, 32, parts::kirchhoff)); }, 1e-4, 1e-3},
    {"small-yarns", [] { return large(test::yarns(8, 16)); }, 1e-4, 1e-3},
    {"beam", [] { return spaghetti(100000, parts::cosserat); }, 1e-7, 0x1p-13},
    {"kirchhoff-beam", [] { return spaghetti(100000, parts::kirchhoff); }, 1e-7, 0x1p-13},
    {"sheet", [] { return large(test::soft_sheet(64)); }, 1e-3, 1e-2},
    {"small-sheet", [] { return large(test::soft_sheet(16)); }, 1e-3, 1e-2},
    {"net", [] { return net(29); }, 1e-4, 1e-3},
    {"small-net", [] { return net(9); }, 1e-4, 1e-3}};

std::unique_ptr<integrate::Integrator> make_method(const std::string& name, const Ready& r) {
  if (name == "rattlie") return std::make_unique<integrate::Rattlie>(*r.system, integrate::RattlieOptions{}, r.rows);
  if (name == "half-explicit-rk")
    return std::make_unique<integrate::HalfExplicitRk>(*r.system, integrate::HalfExplicitOptions{}, r.rows);
  return std::make_unique<integrate::GeneralizedAlpha>(*r.system, integrate::GeneralizedAlphaOptions{}, r.rows);
}

/// A running integration, and the least time of a step.
class Runner {
 public:
  Runner(const Ready& r, const std::string& method, double h, int threads)
      : team_(threads), x_(r.start), h_(h), method_(make_method(method, r)) {
    const linalg::TeamInUse use(team_.threads() > 1 ? &team_ : nullptr);
    method_->start(x_, h_);
  }
  void steps(int count) {
    const linalg::TeamInUse use(team_.threads() > 1 ? &team_ : nullptr);
    const auto start = Clock::now();
    for (int k = 0; k < count; ++k)
      if (!method_->step(x_, h_).accepted()) std::fprintf(stderr, "a step failed\n"), std::exit(1);
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count() / count);
  }
  const mechanics::State& state() const { return x_; }
  double best = 1e9;

 private:
  linalg::Team team_;
  mechanics::State x_;
  double h_;
  std::unique_ptr<integrate::Integrator> method_;
};

void compare(const Case& c, const std::string& method, const std::vector<int>& threads, double seconds) {
  const Ready made = c.make();
  const double h = method == "generalized-alpha" ? c.implicit_step : c.explicit_step;
  std::vector<std::unique_ptr<Runner>> runners;
  for (const int n : threads) runners.push_back(std::make_unique<Runner>(made, method, h, n));
  for (auto& r : runners) r->steps(3);
  const int block = std::max(1, static_cast<int>(0.002 / runners.front()->best));
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  while (Clock::now() < end)
    for (auto& r : runners) r->steps(block);
  std::printf("%-16s %-18s %8d velocities", c.name.c_str(), method.c_str(), made.system->size_v());
  for (std::size_t k = 0; k < threads.size(); ++k) {
    const bool same = runners[k]->state().q == runners[0]->state().q && runners[k]->state().v == runners[0]->state().v;
    std::printf("   %d: %9.1f us (%.2f)%s", threads[k], 1e6 * runners[k]->best, runners[0]->best / runners[k]->best,
                same ? "" : " OTHER BITS");
  }
  std::printf("\n");
}

}  // namespace

/// threads_benchmark [THREADS [SECONDS [MODEL [METHOD]]]]; THREADS 1 measures one alone.
int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const int most = argc > 1 ? std::atoi(argv[1]) : linalg::Team::cores();
  const double seconds = argc > 2 ? std::atof(argv[2]) : 4;
  const std::vector<int> threads = most > 1 ? std::vector<int>{1, most} : std::vector<int>{1};
  for (const Case& c : cases) {
    if (argc > 3 && c.name != argv[3]) continue;
    for (const char* method : {"rattlie", "half-explicit-rk", "generalized-alpha"})
      if (argc <= 4 || std::string(method) == argv[4]) compare(c, method, threads, seconds);
  }
  return 0;
}
