/// Time per call of every function of every group, and Eigen's quaternion exponential on the same rotations as
/// yardstick. benchmarks/lie_table.py prints the results in multiples of it. Theory: docs/theory/groups.md.
#include <filum/lie/groups.hpp>

#include <Eigen/Geometry>
#include <benchmark/benchmark.h>

#include <array>
#include <cstddef>
#include <memory>
#include <random>
#include <string>

namespace {

using namespace filum::lie;

/// Rotation angles are uniform in [low, high].
struct Angles {
  const char* name;
  double low, high;
};

/// What a time step, a coarse beam segment, and a segment that turned past π see.
constexpr std::array angle_ranges{Angles{"small", 0.05, 0.15}, Angles{"large", 1.0, 2.0}, Angles{"past_pi", 3.5, 5.5}};

/// Too many for the branch predictor to learn by heart, few enough to stay in the cache.
constexpr std::size_t count = 256;

template <LieGroup G>
constexpr bool has_rotation = !requires {
  []<int n>(const Rn<n>&) {}(G{});
};

template <LieGroup G>
struct Inputs {
  std::array<typename G::Tangent, count> v, w;
  std::array<typename G::Element, count> q, r;
  std::array<Eigen::Vector3d, count> X;

  explicit Inputs(const Angles& angles) {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> angle(angles.low, angles.high), coordinate(-1, 1);
    const auto tangent = [&] {
      typename G::Tangent t = G::Tangent::NullaryExpr([&] { return coordinate(random); });
      if constexpr (has_rotation<G>) t.template head<3>() *= angle(random) / t.template head<3>().norm();
      return t;
    };
    for (std::size_t i = 0; i < count; ++i) {
      v[i] = tangent();
      w[i] = tangent();
      q[i] = G::exp(v[i]);
      r[i] = G::exp(w[i]);
      X[i] = Eigen::Vector3d::NullaryExpr([&] { return coordinate(random); });
    }
  }
};

/// Throughput over independent inputs: each result is written to memory, nothing waits for it.
template <LieGroup G, class Function>
void add(const char* function, const Angles& angles, const std::shared_ptr<const Inputs<G>>& inputs, Function f) {
  const std::string name = std::string(G::name) + '/' + function + '/' + angles.name;
  benchmark::RegisterBenchmark(name.c_str(), [inputs, f](benchmark::State& state) {
    const Inputs<G>& in = *inputs;
    std::size_t i = 0;
    for ([[maybe_unused]] auto _ : state) {
      auto result = f(in, i);
      benchmark::DoNotOptimize(result);
      i = (i + 1) % count;
    }
  });
}

template <LieGroup G>
void add_group(const Angles& angles) {
  using In = const Inputs<G>&;
  using I = std::size_t;
  const auto in = std::make_shared<const Inputs<G>>(angles);
  add<G>("compose", angles, in, [](In s, I i) { return G::compose(s.q[i], s.r[i]); });
  add<G>("inverse", angles, in, [](In s, I i) { return G::inverse(s.q[i]); });
  add<G>("exp", angles, in, [](In s, I i) { return G::exp(s.v[i]); });
  add<G>("log", angles, in, [](In s, I i) { return G::log(s.q[i]); });
  add<G>("bracket", angles, in, [](In s, I i) { return G::bracket(s.v[i], s.w[i]); });
  add<G>("bracket_T", angles, in, [](In s, I i) { return G::bracket_T(s.v[i], s.w[i]); });
  add<G>("hat", angles, in, [](In s, I i) { return G::hat(s.v[i]); });
  add<G>("Ad", angles, in, [](In s, I i) { return G::Ad(s.q[i]); });
  add<G>("T", angles, in, [](In s, I i) { return G::tangent_op(s.v[i]); });
  add<G>("T_inv", angles, in, [](In s, I i) { return G::tangent_op_inv(s.v[i]); });
  add<G>("T_times", angles, in, [](In s, I i) { return G::tangent_op_times(s.v[i], s.w[i]); });
  add<G>("T_T_times", angles, in, [](In s, I i) { return G::tangent_op_T_times(s.v[i], s.w[i]); });
  add<G>("T_inv_times", angles, in, [](In s, I i) { return G::tangent_op_inv_times(s.v[i], s.w[i]); });
  add<G>("T_inv_T_times", angles, in, [](In s, I i) { return G::tangent_op_inv_T_times(s.v[i], s.w[i]); });
  add<G>("d_T_inv_times", angles, in, [](In s, I i) { return G::d_tangent_op_inv_times(s.v[i], s.w[i]); });
  add<G>("d_T_inv_T_times", angles, in, [](In s, I i) { return G::d_tangent_op_inv_T_times(s.v[i], s.w[i]); });
  add<G>("interpolate", angles, in, [](In s, I i) { return interpolate<G>(0.3, s.q[i], s.r[i]); });
  add<G>("distance", angles, in, [](In s, I i) { return distance<G>(s.q[i], s.r[i]); });
  if constexpr (ActsOnPoints<G>) {
    add<G>("act", angles, in, [](In s, I i) { return G::act(s.q[i], s.X[i]); });
  }
}

void add_yardstick(const Angles& angles) {
  const auto inputs = std::make_shared<const Inputs<S3>>(angles);
  benchmark::RegisterBenchmark((std::string("yardstick/") + angles.name).c_str(), [inputs](benchmark::State& state) {
    const auto& v = inputs->v;
    std::size_t i = 0;
    for ([[maybe_unused]] auto _ : state) {
      Eigen::Quaterniond p(Eigen::AngleAxisd(v[i].norm(), v[i].normalized()));
      benchmark::DoNotOptimize(p);
      i = (i + 1) % count;
    }
  });
}

template <LieGroup... Groups>
bool add_all() {
  for (const Angles& angles : angle_ranges) {
    add_yardstick(angles);
    (add_group<Groups>(angles), ...);
  }
  return true;
}

const bool registered = add_all<R3, SO3, S3, SO3xR3, S3xR3, SE3, S3sdR3, UDQ>();

}  // namespace
