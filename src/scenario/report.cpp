/// The report page of result folders. User document: docs/guide/results.md, "The report page".
#include "scene.hpp"

#include <filum/scenario/read.hpp>
#include <filum/scenario/report.hpp>

namespace filum::scenario {

record::ReportRun report_run(const std::filesystem::path& folder) {
  for (const char* name : {"scenario.toml", "result.h5"})
    if (!std::filesystem::is_regular_file(folder / name))
      refuse_input(folder.string(), std::string("there are no results to report: ") + name +
                                        " is missing; expected a folder that `filum run` made");
  const Scenario s = read_scenario((folder / "scenario.toml").string());
  record::ReportRun run{.folder = folder,
                        .scene = scene_text(s),
                        .bodies = {},
                        .beams = {},
                        .joints = {},
                        .sensors = {},
                        .series = load_series(s)};
  for (const Body& x : s.bodies) run.bodies.push_back(x.name);
  for (const Beam& x : s.beams) run.beams.push_back(x.name);
  for (const Joint& x : s.joints) run.joints.push_back(x.name);
  for (const Sensor& x : s.sensors) run.sensors.push_back(x.name);
  return run;
}

void write_report(const std::filesystem::path& page, const std::filesystem::path& page_template,
                  const std::vector<std::filesystem::path>& folders) {
  std::vector<record::ReportRun> runs;
  for (const auto& folder : folders) runs.push_back(report_run(folder));
  record::write_report(page, page_template, runs);
}

}  // namespace filum::scenario
