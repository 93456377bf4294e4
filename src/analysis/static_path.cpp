/// Following a path from its first equilibrium to its end. Theory: docs/theory/statics.md, sec. 5 to 7.
#include "critical_points.hpp"
#include "free_motions.hpp"

#include <filum/analysis/static_path.hpp>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace filum::analysis {
namespace {

constexpr double sharpest = 0.7;     ///< cosine of the angle between the tangents of one step
constexpr double farthest = 0.3;     ///< of a step: between its prediction and where it ends
constexpr double smallest = 1e-7;    ///< arc length of a step
constexpr double jump_share = 0.01;  ///< of the range: how far beyond a limit point a jump looks for equilibrium

std::string with_digits(double x) {
  std::ostringstream text;
  text.precision(9);
  text << x;
  return text.str();
}

class Path {
 public:
  Path(const System& system, const State& start, const RowSelection& rows, const PathOptions& options,
       const PathObserver& observer)
      : system_(system),
        rows_(rows),
        start_(start),
        options_(options),
        observer_(observer),
        is_time_(options.kind == PathKind::time),
        end_(is_time_ ? options.end : options.to),
        begin_(is_time_ ? start.t : 0),
        range_(std::max(std::abs(end_ - begin_), 1e-300)),
        sense_(end_ < begin_ ? -1 : 1),
        equations_(system, rows, start, options.regularize),
        newton_(equations_, options.tolerance, options.max_iterations),
        follower_(equations_, is_time_, range_, options.tolerance) {}

  StaticPath run() {
    if (begin()) {
      while (!ended_) step();
    }
    out_.state = now_.x.x;
    out_.factor = now_.x.factor;
    out_.negative_directions = now_.stability.negative;
    if (!out_.is_conservative)
      out_.remarks.push_back(
          "some loads are not conservative: statics does not detect flutter (growing oscillations); only directions "
          "that "
          "diverge without oscillating count as unstable");
    return std::move(out_);
  }

 private:
  Equilibrium find(double factor, bool nearby) {
    Equilibrium e = find_equilibrium(system_, start_, rows_,
                                     {.load_factor = factor,
                                      .tolerance = options_.tolerance,
                                      .max_iterations = options_.max_iterations,
                                      .load_steps = true,
                                      .nearby = nearby,
                                      .relax = options_.relax,
                                      .regularize = options_.regularize});
    out_.iterations += e.iterations;
    return e;
  }

  // (EQ.12) Without loads; or, where the drawn shape belongs to the full load or loads are what holds the model, with
  // all of them.
  bool begin() {
    const double first = is_time_ ? 1 : 0;
    Equilibrium e = find(first, !is_time_);
    bool is_single = false;
    if (!is_time_ && !e.is_found()) {
      e = find(options_.to, true);
      is_single = e.is_found();
      if (!is_single) e = find(first, false);
      if (!e.is_found()) e = find(options_.to, false), is_single = true;
    }
    out_.free_motions = e.free_motions;
    out_.held_motions = e.held_motions;
    equations_.set_anchors(anchors_against(equations_, e.held_motions));
    now_.x = {std::move(e.state), e.load_factor};
    if (!e.is_found()) {
      const bool is_free = e.outcome == EquilibriumOutcome::free_motion;
      return give_up(is_free ? PathOutcome::free_motion : PathOutcome::not_found, e.message);
    }
    if (!e.message.empty()) out_.remarks.push_back(e.message);
    if (is_single)
      out_.remarks.push_back(
          "without loads there is no isolated equilibrium near the drawn shape: the path has a single point, at the "
          "factor " +
          with_digits(options_.to));
    if (!complete(now_, follower_.forward(sense_)))
      return give_up(PathOutcome::stopped, "the matrix of the first equilibrium is singular");
    ended_ = is_single || follower_.parameter(now_.x) == end_;
    length_ = std::max(1.0, options_.max_step);
    return record(e.iterations, 0);
  }

  bool give_up(PathOutcome outcome, std::string message) {
    out_.outcome = outcome;
    out_.message = std::move(message);
    ended_ = true;
    return false;
  }

  /// Tangent and stability of a point.
  bool complete(KnownPoint& k, const PathDirection& along) {
    if (!follower_.tangent(k.x, along, k.tangent = follower_.forward(1))) return false;
    k.stability = count_negative(equations_);
    out_.is_conservative &= k.stability.is_symmetric;
    return true;
  }

  bool record(int iterations, double step) {
    if (const std::string text = equations_.contradiction(now_.x); !text.empty())
      return give_up(
          PathOutcome::stopped,
          text + " at " + place(now_.x) + ". Try: remove one of the drives or joints that prescribe the same motion");
    if (observer_ && !observer_({now_.x.x, now_.x.factor, now_.stability.negative, iterations, step}))
      return give_up(PathOutcome::interrupted, "the path was interrupted");
    return true;
  }

