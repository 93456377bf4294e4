/// Frames to files. User document: docs/guide/results.md.
#include <filum/record/facts_json.hpp>
#include <filum/record/recorder.hpp>
#include <filum/record/vtk.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace filum::record {
namespace {

/// Blocks of about this size are compressed and written at once.
constexpr double block_bytes = 1 << 18;
constexpr int most_frames_a_block = 256;

/// NaN counts as largest.
double largest(const Eigen::Ref<const mechanics::VectorXd>& x) {
  return x.size() > 0 ? x.cwiseAbs().maxCoeff<Eigen::PropagateNaN>() : 0;
}

void append_number(std::string& line, double value) {
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof text, value);
  line.append(text, end);
}

}  // namespace

Recorder::Recorder(const System& system, Layout layout, const RecorderOptions& options) : Recorder(system, std::move(layout), options, {}, {}) {}

Recorder::Recorder(const System& system, Layout layout, const RecorderOptions& options, const RecordedAmount& amount, const Extremes& extremes)
    : system_(system),
      layout_(std::move(layout)),
      folder_(options.folder),
      extremes_(extremes),
      rows_(system.pattern()),
      phi_(system.size_rows()),
      rate_(system.size_rows()),
      product_(system.size_rows()),
      vtk_(options.vtk),
      keeps_(options.keep) {
  open(amount.frames == 0, amount);
}

Recorder::~Recorder() {
  try {
    close();
  } catch (const std::exception&) {  // whoever wants to know calls close
  }
}

void Recorder::add_common_channels() {
  std::vector<Channel> first;
  const auto number = [&](const char* name, auto read) {
    first.push_back({name, {}, [read](const State& x, double* out) { *out = read(x); }});
  };
  number("time", [](const State& x) { return x.t; });
  number("energy/kinetic", [this](const State&) { return kinetic_; });
  number("energy/potential", [this](const State&) { return potential_; });
  number("energy/total", [this](const State&) { return kinetic_ + potential_; });
  number("constraint/position", [this](const State&) { return position_; });
  number("constraint/velocity", [this](const State&) { return velocity_; });
  number("step/size", [this](const State&) { return step_.size; });
  number("step/newton", [this](const State&) { return step_.newton; });
  number("step/rejected", [this](const State&) { return step_.rejected; });
  number("step/error", [this](const State&) { return step_.error; });
  layout_.channels.insert(layout_.channels.begin(), first.begin(), first.end());
}

void Recorder::open(bool fresh, const RecordedAmount& amount) {
  add_common_channels();
  double bytes = 0;
  for (Channel& c : layout_.channels) channels_.push_back(&c);
  for (SensorChannel& s : layout_.sensors) channels_.push_back(&s.channel);
  for (const Channel* c : channels_) bytes += 8.0 * c->size();
  chunk_ = std::clamp(static_cast<int>(block_bytes / bytes), 1, most_frames_a_block);
  make_buffers();
  frames_ = handed_over_ = amount.frames;
  if (keeps_)
    for (const Channel* c : channels_) kept_.push_back({c->shape, {}});
  if (folder_.empty()) return;
  // Making the file takes longer than many a small run: it is done meanwhile.
  background_.post([this, fresh, amount] { open_file(fresh, amount); });
  is_open_ = true;
  const auto table = folder_ / "sensors.csv";
  if (!layout_.sensors.empty()) {
    if (!fresh) std::filesystem::resize_file(table, amount.sensor_bytes);
    sensors_.open(table, fresh ? std::ios::trunc | std::ios::binary : std::ios::app | std::ios::binary);
    sensor_bytes_ = amount.sensor_bytes;
    if (!sensors_) throw FileTrouble(table.string() + ": the file cannot be written");
    if (fresh) {
      line_ = "time";
      for (const SensorChannel& s : layout_.sensors)
        for (const std::string& column : s.columns) line_ += "," + column;
      line_ += "\n";
      sensors_ << line_;
      sensor_bytes_ = line_.size();
    }
  }
  if (vtk_) prepare_vtk(folder_, frames_);
  flushed_ = std::chrono::steady_clock::now();
}

void Recorder::open_file(bool fresh, const RecordedAmount& amount) {
  const auto result = folder_ / "result.h5";
  if (!fresh) clear_open_mark(result);
  file_ = std::make_unique<Hdf5File>(result, fresh ? Hdf5File::Mode::create : Hdf5File::Mode::append);
  if (fresh) make_objects();
  for (const Channel* c : channels_) {
    const int series = fresh ? file_->make_series(c->name, c->shape, chunk_) : file_->open_series(c->name);
    if (!fresh && file_->frames(series) < amount.frames)
      throw FileTrouble(result.string() + ": the file has fewer frames than the checkpoint, which says " +
                        std::to_string(amount.frames));
    if (!fresh) file_->set_frames(series, amount.frames);
    if (fresh)
      for (const auto& [name, value] : c->attributes) file_->set_attribute(c->name, name, value);
    series_.push_back(series);
  }
  file_->start_streaming();
}

void Recorder::make_buffers() {
  buffers_.clear();
  for (const Channel* c : channels_)
    buffers_.emplace_back(static_cast<std::size_t>(c->size()) * static_cast<std::size_t>(chunk_));
}

