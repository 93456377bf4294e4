/// Errors of a run against a reference. Theory: docs/theory/studies.md.
#include <filum/lie/direct_product.hpp>
#include <filum/lie/quaternion.hpp>
#include <filum/lie/s3sdr3.hpp>
#include <filum/study/comparison.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>

namespace filum::study {
namespace {

using Eigen::Map;
using Eigen::Vector3d;
using Eigen::Vector4d;

/// Squares of differences, of the reference and of the run, gathered over everything that belongs to a quantity.
struct Sums {
  double difference = 0, reference = 0, own = 0, largest = 0;
  int count = 0;

  void add(const double* x, const double* y, int n) {
    for (int i = 0; i < n; ++i) add_one(x[i] - y[i], x[i], y[i]);
    count += n;
  }
  void add_one(double d, double x, double y) {
    difference += d * d;
    reference += y * y;
    own += x * x;
    if (!(std::abs(d) <= largest)) largest = std::abs(d);  // NaN stays
  }
};

/// The two nodes beside an arc length, and where between them; beyond the ends the last node, or `continued` as a line.
struct Between {
  int node = 0;
  double share = 0;
};
Between locate(const std::vector<double>& grid, double s, bool continued = false) {
  const auto above = std::upper_bound(grid.begin(), grid.end() - 1, s);
  const auto node = std::max<std::ptrdiff_t>(0, above - grid.begin() - 1);
  if (grid.size() == 1) return {};
  const auto i = static_cast<std::size_t>(std::min<std::ptrdiff_t>(node, static_cast<std::ptrdiff_t>(grid.size()) - 2));
  const double share = (s - grid[i]) / (grid[i + 1] - grid[i]);
  constexpr double rounding = 1e-9;  // grids are written with different formulas
  if (continued && (share < -rounding || share > 1 + rounding)) return {static_cast<int>(i), share};
  if (share < rounding) return {static_cast<int>(i), 0};
  if (share > 1 - rounding) return {static_cast<int>(i) + 1, 0};
  return {static_cast<int>(i), share};
}

std::vector<double> middles(const std::vector<double>& grid) {
  std::vector<double> result;
  for (std::size_t i = 0; i + 1 < grid.size(); ++i) result.push_back((grid[i] + grid[i + 1]) / 2);
  return result;
}

/// (ST.5a) The nodes of the coarser grid, or equidistant points.
std::vector<double> common_places(const std::vector<double>& coarser, int points) {
  if (points < 2 || coarser.size() < 2) return coarser;
  std::vector<double> result;
  for (int k = 0; k < points; ++k)
    result.push_back(coarser.front() + (coarser.back() - coarser.front()) * k / (points - 1));
  return result;
}

/// One object of both runs at common places.
class ObjectPair {
 public:
  ObjectPair(const RecordedObject& a, const RecordedObject& b, int points) : a_(a), b_(b) {
    const bool a_is_coarser = a.grid.size() <= b.grid.size();
    const std::vector<double> grid = common_places(a_is_coarser ? a.grid : b.grid, points);
    if (a.grid.empty() != b.grid.empty())
      throw std::invalid_argument("the nodes of '" + a.name + "' form a line in one of the runs only");
    if (grid.empty()) {
      pair_by_number();
      return;
    }
    for (const double s : grid) {
      at_a_.push_back(locate(a.grid, s));
      at_b_.push_back(locate(b.grid, s));
    }
    for (const double s : points > 1 ? grid : middles(grid)) {
      middle_a_.push_back(locate(middles(a.grid), s, true));
      middle_b_.push_back(locate(middles(b.grid), s, true));
    }
  }

  bool is_semidirect() const { return a_.is_semidirect; }
  struct Pose {
    Vector4d p;
    Vector3d x;
  };
  struct Poses {
    Pose a, b;
  };

  /// At each common place.
  template <class F>
  void for_each_pose(const RunData& run, const RunData& reference, std::size_t n, std::size_t m, const F& f) const {
    const Recorded &xa = run.series(a_.name + "/position"), &pa = run.series(a_.name + "/orientation");
    const Recorded &xb = reference.series(b_.name + "/position"), &pb = reference.series(b_.name + "/orientation");
    for (std::size_t i = 0; i < at_a_.size(); ++i) {
      Pose a = pose(xa.frame(n), pa.frame(n), at_a_[i], a_.is_semidirect);
      const Pose b = pose(xb.frame(m), pb.frame(m), at_b_[i], b_.is_semidirect);
      if (a.p.dot(b.p) < 0) a.p = -a.p;  // p and −p are one orientation
      f(a, b, i);
    }
  }

