/// Springs and dampers between two points. Theory: docs/theory/bodies.md, sec. 3.
#pragma once

#include <filum/parts/point_pair.hpp>

#include <string>
#include <vector>

namespace filum::parts {

/// (B.8) Pulls its ends together with k (l − l0) + d l̇, where l is their distance. Without free length and damping the
/// force is k r, smooth also where the ends meet; otherwise it has no direction there and is not a number.
struct SpringOptions {
  std::string name = "spring";
  double stiffness = 0;
  double damping = 0;
  double length = 0;  ///< free length l0
};

class Springs final : public mechanics::Part {
 public:
  /// Throws std::invalid_argument for negative stiffness, damping or length, and for ends that cannot move apart.
  void add(const SpringOptions& options, const Marker& a, const Marker& b);

  std::string name() const override { return "springs"; }
  void declare(mechanics::PartPattern& pattern) override;
  void bind(const System& system) override;
  bool has_forces() const override { return true; }
  bool forces_depend_on_velocity() const override;
  void add_forces(double t, const VectorXd& q, const VectorXd& v, VectorXd& f) const override;
  double potential_energy(double t, const VectorXd& q) const override;
  bool add_force_derivatives(double t, const VectorXd& q, const VectorXd& v, double scale_q, double scale_v,
                             NodeMatrix& H) const override;

  int count() const { return static_cast<int>(springs_.size()); }
  /// Distance of the ends.
  double length(int spring, const VectorXd& q) const;
  /// Positive when the ends are pulled together.
  double tension(int spring, const VectorXd& q, const VectorXd& v) const;

 private:
  struct Spring {
    SpringOptions options;
    PointPair pair;
  };
  std::vector<Spring> springs_;
};

/// Returns the number of the spring within its part.
int add_spring(System& system, const SpringOptions& options, const Marker& a, const Marker& b);

}  // namespace filum::parts
