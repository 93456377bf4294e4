/// Writes frames of a run into result.h5 and sensors.csv, and keeps the extremes for the summary.
/// User document: docs/guide/results.md.
#pragma once

#include <filum/mechanics/system.hpp>
#include <filum/model/layout.hpp>
#include <filum/record/background.hpp>
#include <filum/record/hdf5_file.hpp>
#include <filum/record/series.hpp>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

namespace filum::record {

using mechanics::State;
using mechanics::System;
using model::Channel;
using model::Layout;
using model::SensorChannel;

/// Statistics of the steps since the previous frame.
struct StepInfo {
  double size = 0;  ///< of the last step
  double newton = 0, rejected = 0;
  double error = 0;        ///< largest estimate of an accepted step; 0: the method has none
  double load_factor = 1;  ///< of statics: times the loads
  bool at_rest = false;    ///< statics: velocities are 0, whatever drives say
};

/// What the summary says about all frames so far, and by what they are known again. Part of every checkpoint.
struct Extremes {
  double energy_initial = 0, energy_final = 0, drift_max = 0;
  double position_max = 0, velocity_max = 0;
  std::uint64_t sum = 0;  ///< over all numbers of all frames
};

class Patience;
class SensorTable;
class VtkIndex;

struct RecorderOptions {
  std::filesystem::path folder;  ///< empty: no files
  bool vtk = false;
  bool keep = false;                             ///< series in memory
  Durability durability = Durability::lasting;   ///< of complete files; `sync` waits in any case
  const std::atomic<bool>* interrupt = nullptr;  ///< writing is given up soon after it is set: throws WritingStopped
  double patience = 0.4;  ///< seconds of the processor until then: with the rest of the run less than one
  std::function<void()> meanwhile = {};  ///< called a few times a second while a run waits for its files
};

class Recorder {
 public:
  /// Begins new files in the folder.
  Recorder(const System& system, Layout layout, const RecorderOptions& options);
  /// Continues after this many frames. Files that do not have them, or are of another run, are refused: throws
  /// config::InputError. Later frames are overwritten, and sensors.csv is rebuilt from result.h5.
  Recorder(const System& system, Layout layout, const RecorderOptions& options, std::uint64_t frames,
           const Extremes& extremes);
  ~Recorder();

  /// One frame. Blocks of frames go to disk in the background, when they are full or a second has passed.
  void record(const State& x, const StepInfo& step);
  /// Everything recorded so far is on the disk afterwards, whatever happens to the machine.
  void sync();
  /// Completes the files. Throws FileTrouble, as all of these do when results cannot be written.
  void close();

  /// The series that were kept in memory, since this recorder was made.
  std::map<std::string, Series, std::less<>> take_series();

  const Layout& layout() const { return layout_; }
  std::uint64_t frames() const { return frames_; }
  const Extremes& extremes() const { return extremes_; }

 private:
  void add_common_channels();
  void open(std::uint64_t frames);
  void create_file();
  void create_whole_file();
  void sync_scenario() const;
  void continue_file();
  void open_file();
  void check_file(const Hdf5File& file) const;
  void hand_over();
  void flush();
  void write_block(std::uint64_t first, std::uint64_t count, const std::vector<std::vector<double>>& values);
  void fill_file(Hdf5File& file, bool opens_series) const;
  void make_buffers();
  void keep_frame();
  void measure(const State& x, const StepInfo& step);

  const System& system_;
  Layout layout_;
  std::filesystem::path folder_;
  std::vector<Series> kept_;        ///< as channels_; empty when nothing is kept
  int chunk_ = 1;                   ///< frames per block
  std::vector<Channel*> channels_;  ///< all series of the file, time first
  std::vector<int> series_;
  using Block = std::vector<std::vector<double>>;  ///< by channel
  Block buffers_;                                  ///< the block that is being filled
  std::mutex guard_;
  std::vector<Block> written_;  ///< their memory is used again
  std::uint64_t frames_ = 0, handed_over_ = 0, buffered_ = 0;
  // Used by the background thread, and by this one only when that is idle.
  std::unique_ptr<Patience> patience_;
  std::unique_ptr<Hdf5File> file_;
  std::unique_ptr<SensorTable> table_;
  std::unique_ptr<VtkIndex> vtk_index_;

  std::string table_rows_;  ///< of sensors.csv, since blocks were handed over
  std::vector<double> values_;
  std::chrono::steady_clock::time_point flushed_;
  Extremes extremes_;
  double kinetic_ = 0, potential_ = 0, position_ = 0, velocity_ = 0;
  StepInfo step_;
  mechanics::RowMatrix rows_;
  mechanics::VectorXd phi_, rate_, product_;
  bool keeps_ = false, is_open_ = false;
  bool has_file_ = false;  ///< or will have, when the background is done
  Durability durability_ = Durability::lasting;
  Background background_;  ///< last: its tasks use everything above
};

}  // namespace filum::record
