/// What every summary tells: outcome, size of the model, last state. User document: docs/guide/results.md.
#include "summary_of.hpp"

#include "stopwatch.hpp"

#include <filum/record/simulate.hpp>

namespace filum::record {
namespace {

template <class V>
std::vector<double> list(const V& v) {
  return std::vector<double>(v.data(), v.data() + v.size());
}

ObjectSummary summary_of(const model::ObjectPoses& poses, const mechanics::ConfigurationSpace& space,
                         const mechanics::State& x) {
  ObjectSummary o;
  for (int k = 0; k < poses.nodes; ++k) {
    const model::NodePose pose = poses.at(x, k);
    const int node = poses.first_node + k, at = space.v_offset(node), dim = lie::dim(space.group(node));
    o.position.push_back(list(pose.position));
    o.orientation.push_back(list(pose.orientation));
    o.velocity.emplace_back(x.v.data() + at, x.v.data() + at + dim);
    o.acceleration.emplace_back(x.a.data() + at, x.a.data() + at + dim);
  }
  return o;
}

}  // namespace

void summarize_model(const model::BuiltModel& model, const StateOutline& outline, const mechanics::State& x,
                     Summary& s) {
  s.version = version();
  s.title = model.title();
  s.velocities = model.system().size_v();
  s.constraints = model.system().size_rows();
  s.time = x.t;
  for (const model::ObjectPoses& poses : outline.poses)
    s.objects.emplace_back(poses.object, summary_of(poses, model.system().space(), x));
  for (const model::ObjectRows& r : outline.rows) {
    std::vector<double> values(static_cast<std::size_t>(r.count));
    r.read(x, x.lambda, values.data());
    const int width = r.width > 0 ? r.width : r.count;
    std::vector<std::vector<double>> groups;
    for (auto at = values.begin(); at != values.end(); at += width) groups.emplace_back(at, at + width);
    s.multipliers.push_back({r.object, std::move(groups), r.width == 0});
  }
}

void summarize_run(const model::BuiltModel& model, const StateOutline& outline, const Stopwatch& watch, Run& result) {
  static constexpr const char* words[] = {"done", "stopped", "interrupted"};
  Summary& s = result.summary;
  summarize_model(model, outline, result.final, s);
  s.status = words[static_cast<int>(result.outcome)];
  s.message = result.message;
  s.seconds_integration = watch.integration();
  s.seconds_output = watch.output();
  s.seconds_cpu = watch.cpu();
}

}  // namespace filum::record
