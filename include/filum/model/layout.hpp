/// What a run of a model records: series of numbers that are read off a state. User document: docs/guide/results.md.
#pragma once

#include <filum/linalg/row_selection.hpp>
#include <filum/mechanics/state.hpp>
#include <filum/model/facts.hpp>
#include <filum/parts/node_frame.hpp>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace filum::model {

using mechanics::State;

using Attributes = std::vector<std::pair<std::string, std::string>>;

/// Writes one frame of numbers; the state is complete: a and lambda belong to t.
using Reading = std::function<void(const State& x, double* out)>;

/// Multipliers, or η, of the rows of an object out of those of the system, in the frames in which they are reported.
using RowReading = std::function<void(const State& x, const Eigen::VectorXd& all_rows, double* out)>;

/// A node that carries a load, and how much of it: a load of 1, per length or area where it is spread, is `amount`
/// there.
struct LoadShare {
  parts::Marker at;
  double amount = 1;
};
/// A load as an input of a linearised model: what a load of 1 puts on which nodes, in space or in their frames.
struct LoadInput {
  std::string name;
  bool in_space = true;
  std::vector<LoadShare> shares;
};

/// A series of the result file.
struct Channel {
  std::string name;        ///< such as "spaghetti/position"
  std::vector<int> shape;  ///< of one frame; empty: a number
  Reading read;
  Attributes attributes = {};
  bool is_load = false;  ///< what a load is at its full size; statics multiplies it by the load factor

  int size() const {
    int product = 1;
    for (const int n : shape) product *= n;
    return product;
  }
};

/// A channel that is also a part of sensors.csv.
struct SensorChannel {
  Channel channel;                   ///< "sensors/NAME"
  std::vector<std::string> columns;  ///< headings
};

/// Numbers that do not change during a run, such as the arc lengths of nodes.
struct FixedArray {
  std::string name;
  std::vector<double> values;
};

/// Where a node of an object is.
struct NodePose {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  Eigen::Vector4d orientation = Eigen::Vector4d(1, 0, 0, 0);
};
struct ObjectPoses {
  std::string object;
  int first_node = 0, nodes = 0;  ///< of the system
  std::function<NodePose(const State& x, int node)> at;
};

/// Multipliers of an object, for the summary: `count` rows in groups of `width`, one list for all of them when width is
/// 0.
struct ObjectRows {
  std::string object;
  int count = 0, width = 0;
  RowReading read;
};

struct Layout {
  std::vector<Channel> channels = {};
  std::vector<SensorChannel> sensors = {};
  std::vector<FixedArray> arrays = {};
  std::vector<LoadInput> inputs = {};
  std::vector<std::pair<std::string, Attributes>> groups = {};  ///< attributes of objects
  Attributes attributes = {};                                   ///< of the file
  std::vector<ObjectPoses> poses = {};
  std::vector<ObjectRows> rows = {};
  Facts facts = {};
  linalg::RowSelection selected = {};  ///< rows whose violation is recorded: redundant ones are left out
};

}  // namespace filum::model
