/// What joints and drives record and measure. User document: docs/guide/results.md.
#pragma once

#include <filum/model/layout.hpp>
#include <filum/model/object.hpp>
#include <filum/parts/joint.hpp>

namespace filum::model {

/// Reactions and coordinates that a joint of this type has; nothing when it was absorbed.
std::vector<Probe> joint_probes(const parts::JointHandle& joint, parts::JointType type);
std::vector<std::string> joint_quantities(parts::JointType type);
/// Multipliers "joints/NAME/multiplier", and their plot.
void record_joint(Records& records, const std::string& name, const std::string& type, const parts::JointHandle& joint);
/// The same for joints along a line, one row of the series per node; their many numbers are not plotted.
void record_joints(Records& records, const std::string& name, const std::string& type,
                   const std::vector<parts::JointHandle>& joints);
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
