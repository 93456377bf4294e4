/// Springs and dampers between two points. Theory: docs/theory/bodies.md, sec. 3.
#pragma once

#include <filum/parts/point_pair.hpp>
#include <filum/parts/spring_law.hpp>

#include <memory>
#include <optional>
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
  /// Instead of the three: the ends are pulled together with law(l, l̇, t).
  std::optional<SpringLaw> law = std::nullopt;
};

class Springs final : public mechanics::Part, public mechanics::SwitchingPart {
 public:
  /// Returns its number. Throws std::invalid_argument for negative stiffness, damping or length, for both a law and one
  /// of them, and for ends that cannot move apart.
  int add(const SpringOptions& options, const Marker& a, const Marker& b);

  std::string name() const override { return "springs"; }
  void declare(mechanics::Declaration& declaration) override;
  bool is_self_contained() const override;
  void add_forces(double t, const VectorXd& q, const VectorXd& v, VectorRef f) const override;
  double potential_energy(double t, const VectorXd& q) const override;
  void add_force_derivatives(double t, const VectorXd& q, const VectorXd& v, double scale_q, double scale_v,
                             NodeMatrix& H) const override;
  mechanics::Switching switching() const override;
  void add_switches(double t, const VectorXd& q, const VectorXd& v, mechanics::SwitchList& out) const override;

  int count() const { return static_cast<int>(springs_.size()); }
  /// Distance of the ends.
  double length(int spring, const VectorXd& q) const;
  /// Positive when the ends are pulled together.
  double tension(int spring, double t, const VectorXd& q, const VectorXd& v) const;

 private:
  struct Spring {
    SpringOptions options;
    PointPair pair;
    mechanics::Force<2> force = {};
  };
  static double length_of(const Spring& spring, const VectorXd& q);

  std::vector<Spring> springs_;
};

struct SpringHandle {
  std::shared_ptr<const Springs> part = nullptr;
  int number = -1;
  /// Distance of the ends.
  double length(const State& x) const { return part->length(number, x.q); }
  /// Positive when the ends are pulled together.
  double tension(const State& x) const { return part->tension(number, x.t, x.q, x.v); }
};

SpringHandle add_spring(SystemBuilder& builder, const SpringOptions& options, const Marker& a, const Marker& b);

}  // namespace filum::parts
