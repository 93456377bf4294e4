/// Frames to files. User document: docs/guide/results.md.
#include "frame_sum.hpp"
#include "hdf5_replace.hpp"
#include "patience.hpp"
#include "sensor_table.hpp"

#include <filum/config/problem.hpp>
#include <filum/record/facts_json.hpp>
#include <filum/record/recorder.hpp>
#include <filum/record/replace_file.hpp>
#include <filum/record/vtk.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace filum::record {
namespace {

/// Blocks of about this size are compressed and written at once.
constexpr double block_bytes = 1 << 18, enough_bytes = 1 << 24;
constexpr int most_frames_a_block = 256;
/// HDF5 needs a time that grows with the square of what has changed since it wrote last: 1.6 s for 12 000 series at
/// once, 0.7 s in parts of this size, and no less in smaller ones.
constexpr std::size_t series_at_once = 1000;

/// NaN counts as largest.
double largest(const Eigen::Ref<const mechanics::VectorXd>& x) {
  return x.size() > 0 ? x.cwiseAbs().maxCoeff<Eigen::PropagateNaN>() : 0;
}

}  // namespace

Recorder::Recorder(const System& system, Layout layout, const RecorderOptions& options)
    : Recorder(system, std::move(layout), options, 0, {}) {}

Recorder::Recorder(const System& system, Layout layout, const RecorderOptions& options, std::uint64_t frames,
                   const Extremes& extremes)
    : system_(system),
      layout_(std::move(layout)),
      folder_(options.folder),
      patience_(std::make_unique<Patience>(options.interrupt, options.patience)),
      extremes_(extremes),
      rows_(system.pattern()),
      phi_(system.size_rows()),
      rate_(system.size_rows()),
      product_(system.size_rows()),
      keeps_(options.keep),
      durability_(options.durability),
      background_(options.meanwhile) {
  if (options.vtk && !folder_.empty()) vtk_index_ = std::make_unique<VtkIndex>(folder_);
  open(frames);
}

