/// File names of charts. User document: docs/guide/studies.md, "Plots".
#include <filum/study/chart_names.hpp>

#include <cctype>
#include <set>

namespace filum::study {
namespace {

/// A label as a part of a file name.
std::string file_name(const std::string& label) {
  constexpr std::size_t longest = 80;
  std::string name = label.substr(0, longest);
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.') c = '-';
  return name;
}

}  // namespace

ChartNames::ChartNames(const Study& study, const CaseList& list) : study_(study), list_(list) {
  std::set<std::string> taken;
  for (const Plot& plot : study.plots)  // names that are given come before those that are made
    if (plot.panel.empty()) taken.insert(plot.name);
  for (const Plot& plot : study.plots) {
    std::vector<std::string>& names = names_.emplace_back();
    if (plot.panel.empty()) {
      names.push_back(plot.name);
      continue;
    }
    for (const std::string& label : list.variables[static_cast<std::size_t>(list.variable(plot.panel))].labels) {
      const std::string name = plot.name + "-" + file_name(label);
      std::string unlike = name;
      for (int n = 2; !taken.insert(unlike).second; ++n) unlike = name + "-" + std::to_string(n);
      names.push_back(unlike);
    }
  }
}

const std::string& ChartNames::of(std::size_t plot, const Case& c) const {
  const std::string& panel = study_.plots[plot].panel;
  if (panel.empty()) return names_[plot].front();
  const auto v = static_cast<std::size_t>(list_.variable(panel));
  return names_[plot][static_cast<std::size_t>(c.choice[v])];
}

}  // namespace filum::study
