/// The words of study files for every choice. User document: docs/guide/studies.md.
#pragma once

#include <filum/config/schema.hpp>
#include <filum/study/study.hpp>

namespace filum::config {

template <>
const Words& words_of<study::ModesTask::At>();
template <>
const Words& words_of<study::Norm>();
template <>
const Words& words_of<study::Take>();
template <>
const Words& words_of<study::PlotKind>();
template <>
const Words& words_of<study::AxisKind>();
template <>
const Words& words_of<study::Check::Of>();

}  // namespace filum::config
