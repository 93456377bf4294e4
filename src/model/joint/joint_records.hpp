/// What joints and drives record and measure. User document: docs/guide/results.md.
#pragma once

#include <filum/model/layout.hpp>
#include <filum/model/object.hpp>
#include <filum/parts/joint.hpp>

namespace filum::model {

/// Reactions and coordinates that a joint of this type has; nothing when it was absorbed.
std::vector<Probe> joint_probes(const parts::JointHandle& joint, parts::JointType type);
std::vector<std::string> joint_quantities(parts::JointType type);
/// Whether a joint of this type can carry a moment.
bool has_moment(parts::JointType type);

/// What a joint acts on, its second partner.
struct ReactionOn {
  std::string partner;
  bool has_moment = true;
};

/// The force "joints/NAME/force" and the moment "joints/NAME/moment" on the second partner, at its point and in space;
/// multipliers "joints/NAME/multiplier"; their plots.
void record_joint(Records& records, const std::string& name, const std::string& type, const parts::JointHandle& joint,
                  const ReactionOn& on);
/// The same for joints along a line, without forces; one row of the series per node; their many numbers are not
/// plotted.
void record_joints(Records& records, const std::string& name, const std::string& type,
                   const std::vector<parts::JointHandle>& joints, const ReactionOn& on);
/// Of joints along a line: the sum of their forces on the second partner.
std::vector<Probe> line_probes(const std::vector<parts::JointHandle>& joints);
std::vector<std::string> line_quantities();
/// Which of so many joints along a line are drawn: not too many.
std::vector<std::size_t> drawn_links(std::size_t count);
void record_rows(Records& records, const std::string& name, const std::string& type, RowReading read,
                 const std::vector<std::string>& labels);
/// "5 constraints".
std::string counted_rows(int rows);

}  // namespace filum::model