Recorder::~Recorder() {
  try {
    close();
  } catch (const std::exception&) {  // errors are reported by close()
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

void Recorder::open(std::uint64_t frames) {
  add_common_channels();
  double bytes = 0;
  for (Channel& c : layout_.channels) channels_.push_back(&c);
  for (SensorChannel& s : layout_.sensors) channels_.push_back(&s.channel);
  for (const Channel* c : channels_) bytes += 8.0 * c->size();
  // Small blocks cost more than they hold: 4 KiB for a series at least, 16 KiB if memory is no question.
  const double least = 4096.0 * static_cast<double>(channels_.size());
  const double room = std::max({block_bytes, least, std::min(4 * least, enough_bytes)});
  chunk_ = std::clamp(static_cast<int>(room / bytes), 1, most_frames_a_block);
  make_buffers();
  frames_ = handed_over_ = frames;
  if (keeps_)
    for (const Channel* c : channels_) kept_.push_back({c->shape, {}});
  if (folder_.empty()) return;
  is_open_ = true;
  if (frames > 0) continue_file();
  has_file_ = frames > 0;
  if (frames == 0 && durability_ == Durability::lasting) background_.post([this] { sync_scenario(); });
  flushed_ = std::chrono::steady_clock::now();
}

void Recorder::create_file() {
  make_file(folder_ / "result.h5",
            [this](Hdf5File& file) { fill_file(file, false); });  // on the disk with a checkpoint
  open_file();
  if (!layout_.sensors.empty()) table_ = std::make_unique<SensorTable>(folder_, layout_.sensors);
}

/// Results of a short run, which nobody can read before it has ended: a file that is opened once takes half the time.
void Recorder::create_whole_file() {
  const std::filesystem::path result = folder_ / "result.h5";
  make_file(result, [this](Hdf5File& file) {
    fill_file(file, true);
    for (std::size_t i = 0; i < channels_.size() && buffered_ > 0; ++i)
      file.write_frames(static_cast<int>(i), 0, buffered_, buffers_[i].data());
  });
  if (!layout_.sensors.empty()) {
    table_ = std::make_unique<SensorTable>(folder_, layout_.sensors);
    table_->append(table_rows_);
  }
  if (vtk_index_) vtk_index_->add(0, std::span(buffers_[0]).first(buffered_));
  handed_over_ = frames_;
  if (durability_ == Durability::lasting) sync_file(result, "the result file");
}

/// No checkpoint is to outlive it.
void Recorder::sync_scenario() const { sync_file(folder_ / "scenario.toml", "the scenario"); }

void Recorder::continue_file() {
  const auto result = folder_ / "result.h5";
  try {
    check_file(Hdf5File(result, Hdf5File::Mode::read));
  } catch (const FileTrouble& trouble) {
    config::refuse_input("", std::string(trouble.what()) + "; start the run again");
  }
  {
    const Hdf5File file(result, Hdf5File::Mode::read);
    if (!layout_.sensors.empty()) table_ = std::make_unique<SensorTable>(folder_, layout_.sensors, file, frames_);
    if (vtk_index_) vtk_index_->restore(file.read("time"), frames_);
  }
  open_file();
}

void Recorder::open_file() {
  file_ = std::make_unique<Hdf5File>(folder_ / "result.h5", Hdf5File::Mode::stream);
  for (const Channel* c : channels_) {
    patience_->check();
    series_.push_back(file_->open_series(c->name));
  }
}

/// Whether the file is of this run, has every frame up to now, and can be read.
void Recorder::check_file(const Hdf5File& file) const {
  const auto refuse = [&](const std::string& what) { throw FileTrouble(file.path().string() + ": " + what); };
  for (const auto& [name, value] : layout_.attributes)
    if (!file.has_attribute("/", name) || file.text_attribute("/", name) != value)
      refuse("the file belongs to another run (" + name + ")");
  for (const Channel* c : channels_) {
    const auto shape = file.shape(c->name);
    if (shape.size() != c->shape.size() + 1 || !std::equal(c->shape.begin(), c->shape.end(), shape.begin() + 1))
      refuse("the dataset " + c->name + " does not fit the model");
    if (shape[0] < frames_)
      refuse("the file has fewer frames than the checkpoint, which says " + std::to_string(frames_));
  }
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    const auto size = static_cast<std::size_t>(channels_[i]->size());
    file.verify(channels_[i]->name, [&](std::uint64_t frame, std::span<const double> values) {
      for (; !values.empty() && frame < frames_; ++frame, values = values.subspan(size))
        sum += mixed(i, frame, values.first(size));
    });
  }
  if (kept_bits(sum) != extremes_.sum) refuse("its frames are not those of this run");
}

void Recorder::make_buffers() {
  buffers_.clear();
  if (const std::lock_guard lock(guard_); !written_.empty()) {
    buffers_ = std::move(written_.back());
    written_.pop_back();
    return;
  }
  for (const Channel* c : channels_)
    buffers_.emplace_back(static_cast<std::size_t>(c->size()) * static_cast<std::size_t>(chunk_));
}

void Recorder::fill_file(Hdf5File& file, bool opens_series) const {
  for (const auto& [name, value] : layout_.attributes) file.set_attribute("/", name, value);
  file.set_attribute("/", "facts", facts_text(layout_.facts));
  if (!layout_.sensors.empty()) file.set_attribute("/", "sensors.csv", table_head(layout_.sensors));
  for (const auto& [group, attributes] : layout_.groups) {
    patience_->check();
    file.make_group(group);
    for (const auto& [name, value] : attributes) file.set_attribute(group, name, value);
  }
  for (const model::FixedArray& a : layout_.arrays) file.write(a.name, a.values);
  for (const Channel* c : channels_) {
    patience_->check();
    if (opens_series)
      file.make_series(c->name, c->shape, chunk_);
    else
      file.declare_series(c->name, c->shape, chunk_);
    for (const auto& [name, value] : c->attributes) file.set_attribute(c->name, name, value);
  }
}

void Recorder::measure(const State& x, const StepInfo& step) {
  step_ = step;
  kinetic_ = system_.kinetic_energy(x.q, x.v);
  potential_ = system_.potential_energy(x.t, x.q);
  if (step.load_factor != 1) potential_ += (step.load_factor - 1) * system_.load_energy(x.t, x.q);
  if (system_.size_rows() > 0) {
    phi_.setZero();
    system_.constraint(x.t, x.q, phi_);
    layout_.selected.clear_inactive(phi_);
    position_ = largest(phi_.head(system_.size_lambda()));
    system_.constraint_jacobian(x.t, x.q, rows_);
    rows_.times(x.v, product_, system_.row_blocks());
    system_.constraint_rate(x.t, x.q, rate_);
    product_ += rate_;
    layout_.selected.clear_inactive(product_);
    velocity_ = step.at_rest ? 0 : largest(product_);
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
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    const auto size = static_cast<std::size_t>(channels_[i]->size());
    double* const out = buffers_[i].data() + buffered_ * size;
    channels_[i]->read(x, out);
    extremes_.sum = kept_bits(extremes_.sum + mixed(i, frames_, {out, size}));
  }
  if (keeps_) keep_frame();
  if (folder_.empty()) {
    ++frames_;
    return;
  }
  if (!layout_.sensors.empty()) {
    values_.clear();
    for (std::size_t i = channels_.size() - layout_.sensors.size(); i < channels_.size(); ++i) {
      const auto size = static_cast<std::ptrdiff_t>(channels_[i]->size());
      const auto from = buffers_[i].begin() + static_cast<std::ptrdiff_t>(buffered_) * size;
      values_.insert(values_.end(), from, from + size);
    }
    add_row(table_rows_, x.t, values_);
  }
  if (vtk_index_) write_vtk_frame(folder_, frames_, x, layout_);
  ++frames_;
  ++buffered_;
  // Blocks that are not full cost as much as full ones: less than a tenth of a millisecond for every series.
  const std::chrono::duration<double> patience(1 + 1e-3 * static_cast<double>(channels_.size()));
  if (frames_ % static_cast<std::uint64_t>(chunk_) == 0 || std::chrono::steady_clock::now() - flushed_ > patience)
    hand_over();
}

void Recorder::keep_frame() {
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    const auto size = static_cast<std::ptrdiff_t>(channels_[i]->size()),
               at = static_cast<std::ptrdiff_t>(buffered_) * size;
    kept_[i].values.insert(kept_[i].values.end(), buffers_[i].begin() + at, buffers_[i].begin() + at + size);
  }
}

