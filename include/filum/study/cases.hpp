/// The runs that a study consists of. User document: docs/guide/studies.md.
#pragma once

#include <filum/study/study.hpp>

#include <string>
#include <vector>

namespace filum::study {

/// What is varied: a column of study.csv.
struct Variable {
  std::string name;
  std::vector<std::string> labels;
  std::vector<double> numbers;               ///< values that are numbers; NaN otherwise
  bool follows = false;                      ///< advances with an earlier variable of its zip group
  int find(const std::string& label) const;  ///< −1: there is none
};

/// A run and its folder, `hash`. Cases that come to the same scenario share it.
struct Run {
  std::string hash;
  std::string scenario;                 ///< resolved, as a file; empty when it was refused
  std::string refusal;                  ///< why there is nothing to run
  std::optional<ModesTask> modes = {};  ///< what is computed, if not a motion
  double cost = 0;                      ///< steps times size: long runs begin first
};

struct Case {
  std::vector<int> choice;  ///< label of every variable
  int run = 0;
  int reference = -1;  ///< run
};

struct CaseList {
  std::vector<Variable> variables;
  std::vector<Case> cases;  ///< the last variable changes fastest
  std::vector<Run> runs;

  int variable(const std::string& name) const;  ///< −1: there is none
  bool matches(const Case& c, const Selection& selection) const;
  int partner(const Case& c, const Selection& over) const;  ///< the case that differs in these labels alone, or −1
};

/// All combinations. A combination that makes no valid scenario is a case with a reason; throws config::InputError when
/// none does.
CaseList expand(const Study& study);

/// The changes as overrides: choosing a method drops the options of the previous one.
std::vector<config::Override> overrides_of(const Settings& settings);

}  // namespace filum::study
