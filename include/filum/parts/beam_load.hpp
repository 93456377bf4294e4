/// Loads on beams: spread along the arc length, or at a point that need not be a node. Theory: docs/theory/beam.md, sec. 5.
#pragma once

#include <filum/parts/beam.hpp>
#include <filum/parts/body_load.hpp>

#include <functional>
#include <string>
#include <vector>

namespace filum::parts {

/// How a load per length is gathered at the nodes: (BM.20) its value at the node times the length that belongs to it, or
/// (BM.21) its integral over that length, so that spikes between nodes are not lost.
enum class LoadRule { trapezoidal, integrated };

struct BeamLoadOptions {
  std::string name = "load";
  LoadFrame frame = LoadFrame::space;
  LoadRule rule = LoadRule::trapezoidal;
  /// Sampling points of the integrated rule between neighbouring nodes, a multiple of 8; a spike must be wider than their distance.
  int points_per_segment = 32;
  std::function<LoadValue(double s, double t)> density;  ///< force and moment per length
};

/// Force and moment per length as functions of arc length and time, in space or in the frame of the cross-section.
class BeamLoad final : public mechanics::Part {
 public:
  BeamLoad(const Beam& beam, BeamLoadOptions options);

  std::string name() const override { return "load " + options_.name; }
  void declare(mechanics::PartPattern&) override {}
  void bind(const System& system) override;
  bool has_forces() const override { return true; }
  void add_forces(double t, const VectorXd& q, const VectorXd& v, VectorXd& f) const override;
  bool add_force_derivatives(double t, const VectorXd& q, const VectorXd& v, double scale_q, double scale_v,
                             NodeMatrix& H) const override;
  /// What node i is loaded with at time t, in the frame of the options.
  LoadValue nodal(int i, double t) const;

 private:
  struct Sample {
    double s, weight;
  };
  struct Node {
    NodeFrame frame;
    int number, block_at;
    int first_sample, samples;
  };

  BeamLoadOptions options_;
  std::vector<Sample> samples_;
  std::vector<Node> nodes_;
};

/// Throws std::invalid_argument without a density or with an impossible number of points.
BeamLoad& add_beam_load(System& system, const Beam& beam, BeamLoadOptions options);

/// A force and a moment at the arc length s. Between nodes it is shared by the two neighbours, (BM.22). Throws
/// std::invalid_argument when s lies outside the beam.
void add_beam_point_load(System& system, const Beam& beam, const std::string& name, double s, LoadFrame frame, const BodyLoad::OfTime& load);

}  // namespace filum::parts
