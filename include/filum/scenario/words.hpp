/// The words of scenario files for every choice: one table each. User document: docs/guide/scenarios.md.
#pragma once

#include <filum/scenario/scenario.hpp>

#include <string>
#include <vector>

namespace filum::scenario {

using Words = std::vector<std::string>;

/// The words of a choice, in the order of its enumerators.
template <class Choice>
const Words& words_of();

template <>
const Words& words_of<GridKind>();
template <>
const Words& words_of<Method>();
template <>
const Words& words_of<MultiplierKind>();
template <>
const Words& words_of<FormulationKind>();
template <>
const Words& words_of<StartKind>();
template <>
const Words& words_of<NewtonMatrixKind>();
template <>
const Words& words_of<GroupKind>();
template <>
const Words& words_of<BeamModel>();
template <>
const Words& words_of<SectionShape>();
template <>
const Words& words_of<RestKind>();
template <>
const Words& words_of<JointKind>();
template <>
const Words& words_of<LoadFrameKind>();
template <>
const Words& words_of<Quantity>();

template <class Choice>
const std::string& word_of(Choice choice) {
  return words_of<Choice>()[static_cast<std::size_t>(choice)];
}

}  // namespace filum::scenario
