/// What the report page draws besides the motion. User document: docs/guide/results.md, "The report page".
#pragma once

#include <filum/record/report.hpp>
#include <filum/scenario/scenario.hpp>

#include <vector>

namespace filum::scenario {

/// Forces and moments of all loads as functions of time.
std::vector<record::ReportSeries> load_series(const Scenario& scenario);

}  // namespace filum::scenario