std::map<std::string, Series, std::less<>> Recorder::take_series() {
  std::map<std::string, Series, std::less<>> all;
  for (std::size_t i = 0; i < kept_.size(); ++i) all.emplace(channels_[i]->name, std::move(kept_[i]));
  kept_.clear();
  return all;
}

/// Blocks end at multiples of their length. One that is not full yet is written again later, from its beginning.
void Recorder::hand_over() {
  if (handed_over_ == frames_) return;
  if (!std::exchange(has_file_, true)) background_.post([this] { create_file(); });
  const bool is_full = frames_ % static_cast<std::uint64_t>(chunk_) == 0;
  std::uint64_t frame_bytes = 0;
  for (const Channel* c : channels_) frame_bytes += 8 * static_cast<std::uint64_t>(c->size());
  constexpr std::uint64_t most_bytes_waiting = 32 << 20;
  const std::uint64_t block = frame_bytes * static_cast<std::uint64_t>(chunk_);
  background_.post(
      [this, is_full, first = frames_ - buffered_, known = handed_over_, count = buffered_,
       values = is_full ? std::move(buffers_) : buffers_, rows = std::move(table_rows_)]() mutable {
        write_block(first, count, values);
        if (table_) table_->append(rows);
        if (vtk_index_) vtk_index_->add(known, std::span(values[0]).first(count).subspan(known - first));
        if (!is_full) return;
        const std::lock_guard lock(guard_);
        written_.push_back(std::move(values));
      },
      1 + most_bytes_waiting / block);
  if (is_full) {
    make_buffers();
    buffered_ = 0;
  }
  table_rows_.clear();
  handed_over_ = frames_;
  flushed_ = std::chrono::steady_clock::now();
}

/// The times come last: a reader that starts with them finds that many frames in every other series.
void Recorder::write_block(std::uint64_t first, std::uint64_t count, const std::vector<std::vector<double>>& values) {
  std::uint64_t bytes = 0;
  for (const Channel* c : channels_) bytes += 8 * count * static_cast<std::uint64_t>(c->size());
  file_->reserve(bytes);
  for (std::size_t i = 1; i < channels_.size(); ++i) {
    patience_->check();
    file_->write_frames(series_[i], first, count, values[i].data());
    if (i % series_at_once == 0) file_->flush();
  }
  file_->flush();
  file_->write_frames(series_[0], first, count, values[0].data());
  file_->flush();
}

void Recorder::flush() {
  hand_over();
  background_.wait();
}

void Recorder::sync() {
  if (folder_.empty()) return;
  flush();
  if (durability_ == Durability::quick) sync_scenario();
  file_->sync();
  if (table_) table_->sync();
}

void Recorder::close() {
  if (!is_open_) return;
  is_open_ = false;
  if (!has_file_) {
    background_.wait();
    create_whole_file();
  } else {
    flush();
  }
  if (table_ && durability_ == Durability::lasting) table_->sync();
  if (!file_) return;
  const bool has_more = file_->frames(series_[0]) > frames_;
  file_->close(durability_);
  file_.reset();
  if (!has_more) return;
  // A run that was continued from an earlier state has ended with fewer frames.
  change_file(folder_ / "result.h5", [this](Hdf5File& file) {
    for (const Channel* c : channels_) file.set_frames(file.open_series(c->name), frames_);
  });
}

}  // namespace filum::record
