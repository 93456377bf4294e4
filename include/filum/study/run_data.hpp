/// The recorded numbers of a run, and series made of them. User document: docs/guide/studies.md, "Series and measures".
#pragma once

#include <filum/record/hdf5_file.hpp>
#include <filum/study/cases.hpp>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace filum::study {

/// A series of result.h5: `size` numbers per frame in rows of `shape`.
struct Recorded {
  std::vector<double> values;
  std::vector<int> shape;  ///< of one frame
  int size = 1;
  const double* frame(std::size_t n) const { return values.data() + n * static_cast<std::size_t>(size); }
};

/// An object of a run that moves or holds others.
struct RecordedObject {
  std::string name;
  int nodes = 0;               ///< none: it only has multipliers
  bool is_semidirect = false;  ///< linear velocities in the frame of the node
  std::vector<double> grid;    ///< arc lengths of its nodes, where they form a line
  std::string multiplier;      ///< series of its multipliers, if it has any
};

/// Reads series when they are asked for, and keeps them. Throws record::FileTrouble.
class RunData {
 public:
  RunData(const Run& run, const std::filesystem::path& cases);

  const std::vector<double>& times() const { return times_; }
  std::size_t frames() const { return times_.size(); }
  const std::vector<RecordedObject>& objects() const { return objects_; }
  const RecordedObject* find(const std::string& name, bool moves) const;
  bool contains(const std::string& name) const { return file_.contains(name); }
  const Recorded& series(const std::string& name) const;

 private:
  void check(const RecordedObject& object) const;

  record::Hdf5File file_;
  std::vector<double> times_;
  std::vector<RecordedObject> objects_;
  mutable std::map<std::string, Recorded> read_;
};

/// "NAME[i,j]": a series and which of its numbers; an index may be negative (from the end), a range "a:b" or ":".
struct Entry {
  std::string series;
  std::string index;
};
Entry parse_entry(const std::string& text);
/// Places of the numbers in a frame. Throws std::invalid_argument.
std::vector<int> places_of(const Entry& entry, const Recorded& series);

struct TimeSeries {
  std::vector<double> times, values;
};

/// Frames of two runs at the same time.
struct CommonFrame {
  std::size_t run = 0, reference = 0;
};
std::vector<CommonFrame> common_frames(const RunData& run, const RunData& reference);

/// A [[series]] of the study by its name, or an entry of result.h5, or "time"; "reference:NAME[i]" in a formula is an
/// entry of the reference at the same time. Throws std::invalid_argument or record::FileTrouble.
TimeSeries evaluate(const std::string& name, const Study& study, const RunData& data, const RunData* reference);

/// The value of a measure: a series reduced over the frames in the measure's window.
double take(const Measure& measure, const std::vector<double>& times, const std::vector<double>& values);

}  // namespace filum::study
