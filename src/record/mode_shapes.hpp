/// Mode shapes as displacements of what is recorded. User document: docs/guide/modes.md.
#pragma once

#include <filum/analysis/modes.hpp>
#include <filum/model/layout.hpp>
#include <filum/record/series.hpp>

#include <map>

namespace filum::record {

/// See ModesRun::shapes.
std::map<std::string, Series, std::less<>> mode_shapes(const mechanics::System& system, const mechanics::State& x,
                                                       const std::vector<model::ObjectPoses>& poses,
                                                       const analysis::Modes& modes);

}  // namespace filum::record
