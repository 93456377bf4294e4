/// Progress of a run: a bar on a terminal, a line every few seconds elsewhere. User document:
/// docs/guide/first-run.md.
#pragma once

#include <filum/record/simulate.hpp>

namespace filum::app {

class ProgressDisplay {
 public:
  explicit ProgressDisplay(bool quiet);
  ~ProgressDisplay() { clear(); }
  void operator()(const record::Progress& progress);
  /// Removes the bar.
  void clear();

 private:
  bool quiet_, on_terminal_;
  bool shown_ = false;
  double next_line_ = 5;  ///< seconds
};

}  // namespace filum::app
