/// Loads on beams: spread along the arc length, or at a point that need not be a node. Theory: docs/theory/beam.md,
/// sec. 5.
#pragma once

#include <filum/parts/beam.hpp>
#include <filum/parts/load_law.hpp>

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace filum::parts {

struct LoadGradient;

/// How a load per length is gathered at the nodes: (BM.20) its value at the node times the length that belongs to it,
/// or (BM.21) its integral over that length, so that spikes between nodes are not lost, or (BM.23) half of the integral
/// over each neighbouring segment.
enum class LoadRule { trapezoidal, integrated, segment_mean };

struct BeamLoadOptions {
  std::string name = "load";
  LoadFrame frame = LoadFrame::space;
  LoadRule rule = LoadRule::trapezoidal;
  /// Sampling points of the rules that integrate between neighbouring nodes, a multiple of 8; a spike must be wider
  /// than their distance.
  int points_per_segment = 32;
  /// Force and moment per length. A law that sees the motion is given that of the node (trapezoidal, integrated) or of
  /// the middle of the segment (segment_mean), and the arc length of the sampling point.
  LoadLaw density;
};

/// Force and moment per length, or at one point, in space or in the frame of the cross-section.
class BeamLoad final : public mechanics::Part, public mechanics::SwitchingPart {
 public:
  BeamLoad(std::shared_ptr<const Beam> beam, BeamLoadOptions options);
  /// A force and a moment at s.
  BeamLoad(std::shared_ptr<const Beam> beam, std::string name, double s, LoadFrame frame, LoadLaw law);

  LoadFrame frame() const { return frame_; }
  /// Where it acts: nodes of the beam with a share, counted from its first.
  int places() const { return static_cast<int>(places_.size()); }
  int node(int place) const { return places_[place]; }
  /// What the node of a place has of a load of 1, per length where it is spread.
  double share(int place) const;
  /// Force and moment on these nodes, in the frame of the options.
  std::vector<LoadValue> values(const State& x) const;

  std::string name() const override { return "load " + name_; }
  void declare(mechanics::Declaration& declaration) override;
  void add_forces(double t, const VectorXd& q, const VectorXd& v, VectorRef f) const override;
  void add_force_derivatives(double t, const VectorXd& q, const VectorXd& v, double scale_q, double scale_v,
                             NodeMatrix& H) const override;
  mechanics::Switching switching() const override { return law_.switching(); }
  void add_switches(double t, const VectorXd& q, const VectorXd& v, mechanics::SwitchList& out) const override;

 private:
  struct Sample {
    double s, weight;
  };
  /// Loads one node, or two of them with the shares 1 − share and share.
  struct Element {
    int node;  ///< of the beam; the second is the next one
    bool is_pair;
    double share;
    int first_sample, samples;
    mechanics::Force<2> force = {};
    double weight(int k) const { return is_pair ? (k == 0 ? 1 - share : share) : 1; }
  };
  struct Moving;
  void add_element(int node, bool is_pair, double share, int first_sample);
  void integrate(double from, double to, int points);
  void find_places();
  Moving moving(const Element& e, double t, const VectorXd& q, const VectorXd& v) const;
  /// The motions that the law is given, sample by sample.
  std::vector<PointMotion> all_motions(double t, const VectorXd& q, const VectorXd& v) const;
  /// Densities at all samples of a law that takes many, otherwise nothing.
  std::vector<LoadValue> all_densities(double t, const VectorXd& q, const VectorXd& v) const;
  std::vector<LoadDerivatives> all_derivatives(double t, const VectorXd& q, const VectorXd& v) const;
  LoadValue load(const Element& e, const PointMotion& motion, std::span<const LoadValue> all) const;
  std::array<LoadGradient, 2> gradients(const Element& e, const Moving& m, std::span<const LoadDerivatives> all) const;

  std::shared_ptr<const Beam> beam_;
  std::string name_;
  LoadFrame frame_;
  LoadLaw law_;
  std::vector<Sample> samples_;
  std::vector<Element> elements_;
  std::vector<int> places_;
  std::vector<NodeFrame> frames_;  ///< of the nodes of the beam
};

/// Throws std::invalid_argument without a density or with an impossible number of points.
std::shared_ptr<const BeamLoad> add_beam_load(SystemBuilder& builder, std::shared_ptr<const Beam> beam,
                                              BeamLoadOptions options);

/// A force and a moment at the arc length s. Between nodes it is shared by the two neighbours, (BM.22). A law that sees
/// the motion is given that of the point at s: positions and velocities shared like the force, so that its power is
/// force · velocity. Throws std::invalid_argument when s lies outside the beam.
std::shared_ptr<const BeamLoad> add_beam_point_load(SystemBuilder& builder, std::shared_ptr<const Beam> beam,
                                                    const std::string& name, double s, LoadFrame frame, LoadLaw law);

}  // namespace filum::parts
