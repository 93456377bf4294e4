/// Frequency response and state space against closed forms and each other. Theory: docs/theory/modes.md, sec. 6.
#include <filum/analysis/state_space.hpp>
#include <filum/mechanics/consistent_start.hpp>
#include <filum/parts/joint.hpp>
#include <filum/parts/rigid_body.hpp>
#include <filum/parts/spring.hpp>

#include <Eigen/LU>
#include <gtest/gtest.h>

namespace filum::analysis {
namespace {

using Complex = std::complex<double>;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::Vector3d;

/// A mass of 1.5 on a slide along e1, with a spring (k = 4) and a damper (d = 0.8) to the ground; a force along e1
/// comes in, and position, velocity, acceleration and the force of the slide along e2 go out.
struct Slide {
  mechanics::SystemBuilder builder = {};
  std::shared_ptr<const System> system = nullptr;
  parts::JointHandle joint = {};
  LinearModel model = {.lin = make(), .forces = {}, .outputs = {}, .input_names = {}, .output_names = {}};

  Linearization make() {
    const auto body = parts::add_rigid_body(builder, {.mass = 1.5, .inertia = Eigen::Matrix3d::Identity()});
    const auto at = body.at(Vector3d::Zero());
    const auto slide =
        parts::add_joint(builder, {.type = parts::JointType::prismatic, .first = {}, .second = at, .axis = {1, 0, 0}});
    parts::add_spring(builder, {.stiffness = 4, .damping = 0.8, .length = 1}, at, {.point = {1, 0, 0}});
    system = builder.build();
    State x = builder.start();
    const RowSelection rows = mechanics::make_consistent(*system, x).rows;
    joint = slide;
    return linearize_about(*system, x, rows);
  }

  Slide() {
    const int at = system->size_v() - 3;  // the linear velocity, whose axes are those of space at the start
    model.forces = MatrixXd::Zero(system->size_v(), 2);
    model.forces(at, 0) = 1;
    model.forces(at + 1, 1) = 1;
    model.outputs = differentiate_outputs(*system, model.lin.x, 4, [this, at](const State& x, double* out) {
      const parts::JointReading r = parts::read_joint(joint, x);
      out[0] = r.displacement[2];
      out[1] = x.v[at];
      out[2] = x.a[at];
      out[3] = r.force[1];
    });
  }
};

TEST(FrequencyResponse, OfOneMassIsTheTextbookFormula) {
  const Slide slide;
  const std::vector<double> omegas{0.1, 1.0, 1.6, 5.0};
  const auto H = frequency_response(slide.model, omegas);
  for (std::size_t k = 0; k < omegas.size(); ++k) {
    const double w = omegas[k];
    const Complex x = 1.0 / Complex(4 - 1.5 * w * w, 0.8 * w), i(0, 1);
    EXPECT_LT(std::abs(H[k](0, 0) - x), 1e-8 * std::abs(x));
    EXPECT_LT(std::abs(H[k](1, 0) - i * w * x), 1e-8);
    EXPECT_LT(std::abs(H[k](2, 0) + w * w * x), 1e-8);
    EXPECT_LT(std::abs(H[k](3, 0)), 1e-9);
    // Across the slide nothing moves, and the joint holds against the force.
    EXPECT_LT(std::abs(H[k](0, 1)), 1e-9);
    EXPECT_LT(std::abs(H[k](3, 1) + 1.0), 1e-8);
  }
}

TEST(StateSpace, HasTheSameResponse) {
  const Slide slide;
  const StateSpace s = state_space(slide.model);
  ASSERT_EQ(s.A.rows(), 2);
  for (const double w : {0.3, 1.6, 4.0}) {
    const MatrixXcd resolvent = Complex(0, w) * MatrixXcd::Identity(2, 2) - s.A.cast<Complex>();
    const MatrixXcd H = s.C.cast<Complex>() * resolvent.inverse() * s.B.cast<Complex>() + s.D.cast<Complex>();
    EXPECT_LT((H - frequency_response(slide.model, {w})[0]).cwiseAbs().maxCoeff(), 1e-9);
  }
}

}  // namespace
}  // namespace filum::analysis
