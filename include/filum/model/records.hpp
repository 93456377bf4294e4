/// Where objects say what is recorded and drawn of them. How to add a kind of object: docs/how-to-add-an-object.md.
#pragma once

#include <filum/mechanics/system.hpp>
#include <filum/model/object.hpp>

#include <algorithm>

namespace filum::model {

using mechanics::VectorXd;

/// Rows that are reported as they are.
inline RowReading plain_rows(const std::vector<mechanics::RowRange>& ranges) {
  return [ranges](const State&, const VectorXd& all_rows, double* out) {
    for (const mechanics::RowRange& range : ranges) out = std::copy_n(all_rows.data() + range.first, range.count, out);
  };
}

/// The layout of a run, filled object by object.
class Records {
 public:
  /// `eta`, if given, is read with every frame: the method's η, one number per row.
  Records(const mechanics::System& system, const State& start, const Objects& objects, const VectorXd* eta,
          const Units& units = {})
      : system_(system), start_(start), objects_(objects), eta_(eta), units_(units) {}

  const mechanics::System& system() const { return system_; }
  const State& start() const { return start_; }
  const Objects& objects() const { return objects_; }
  const Units& units() const { return units_; }
  std::string unit(const Dimension& dimension) const { return unit_of(units_, dimension); }
  const Object& object(const Point& point) const { return *objects_[static_cast<std::size_t>(point.object)]; }
  /// Of the object that is being asked.
  ObjectFacts& facts() { return layout_.facts.objects.back(); }
  void plot(PlotFacts plot) { layout_.facts.plots.push_back(std::move(plot)); }

  void channel(const std::string& name, std::vector<int> shape, Reading read, Attributes attributes = {}) {
    layout_.channels.push_back({name, std::move(shape), std::move(read), std::move(attributes)});
  }
  /// Force or moment of a load.
  void load_channel(const std::string& name, std::vector<int> shape, Reading read) {
    channel(name, std::move(shape), std::move(read));
    layout_.channels.back().is_load = true;
  }
  void input(LoadInput input) { layout_.inputs.push_back(std::move(input)); }
  void sensor(SensorChannel sensor) { layout_.sensors.push_back(std::move(sensor)); }
  void array(const std::string& name, std::vector<double> values) {
    layout_.arrays.push_back({name, std::move(values)});
  }
  void group(const std::string& name, Attributes attributes) {
    layout_.groups.emplace_back(name, std::move(attributes));
  }

  /// Positions, orientations and velocities of consecutive nodes, which become those of the current object.
  void motion(ObjectPoses poses);
  /// λ of `count` rows, and η of the same rows where the method has one, under `name`; `width` rows belong together, 0:
  /// all of them.
  void multipliers(const std::string& name, int count, int width, RowReading read, const Attributes& attributes = {});
  /// Where a point is, for drawings.
  Anchor anchor(const Point& point) const;
  Anchor anchor(const parts::Marker& marker) const;

  /// Replaces how another object is drawn: a disk that rolls looks like one.
  void draw_on(const std::string& object, Drawing primitive);

  /// Begins with the next object.
  void begin(const Object& object) {
    layout_.facts.objects.push_back(
        {.name = object.name(), .kind = std::string(object.kind()), .kinds = object.kinds()});
  }
  Layout take() { return std::move(layout_); }

 private:
  const mechanics::System& system_;
  const State& start_;
  const Objects& objects_;
  const VectorXd* eta_;
  Units units_;
  Layout layout_;
};

}  // namespace filum::model
