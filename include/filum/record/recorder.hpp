/// Writes frames of a run into result.h5 and sensors.csv, and keeps the extremes for the summary.
/// User document: docs/guide/results.md.
#pragma once

#include <filum/mechanics/system.hpp>
#include <filum/record/background.hpp>
#include <filum/record/hdf5_file.hpp>
#include <filum/record/series.hpp>
#include <filum/model/layout.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>

namespace filum::record {

using mechanics::State;
using mechanics::System;
using model::Channel;
using model::Layout;
using model::SensorChannel;

/// How the steps went since the frame before.
struct StepInfo {
  double size = 0;  ///< of the last step
  double newton = 0, rejected = 0;
  double error = 0;  ///< largest estimate of an accepted step; 0: the method has none
};

/// What the summary says about all frames so far. Part of every checkpoint.
struct Extremes {
  double energy_initial = 0, energy_final = 0, drift_max = 0;
  double position_max = 0, velocity_max = 0;
};

/// How much has been recorded, so that a resumed run can go on from there.
struct RecordedAmount {
  std::uint64_t frames = 0;
  std::uint64_t sensor_bytes = 0;
};

struct RecorderOptions {
  std::filesystem::path folder;  ///< empty: no files
  bool vtk = false;
  bool keep = false;  ///< series in memory
};

class Recorder {
 public:
  /// Begins new files in the folder.
  Recorder(const System& system, Layout layout, const RecorderOptions& options);
  /// Goes on with files that contain at least this much; what is more is cut off.
  Recorder(const System& system, Layout layout, const RecorderOptions& options, const RecordedAmount& amount, const Extremes& extremes);
  ~Recorder();

  /// One frame. Blocks of frames go to disk when they are full or the last time was a second ago, in the background.
  void record(const State& x, const StepInfo& step);
  /// Everything recorded so far is on disk afterwards.
  void flush();
  void close();

  /// The series that were kept in memory, since this recorder was made.
  std::map<std::string, Series, std::less<>> take_series();

  RecordedAmount amount() const { return {frames_, sensor_bytes_}; }
  const Extremes& extremes() const { return extremes_; }

 private:
  void add_common_channels();
  void open(bool fresh, const RecordedAmount& amount);
  void open_file(bool fresh, const RecordedAmount& amount);
  void make_objects();
  void make_buffers();
  void hand_over();
  void keep_frame();
  void write_sensors(const State& x);
  void measure(const State& x, const StepInfo& step);

  const System& system_;
  Layout layout_;
  std::filesystem::path folder_;
  std::vector<Series> kept_;        ///< as channels_; empty when nothing is kept
  int chunk_ = 1;                   ///< frames a block
  std::vector<Channel*> channels_;  ///< all series of the file, time first
  std::vector<int> series_;
  std::vector<std::vector<double>> buffers_;  ///< the block that is being filled
  std::uint64_t frames_ = 0, handed_over_ = 0, buffered_ = 0, sensor_bytes_ = 0;
  std::unique_ptr<Hdf5File> file_;  ///< used by the background thread, and by this one only when that is idle
  std::ofstream sensors_;
  std::string line_;
  std::vector<double> values_;
  std::chrono::steady_clock::time_point flushed_;
  Extremes extremes_;
  double kinetic_ = 0, potential_ = 0, position_ = 0, velocity_ = 0;
  StepInfo step_;
  mechanics::RowMatrix rows_;
  mechanics::VectorXd phi_, rate_, product_;
  bool vtk_ = false, keeps_ = false, is_open_ = false;
  Background background_;  ///< last: its tasks use everything above
};

}  // namespace filum::record
