/// `filum modes`. User document: docs/guide/modes.md.
#pragma once

#include <filum/analysis/modes.hpp>

#include <string>
#include <vector>

namespace filum::app {

struct ModesArguments {
  std::string scenario, folder;
  std::vector<std::string> overrides;
  analysis::ModesOptions modes;
  std::string at = "start";
  std::vector<std::string> responses;  ///< "LOAD:SENSOR"
  std::string omegas;                  ///< "FROM:TO" or "FROM:TO:COUNT"
  bool matrices = false;
  int threads = 0;
  bool quiet = false, force = false, report = true;
};

/// Returns the exit code.
int find_modes(ModesArguments arguments);

}  // namespace filum::app
