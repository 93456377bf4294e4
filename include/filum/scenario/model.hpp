/// A scenario turned into a system that can be integrated. User document: docs/guide/scenarios.md.
#pragma once

#include <filum/mechanics/consistent_start.hpp>
#include <filum/parts/beam.hpp>
#include <filum/parts/joint.hpp>
#include <filum/parts/rigid_body.hpp>
#include <filum/parts/spring.hpp>
#include <filum/record/layout.hpp>
#include <filum/scenario/scenario.hpp>

#include <memory>
#include <string>
#include <vector>

namespace filum::scenario {

using mechanics::State;
using mechanics::System;

struct ModelJoint {
  std::string name;
  JointKind type = JointKind::fixed;
  parts::JointHandle handle;
  std::vector<int> rows;  ///< its equations
};

/// Objects stand in the order of the scenario.
struct Model {
  std::unique_ptr<System> system;
  State start;  ///< consistent
  mechanics::ConsistencyReport consistency;
  std::vector<parts::RigidBody> bodies;
  std::vector<const parts::Beam*> beams;
  std::vector<std::vector<int>> beam_rows;  ///< equations of every beam, segment by segment
  std::vector<ModelJoint> joints;
  std::vector<int> springs;  ///< number in the part, −1 for springs on joints
  const parts::Springs* spring_part = nullptr;
  std::vector<std::string>
      remarks;  ///< what the program decided by itself: nodes added, groups chosen, joints absorbed

  const ModelJoint* find_joint(const std::string& name) const;
};

/// Throws ScenarioError when something cannot be built or the start cannot be made consistent.
Model build_model(const Scenario& scenario);

/// What a run of the model records. `eta`, if given, is read with every frame: the method's η, a number a row.
record::Layout layout_of(const Scenario& scenario, const Model& model, const mechanics::VectorXd* eta = nullptr);

/// "beam spaghetti, node 3: angular velocity 2" for a component of v.
std::string velocity_name(const Scenario& scenario, const Model& model, int component);

}  // namespace filum::scenario
