// A steel rod, clamped at one end, swings down under its weight. Results and a report page go to a folder.
#include <filum/model/beam.hpp>
#include <filum/model/joint.hpp>
#include <filum/model/sensor.hpp>
#include <filum/record/simulate.hpp>

#include <cstdio>

int main(int argc, char** argv) {
  using namespace filum::model;
  Model model({.title = "Cantilever", .gravity = {0, 0, -9.81}});
  const Handle rod = model.add(Beam{.name = "rod",
                                    .shape = Line{.from = {0, 0, 0}, .to = {1, 0, 0}},
                                    .segments = 16,
                                    .section = circle({.radius = 2e-3, .material = steel}),
                                    .damping = {.time = 1e-4}});
  model.add(Joint{.type = JointType::fixed, .first = ground, .second = rod.start()});
  model.add(Sensor{.name = "tip", .on = rod.end(), .quantity = "position"});

  const auto run = filum::record::simulate(
      model, filum::integrate::GeneralizedAlphaOptions{},
      {.end = 0.5, .step = 1e-3, .folder = argc > 1 ? argv[1] : "cantilever-results", .force = true});
  const auto tip = run.series("sensors/tip").last();
  std::printf("%s: %ld steps, the tip is at (%.4f, %.4f, %.4f)\n", run.summary.status.c_str(),
              run.summary.statistics.accepted, tip[0], tip[1], tip[2]);
  return run.is_done() && tip[2] < -0.05 ? 0 : 1;
}
