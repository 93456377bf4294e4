/// The words of scenario files for every choice, in the order of the enumerators. User document:
/// docs/guide/scenarios.md.
#include <filum/scenario/words.hpp>

namespace filum::scenario {

template <>
const Words& words_of<GridKind>() {
  static const Words words{"fixed", "random"};
  return words;
}
template <>
const Words& words_of<Method>() {
  static const Words words{"rattlie", "shakelie", "generalized-alpha", "bliedf", "half-explicit-rk", "munthe-kaas-rk"};
  return words;
}
template <>
const Words& words_of<MultiplierKind>() {
  static const Words words{"index-1", "interpolated", "plus", "minus"};
  return words;
}
template <>
const Words& words_of<FormulationKind>() {
  static const Words words{"stabilized-index-2", "index-3"};
  return words;
}
template <>
const Words& words_of<StartKind>() {
  static const Words words{"perturbed", "perturbed-acceleration", "classical"};
  return words;
}
template <>
const Words& words_of<NewtonMatrixKind>() {
  static const Words words{"automatic", "exact", "simplified"};
  return words;
}
template <>
const Words& words_of<GroupKind>() {
  static const Words words{"auto", "SO3", "S3", "SO3xR3", "S3xR3", "SE3", "S3sdR3", "UDQ"};
  return words;
}
template <>
const Words& words_of<BeamModel>() {
  static const Words words{"cosserat", "kirchhoff", "inextensible"};
  return words;
}
template <>
const Words& words_of<SectionShape>() {
  static const Words words{"circle", "rectangle", "ring"};
  return words;
}
template <>
const Words& words_of<RestKind>() {
  static const Words words{"initial", "straight"};
  return words;
}
template <>
const Words& words_of<JointKind>() {
  static const Words words{"fixed",  "spherical", "revolute", "prismatic",    "cylindrical",
                           "planar", "universal", "distance", "rolling-disk", "drive"};
  return words;
}
template <>
const Words& words_of<LoadFrameKind>() {
  static const Words words{"space", "body"};
  return words;
}
template <>
const Words& words_of<Quantity>() {
  static const Words words{"position", "orientation", "velocity", "angular_velocity", "force",  "moment", "strain",
                           "energy",   "multiplier",  "angle",    "displacement",     "length", "tension"};
  return words;
}

}  // namespace filum::scenario
