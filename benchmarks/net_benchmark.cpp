/// Factorisation of nets, trees, sheets and closed loops, Eigen's sparse LU of the same matrix as the yardstick, and
/// steps of generalized-alpha on nets of beams. Theory: docs/theory/performance.md, "Nets, trees, sheets".
#include "support/multibody_systems.hpp"

#include <filum/integrate/generalized_alpha.hpp>
#include <filum/linalg/kkt_solver.hpp>
#include <filum/linalg/sparse_matrix.hpp>

#include <Eigen/SparseLU>
#include <benchmark/benchmark.h>

#include <array>
#include <functional>
#include <random>
#include <string>

namespace {

using namespace filum;
using namespace filum::linalg;

/// n × n beams of 2n − 1 nodes, three rows where they cross.
BlockPattern net(int n) {
  const int length = 2 * n - 1;
  BlockPattern p(std::vector<int>(std::size_t(2 * n * length), 6));
  for (int beam = 0; beam < 2 * n; ++beam)
    for (int i = 0; i + 1 < length; ++i) p.couple(beam * length + i, beam * length + i + 1);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) p.add_rows(3, std::array{i * length + 2 * j, (n + j) * length + 2 * i});
  p.add_rows(3, std::array{0});
  p.finish();
  return p;
}

/// A binary tree of bodies with hinges and springs.
BlockPattern tree(int bodies) {
  BlockPattern p(std::vector<int>(std::size_t(bodies), 6));
  p.add_rows(5, std::array{0});
  for (int i = 1; i < bodies; ++i) {
    p.couple((i - 1) / 2, i);
    p.add_rows(5, std::array{(i - 1) / 2, i});
  }
  p.finish();
  return p;
}

/// n × n nodes in cells of four, one node held.
BlockPattern sheet(int n) {
  BlockPattern p(std::vector<int>(std::size_t(n * n), 6));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      if (i + 1 < n) p.couple(i * n + j, (i + 1) * n + j);
      if (j + 1 < n) p.couple(i * n + j, i * n + j + 1);
      if (i + 1 < n && j + 1 < n) p.couple(i * n + j, (i + 1) * n + j + 1), p.couple(i * n + j + 1, (i + 1) * n + j);
    }
  p.add_rows(6, std::array{0});
  p.finish();
  return p;
}

/// Rings of 20 nodes, every one of them tied to the ring before.
BlockPattern loops(int rings) {
  constexpr int length = 20;
  BlockPattern p(std::vector<int>(std::size_t(rings * length), 6));
  const auto tie = [&](int i, int j) { p.couple(i, j), p.add_rows(3, std::array{i, j}); };
  for (int ring = 0; ring < rings; ++ring) {
    for (int i = 0; i < length; ++i) tie(ring * length + i, ring * length + (i + 1) % length);
    for (int i = 0; ring > 0 && i < length; i += 5) tie((ring - 1) * length + i, ring * length + i);
  }
  p.finish();
  return p;
}

struct Matrix {
  BlockPattern pattern;
  NodeMatrix H;
  RowMatrix C, G;

  explicit Matrix(BlockPattern p) : pattern(std::move(p)), H(pattern), C(pattern), G(pattern) {
    std::mt19937_64 engine(7);
    std::uniform_real_distribution<double> random(-1, 1);
    for (double& x : H.values()) x = 0.2 * random(engine);
    for (int i = 0; i < pattern.nodes(); ++i) H.block(i, i).diagonal().array() += 4;
    for (double& x : G.values()) x = random(engine);
    C = G;
  }
  SparseMatrix sparse() const {
    const SparseMatrix h = to_sparse(H), c = to_sparse(C);
    std::vector<Eigen::Triplet<double>> entries;
    for (int k = 0; k < h.outerSize(); ++k)
      for (SparseMatrix::InnerIterator it(h, k); it; ++it) entries.emplace_back(it.row(), it.col(), it.value());
    for (int k = 0; k < c.outerSize(); ++k)
      for (SparseMatrix::InnerIterator it(c, k); it; ++it) {
        entries.emplace_back(pattern.size() + it.row(), it.col(), it.value());
        entries.emplace_back(it.col(), pattern.size() + it.row(), it.value());
      }
    SparseMatrix A(pattern.size() + pattern.rows(), pattern.size() + pattern.rows());
    A.setFromTriplets(entries.begin(), entries.end());
    return A;
  }
};

using Build = std::function<BlockPattern()>;

void analyse(benchmark::State& state, const Build& build) {
  const Matrix m(build());
  for (auto _ : state) {
    KktSolver solver(m.pattern);
    solver.set_nodes(m.H, Structure::coupled);
    benchmark::DoNotOptimize(solver.set_rows(m.C, m.G, m.pattern.row_blocks()));
  }
}

void factorise(benchmark::State& state, const Build& build) {
  const Matrix m(build());
  KktSolver solver(m.pattern);
  solver.set_nodes(m.H, Structure::coupled);
  solver.set_rows(m.C, m.G, m.pattern.row_blocks());  // analysed once
  for (auto _ : state) {
    solver.set_nodes(m.H, Structure::coupled);
    if (!solver.set_rows(m.C, m.G, m.pattern.row_blocks()).ok) state.SkipWithError("singular");
  }
  state.SetLabel(solver.method());
}

void solve(benchmark::State& state, const Build& build) {
  const Matrix m(build());
  KktSolver solver(m.pattern);
  solver.set_nodes(m.H, Structure::coupled);
  solver.set_rows(m.C, m.G, m.pattern.row_blocks());
  VectorXd x = VectorXd::Ones(m.pattern.size()), y = VectorXd::Ones(m.pattern.rows()), a = x, b = y;
  for (auto _ : state) solver.solve(a, b, x, y);
}

void factorise_by_eigen(benchmark::State& state, const Build& build) {
  const SparseMatrix A = Matrix(build()).sparse();
  Eigen::SparseLU<SparseMatrix> lu;
  lu.analyzePattern(A);
  for (auto _ : state) lu.factorize(A);
}

void step(benchmark::State& state, int cells) {
  const test::Multibody m = test::beam_net(cells, 2);
  integrate::GeneralizedAlpha method(*m.system);
  constexpr double h = 1e-3;
  mechanics::State x = m.start;
  method.start(x, h);
  for (auto _ : state)
    if (!method.step(x, h).accepted()) return state.SkipWithError("a step failed");
  state.counters["velocities"] = m.system->size_v();
}

}  // namespace

int main(int argc, char** argv) {
  const std::pair<std::string, Build> systems[] = {
      {"net/10", [] { return net(10); }},     {"net/30", [] { return net(30); }},
      {"net/60", [] { return net(60); }},     {"tree/1000", [] { return tree(1000); }},
      {"sheet/16", [] { return sheet(16); }}, {"sheet/32", [] { return sheet(32); }},
      {"sheet/64", [] { return sheet(64); }}, {"sheet/128", [] { return sheet(128); }},
      {"loops/30", [] { return loops(30); }}};
  for (const auto& [name, build] : systems) {
    benchmark::RegisterBenchmark(("analysis/" + name).c_str(), analyse, build);
    benchmark::RegisterBenchmark(("factorisation/" + name).c_str(), factorise, build);
    benchmark::RegisterBenchmark(("solve/" + name).c_str(), solve, build);
    benchmark::RegisterBenchmark(("eigen/" + name).c_str(), factorise_by_eigen, build);
  }
  for (const int cells : {4, 9, 18})
    benchmark::RegisterBenchmark(("generalized-alpha/net/" + std::to_string(cells)).c_str(), step, cells);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