  /// Angular velocities in the body, linear ones as the group has them, or in space when the groups differ.
  void add_velocities(const RunData& run, const RunData& reference, std::size_t n, std::size_t m, Sums& sums) const {
    const Recorded &va = run.series(a_.name + "/velocity"), &vb = reference.series(b_.name + "/velocity");
    const int da = va.shape.back(), db = vb.shape.back();
    if (da != db)
      throw std::invalid_argument("velocities of '" + a_.name + "' have " + std::to_string(da) +
                                  " components here and " + std::to_string(db) + " in the reference");
    Eigen::VectorXd a(da), b(db);
    for_each_pose(run, reference, n, m, [&](const Pose& qa, const Pose& qb, std::size_t i) {
      interpolate(va.frame(n), da, at_a_[i], a.data());
      interpolate(vb.frame(m), db, at_b_[i], b.data());
      if (a_.is_semidirect != b_.is_semidirect && da == 6) {
        if (a_.is_semidirect) a.tail<3>() = lie::quaternion::rotate(qa.p, a.tail<3>()).eval();
        if (b_.is_semidirect) b.tail<3>() = lie::quaternion::rotate(qb.p, b.tail<3>()).eval();
      }
      sums.add(a.data(), b.data(), da);
    });
  }

  /// Those of segments at common places, others one by one.
  void add_multipliers(const RunData& run, const RunData& reference, std::size_t n, std::size_t m, Sums& sums) const {
    if (a_.multiplier.empty() != b_.multiplier.empty())
      throw std::invalid_argument("'" + a_.name + "' has multipliers in one of the runs only");
    if (a_.multiplier.empty()) return;
    const Recorded &la = run.series(a_.multiplier), &lb = reference.series(b_.multiplier);
    const int held = la.shape.back();
    if (held != lb.shape.back())
      throw std::invalid_argument("'" + a_.name + "' has different numbers of multipliers in the two runs");
    if (!belongs_to_segments(la, a_) || !belongs_to_segments(lb, b_)) {
      if (la.size != lb.size)
        throw std::invalid_argument("'" + a_.name + "' has different numbers of multipliers in the two runs");
      return sums.add(la.frame(n), lb.frame(m), la.size);
    }
    std::vector<double> a(static_cast<std::size_t>(held)), b = a;
    for (std::size_t i = 0; i < middle_a_.size(); ++i) {
      interpolate(la.frame(n), held, middle_a_[i], a.data());
      interpolate(lb.frame(m), held, middle_b_[i], b.data());
      sums.add(a.data(), b.data(), held);
    }
  }

 private:
  static bool belongs_to_segments(const Recorded& multipliers, const RecordedObject& o) {
    return !o.grid.empty() && multipliers.shape.size() == 2 && multipliers.shape[0] + 1 == o.nodes;
  }
  void pair_by_number() {
    if (a_.nodes != b_.nodes)
      throw std::invalid_argument("'" + a_.name + "' has " + std::to_string(a_.nodes) + " nodes here and " +
                                  std::to_string(b_.nodes) + " in the reference");
    for (int i = 0; i < a_.nodes; ++i) at_a_.push_back({i, 0});
    at_b_ = at_a_;
  }

  static void interpolate(const double* frame, int size, const Between& at, double* out) {
    const double* x = frame + at.node * size;
    for (int k = 0; k < size; ++k) out[k] = at.share == 0 ? x[k] : (1 - at.share) * x[k] + at.share * x[size + k];
  }

  /// (ST.4) q = q₀ ∘ exp(r log(q₀⁻¹ ∘ q₁)).
  template <class Group>
  static Pose geodesic(const Pose& a, const Pose& b, double share) {
    const auto q0 = Group::from_pose(a.p, a.x), q1 = Group::from_pose(b.p, b.x);
    const auto q = Group::compose(q0, Group::exp(share * Group::log(Group::compose(Group::inverse(q0), q1))));
    return {Group::quaternion(q), Group::position(q)};
  }

