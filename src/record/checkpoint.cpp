/// Checkpoints as small HDF5 files with a checksum behind them. User document: docs/guide/results.md, "Resuming".
#include <filum/config/fingerprint.hpp>
#include <filum/record/checkpoint.hpp>
#include <filum/record/marks.hpp>

#include <cmath>
#include <limits>

namespace filum::record {
namespace {

constexpr std::string_view format = "filum checkpoint 6";
/// The last bytes of a file: "filum checkpoint 6, checksum 0123456789abcdef\n". HDF5 does not mind them.
constexpr std::string_view before_sum = ", checksum ";
constexpr std::size_t sum_digits = 16;

std::span<const double> span(const mechanics::VectorXd& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }

mechanics::VectorXd vector(const std::vector<double>& values) {
  return Eigen::Map<const mechanics::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

/// Every number that is not an array, in a fixed order; counts below 2^53 are exact.
template <class C, class F>
void for_each_number(C& c, F&& f) {
  auto& s = c.statistics;
  auto& r = c.frames;
  f(c.state.t), f(s.accepted), f(s.rejected), f(s.newton_iterations), f(s.matrices), f(s.max_newton_per_step);
  f(s.smallest_step), f(s.largest_step), f(s.grid.origin), f(s.grid.index), f(s.grid.next_step);
  f(s.switches.crossed), f(s.switches.in_a_row), f(s.switches.rest);
  f(s.watch.distance), f(s.watch.highest), f(s.watch.time), f(s.watch.wait), f(s.watch.planned);
  f(r.recorded), f(r.newton), f(r.rejected), f(r.error), f(r.next), f(r.last);
  f(r.extremes.energy_initial), f(r.extremes.energy_final), f(r.extremes.drift_max), f(r.extremes.position_max),
      f(r.extremes.velocity_max), f(r.extremes.sum);
  f(c.seconds_integration), f(c.seconds_output), f(c.seconds_cpu);
}

std::string ending(std::string_view bytes) {
  return std::string(format) + std::string(before_sum) + config::fingerprint(bytes) + "\n";
}

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& what) {
  throw FileTrouble(path.string() + ": " + what);
}

/// The file without its ending, if nothing in it was changed.
std::string_view checked(const std::filesystem::path& path, std::string_view bytes) {
  const std::size_t size = format.size() + before_sum.size() + sum_digits + 1;
  const std::string_view end = bytes.size() > size ? bytes.substr(bytes.size() - size) : std::string_view();
  if (end.empty() || !end.starts_with(format.substr(0, format.rfind(' '))))
    refuse(path, "the checkpoint is damaged, or of an older version: it does not end with a checksum");
  const std::string_view found = end.substr(0, end.find(','));
  if (found != format)
    refuse(path,
           "the file has the format '" + std::string(found) + "', this version reads '" + std::string(format) + "'");
  const std::string_view image = bytes.substr(0, bytes.size() - size);
  if (ending(image) != end) refuse(path, "the checkpoint is damaged: its checksum does not match");
  return image;
}

template <class T>
bool can_be(double value) {
  if constexpr (std::is_floating_point_v<T>) return true;
  constexpr double exact = 9007199254740992;  // 2^53
  const double most = std::min(exact, static_cast<double>(std::numeric_limits<T>::max()));
  return value >= 0 && value <= most && value == std::floor(value);
}

void check_ranges(const std::filesystem::path& path, const Checkpoint& c) {
  const auto& s = c.statistics;
  const bool is_good = c.state.q.allFinite() && c.state.v.allFinite() && std::isfinite(c.state.t) &&
                       std::isfinite(s.grid.origin) && std::isfinite(s.grid.next_step) && s.grid.next_step >= 0 &&
                       s.grid.index <= s.accepted + 1 && c.frames.recorded > 0 && c.frames.last <= c.state.t;
  if (!is_good) refuse(path, "the checkpoint is damaged: it contains impossible numbers");
}

std::vector<integrate::EventCount> event_counts(const std::filesystem::path& path, const std::vector<double>& numbers,
                                                int& stopped_by) {
  const std::size_t count = numbers.size() / 2;
  bool fits = numbers.size() % 2 == 1 && numbers[0] >= -1 && numbers[0] < static_cast<double>(count) &&
              numbers[0] == std::floor(numbers[0]);
  std::vector<integrate::EventCount> counts;
  for (std::size_t k = 0; fits && k < count; ++k) {
    fits = can_be<long>(numbers[2 * k + 1]) && std::isfinite(numbers[2 * k + 2]);
    if (fits) counts.push_back({static_cast<long>(numbers[2 * k + 1]), numbers[2 * k + 2]});
  }
  if (!fits) refuse(path, "the checkpoint is damaged: it contains impossible numbers");
  stopped_by = static_cast<int>(numbers[0]);
  return counts;
}

/// A file in memory.
Hdf5File file_with(const std::filesystem::path& path, const Checkpoint& c) {
  const auto count = static_cast<std::size_t>(c.state.q.size() + 2 * c.state.v.size() + c.state.lambda.size());
  Hdf5File file = Hdf5File::in_memory(path, sizeof(double) * (count + c.memory.size()));
  file.set_attribute("/", "format", std::string(format));
  file.set_attribute("/", "filum", c.version);
  file.set_attribute("/", "scenario", c.scenario);
  file.set_attribute("/", "method", c.method);
  file.write("q", span(c.state.q));
  file.write("v", span(c.state.v));
  file.write("a", span(c.state.a));
  file.write("lambda", span(c.state.lambda));
  file.write("memory", c.memory);
  std::vector<double> events{static_cast<double>(c.statistics.stopped_by)};
  for (const integrate::EventCount& e : c.statistics.events)
    events.insert(events.end(), {static_cast<double>(e.count), e.last});
  file.write("events", events);
  file.write("changes", c.changes);
  std::vector<double> numbers;
  for_each_number(c, [&](const auto& x) { numbers.push_back(static_cast<double>(x)); });
  file.write("numbers", numbers);
  return file;
}

}  // namespace

NewFile checkpoint_file(const std::filesystem::path& path, Checkpoint checkpoint) {
  return {path, "the checkpoint", [path, c = std::move(checkpoint)](Draft& out) {
            Hdf5File file = file_with(path, c);
            const std::string_view image = file.image();
            out.write(image);
            out.write(ending(image));
          }};
}

void save_checkpoint(const std::filesystem::path& path, Checkpoint c) {
  replace_files({checkpoint_file(path, std::move(c))}, Durability::lasting);
}

Checkpoint load_checkpoint(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) refuse(path, "there is no checkpoint");
  const std::string bytes = text_of_file(path);
  const Hdf5File file(path, checked(path, bytes));
  Checkpoint c;
  c.version = file.text_attribute("/", "filum");
  c.scenario = file.text_attribute("/", "scenario");
  c.method = file.text_attribute("/", "method");
  c.state.q = vector(file.read("q"));
  c.state.v = vector(file.read("v"));
  c.state.a = vector(file.read("a"));
  c.state.lambda = vector(file.read("lambda"));
  c.memory = file.read("memory");
  c.statistics.events = event_counts(path, file.read("events"), c.statistics.stopped_by);
  c.changes = file.read("changes");
  const std::vector<double> numbers = file.read("numbers");
  std::size_t at = 0;
  bool fits = true;
  for_each_number(c, [&](auto& x) {
    using T = std::remove_reference_t<decltype(x)>;
    if (at < numbers.size() && can_be<T>(numbers[at]))
      x = static_cast<T>(numbers[at]);
    else
      fits = false;
    ++at;
  });
  if (at != numbers.size() || !fits) refuse(path, "the checkpoint is damaged: it contains impossible numbers");
  check_ranges(path, c);
  return c;
}

}  // namespace filum::record
