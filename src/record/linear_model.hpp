/// Loads as inputs and sensors as outputs of a linearised model. Theory: docs/theory/modes.md, sec. 6.
#pragma once

#include <filum/analysis/state_space.hpp>
#include <filum/model/layout.hpp>

namespace filum::record {

/// Inputs are forces and moments that are drawn as arrows at one place: NAME.fx to NAME.fz and NAME.mx to NAME.mz, in
/// the frame that they are given in. Outputs are the columns of sensors.csv.
analysis::LinearModel linear_model(const analysis::Linearization& lin, const model::Layout& layout);

}  // namespace filum::record
