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
  return type != JointType::fixed && type != JointType::spherical && type != JointType::prismatic &&
         type != JointType::distance;
}

/// Whether its two points move relative to each other; where they do not, `length` is the gap that is left.
bool slides(JointType type) {
  return type == JointType::prismatic || type == JointType::cylindrical || type == JointType::planar ||
         type == JointType::distance;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace

bool has_moment(JointType type) { return type != JointType::spherical && type != JointType::distance; }

std::vector<std::string> joint_quantities(JointType type) {
  std::vector<std::string> words{"force"};
  if (has_moment(type)) words.push_back("moment");
  if (has_angle(type)) words.push_back("angle");
  if (slides(type)) words.push_back("displacement");
  words.insert(words.end(), {"length", "multiplier"});
  return words;
}

std::vector<Probe> joint_probes(const parts::JointHandle& joint, JointType type) {
  std::vector<Probe> probes;
  if (joint.kind == parts::JointHandle::Kind::absorbed) return probes;
  const std::vector<std::string> xyz{"x", "y", "z"}, one{""};
  probes.push_back({"force", xyz, reading(joint, [](const JointReading& r) { return r.force; }), {dimension::force}});
  if (has_moment(type))
    probes.push_back(
        {"moment", xyz, reading(joint, [](const JointReading& r) { return r.moment; }), {dimension::moment}});
  if (has_angle(type))
    probes.push_back({"angle", one, reading(joint, [](const JointReading& r) { return r.angle; }), {dimension::angle}});
  if (slides(type))
    probes.push_back({"displacement",
                      xyz,
                      reading(joint, [](const JointReading& r) { return r.displacement; }),
                      {dimension::length}});
  probes.push_back(
      {"length", one, reading(joint, [](const JointReading& r) { return r.distance; }), {dimension::length}});
  std::vector<std::string> numbers;
  for (int k = 1; k <= joint.rows().count; ++k) numbers.push_back(std::to_string(k));
  if (!numbers.empty())
    probes.push_back(
        {"multiplier", numbers, [joint](const State& x, double* out) { joint.report_multipliers(x, x.lambda, out); }});
  return probes;
}

void record_rows(Records& r, const std::string& name, const std::string& type, RowReading read,
                 const std::vector<std::string>& labels) {
  if (labels.empty()) return;
  const std::string group = "joints/" + name;
  r.group(group, {{"type", type}});
  r.multipliers(group, static_cast<int>(labels.size()), 0, std::move(read), {{"rows", joined(labels)}});
  r.plot({.group = "Multipliers",
          .title = "Multipliers of joint " + name,
          .label = name,
          .series = group + "/multiplier",
          .components = labels,
          .quantity = "multiplier",
          .rank = PlotRank::multiplier});
}

namespace {

void record_reaction(Records& r, const std::string& name, const std::string& quantity, const std::string& on,
                     Reading read) {
  const std::string series = "joints/" + name + "/" + quantity;
  r.channel(series, {3}, std::move(read), {{"on", on}, {"frame", "space"}});
  r.plot({.group = "Joint reactions",
          .title = (quantity == "force" ? "Force" : "Moment") + (" of joint " + name),
          .label = quantity + " of " + name,
          .series = series,
          .components = {"x", "y", "z"},
          .note = "On " + on + ", at its point of the joint, in the axes of space.",
          .quantity = quantity,
          .rank = PlotRank::reaction,
          .units = {r.unit(quantity == "force" ? dimension::force : dimension::moment)}});
}

}  // namespace

void record_joint(Records& r, const std::string& name, const std::string& type, const parts::JointHandle& joint,
                  const ReactionOn& on) {
  if (joint.kind == parts::JointHandle::Kind::absorbed || joint.rows().count == 0) return;
  record_reaction(r, name, "force", on.partner, reading(joint, [](const JointReading& x) { return x.force; }));
  if (on.has_moment)
    record_reaction(r, name, "moment", on.partner, reading(joint, [](const JointReading& x) { return x.moment; }));
  std::vector<std::string> labels;
  for (int k = 0; k < joint.rows().count; ++k) labels.push_back(joint.row_label(k));
  record_rows(
      r, name, type, [joint](const State& x, const VectorXd& y, double* out) { joint.report_multipliers(x, y, out); },
      labels);
}

void record_joints(Records& r, const std::string& name, const std::string& type,
                   const std::vector<parts::JointHandle>& joints, const ReactionOn& on) {
  if (joints.size() == 1) return record_joint(r, name, type, joints.front(), on);
  const int width = joints.front().rows().count;
  std::vector<std::string> labels;
  for (int k = 0; k < width; ++k) labels.push_back(joints.front().row_label(k));
  const std::string group = "joints/" + name;
  r.group(group, {{"type", type}});
  r.multipliers(group, width * static_cast<int>(joints.size()), width,
                [joints, width](const State& x, const VectorXd& y, double* out) {
                  for (std::size_t k = 0; k < joints.size(); ++k)
                    joints[k].report_multipliers(x, y, out + k * static_cast<std::size_t>(width));
                },
                {{"rows", joined(labels)}});
}

std::vector<std::string> line_quantities() { return {"force"}; }

std::vector<Probe> line_probes(const std::vector<parts::JointHandle>& joints) {
  return {{"force",
           {"x", "y", "z"},
           [joints](const State& x, double* out) {
             Eigen::Vector3d sum = Eigen::Vector3d::Zero();
             for (const parts::JointHandle& joint : joints) sum += parts::read_joint(joint, x).force;
             put(sum, out);
           },
           {dimension::force}}};
}

std::vector<std::size_t> drawn_links(std::size_t count) {
  constexpr std::size_t most = 9;
  std::vector<std::size_t> some;
  for (std::size_t k = 0; k < std::min(count, most); ++k)
    some.push_back(count <= most ? k : k * (count - 1) / (most - 1));
  return some;
}

std::string counted_rows(int rows) { return std::to_string(rows) + (rows == 1 ? " constraint" : " constraints"); }

}  // namespace filum::model
