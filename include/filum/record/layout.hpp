/// What a run records: series of numbers that are read off a state, and shapes to draw. User document:
/// docs/guide/results.md.
#pragma once

#include <filum/mechanics/system.hpp>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace filum::record {

using mechanics::State;
using mechanics::System;

using Attributes = std::vector<std::pair<std::string, std::string>>;

/// A series of the result file: `read` writes one frame of it. The state is complete: a and lambda belong to t.
struct Channel {
  std::string name;        ///< such as "spaghetti/position"
  std::vector<int> shape;  ///< of one frame; empty: a number
  std::function<void(const State& x, double* out)> read;
  Attributes attributes = {};

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

/// Objects as ParaView draws them: a tube along the nodes of a beam, a box at a body.
struct Drawing {
  std::string name;
  int nodes = 1;
  double radius = 0;  ///< of the tube, or half the size of the box
  std::function<Eigen::Vector3d(const State& x, int node)> position;
  std::function<Eigen::Vector4d(const State& x, int node)> orientation;
};

struct Layout {
  std::vector<Channel> channels;
  std::vector<SensorChannel> sensors;
  std::vector<FixedArray> arrays;
  std::vector<std::pair<std::string, Attributes>> groups;  ///< attributes of objects
  Attributes attributes;                                   ///< of the file
  std::vector<Drawing> drawings;
};

}  // namespace filum::record
