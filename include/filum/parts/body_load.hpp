/// Forces and moments on bodies and on nodes of surfaces as functions of time and motion. Theory:
/// docs/theory/bodies.md, sec. 5.
#pragma once

#include <filum/parts/load_law.hpp>
#include <filum/parts/node_frame.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace filum::parts {

/// How much of a load acts at a marker: 1, or the area or length that belongs to it; on a surface with its coordinates.
struct LoadShare {
  Marker at;
  double weight = 1;
  double s1 = 0, s2 = 0;
};

/// A force at a marker, and a moment, given in space or in the body frame; or one law at many markers, each with its
/// own weight and motion.
class BodyLoad final : public mechanics::Part, public mechanics::SwitchingPart {
 public:
  BodyLoad(std::string name, std::vector<LoadShare> shares, LoadFrame frame, LoadLaw law);

  LoadFrame frame() const { return given_in_; }
  /// At the first marker, without its weight, in the frame it is given in.
  LoadValue value(const State& x) const;

  std::string name() const override { return "load " + name_; }
  void declare(mechanics::Declaration& declaration) override;
  void add_forces(double t, const VectorXd& q, const VectorXd& v, VectorRef f) const override;
  void add_force_derivatives(double t, const VectorXd& q, const VectorXd& v, double scale_q, double scale_v,
                             NodeMatrix& H) const override;
  mechanics::Switching switching() const override { return law_.switching(); }
  void add_switches(double t, const VectorXd& q, const VectorXd& v, mechanics::SwitchList& out) const override;

 private:
  struct Place {
    LoadShare share;
    NodeFrame frame = {};
    mechanics::Force<1> force = {};
  };
  std::string name_;
  std::vector<Place> places_;
  LoadFrame given_in_;
  LoadLaw law_;
};

/// Throws std::invalid_argument for a load on the ground and for an empty law.
std::shared_ptr<const BodyLoad> add_load(SystemBuilder& builder, const std::string& name, const Marker& at,
                                         LoadFrame frame, LoadLaw law);
/// One law at many markers.
std::shared_ptr<const BodyLoad> add_shared_load(SystemBuilder& builder, const std::string& name,
                                                std::vector<LoadShare> shares, LoadFrame frame, LoadLaw law);
/// Of time alone.
std::shared_ptr<const BodyLoad> add_load(SystemBuilder& builder, const std::string& name, const Marker& at,
                                         LoadFrame frame, std::function<LoadValue(double t)> load);

}  // namespace filum::parts