  void step() {
    const double speed = equations_.largest(now_.tangent.d.q);
    length_ = std::min(length_, options_.max_step / std::max(speed, 1e-300));
    const double left = (end_ - follower_.parameter(now_.x)) / now_.tangent.p;  // along the tangent
    const bool is_last = left > 0 && left <= 1.001 * length_;
    const double s = is_last ? left : length_;
    KnownPoint next;
    next.s = s;
    next.x = follower_.predict(now_.x, s, follower_.bent(now_.tangent, before_, last_, s));
    if (is_last) follower_.set_parameter(next.x, end_);
    const StaticPoint predicted = next.x;
    const StaticNewtonReport report =
        is_last ? newton_.solve(next.x, path_contraction) : follower_.correct(next.x, now_.tangent);
    out_.iterations += report.iterations;
    const bool is_good = report.converged() && follower_.distance(predicted, next.x) <= farthest * s &&
                         complete(next, now_.tangent) && follower_.product(next.tangent, now_.tangent) >= sharpest;
    if (!is_good) return reject(s);
    length_ = s * growth(report);
    const bool turns_back = options_.kind != PathKind::arc_length && next.tangent.p * sense_ < 0;
    if ((turns_back || (options_.critical && is_critical_between(now_, next))) && look_between(next)) return;
    accept(std::move(next), report.iterations);
    ended_ |= is_last;
  }

  void reject(double s) {
    ++out_.rejected;
    length_ = 0.3 * s;
    if (length_ >= smallest) return;
    if (options_.kind == PathKind::arc_length || !jump(now_.x))
      give_up(PathOutcome::stopped, "cannot continue from " + place(now_.x) +
                                        ": steps became too short. Try: another path, a smaller factor, or check the "
                                        "shape there");
  }

  void accept(KnownPoint next, int iterations, bool is_jump = false) {
    const double s = next.s;
    before_ = std::move(now_.tangent), last_ = is_jump ? 0 : s;
    now_ = std::move(next);
    now_.s = 0;
    path_length_ += s;
    ++out_.steps;
    if (!record(iterations, s)) return;
    if (out_.steps >= options_.max_steps)
      give_up(PathOutcome::too_many_steps, "the path ended after " + std::to_string(out_.steps) + " steps, at " +
                                               place(now_.x) + ". Try: more steps");
  }

  std::string place(const StaticPoint& x) const {
    return (is_time_ ? "time " : "the factor ") + with_digits(follower_.parameter(x));
  }

  /// Notes critical points; true when the path goes on elsewhere.
  bool look_between(const KnownPoint& next) {
    for (CriticalPoint& c : locate_critical_points(equations_, follower_, now_, next)) {
      const StaticPoint at{c.state, c.factor};
      const bool is_limit = c.kind == CriticalKind::limit_point;
      if (!is_limit) ++bifurcations_;
      c.path_length += path_length_;
      if (options_.critical) out_.critical.push_back(c);
      if (!is_limit && options_.branch != 0 && bifurcations_ == std::abs(options_.branch)) return leave(at, c.mode);
      if (is_limit && options_.kind != PathKind::arc_length) {
        if (!jump(at))
          give_up(PathOutcome::stopped, "the path turns back at " + place(at) +
                                            ", a limit point, and no equilibrium was found beyond it. Try: path = "
                                            "\"arc-length\"");
        return true;
      }
    }
    return false;
  }

  /// (EQ.17) Along the critical mode, in the plane normal to it.
  bool leave(const StaticPoint& at, const VectorXd& mode) {
    Eigen::Index largest = 0;
    (equations_.weights().cwiseSqrt().cwiseProduct(mode)).cwiseAbs().maxCoeff(&largest);
    PathDirection along = follower_.forward(0);
    along.d.q = mode * ((mode[largest] < 0) == (options_.branch < 0) ? 1.0 : -1.0);
    for (double s = 0.1; s > 1e-4; s *= 0.5) {
      KnownPoint next;
      next.s = s;
      next.x = follower_.predict(at, s, along);
      const StaticNewtonReport report = follower_.correct(next.x, along);
      out_.iterations += report.iterations;
      if (!report.converged() || !complete(next, along)) continue;
      out_.remarks.push_back("the path leaves at the bifurcation at " + place(at) + " along the critical mode");
      length_ = s;
      accept(std::move(next), report.iterations, true);
      return true;
    }
    out_.remarks.push_back("no other branch was found at the bifurcation at " + place(at));
    return false;
  }

  /// Where equilibrium nearby ends, loads throw the model somewhere else: a damped motion finds where.
  bool jump(const StaticPoint& at) {
    if (!options_.relax) return false;
    KnownPoint next;
    next.x = at;
    const double beyond = follower_.parameter(at) + sense_ * jump_share * range_;
    follower_.set_parameter(next.x, sense_ * beyond > sense_ * end_ ? end_ : beyond);
    const StaticNewtonReport report = newton_.relax(next.x);
    out_.iterations += report.iterations;
    if (!report.converged() || !complete(next, follower_.forward(sense_))) return false;
    out_.remarks.push_back("there is no equilibrium nearby beyond " + place(at) +
                           "; a strongly damped motion led to the next point, at " + place(next.x));
    ended_ = follower_.parameter(next.x) == end_;
    length_ = options_.max_step;
    accept(std::move(next), report.iterations, true);
    return true;
  }

  const System& system_;
  const RowSelection& rows_;
  const State& start_;
  const PathOptions& options_;
  const PathObserver& observer_;
  const bool is_time_;
  const double end_, begin_, range_, sense_;
  StaticEquations equations_;
  StaticNewton newton_;
  PathFollower follower_;
  KnownPoint now_;
  PathDirection before_;  ///< tangent of the point before, at the distance last_
  double last_ = 0;
  double length_ = 0, path_length_ = 0;
  bool ended_ = false;
  int bifurcations_ = 0;
  StaticPath out_;
};

}  // namespace

StaticPath follow_path(const System& system, const State& start, const RowSelection& rows, const PathOptions& options,
                       const PathObserver& observer) {
  return Path(system, start, rows, options, observer).run();
}

}  // namespace filum::analysis