void Recorder::make_objects() {
  for (const auto& [name, value] : layout_.attributes) file_->set_attribute("/", name, value);
  file_->set_attribute("/", "facts", facts_text(layout_.facts));
  for (const auto& [group, attributes] : layout_.groups) {
    file_->make_group(group);
    for (const auto& [name, value] : attributes) file_->set_attribute(group, name, value);
  }
  for (const model::FixedArray& a : layout_.arrays) file_->write(a.name, a.values);
}

void Recorder::measure(const State& x, const StepInfo& step) {
  step_ = step;
  kinetic_ = system_.kinetic_energy(x.q, x.v);
  potential_ = system_.potential_energy(x.t, x.q);
  if (system_.size_rows() > 0) {
    phi_.setZero();
    system_.constraint(x.t, x.q, phi_);
    layout_.selected.clear_inactive(phi_);
    position_ = largest(phi_.head(system_.size_lambda()));
    system_.constraint_rows(x.t, x.q, rows_);
    rows_.times(x.v, product_, system_.row_blocks());
    system_.constraint_rate(x.t, x.q, rate_);
    product_ += rate_;
    layout_.selected.clear_inactive(product_);
    velocity_ = largest(product_);
  }
  const double total = kinetic_ + potential_;
  if (frames_ == 0) extremes_.energy_initial = total;
  extremes_.energy_final = total;
  extremes_.drift_max = std::max(extremes_.drift_max, std::abs(total - extremes_.energy_initial));
  extremes_.position_max = std::max(extremes_.position_max, position_);
  extremes_.velocity_max = std::max(extremes_.velocity_max, velocity_);
}

void Recorder::record(const State& x, const StepInfo& step) {
  measure(x, step);
  for (std::size_t i = 0; i < channels_.size(); ++i)
    channels_[i]->read(x, buffers_[i].data() + buffered_ * static_cast<std::uint64_t>(channels_[i]->size()));
  if (keeps_) keep_frame();
  if (folder_.empty()) {
    ++frames_;
    return;
  }
  if (!layout_.sensors.empty()) write_sensors(x);
  if (vtk_) write_vtk_frame(folder_, frames_, x, layout_);
  ++frames_;
  ++buffered_;
  constexpr std::chrono::seconds patience(1);
  if (frames_ % static_cast<std::uint64_t>(chunk_) == 0 || std::chrono::steady_clock::now() - flushed_ > patience)
    hand_over();
}

void Recorder::keep_frame() {
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    const auto size = static_cast<std::ptrdiff_t>(channels_[i]->size()), at = static_cast<std::ptrdiff_t>(buffered_) * size;
    kept_[i].values.insert(kept_[i].values.end(), buffers_[i].begin() + at, buffers_[i].begin() + at + size);
  }
}

std::map<std::string, Series, std::less<>> Recorder::take_series() {
  std::map<std::string, Series, std::less<>> all;
  for (std::size_t i = 0; i < kept_.size(); ++i) all.emplace(channels_[i]->name, std::move(kept_[i]));
  kept_.clear();
  return all;
}

void Recorder::write_sensors(const State& x) {
  line_.clear();
  append_number(line_, x.t);
  for (SensorChannel& s : layout_.sensors) {
    values_.resize(static_cast<std::size_t>(s.channel.size()));
    s.channel.read(x, values_.data());
    for (const double value : values_) {
      line_ += ',';
      append_number(line_, value);
    }
  }
  line_ += '\n';
  sensors_ << line_;
  sensor_bytes_ += line_.size();
}

/// A block that was written half full is completed in place later, since blocks end at multiples of their length.
void Recorder::hand_over() {
  if (sensors_.is_open() && !sensors_.flush())
    throw FileTrouble((folder_ / "sensors.csv").string() + ": the file cannot be written; is the disk full?");
  std::uint64_t frame_bytes = 0;
  for (const Channel* c : channels_) frame_bytes += 8 * static_cast<std::uint64_t>(c->size());
  constexpr std::uint64_t most_bytes_waiting = 64 << 20;
  const std::uint64_t block = frame_bytes * static_cast<std::uint64_t>(chunk_);
  is_open_ = false;  // stays so when a task has failed: nothing more is written then
  background_.post(
      [this, first = handed_over_, count = buffered_, bytes = frame_bytes * buffered_, values = std::move(buffers_)] {
        file_->reserve(bytes);
        for (std::size_t i = 0; i < channels_.size() && count > 0; ++i)
          file_->write_frames(series_[i], first, count, values[i].data());
        file_->flush();
        if (vtk_) write_vtk_index(folder_);
      },
      1 + most_bytes_waiting / block);
  is_open_ = true;
  make_buffers();
  handed_over_ += buffered_;
  buffered_ = 0;
  flushed_ = std::chrono::steady_clock::now();
}

void Recorder::flush() {
  if (folder_.empty()) return;
  hand_over();
  background_.wait();
}

void Recorder::close() {
  if (!is_open_) return;
  flush();
  is_open_ = false;
  const auto file = std::move(file_);
  file->close();
}

}  // namespace filum::record
