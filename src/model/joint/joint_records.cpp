/// What joints and drives record and measure. User document: docs/guide/results.md.
#include "joint_records.hpp"

#include <filum/model/records.hpp>

namespace filum::model {
namespace {

using parts::JointReading;
using parts::JointType;

template <class Part>
Reading reading(const parts::JointHandle& joint, const Part& part) {
  return [joint, part](const State& x, double* out) {
    const JointReading r = parts::read_joint(joint, x);
    if constexpr (std::is_convertible_v<std::invoke_result_t<Part, const JointReading&>, double>)
      *out = part(r);
    else
      put(part(r), out);
  };
}

bool has_angle(JointType type) {
  return type != JointType::fixed && type != JointType::spherical && type != JointType::prismatic && type != JointType::distance;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace

std::vector<std::string> joint_quantities(JointType type) {
  std::vector<std::string> words{"force"};
  if (type != JointType::distance) words.push_back("moment");
  if (has_angle(type)) words.push_back("angle");
  words.insert(words.end(), {"displacement", "length", "multiplier"});
  return words;
}

std::vector<Probe> joint_probes(const parts::JointHandle& joint, JointType type) {
  std::vector<Probe> probes;
  if (joint.kind == parts::JointHandle::Kind::absorbed) return probes;
  const std::vector<std::string> xyz{"x", "y", "z"}, one{""};
  probes.push_back({"force", xyz, reading(joint, [](const JointReading& r) { return r.force; })});
  if (type != JointType::distance) probes.push_back({"moment", xyz, reading(joint, [](const JointReading& r) { return r.moment; })});
  if (has_angle(type)) probes.push_back({"angle", one, reading(joint, [](const JointReading& r) { return r.angle; })});
  probes.push_back({"displacement", xyz, reading(joint, [](const JointReading& r) { return r.displacement; })});
  probes.push_back({"length", one, reading(joint, [](const JointReading& r) { return r.distance; })});
  const mechanics::RowRange rows = joint.rows();
  std::vector<std::string> numbers;
  for (int k = 1; k <= rows.count; ++k) numbers.push_back(std::to_string(k));
  if (rows.count > 0)
    probes.push_back({"multiplier", numbers, [rows](const State& x, double* out) { std::copy_n(x.lambda.data() + rows.first, rows.count, out); }});
  return probes;
}

void record_rows(Records& r, const std::string& name, const std::string& type, const std::vector<int>& rows, const std::vector<std::string>& labels) {
  if (rows.empty()) return;
  const std::string group = "joints/" + name;
  r.group(group, {{"type", type}});
  r.multipliers(group, rows, 0, {{"rows", joined(labels)}});
  r.plot({.group = "Joint reactions", .title = "Multipliers of joint " + name, .label = name, .series = group + "/multiplier", .components = labels});
}

void record_joint(Records& r, const std::string& name, const std::string& type, const parts::JointHandle& joint) {
  const mechanics::RowRange range = joint.rows();
  std::vector<std::string> labels;
  for (int k = 0; k < range.count; ++k) labels.push_back(joint.row_label(k));
  record_rows(r, name, type, rows_of(range), labels);
}

std::string counted_rows(int rows) { return std::to_string(rows) + (rows == 1 ? " constraint" : " constraints"); }

}  // namespace filum::model
