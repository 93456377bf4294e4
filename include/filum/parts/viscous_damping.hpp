/// Linear viscous damping of the motion of a body. Theory: docs/theory/bodies.md, sec. 4.
#pragma once

#include <filum/parts/node_frame.hpp>

#include <string>
#include <vector>

namespace filum::parts {

/// (B.12) The moment −rotational Ω and, at the marker, the force −translational u: the same motion is damped in the
/// same way whatever the group, since the translational share has no preferred direction.
struct ViscousDampingOptions {
  std::string name = "damping";
  Matrix3d rotational = Matrix3d::Zero();  ///< in body axes, positive semidefinite
  double translational = 0;
};

class ViscousDamping final : public mechanics::Part {
 public:
  /// Throws std::invalid_argument when the damping would feed energy into the motion.
  void add(const ViscousDampingOptions& options, const Marker& at);

  std::string name() const override { return "viscous damping"; }
  void declare(mechanics::PartPattern&) override {}
  void bind(const System& system) override;
  bool has_forces() const override { return true; }
  bool forces_depend_on_velocity() const override { return true; }
  void add_forces(double t, const VectorXd& q, const VectorXd& v, VectorXd& f) const override;
  bool add_force_derivatives(double t, const VectorXd& q, const VectorXd& v, double scale_q, double scale_v,
                             NodeMatrix& H) const override;

 private:
  struct Damper {
    ViscousDampingOptions options;
    Marker at;
    Matrix6d by_twist;  ///< the wrench is by_twist · V
    NodeFrame frame{};
    int block_at = 0;
  };
  std::vector<Damper> dampers_;
};

void add_viscous_damping(System& system, const ViscousDampingOptions& options, const Marker& at);

}  // namespace filum::parts
