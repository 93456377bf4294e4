/// A group chosen at run time, with vectors and matrices of run-time size. The property suites use it, so that the
/// compiler meets each of their expressions once, not once for every group. Theory: docs/theory/groups.md.
#pragma once

#include <Eigen/Core>
#include <gtest/gtest.h>
#include <lie/sampling.hpp>

#include <string>
#include <vector>

namespace filum::lie::test {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

class AnyGroup {
 public:
  virtual ~AnyGroup() = default;

  std::string name;
  int dim = 0, size = 0;
  double log_angle = 0;  ///< the largest that log returns
  bool is_linear = false, has_rotation = false, turns_points = false, moves_points = false, is_direct = false,
       is_action = false;

  // The functions of the concept LieGroup ----------------------------------------------------------------------------
  virtual VectorXd identity() const = 0;
  virtual VectorXd compose(const VectorXd& p, const VectorXd& q) const = 0;
  virtual VectorXd inverse(const VectorXd& q) const = 0;
  virtual VectorXd exp(const VectorXd& v) const = 0;
  virtual VectorXd log(const VectorXd& q) const = 0;
  virtual VectorXd bracket(const VectorXd& v, const VectorXd& w) const = 0;
  virtual VectorXd bracket_T(const VectorXd& v, const VectorXd& w) const = 0;
  virtual MatrixXd hat(const VectorXd& v) const = 0;
  virtual MatrixXd Ad(const VectorXd& q) const = 0;
  virtual MatrixXd tangent_op(const VectorXd& v) const = 0;
  virtual MatrixXd tangent_op_inv(const VectorXd& v) const = 0;
  virtual VectorXd tangent_op_times(const VectorXd& v, const VectorXd& w) const = 0;
  virtual VectorXd tangent_op_T_times(const VectorXd& v, const VectorXd& w) const = 0;
  virtual VectorXd tangent_op_inv_times(const VectorXd& v, const VectorXd& w) const = 0;
  virtual VectorXd tangent_op_inv_T_times(const VectorXd& v, const VectorXd& w) const = 0;
  virtual MatrixXd d_tangent_op_inv_times(const VectorXd& v, const VectorXd& w) const = 0;
  virtual MatrixXd d_tangent_op_inv_T_times(const VectorXd& v, const VectorXd& w) const = 0;
  virtual VectorXd interpolate(double tau, const VectorXd& p, const VectorXd& q) const = 0;
  virtual double distance(const VectorXd& p, const VectorXd& q) const = 0;
  // Of groups that have them -----------------------------------------------------------------------------------------
  virtual Vector3d act(const VectorXd& q, const Vector3d& X) const = 0;
  virtual Matrix3d rotation(const VectorXd& q) const = 0;
  virtual Vector3d position(const VectorXd& q) const = 0;

  // Units and samples: Traits of group_sampling.hpp ------------------------------------------------------------------
  virtual VectorXd sample(Rng& rng, double angle, double length) const = 0;
  virtual VectorXd tangent_scale(double turn, double length) const = 0;
  virtual VectorXd element_scale(double length) const = 0;
  virtual double defect(const VectorXd& q) const = 0;
};

/// The groups a node may live in and two nested products.
const std::vector<const AnyGroup*>& all_groups();
/// Those of which `property` holds.
std::vector<const AnyGroup*> groups_that(bool AnyGroup::*property);

class OverGroups : public ::testing::TestWithParam<const AnyGroup*> {
 protected:
  const AnyGroup& G = *GetParam();
};
inline std::string group_name(const ::testing::TestParamInfo<const AnyGroup*>& info) { return info.param->name; }

/// A tangent v of the given angle and length, and a companion w of angle 1 and the same length. `unit` is the length
/// in which errors are measured: `length`, or 1 where that is zero.
struct Sample {
  double angle, length, unit;
  VectorXd v, w;
};
std::vector<Sample> samples(const AnyGroup& G, double largest, std::uint64_t seed = 1);

double tangent_error(const AnyGroup& G, const VectorXd& a, const VectorXd& b, double unit, double turn = 1);
double element_error(const AnyGroup& G, const VectorXd& a, const VectorXd& b, double unit);
/// An operator in dimensionless coordinates: S⁻¹ J S with the units S of the tangent.
MatrixXd dimensionless(const AnyGroup& G, const MatrixXd& J, double unit);

}  // namespace filum::lie::test
