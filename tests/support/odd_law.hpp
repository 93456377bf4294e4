/// A nonlinear constraint on the strains of a beam. Theory: docs/theory/beam.md, (BM.14).
#pragma once

#include <filum/parts/beam.hpp>

namespace filum::test {

/// Paper 000, remark 4.5: a centre line of constant length that may shear, and torsion tied to bending.
class OddLaw final : public parts::StrainLaw {
 public:
  int rows() const override { return 2; }
  void evaluate(double s, const parts::Vector6d& w, Values& psi, Slopes& slopes) const override {
    psi << 0.5 * (w.tail<3>().squaredNorm() - 1), w[2] - (1 + s) * w[0] * w[1];
    slopes.setZero();
    slopes.row(0).tail<3>() = w.tail<3>();
    slopes.row(1) << -(1 + s) * w[1], -(1 + s) * w[0], 1, 0, 0, 0;
  }
  parts::Matrix6d second_derivative(double s, const parts::Vector6d&, const Values& lambda) const override {
    parts::Matrix6d d = parts::Matrix6d::Zero();
    d.diagonal().tail<3>().setConstant(lambda[0]);
    d(0, 1) = d(1, 0) = -(1 + s) * lambda[1];
    return d;
  }
};

}  // namespace filum::test
