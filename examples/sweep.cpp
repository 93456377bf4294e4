// A sweep in threads: how the sag of a clamped rod depends on its radius. Every thread has its own model.
#include <filum/model/beam.hpp>
#include <filum/model/joint.hpp>
#include <filum/model/load.hpp>
#include <filum/record/simulate.hpp>

#include <cstdio>
#include <future>
#include <vector>

/// Height of the tip after it has come to rest.
double sag(double radius) {
  using namespace filum::model;
  Model model({.gravity = {0, 0, -9.81}});
  const Handle rod = model.add(Beam{.name = "rod",
                                    .shape = Line{.from = {0, 0, 0}, .to = {0.5, 0, 0}},
                                    .segments = 8,
                                    .section = circle({.radius = radius, .material = nylon})});
  model.add(Joint{.second = rod.start()});
  model.add(Load{.on = rod, .damping = 20});
  const auto run =
      filum::record::simulate(model, filum::integrate::GeneralizedAlphaOptions{}, {.end = 2, .step = 5e-3});
  return model.build().position(rod.end(), run.final)[2];
}

int main() {
  const std::vector<double> radii{1e-3, 1.5e-3, 2e-3, 3e-3};
  std::vector<std::future<double>> runs;
  for (const double r : radii) runs.push_back(std::async(std::launch::async, sag, r));
  double before = -1;
  bool is_monotone = true;
  for (std::size_t k = 0; k < radii.size(); ++k) {
    const double z = runs[k].get();
    std::printf("radius %.1f mm: the tip hangs %.4f m below the clamp\n", 1e3 * radii[k], -z);
    is_monotone = is_monotone && z > before;
    before = z;
  }
  return is_monotone ? 0 : 1;
}
