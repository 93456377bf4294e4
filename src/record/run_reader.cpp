/// A result file, checked against its facts. User document: docs/guide/results.md, "Facts".
#include "json_reader.hpp"
#include "report_run.hpp"

#include <algorithm>
#include <cmath>

namespace filum::record {
namespace {

Hdf5File open(const std::filesystem::path& folder) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(folder / "result.h5", error))
    throw FileTrouble(
        folder.string() +
        ": there are no results to report: result.h5 is missing; expected a folder written by `filum run`");
  return {folder / "result.h5", Hdf5File::Mode::read};
}

constexpr const char* drift = "energy/drift";  // made here

}  // namespace

RunReader::RunReader(const std::filesystem::path& folder)
    : folder_(folder), file_(open(folder)), facts_(read_facts(file_)), time_(file_.read(facts_.axis.series)) {
  if (file_.shape(facts_.axis.series).size() != 1) refuse("the dataset " + facts_.axis.series + " is not a list");
  if (file_.has_attribute("/", "modes")) {
    modes_ = shallow_json(file_.text_attribute("/", "modes"));
    if (!modes_.is_array()) refuse("the attribute modes is not a list");
  }
  for (const std::string& name : common_series())
    if (name != drift) check_series(name, {});
  for (const PlotFacts& plot : facts_.plots) take_frames_of(plot.series);
  for (const ObjectFacts& object : facts_.objects) check_object(object);
  if (time_.empty()) refuse("the file has no frames yet");
}

void RunReader::check_object(const ObjectFacts& object) {
  const std::size_t nodes = static_cast<std::size_t>(object.nodes);
  if (nodes > 0) {
    check_series(object.name + "/position", {nodes, 3});
    check_series(object.name + "/orientation", {nodes, 4});
    take_frames_of(object.name + "/velocity");
    const auto velocity = file_.shape(object.name + "/velocity");
    if (velocity.size() != 3 || velocity[1] != nodes)
      refuse("the dataset " + object.name + "/velocity does not have one entry per node of the object");
  }
  if (nodes > 0 && modes_.is_array())
    for (const char* what : {"/position", "/rotation"}) {
      const std::string name = "modes/" + object.name + what;
      if (file_.shape(name) != std::vector<std::uint64_t>{modes_.size(), nodes, 3})
        refuse("the dataset " + name + " has another shape than the facts say");
    }
  for (const std::string& name : object.parameters) {
    const std::vector<double> values = array(name);
    if (values.size() != nodes || !std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); }))
      refuse("the dataset " + name + " does not have a number for each node");
  }
  for (const Field& field : object.fields) {
    take_frames_of(field.source);
    const std::size_t size = size_of(field.source);
    if (size == 0 || size % static_cast<std::size_t>(field.size) != 0)
      refuse("the dataset " + field.source + " does not have " + std::to_string(field.size) +
             " numbers for each place");
  }
  for (const Drawing& d : object.drawings)
    if (const auto* arrows = std::get_if<drawing::Arrows>(&d)) {
      take_frames_of(arrows->series);
      if (size_of(arrows->series) != 3 * arrows->at.size())
        refuse("the dataset " + arrows->series + " does not have three numbers for each place");
    }
}

void RunReader::check_series(const std::string& name, const std::vector<std::size_t>& shape) {
  take_frames_of(name);
  const auto found = file_.shape(name);
  if (found.size() != shape.size() + 1 || !std::equal(shape.begin(), shape.end(), found.begin() + 1))
    refuse("the dataset " + name + " has another shape than the facts say");
}

/// A run that was killed may leave a series one block shorter than the others.
void RunReader::take_frames_of(const std::string& name) {
  const auto shape = file_.shape(name);
  if (shape.empty()) refuse("the dataset " + name + " is not a series");
  if (shape[0] < time_.size()) time_.resize(shape[0]);
}

void RunReader::refuse(const std::string& what) const { throw FileTrouble(file_.path().string() + ": " + what); }

std::size_t RunReader::size_of(const std::string& name) const {
  if (name == drift) return 1;
  std::size_t size = 1;
  const auto shape = file_.shape(name);
  for (std::size_t k = 1; k < shape.size(); ++k) size *= shape[k];
  return size;
}

ReadSeries RunReader::series(const std::string& name) const {
  if (name == drift) {
    ReadSeries total = series("energy/total");
    const double first = total.values.front();
    for (double& x : total.values) x -= first;
    return total;
  }
  ReadSeries out{size_of(name), file_.read(name)};
  out.values.resize(frames() * out.size, std::nan(""));
  return out;
}

std::vector<std::string> RunReader::common_series() const {
  std::vector<std::string> names{"energy/kinetic",      "energy/potential",    "energy/total", drift,
                                 "constraint/position", "constraint/velocity", "step/size",    "step/newton",
                                 "step/rejected"};
  if (file_.contains("step/error")) names.emplace_back("step/error");
  return names;
}

std::vector<std::string> RunReader::plotted() const {
  std::vector<std::string> names = common_series();
  for (const PlotFacts& plot : facts_.plots)
    if (std::find(names.begin(), names.end(), plot.series) == names.end()) names.push_back(plot.series);
  return names;
}

}  // namespace filum::record
