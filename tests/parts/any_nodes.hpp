#pragma once
/// Something that acts on a marker, tried on a node of every group that can be gripped.

#include "support/any_node.hpp"
#include "support/benchmark_systems.hpp"
#include "support/derivative_checks.hpp"

#include <gtest/gtest.h>

namespace filum::parts {

inline const Vector3d here(0.3, -0.8, 0.5), there(-0.6, 0.2, 0.9);

template <class Build, class Check>
void for_all_nodes(const Build& build, const Check& check) {
  for (const lie::GroupId group : test::grippable_groups) {
    SCOPED_TRACE(test::group_name(group));
    SystemBuilder builder;
    const Marker node = test::add_any_node(builder, group, here);
    build(builder, node);
    const auto system = builder.build();
    check(*system, test::random_state(*system, 21));
  }
}

}  // namespace filum::parts
