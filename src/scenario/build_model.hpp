/// The builder behind build_model: what is known while a system is being put together.
/// User document: docs/guide/scenarios.md.
#pragma once

#include "check_scenario.hpp"

#include <filum/parts/body_load.hpp>
#include <filum/scenario/model.hpp>

namespace filum::scenario {

class ModelBuilder {
 public:
  explicit ModelBuilder(const Scenario& scenario) : scenario_(scenario) {}
  Model build();

 private:
  void add_bodies();
  void add_beams();
  void add_joints();
  void add_gravity();
  void add_springs();
  void add_loads();
  void finish();

  /// Runs one step of building; what it throws becomes a problem at this key.
  template <class F>
  void attempt(const std::string& key, F&& f) {
    try {
      f();
    } catch (const std::invalid_argument& error) {
      problems_.push_back(scenario_.problem(key, error.what()));
    }
  }
  void throw_problems();

  // References
  Target target(const Reference& reference) const;
  int node_at(const Target& target) const;
  parts::Marker marker(const Target& target, const Vector3d& point) const;
  parts::Marker marker_in_space(const Target& target, const Vector3d& x) const;
  Vector3d initial_point(const Target& target) const;
  std::vector<std::vector<double>> places_on_beams() const;

  // Details
  std::optional<Vector3d> fixed_point(const Body& body) const;
  lie::GroupId automatic_group(const Body& body);
  void check_velocity_about(const Vector3d& pivot, const parts::RigidBodyOptions& o, const std::string& name);
  void add_joint(const Joint& joint);
  void add_rolling_disk(const Joint& joint);
  void add_drive(const Joint& joint);
  void add_spring_on_joint(const Spring& spring);
  void add_distributed_load(const Load& load, const parts::Beam& beam, parts::LoadFrame frame);
  void find_rows();

  const Scenario& scenario_;
  Model model_;
  State initial_;  ///< as drawn
  std::vector<int> free_velocities_;
  std::vector<Problem> problems_;
};

}  // namespace filum::scenario
