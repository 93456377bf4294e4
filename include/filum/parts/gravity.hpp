/// A uniform gravitational field that pulls on any number of masses. Theory: docs/theory/bodies.md, sec. 2.
#pragma once

#include <filum/parts/rigid_body.hpp>

#include <initializer_list>
#include <memory>
#include <vector>

namespace filum::parts {

/// Acts at centres of mass: m γ, and the moment it has about the node's frame. In R1 and R2 the first components of the
/// field count.
class Gravity final : public mechanics::Part {
 public:
  explicit Gravity(const Vector3d& field) : field_(field) {}

  void add(const RigidBody& body) { add(body.center_of_mass(), body.mass()); }
  /// A mass at the marker.
  void add(const Marker& at, double mass);

  const Vector3d& field() const { return field_; }

  std::string name() const override { return "gravity"; }
  void declare(mechanics::Declaration& declaration) override;
  bool is_self_contained() const override { return true; }
  void add_forces(double t, const VectorXd& q, const VectorXd& v, VectorRef f) const override;
  double potential_energy(double t, const VectorXd& q) const override;
  void add_force_derivatives(double t, const VectorXd& q, const VectorXd& v, double scale_q, double scale_v,
                             NodeMatrix& H) const override;

 private:
  struct Mass {
    double mass;
    Vector3d c, origin;
    int node, q_at = 0, v_at = 0;
    mechanics::Force<1> force = {};
    bool is_off_frame = false;
  };
  struct Run {
    lie::GroupId group;
    int first, count;
  };
  template <class F>
  void for_each_mass(F&& f) const;
  template <class F>
  void for_each_mass_shared(F&& f) const;

  Vector3d field_;
  std::vector<Mass> masses_;
  std::vector<Run> runs_;
};

/// A field that pulls on the given bodies; more masses may be added until the system is built.
std::shared_ptr<Gravity> add_gravity(SystemBuilder& builder, const Vector3d& field,
                                     std::initializer_list<RigidBody> bodies = {});

}  // namespace filum::parts
