/// Loops over the nodes of a configuration by the type of their group. Apart from configuration_space.hpp, because it
/// needs every group's formulas. Theory: docs/theory/mechanics.md, sec. 1.
#pragma once

#include <filum/lie/groups.hpp>
#include <filum/linalg/team.hpp>
#include <filum/mechanics/configuration_space.hpp>

#include <Eigen/Core>

namespace filum::mechanics {

/// How many nodes a thread takes at a time, some microseconds.
inline constexpr int nodes_of_chunk = 512;

/// f(GroupTag<G>{}, node, q_offset, v_offset) for nodes `first` … `end` − 1 of a run.
template <class F>
void for_each_node_of(const ConfigurationSpace::Run& run, int first, int end, F&& f) {
  lie::visit(run.group, [&]<class G>(lie::GroupTag<G> tag) {
    for (int k = first; k < end; ++k) f(tag, run.first_node + k, run.q_offset + k * G::size, run.v_offset + k * G::dim);
  });
}

/// The same for all nodes of a run, with everything that f calls inlined: a call costs as much as a small group
/// operation.
template <class F>
[[gnu::flatten]] void for_each_node_of_few(const ConfigurationSpace::Run& run, F& f) {
  for_each_node_of(run, 0, run.count, f);
}

/// The same for every node, in their order.
template <class F>
void for_each_node_in_order(const ConfigurationSpace& space, F&& f) {
  for (const ConfigurationSpace::Run& run : space.runs()) for_each_node_of(run, 0, run.count, f);
}

/// The same, shared with the team in use: f must write to places of its node only.
template <class F>
void for_each_node(const ConfigurationSpace& space, F&& f) {
  for (const ConfigurationSpace::Run& run : space.runs())
    if (run.count <= nodes_of_chunk)
      for_each_node_of_few(run, f);
    else
      linalg::for_each_chunk(run.count, nodes_of_chunk,
                             [&](int first, int end) { for_each_node_of(run, first, end, f); });
}

/// An element or a tangent inside a flat vector.
template <class G>
Eigen::Map<const typename G::Element> element(const VectorXd& q, int q_offset) {
  return Eigen::Map<const typename G::Element>(q.data() + q_offset);
}
template <class G>
Eigen::Map<typename G::Element> element(VectorXd& q, int q_offset) {
  return Eigen::Map<typename G::Element>(q.data() + q_offset);
}
template <class G>
Eigen::Map<const typename G::Tangent> tangent(const VectorXd& v, int v_offset) {
  return Eigen::Map<const typename G::Tangent>(v.data() + v_offset);
}
template <class G>
Eigen::Map<typename G::Tangent> tangent(VectorXd& v, int v_offset) {
  return Eigen::Map<typename G::Tangent>(v.data() + v_offset);
}
template <class G>
Eigen::Map<typename G::Tangent> tangent(Eigen::Ref<VectorXd>& v, int v_offset) {
  return Eigen::Map<typename G::Tangent>(v.data() + v_offset);
}

}  // namespace filum::mechanics
