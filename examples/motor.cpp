// A slider-crank mechanism: a motor turns the crank, which moves a slider against a spring. Prints the torque of the
// motor.
#include <filum/model/body.hpp>
#include <filum/model/drive.hpp>
#include <filum/model/joint.hpp>
#include <filum/model/spring.hpp>
#include <filum/record/simulate.hpp>

#include <cmath>
#include <cstdio>

using namespace filum::model;

/// A slender bar along x from `from`, in the plane.
Body bar(double from, double length, double mass) {
  const double I = mass * length * length / 12;
  return {.mass = mass,
          .inertia = Vector3d(1e-3 * I, I, I).asDiagonal().toDenseMatrix(),
          .position = {from + length / 2, 0, 0},
          .angular_velocity = InitialVelocity::from_joints(),
          .velocity = InitialVelocity::from_joints()};
}

int main() {
  Model model;
  const Handle crank = model.add(bar(0, 0.1, 0.5)), rod = model.add(bar(0.1, 0.3, 0.3)),
               slider = model.add(bar(0.35, 0.1, 1.0));
  const auto hinge = [&](const Point& a, const Point& b, double x) {
    return model.add(Joint{
        .type = JointType::revolute, .first = a, .second = b, .at = Vector3d(x, 0, 0), .axis = Vector3d(0, 0, 1)});
  };
  const Handle motor = hinge(ground, crank, 0);
  hinge(crank, rod, 0.1);
  hinge(rod, slider, 0.4);
  model.add(Joint{.type = JointType::prismatic,
                  .first = ground,
                  .second = slider,
                  .at = Vector3d(0.4, 0, 0),
                  .axis = Vector3d(1, 0, 0)});
  model.add(Spring{.first = ground.at({0.6, 0, 0}), .second = slider, .stiffness = 200, .length = 0.2});
  // The speed rises smoothly to 20 rad/s: value, rate and acceleration are exact.
  model.add(JointDrive{.joint = motor, .angle = [](double t) {
                         const double w = 20, T = 0.2, e = std::exp(-t / T);
                         return filum::parts::DriveValue{w * (t - T * (1 - e)), w * (1 - e), w / T * e};
                       }});

  const auto run = filum::record::simulate(model, filum::integrate::RattlieOptions{}, {.end = 1, .step = 1e-3});
  const auto torque = model.build().measure(motor, "moment", run.final);
  std::printf("after %g s the motor pushes with %.3f Nm\n", run.final.t, torque[2]);
  const auto& residual = run.series("constraint/position").values;
  return run.is_done() && residual.back() < 1e-10 ? 0 : 1;
}
