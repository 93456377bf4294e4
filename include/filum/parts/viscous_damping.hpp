/// Linear viscous damping of the motion of a body. Theory: docs/theory/bodies.md, sec. 4.
#pragma once

#include <filum/parts/beam.hpp>
#include <filum/parts/rigid_body.hpp>

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
  void declare(mechanics::Declaration& declaration) override;
  bool is_self_contained() const override { return true; }
  void add_forces(double t, const VectorXd& q, const VectorXd& v, VectorRef f) const override;
  void add_force_derivatives(double t, const VectorXd& q, const VectorXd& v, double scale_q, double scale_v,
                             NodeMatrix& H) const override;

 private:
  struct Damper {
    ViscousDampingOptions options;
    Marker at;
    Matrix6d by_twist;  ///< the wrench is by_twist · V
    NodeFrame frame{};
    mechanics::Force<1> force = {};
  };
  std::vector<Damper> dampers_;
};

void add_viscous_damping(SystemBuilder& builder, const ViscousDampingOptions& options, const Marker& at);

/// (B.13) Damping in proportion to mass: the force −rate · m · u at the centre of mass of a body, and at the mass
/// centre of every node of a beam. This is −rate · M v without the share of the rotational inertia: free flight dies
/// out as e^(−rate·t), while the spin about a centre of mass is not damped. Throws std::invalid_argument for a negative
/// rate.
void add_mass_damping(SystemBuilder& builder, const std::string& name, double rate, const RigidBody& body);
void add_mass_damping(SystemBuilder& builder, const std::string& name, double rate, const Beam& beam);

}  // namespace filum::parts