  static Pose pose(const double* x, const double* p, const Between& at, bool is_semidirect) {
    const auto node = [&](int i) { return Pose{Map<const Vector4d>(p + 4 * i), Map<const Vector3d>(x + 3 * i)}; };
    const Pose first = node(at.node);
    if (at.share == 0) return first;
    Pose second = node(at.node + 1);
    if (first.p.dot(second.p) < 0) second.p = -second.p;
    return is_semidirect ? geodesic<lie::S3sdR3>(first, second, at.share)
                         : geodesic<lie::S3xR3>(first, second, at.share);
  }

  const RecordedObject &a_, &b_;
  std::vector<Between> at_a_, at_b_, middle_a_, middle_b_;
};

using Add = std::function<void(std::size_t n, std::size_t m, Sums& sums)>;

/// Objects that move, in both runs.
std::vector<ObjectPair> moving_pairs(const RunData& run, const RunData& reference, int points) {
  std::vector<ObjectPair> pairs;
  for (const RecordedObject& a : run.objects()) {
    if (a.nodes == 0) continue;
    const RecordedObject* b = reference.find(a.name, true);
    if (!b) throw std::invalid_argument("the reference has no object '" + a.name + "'");
    pairs.emplace_back(a, *b, points);
  }
  return pairs;
}

/// Those that only have multipliers follow.
std::vector<ObjectPair> multiplier_pairs(const RunData& run, const RunData& reference, int points) {
  std::vector<ObjectPair> pairs = moving_pairs(run, reference, points);
  const auto is_other = [](const RecordedObject& o) { return o.nodes == 0; };
  const auto count = [&](const RunData& data) {
    return std::count_if(data.objects().begin(), data.objects().end(), is_other);
  };
  bool is_same = count(run) == count(reference);
  for (const RecordedObject& a : run.objects()) {
    if (!is_other(a)) continue;
    const RecordedObject* b = reference.find(a.name, false);
    is_same = is_same && b;
    if (b) pairs.emplace_back(a, *b, points);
  }
  if (!is_same) throw std::invalid_argument("the runs do not have multipliers of the same objects");
  return pairs;
}

/// Numbers of a series, all or some of them.
Add of_entry(const std::string& name, const RunData& run, const RunData& reference) {
  const Entry entry = parse_entry(name);
  const Recorded &a = run.series(entry.series), &b = reference.series(entry.series);
  const std::vector<int> in_a = places_of(entry, a), in_b = places_of(entry, b);
  if (in_a.size() != in_b.size())
    throw std::invalid_argument("'" + name + "' has " + std::to_string(in_a.size()) + " numbers per frame here and " +
                                std::to_string(in_b.size()) + " in the reference");
  return [&a, &b, in_a, in_b](std::size_t n, std::size_t m, Sums& sums) {
    for (std::size_t k = 0; k < in_a.size(); ++k) sums.add(a.frame(n) + in_a[k], b.frame(m) + in_b[k], 1);
  };
}

/// ‖R − R′‖ of two unit quaternions without cancellation: 2√2 d √(1 − d²/4) with d = |p − p′|.
void add_rotation(const Vector4d& p, const Vector4d& r, Sums& sums) {
  const double d = (p - r).norm();
  const double difference = 2 * std::sqrt(2.0) * d * std::sqrt(std::max(0.0, 1 - d * d / 4));
  sums.difference += difference * difference;
  sums.reference += 3;
  sums.own += 3;
  sums.largest = std::max(sums.largest, difference);
  sums.count += 9;
}

/// (ST.3a) log(q⁻¹ ∘ q̂) in the group of the run; relative errors divide by the logarithms of the configurations.
void add_increment(const ObjectPair::Pose& a, const ObjectPair::Pose& b, bool is_semidirect, Sums& sums) {
  const auto add = [&]<class Group>(Group) {
    const auto q = Group::from_pose(a.p, a.x), reference = Group::from_pose(b.p, b.x);
    const auto increment = Group::log(Group::compose(Group::inverse(q), reference));
    const auto own = Group::log(q), other = Group::log(reference);
    for (int k = 0; k < Group::dim; ++k) {
      sums.difference += increment[k] * increment[k];
      sums.own += own[k] * own[k];
      sums.reference += other[k] * other[k];
      if (!(std::abs(increment[k]) <= sums.largest)) sums.largest = std::abs(increment[k]);
    }
    sums.count += Group::dim;
  };
  is_semidirect ? add(lie::S3sdR3{}) : add(lie::S3xR3{});
}

Add adder(const std::string& quantity, const RunData& run, const RunData& reference, int points) {
  if (quantity.find('/') != std::string::npos) return of_entry(quantity, run, reference);
  if (quantity == "energy") return of_entry("energy/total", run, reference);
  if (quantity == "multiplier")
    return
        [&run, &reference, pairs = multiplier_pairs(run, reference, points)](std::size_t n, std::size_t m, Sums& sums) {
          for (const ObjectPair& p : pairs) p.add_multipliers(run, reference, n, m, sums);
        };
  std::vector<ObjectPair> pairs = moving_pairs(run, reference, points);
  if (quantity == "velocity")
    return [&run, &reference, pairs = std::move(pairs)](std::size_t n, std::size_t m, Sums& sums) {
      for (const ObjectPair& p : pairs) p.add_velocities(run, reference, n, m, sums);
    };
  if (quantity == "algebra")
    return [&run, &reference, pairs = std::move(pairs)](std::size_t n, std::size_t m, Sums& sums) {
      for (const ObjectPair& pair : pairs)
        pair.for_each_pose(run, reference, n, m,
                           [&](const ObjectPair::Pose& a, const ObjectPair::Pose& b, std::size_t) {
                             add_increment(a, b, pair.is_semidirect(), sums);
                           });
    };
  const bool x = quantity != "orientation", p = quantity == "orientation" || quantity == "configuration";
  const bool is_pose = quantity == "pose";
  return [&run, &reference, pairs = std::move(pairs), x, p, is_pose](std::size_t n, std::size_t m, Sums& sums) {
    for (const ObjectPair& pair : pairs)
      pair.for_each_pose(run, reference, n, m, [&](const ObjectPair::Pose& a, const ObjectPair::Pose& b, std::size_t) {
        if (p) sums.add(a.p.data(), b.p.data(), 4);
        if (is_pose) add_rotation(a.p, b.p, sums);
        if (x) sums.add(a.x.data(), b.x.data(), 3);
      });
  };
}

}  // namespace

ErrorSeries compare(const RunData& run, const RunData& reference, const std::string& quantity, int points) {
  const Add add = adder(quantity, run, reference, points);
  ErrorSeries errors;
  for (const CommonFrame& f : common_frames(run, reference)) {
    Sums sums;
    add(f.run, f.reference, sums);
    if (sums.count == 0) throw std::invalid_argument("the runs have no " + quantity);
    errors.times.push_back(run.times()[f.run]);
    errors.l2.push_back(std::sqrt(sums.difference / sums.count));
    errors.relative.push_back(sums.difference == 0 ? 0 : std::sqrt(sums.difference / sums.reference));
    errors.relative_own.push_back(sums.difference == 0 ? 0 : std::sqrt(sums.difference / sums.own));
    errors.largest.push_back(sums.largest);
  }
  return errors;
}

const std::vector<double>& values_of(const ErrorSeries& errors, Norm norm) {
  switch (norm) {
    case Norm::max_l2_relative: return errors.relative;
    case Norm::max_l2_relative_own: return errors.relative_own;
    case Norm::final_max:
    case Norm::max_max: return errors.largest;
    default: return errors.l2;
  }
}

double norm_of(const ErrorSeries& errors, Norm norm, double from) {
  const std::vector<double>& values = values_of(errors, norm);
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  if (values.empty()) return none;
  if (norm == Norm::final_l2 || norm == Norm::final_max) return values.back();
  double largest = 0, sum = 0;
  int count = 0;
  for (std::size_t n = 0; n < values.size(); ++n) {
    if (errors.times[n] < from) continue;
    if (!std::isfinite(values[n])) return none;
    largest = std::max(largest, values[n]);
    sum += values[n];
    ++count;
  }
  if (count == 0) return none;
  return norm == Norm::mean_l2 ? sum / count : largest;
}

}  // namespace filum::study
