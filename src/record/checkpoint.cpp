/// Checkpoints as small HDF5 files. User document: docs/guide/results.md, "Resuming".
#include <filum/record/checkpoint.hpp>

#include <bit>

namespace filum::record {
namespace {

constexpr const char* format = "filum checkpoint 3";

std::span<const double> span(const mechanics::VectorXd& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }

mechanics::VectorXd vector(const std::vector<double>& values) {
  return Eigen::Map<const mechanics::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

/// Every number that is not an array, in a fixed order; counts below 2^53 are exact.
template <class C, class F>
void for_each_number(C& c, F&& f) {
  auto& s = c.statistics;
  f(c.state.t), f(s.accepted), f(s.rejected), f(s.newton_iterations), f(s.matrices), f(s.max_newton_per_step);
  f(s.smallest_step), f(s.largest_step), f(s.grid.origin), f(s.grid.index), f(s.grid.next_step);
  f(s.watch.distance), f(s.watch.highest), f(s.watch.time), f(s.watch.wait), f(s.watch.planned);
  f(c.amount.frames), f(c.amount.sensor_bytes);
  f(c.extremes.energy_initial), f(c.extremes.energy_final), f(c.extremes.drift_max), f(c.extremes.position_max),
      f(c.extremes.velocity_max);
  f(c.newton_at_frame), f(c.rejected_at_frame), f(c.error_since_frame), f(c.next_frame), f(c.seconds_integration),
      f(c.seconds_output), f(c.seconds_cpu);
}

}  // namespace

void save_checkpoint(const std::filesystem::path& path, const Checkpoint& c) {
  const std::filesystem::path draft = path.string() + ".new";
  {
    Hdf5File file(draft, Hdf5File::Mode::create);
    file.set_attribute("/", "format", format);
    file.set_attribute("/", "filum", c.version);
    file.set_attribute("/", "scenario", c.scenario);
    file.set_attribute("/", "method", c.method);
    file.write("q", span(c.state.q));
    file.write("v", span(c.state.v));
    file.write("a", span(c.state.a));
    file.write("lambda", span(c.state.lambda));
    file.write("memory", c.memory);
    std::vector<double> numbers;
    for_each_number(c, [&](const auto& x) { numbers.push_back(static_cast<double>(x)); });
    file.write("numbers", numbers);
    file.close();
  }
  std::error_code error;
  std::filesystem::rename(draft, path, error);
  if (error) throw FileTrouble(path.string() + ": the checkpoint cannot be replaced (" + error.message() + ")");
}

Checkpoint load_checkpoint(const std::filesystem::path& path) {
  if (!std::filesystem::is_regular_file(path)) throw FileTrouble(path.string() + ": there is no checkpoint");
  const Hdf5File file(path, Hdf5File::Mode::read);
  if (const std::string found = file.text_attribute("/", "format"); found != format)
    throw FileTrouble(path.string() + ": the file has the format '" + found + "', this version reads '" + format + "'");
  Checkpoint c;
  c.version = file.text_attribute("/", "filum");
  c.scenario = file.text_attribute("/", "scenario");
  c.method = file.text_attribute("/", "method");
  c.state.q = vector(file.read("q"));
  c.state.v = vector(file.read("v"));
  c.state.a = vector(file.read("a"));
  c.state.lambda = vector(file.read("lambda"));
  c.memory = file.read("memory");
  const std::vector<double> numbers = file.read("numbers");
  std::size_t at = 0;
  for_each_number(c, [&](auto& x) {
    x = static_cast<std::remove_reference_t<decltype(x)>>(at < numbers.size() ? numbers[at] : 0), ++at;
  });
  if (at != numbers.size()) throw FileTrouble(path.string() + ": the checkpoint is not complete");
  return c;
}

}  // namespace filum::record
