/// The contract of a kind of object: everything the rest of the program has to know about bodies, beams, joints or
/// loads. How to add one: docs/how-to-add-an-object.md.
#pragma once

#include <filum/model/handle.hpp>
#include <filum/model/layout.hpp>
#include <filum/model/model_error.hpp>
#include <filum/parts/beam_load.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace filum::model {

class Assembly;
class Plan;
class Records;

/// A load on an object: at a place, or on all of it, then per length or area.
struct LoadRequest {
  std::string name;
  Place place;
  Vector3d offset = Vector3d::Zero();
  parts::LoadFrame frame = parts::LoadFrame::space;
  parts::LoadRule rule = parts::LoadRule::trapezoidal;
  parts::LoadLaw law;
};
/// Where a load is drawn, and its force and moment there, three numbers per place each, in the frame it is given in.
struct LoadPlaces {
  std::vector<parts::Marker> at;
  Reading forces, moments;
  std::vector<LoadShare> shares = {};  ///< where it acts
};

/// Something that a sensor can measure.
struct Probe {
  std::string quantity;              ///< as files call it: "position", "strain", ...
  std::vector<std::string> columns;  ///< names of its numbers; one empty name for a single number
  Reading read;
  Dimensions dimensions = {};
};

class Object;
using Objects = std::vector<std::unique_ptr<Object>>;

/// An object of a model: made from plain options by `make_object`, asked in the order of this page, each function once.
class Object {
 public:
  virtual ~Object() = default;

  /// Singular and plural for people, "body" and "bodies". Generated names begin with the singular.
  virtual std::string_view kind() const = 0;
  virtual std::string kinds() const { return std::string(kind()) + "s"; }
  const std::string& name() const { return name_; }
  /// Whether others must not have the same name. Sensors have their own names.
  virtual bool shares_names() const { return true; }

  // Adding: options alone
  // ----------------------------------------------------------------------------------------------
  /// Points on other objects, with the options they were given by.
  virtual std::vector<std::pair<std::string, Point>> points() const { return {}; }
  /// Throws OptionError for options that contradict themselves.
  virtual void check() const {}
  /// The same for options that depend on the objects it is attached to, which are among `objects`.
  virtual void check_targets(const Objects& /*objects*/) const {}
  /// Why nothing can be attached there; empty when it can. `use` is the kind of what is attached, and "coordinate" for
  /// what acts on the coordinate of a joint. By default everything is refused.
  virtual std::string objection(const Place& place, std::string_view use) const;

  /// What can be measured at a place of it; empty when that is not known before it is built.
  virtual std::vector<std::string> quantities(const Place&) const { return {}; }
  /// About how many nodes it will have: for estimates of what a run costs.
  virtual int expected_nodes() const { return 0; }

  // Building
  // -------------------------------------------------------------------------------------------------------------
  /// Says what must be known before there are nodes: places that must become nodes, joints that groups are chosen by.
  virtual void plan(Plan&) const {}
  /// Throws OptionError when what all objects plan does not suit this one, which is number `self`.
  virtual void check_plan(const Plan&, int /*self*/) const {}
  /// Adds nodes, their inertia and initial values.
  virtual void add_nodes(Assembly&) {}
  /// Adds parts; all nodes are there.
  virtual void add_parts(Assembly&) {}
  /// The node at a place, as a point in its frame; only for places without objection.
  virtual parts::Marker marker(const Place& place, const Vector3d& offset) const;
  /// Puts a load on this object.
  virtual LoadPlaces add_load(Assembly& assembly, const LoadRequest& request);
  /// Damps the motion of this object by −rate · velocity per mass.
  virtual void add_damping(Assembly& assembly, const std::string& load, double rate);

  /// Looks at the built system once more. Throws OptionError.
  virtual void check_built(const mechanics::System&, const Objects&) const {}

  // Built
  // ----------------------------------------------------------------------------------------------------------------
  /// Everything that a sensor at this point of the object can measure.
  virtual std::vector<Probe> probes(const mechanics::System&, const Point&) const { return {}; }
  /// Series, drawings, plots.
  virtual void record(Records&) const {}
  /// One line about it for `filum check`, without kind and name.
  virtual std::string description() const { return {}; }
  /// "node 3 of 9" for messages about one of its nodes, counted from its first; empty when it has one node.
  virtual std::string node_name(int /*node*/) const { return {}; }
  /// A part of it that is not a number between two times, for messages of a run that stopped; empty: all are numbers.
  virtual std::string broken_formula(double /*from*/, double /*to*/) const { return {}; }

 private:
  friend class Model;
  std::string name_;
};

/// An object that keeps the options it was made from, for those who write them to files.
template <class Options>
class ObjectOf : public Object {
 public:
  explicit ObjectOf(Options options) : o_(std::move(options)) {}
  const Options& options() const { return o_; }

 protected:
  Options o_;
};

/// Writes the numbers of a vector or matrix to a frame.
template <class V>
void put(const V& value, double* out) {
  std::copy(value.data(), value.data() + value.size(), out);
}

}  // namespace filum::model
