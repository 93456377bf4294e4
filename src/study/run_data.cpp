/// The recorded numbers of a run. User document: docs/guide/studies.md, "Series and measures".
#include <filum/record/facts_json.hpp>
#include <filum/study/run_data.hpp>

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace filum::study {

RunData::RunData(const Run& run, const std::filesystem::path& cases)
    : file_(cases / run.hash / "result.h5", record::Hdf5File::Mode::read), times_(file_.read("time")) {
  for (const record::ObjectFacts& o : record::read_facts(file_).objects) {
    if (o.nodes == 0 && o.multiplier.empty()) continue;
    RecordedObject& object = objects_.emplace_back(RecordedObject{
        .name = o.name, .nodes = o.nodes, .is_semidirect = o.is_semidirect, .grid = {}, .multiplier = o.multiplier});
    if (o.parameters.size() == 1) object.grid = file_.read(o.parameters[0]);
    check(object);
  }
}

/// What the comparison of runs relies on.
void RunData::check(const RecordedObject& o) const {
  const auto expect = [&](const std::string& name, std::uint64_t numbers) {
    const auto shape = file_.shape(name);
    if (shape.size() != 3 || shape[0] < frames() || shape[1] != static_cast<std::uint64_t>(o.nodes) ||
        (numbers > 0 && shape[2] != numbers))
      throw record::FileTrouble(file_.path().string() + ": the series " + name + " does not fit the object");
  };
  if (o.nodes > 0) {
    expect(o.name + "/position", 3);
    expect(o.name + "/orientation", 4);
    expect(o.name + "/velocity", 0);
  }
  const bool is_ascending =
      std::adjacent_find(o.grid.begin(), o.grid.end(), [](double a, double b) { return !(a < b); }) == o.grid.end();
  if (!o.grid.empty() && (o.grid.size() != static_cast<std::size_t>(o.nodes) || !is_ascending))
    throw record::FileTrouble(file_.path().string() + ": the arc lengths of '" + o.name + "' do not ascend");
  if (!o.multiplier.empty() && (file_.shape(o.multiplier).size() < 2 || file_.shape(o.multiplier)[0] < frames()))
    throw record::FileTrouble(file_.path().string() + ": " + o.multiplier + " is not a series of multipliers");
}

const RecordedObject* RunData::find(const std::string& name, bool moves) const {
  for (const RecordedObject& o : objects_)
    if (o.name == name && (o.nodes > 0) == moves) return &o;
  return nullptr;
}

const Recorded& RunData::series(const std::string& name) const {
  const auto known = read_.find(name);
  if (known != read_.end()) return known->second;
  if (!file_.contains(name)) throw std::invalid_argument("result.h5 has no series '" + name + "'");
  Recorded r;
  const auto sizes = file_.shape(name);
  for (std::size_t i = 1; i < sizes.size(); ++i) {
    r.shape.push_back(static_cast<int>(sizes[i]));
    r.size *= static_cast<int>(sizes[i]);
  }
  r.values = file_.read(name);
  return read_.emplace(name, std::move(r)).first->second;
}

Entry parse_entry(const std::string& text) {
  const std::size_t open = text.find('[');
  if (open == std::string::npos) return {text, ""};
  if (text.back() != ']') throw std::invalid_argument("'" + text + "': expected NAME[i,j]");
  return {text.substr(0, open), text.substr(open + 1, text.size() - open - 2)};
}

namespace {

/// The numbers of one direction: "3", "-1", "2:5", ":".
std::vector<int> indices(const std::string& text, int count, const std::string& what) {
  const auto number = [&](const std::string& digits, int otherwise) {
    if (digits.empty()) return otherwise;
    int value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size())
      throw std::invalid_argument("'" + what + "': '" + digits + "' is not an index");
    return value < 0 ? value + count : value;
  };
  const std::size_t colon = text.find(':');
  const int first = number(text.substr(0, colon), 0);
  const int end = colon == std::string::npos ? first + 1 : number(text.substr(colon + 1), count);
  if (text.empty() || first < 0 || end > count || first >= end)
    throw std::invalid_argument("'" + what + "': the index '" + text + "' is not within 0 to " +
                                std::to_string(count - 1));
  std::vector<int> list;
  for (int i = first; i < end; ++i) list.push_back(i);
  return list;
}

}  // namespace

std::vector<int> places_of(const Entry& entry, const Recorded& series) {
  const std::string what = entry.series + "[" + entry.index + "]";
  std::vector<std::string> words;
  if (!entry.index.empty()) {
    words.emplace_back();
    for (const char c : entry.index) {
      if (c == ',')
        words.emplace_back();
      else if (c != ' ')
        words.back() += c;
    }
  }
  if (words.size() > series.shape.size())
    throw std::invalid_argument("'" + what + "' has more indices than the series, which has " +
                                std::to_string(series.shape.size()));
  std::vector<int> places{0};
  for (std::size_t d = 0; d < series.shape.size(); ++d) {
    const int count = series.shape[d];
    std::vector<int> further;
    for (const int p : places)
      for (const int i : indices(d < words.size() ? words[d] : ":", count, what)) further.push_back(p * count + i);
    places = std::move(further);
  }
  return places;
}

}  // namespace filum::study
