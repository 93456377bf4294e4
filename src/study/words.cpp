/// The words of study files for every choice. User document: docs/guide/studies.md.
#include "words.hpp"

namespace filum::config {

template <>
const Words& words_of<study::ModesTask::At>() {
  static const Words words{"start", "static"};
  return words;
}
template <>
const Words& words_of<study::Norm>() {
  static const Words words{"max-l2",    "max-l2-relative", "max-l2-relative-own", "final-l2", "mean-l2",
                           "final-max", "max-max"};
  return words;
}
template <>
const Words& words_of<study::Take>() {
  static const Words words{"last", "first", "max", "min", "max-abs", "mean", "rms", "range", "slope", "variation"};
  return words;
}
template <>
const Words& words_of<study::PlotKind>() {
  static const Words words{"cases", "series", "shapes"};
  return words;
}
template <>
const Words& words_of<study::AxisKind>() {
  static const Words words{"auto", "linear", "log"};
  return words;
}
template <>
const Words& words_of<study::Check::Of>() {
  static const Words words{"all", "median", "any"};
  return words;
}

}  // namespace filum::config
