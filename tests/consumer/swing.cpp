// The program of a user: a steel rod hangs on a ball joint and swings; its energy and its joint are checked.
#include <filum/integrate/method.hpp>
#include <filum/integrate/run.hpp>
#include <filum/model/beam.hpp>
#include <filum/model/joint.hpp>
#include <filum/model/model.hpp>

#include <cmath>
#include <cstdio>

int main() {
  using namespace filum::model;
  Model model({.gravity = {0, 0, -9.81}});
  const Handle rod = model.add(Beam{.shape = Line{.from = {0, 0, 0}, .to = {1, 0, 0}},
                                    .segments = 4,
                                    .held = filum::parts::inextensible,
                                    .section = circle({.radius = 5e-3, .material = rubber})});
  model.add(Joint{.type = JointType::spherical, .second = rod.start()});
  const BuiltModel& built = model.build();
  const auto energy = [&](const State& x) {
    return built.system().kinetic_energy(x.q, x.v) + built.system().potential_energy(x.t, x.q);
  };
  State x = built.start();
  const auto method =
      filum::integrate::make_integrator(filum::integrate::RattlieOptions{}, built.system(), built.rows());
  filum::integrate::run(built.system(), *method, x, {.end = 0.2, .step = 1e-4});
  const double change = std::abs(energy(x) - energy(built.start())), held = built.position(rod.start(), x).norm();
  std::printf("t = %g: energy changed by %.1e, the joint is off by %.1e\n", x.t, change, held);
  return change < 1e-4 && held < 1e-10 ? 0 : 1;
}
