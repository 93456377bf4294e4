/// Finds where forces switch and event functions change their sign, and carries a state across. Theory:
/// docs/theory/events.md.
#pragma once

#include <filum/integrate/run.hpp>
#include <filum/mechanics/acceleration_solver.hpp>
#include <filum/mechanics/switches.hpp>

#include <optional>
#include <span>

namespace filum::integrate {

using mechanics::SwitchList;

/// A switch at which a step ends: the state is on its near side, the far side is `width` later.
struct Crossing {
  double width = 0;
  double to = 0;          ///< time of the far side
  bool jumps = true;      ///< false: only derivatives do
  bool of_motion = true;  ///< not of time alone
};

/// Belongs to one method. Does not allocate after the first switch.
class SwitchWatch {
 public:
  SwitchWatch(const System& system, Integrator& method, std::span<const EventFunction> events);
  bool follows_time() const { return !time_parts_.empty(); }
  bool follows_motion() const { return !motion_parts_.empty() || !events_.empty(); }

  /// The first switch of time alone in (x.t, to]; `near` is the last time at which a step may end before it.
  struct TimeSwitch {
    double near, far;
    bool jumps;
  };
  std::optional<TimeSwitch> ahead(const State& x, double to);

  /// Keeps x and the memory of the method. To be called before a step that `locate` may have to undo.
  void remember(State& x);
  /// After an accepted step of size h from what was remembered to x. If there is a switch on the way, x becomes the
  /// state just before the first one, h the size of that step (0: the switch was at its beginning), and the switch is
  /// returned. A trial step that fails makes `report` that of a failed step, and x is what was remembered.
  std::optional<Crossing> locate(State& x, double& h, StepReport& report);
  /// After a step of size h from x that failed: a time at which the motion, continued with the acceleration at x, is
  /// just before a switch, (EV.5).
  std::optional<double> predict(State& x, double h);
  /// Whether there is a switch between what was remembered and x.
  bool has_switched(State& x);

  /// (EV.4) Carries x to the far side and completes it there; `most` is the largest width. False, with x as it was,
  /// when the other side is never reached: a contact that is only grazed.
  bool cross(State& x, const Crossing& crossing, double most);
  /// Numbers of the event functions that changed their sign in the last crossing.
  std::span<const int> events() const { return fired_; }
  /// Accelerations and multipliers that belong to x.
  void complete(State& x);

 private:
  struct Difference {
    std::size_t reference, now;  ///< numbers of entries
  };
  void evaluate(State& x, SwitchList& out);
  void evaluate_time(double t, const State& x, SwitchList& out) const;
  /// Where `now` differs from the reference: the first decision of every law.
  bool compare(const SwitchList& now);
  bool counts(int law, const mechanics::Switch& reference) const;
  double guess(double a, double b, double weight_a, double weight_b) const;
  void put_back(State& x);
  /// The state before_, carried on by its velocity and acceleration.
  void continue_straight(double time, State& x) const;
  void collect_events();

  const System& system_;
  Integrator& method_;
  std::span<const EventFunction> events_;
  std::vector<const mechanics::SwitchingPart*> time_parts_, motion_parts_;
  mechanics::AccelerationSolver index_1_;
  SwitchList reference_, at_a_, at_b_, now_;
  std::vector<Difference> differences_;
  std::vector<int> fired_;
  int first_event_law_ = 0;
  State before_;
  std::vector<double> memory_;
  VectorXd momentum_, rate_, impulse_;
};

}  // namespace filum::integrate
