// Stepping by hand: a hanging rod is released, and a loop of one's own watches it until the tip passes its lowest
// point.
#include <filum/integrate/method.hpp>
#include <filum/model/beam.hpp>
#include <filum/model/joint.hpp>
#include <filum/model/model.hpp>

#include <cstdio>

int main() {
  using namespace filum::model;
  Model model({.gravity = {0, 0, -9.81}});
  const Handle rod = model.add(Beam{.shape = Line{.from = {0, 0, 0}, .to = {1, 0, 0}},
                                    .segments = 8,
                                    .section = circle({.radius = 5e-3, .material = rubber}),
                                    .damping = {.time = 1e-2}});
  model.add(Joint{.type = JointType::spherical, .first = ground, .second = rod.start(), .at = Vector3d(0, 0, 0)});
  const BuiltModel& built = model.build();

  const auto method =
      filum::integrate::make_integrator(filum::integrate::GeneralizedAlphaOptions{}, built.system(), built.rows());
  State x = built.start();
  constexpr double h = 1e-3;
  method->start(x, h);
  double height = built.position(rod.end(), x)[2];
  while (x.t < 2) {
    const auto report = method->step(x, h);
    if (!report.accepted()) {
      std::printf("stopped at t = %g\n", x.t);
      return 1;
    }
    const double now = built.position(rod.end(), x)[2];
    if (now > height) break;
    height = now;
  }
  method->complete(x);  // accelerations and multipliers at this time
  std::printf("lowest at t = %.3f, z = %.4f; the hinge pulls with %.4f N\n", x.t, height, x.lambda.tail<3>().norm());
  return height < -0.9 ? 0 : 1;
}
