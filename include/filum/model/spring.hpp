/// Springs and dampers between points and on joints. User document: docs/guide/scenarios.md, "Springs".
#pragma once

#include <filum/model/object.hpp>
#include <filum/model/value.hpp>
#include <filum/parts/spring_law.hpp>

#include <optional>

namespace filum::model {

/// What a spring pulls with: a formula of `length`, `rate` and `t`, or a callable (parts::SpringLaw).
class SpringForce {
 public:
  SpringForce(parts::SpringLaw law) : law_(std::move(law)) {}  // NOLINT
  SpringForce(Number formula);                                 // NOLINT
  const parts::SpringLaw& law() const { return law_; }
  const Number* number() const { return number_ ? &*number_ : nullptr; }

 private:
  parts::SpringLaw law_;
  std::optional<Number> number_;
};

/// Pulls its ends together with stiffness · (length − free length) + damping · rate, or with `force`.
struct Spring {
  std::string name = {};
  Point first = ground, second = ground;
  double stiffness = 0;
  double damping = 0;
  double length = 0;  ///< free length
  std::optional<SpringForce> force = {};
};

/// Acts on the angle of a revolute joint, or on the displacement of a prismatic or cylindrical one.
struct JointSpring {
  std::string name = {};
  Point joint = ground;
  double stiffness = 0;
  double damping = 0;
  double rest = 0;  ///< where it is relaxed, counted from the drawn position
  std::optional<SpringForce> force = {};
};

std::unique_ptr<Object> make_object(const Spring& options);
std::unique_ptr<Object> make_object(const JointSpring& options);

}  // namespace filum::model
