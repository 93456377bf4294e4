/// Disks that roll on the plane z = 0. User document: docs/guide/scenarios.md, "Joints".
#include "joint/joint_records.hpp"

#include <filum/model/assembly.hpp>
#include <filum/model/records.hpp>
#include <filum/model/rolling_disk.hpp>
#include <filum/model/run_checks.hpp>
#include <filum/parts/frame_reader.hpp>
#include <filum/parts/rolling_disk.hpp>

#include <cmath>
#include <sstream>

namespace filum::model {
namespace {

class RollingDiskObject final : public ObjectOf<RollingDisk>, public RunChecks {
 public:
  using ObjectOf::ObjectOf;

  std::string_view kind() const override { return "joint"; }
  std::string objection(const Place& place, std::string_view use) const override {
    if (use != "sensor" && use != "coordinate") return Object::objection(place, use);
    return place.is_whole() ? "" : "a joint has no places";
  }
  std::vector<std::pair<std::string, Point>> points() const override { return {{"connects", o_.body}}; }
  void check() const override {
    if (o_.body.is_ground()) throw OptionError("connects", "a rolling disk must be a body");
    if (!(o_.radius > 0)) throw OptionError("radius", "expected a positive number");
  }
  void add_parts(Assembly& a) override {
    const parts::Marker center = a.marker(o_.body);
    if (!lie::is_rigid_motion(a.system().space().group(center.node)))
      throw OptionError("connects", "a rolling disk must be a body that moves freely");
    require_contact(a.initial_position(o_.body)[2], o_.radius * a.initial_rotation(o_.body).col(2).head(2).norm());
    const auto disks = a.system().shared_part<parts::RollingDisks>();
    disk_ = {disks, disks->add(name(), center, o_.radius)};
    center_ = center;
  }
  std::vector<std::string> quantities(const Place&) const override { return {"multiplier"}; }
  std::vector<Probe> probes(const mechanics::System&, const Point&) const override {
    std::vector<std::string> numbers{"1", "2", "3"};
    return {{"multiplier", numbers, [read = rows()](const State& x, double* out) { read(x, x.lambda, out); }}};
  }
  // (J.35) Flat on the plane there is no lowest point, and on its other side the equations hold as well.
  std::string limit(const mechanics::System& system, const State& x, double h) const override {
    const parts::FrameReader frame(system.space(), center_);
    const parts::Pose pose = frame.pose(x.q);
    const Vector3d velocity = pose.R * frame.twist(pose, x.v).at(center_.point);
    const double height = pose.act(center_.point)[2];
    if (height > 0 && height + h * velocity[2] > 0) return {};
    return "the disk falls flat on the plane, where it has no lowest point to roll on; impacts are not described";
  }
  void record(Records& r) const override {
    record_rows(r, name(), "rolling-disk", rows(), {"touches the plane", "no slip 1", "no slip 2"});
    const Anchor at = r.anchor(center_);
    r.facts().drawings.push_back(drawing::Plane{});
    r.draw_on(at.object, drawing::Solid{.node = at.node,
                                        .shape = drawing::Shape::disk,
                                        .size = Vector3d(2 * o_.radius, 2 * o_.radius, 0),
                                        .position = at.point});
  }
  std::string description() const override { return "rolling-disk, 3 constraints"; }

 private:
  /// Refuses a disk that is drawn above or below the plane. The constraint is half the difference of the squares.
  static void require_contact(double height, double touching) {
    constexpr double corrected = 1e-3;  // the limit of mechanics::ConsistencyOptions
    if (!(0.5 * std::abs(height * height - touching * touching) > corrected)) return;
    std::ostringstream text;
    text << "the center of the disk is at the height " << height << ", but the disk touches the plane at " << touching
         << "; try: this height in the position of the body";
    throw OptionError("connects", text.str());
  }
  RowReading rows() const { return plain_rows({disk_.rows(), disk_.slip_rows()}); }
  parts::DiskHandle disk_;
  parts::Marker center_;
};

}  // namespace

std::unique_ptr<Object> make_object(const RollingDisk& options) { return std::make_unique<RollingDiskObject>(options); }

}  // namespace filum::model
