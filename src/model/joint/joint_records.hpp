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
void record_rows(Records& records, const std::string& name, const std::string& type, RowReading read,
                 const std::vector<std::string>& labels);
/// "5 constraints".
std::string counted_rows(int rows);

}  // namespace filum::model
