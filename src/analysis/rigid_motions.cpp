/// Motions of a whole system as one rigid body. Theory: docs/theory/modes.md, sec. 4.
#include "metric.hpp"
#include "node_products.hpp"
#include "resistance.hpp"

#include <filum/analysis/rigid_motions.hpp>
#include <filum/linalg/dense_decompositions.hpp>
#include <filum/linalg/kkt_solver.hpp>
#include <filum/parts/frame_reader.hpp>

#include <cmath>
#include <sstream>

namespace filum::analysis {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Matrix6d = Eigen::Matrix<double, 6, 6>;
using Vector6d = Eigen::Matrix<double, 6, 1>;
using Columns = Eigen::Matrix<double, Eigen::Dynamic, 6>;

constexpr double aligned = 1e-6;  // directions closer than this are taken for each other

/// Translations and rotations that some node cannot follow, because its group does not know them.
std::array<bool, 6> possible(const mechanics::ConfigurationSpace& space) {
  std::array<bool, 6> can{true, true, true, true, true, true};
  for (int i = 0; i < space.nodes(); ++i) {
    const lie::GroupId group = space.group(i);
    if (lie::is_rotation(group)) can[0] = can[1] = can[2] = false;
    if (lie::is_point(group) && lie::dim(group) < 3) {
      can[2] = can[3] = can[4] = false;
      if (lie::dim(group) < 2) can[1] = can[5] = false;
    }
  }
  return can;
}

std::string text(const Vector3d& direction, bool is_point) {
  std::ostringstream out;
  out.precision(3);
  if (!is_point)
    for (int k = 0; k < 3; ++k)
      if (1 - std::abs(direction[k]) < aligned) return std::string(1, "xyz"[k]);
  out << "(";
  for (int k = 0; k < 3; ++k) out << (k ? ", " : "") << (std::abs(direction[k]) < aligned ? 0.0 : direction[k]);
  return out.str() + ")";
}

/// τ is the displacement of the centre of mass, ω the rotation.
std::string name_of(const Vector6d& c, const Vector3d& center, double length) {
  const Vector3d tau = c.head<3>(), omega = c.tail<3>();
  if (omega.norm() * length < aligned * tau.norm()) return "translation along " + text(tau.normalized(), false);
  const Vector3d axis = omega.normalized(), off = omega.cross(tau) / omega.squaredNorm();
  std::string name = "rotation about " + text(axis, false);
  if (off.norm() > aligned * length) name += " through " + text(center + off, true);
  if (std::abs(axis.dot(tau)) > aligned * length * omega.norm()) name += " with translation along it";
  return name;
}

/// Combinations of the columns of V, orthonormal in G: along the axes of space where these are among them and
/// orthogonal. `first` is 0 for translations, 3 for rotations.
MatrixXd orthonormal(const MatrixXd& V, int first, const MatrixXd& G) {
  if (V.cols() == 0) return V;
  const MatrixXd part = V.middleRows<3>(first);
  const auto axes = linalg::generalized_symmetric_eigen(part.transpose() * Vector3d(1, 2, 3).asDiagonal() * part,
                                                        V.transpose() * G * V);
  return axes ? MatrixXd(V * axes->vectors) : V;
}

/// Rigid motions of the whole system that its groups know, as displacements ζ by (τ, ω): zero where they do not.
struct Screws {
  Columns zeta;
  Matrix6d metric;  ///< twice their kinetic energy
  Vector3d center;
  double length;  ///< radius of gyration
};

Screws screws_of(const Linearization& lin) {
  const System& s = *lin.system;
  Screws out;
  out.center = center_of_mass(s, lin.x.q);
  out.zeta = lin.Y.transpose() * known_rigid_motions(s, lin.x.q, out.center);
  out.metric = out.zeta.transpose() * separable_times(lin.M, out.zeta);
  const double mass = out.metric.topLeftCorner<3, 3>().trace(), spin = out.metric.bottomRightCorner<3, 3>().trace();
  out.length = mass > 0 && spin > 0 ? std::sqrt(spin / mass) : 1;
  return out;
}

/// Combinations that move something. Where all nodes are points on one line, turning about it moves nothing.
MatrixXd moving(const MatrixXd& known, const MatrixXd& displacements) {
  const linalg::RightSingular svd = linalg::right_singular(displacements * known);
  const Index count = (svd.values.array() > 1e-10).count();  // columns have length 1
  return count == known.cols() ? known : MatrixXd(known * svd.vectors.leftCols(count));
}

/// (EQ.4) for each column of F.
MatrixXd best_multipliers(const Linearization& lin, const VectorXd& weights, const MatrixXd& F) {
  const auto& p = lin.system->pattern();
  NodeMatrix W(p);
  for (int i = 0; i < p.nodes(); ++i) W.block(i, i).diagonal() = weights.segment(p.offset(i), p.dim(i));
  linalg::KktSolver kkt(p, lin.rows);
  kkt.set_nodes(W, linalg::Structure::separable);
  kkt.set_rows(lin.C, lin.C, lin.system->row_blocks());
  const VectorXd none = VectorXd::Zero(p.rows());
  VectorXd left(p.size()), y(p.rows());
  MatrixXd Y(p.rows(), F.cols());
  for (Index k = 0; k < F.cols(); ++k) {
    kkt.solve(F.col(k), none, left, y);
    Y.col(k) = y;
  }
  return Y;
}

/// (MO.16) A column (τ, ω) for each independent motion that nothing resists.
MatrixXd free_screws(const Linearization& lin, const Screws& screws) {
  const Metric metric = metric_of(*lin.system, lin.x.q);
  MatrixXd known(6, 0);  // of length 1 in the metric
  for (int k = 0; k < 6; ++k) {
    const double length = std::sqrt(screws.zeta.col(k).cwiseAbs2().dot(metric.weights));
    if (!(length > 0)) continue;
    known.conservativeResize(Eigen::NoChange, known.cols() + 1);
    known.rightCols<1>() = Vector6d::Unit(k) / length;
  }
  if (known.cols() == 0) return known;
  known = moving(known, metric.weights.cwiseSqrt().asDiagonal() * screws.zeta);
  const auto multipliers = [&](const MatrixXd& F) { return best_multipliers(lin, metric.weights, F); };
  return known * free_combinations({lin.K, lin.C, lin.rows, metric.weights, multipliers}, screws.zeta * known);
}

}  // namespace

Eigen::Matrix<double, Eigen::Dynamic, 6> rigid_motions(const System& system, const VectorXd& q, const Vector3d& about) {
  Columns out = Columns::Zero(system.size_v(), 6);
  const auto& space = system.space();
  for (int i = 0; i < space.nodes(); ++i) {
    const parts::FrameReader frame(space, {.node = i});
    const parts::Pose pose = frame.pose(q);
    const lie::GroupId group = space.group(i);
    const int at = space.v_offset(i), dim = lie::dim(group);
    for (int k = 0; k < 6; ++k) {
      const Vector3d unit = Vector3d::Unit(k % 3), turn = k < 3 ? Vector3d(Vector3d::Zero()) : unit;
      const Vector3d shift = k < 3 ? unit : Vector3d(unit.cross(pose.x - about));
      auto column = out.col(k).segment(at, dim);
      if (lie::is_point(group))
        column = shift.head(dim);
      else
        column.head<3>() = pose.R.transpose() * turn;
      if (lie::is_rigid_motion(group))
        column.tail<3>() = lie::is_semidirect(group) ? Vector3d(pose.R.transpose() * shift) : shift;
    }
  }
  return out;
}

Eigen::Matrix<double, Eigen::Dynamic, 6> known_rigid_motions(const System& system, const VectorXd& q,
                                                             const Vector3d& about) {
  Columns out = rigid_motions(system, q, about);
  const auto can = possible(system.space());
  for (std::size_t k = 0; k < 6; ++k)
    if (!can[k]) out.col(static_cast<Index>(k)).setZero();
  return out;
}

Vector3d center_of_mass(const System& system, const VectorXd& q) {
  const Columns R = rigid_motions(system, q, Vector3d::Zero());
  const mechanics::Momentum x = system.momentum(q, R.col(0)), y = system.momentum(q, R.col(1));
  if (!(x.linear[0] > 0)) return Vector3d::Zero();
  return Vector3d(y.angular[2], -x.angular[2], x.angular[1]) / x.linear[0];
}

std::vector<FreeMotion> free_rigid_motions(const Linearization& lin) {
  const Screws screws = screws_of(lin);
  const MatrixXd found = free_screws(lin, screws), &G = screws.metric;
  if (found.cols() == 0) return {};
  // Translations are the combinations without rotation; rotations are made orthogonal to them.
  const linalg::RightSingular svd = linalg::right_singular(found.bottomRows<3>() * screws.length);
  const Index turning = (svd.values.array() > 1e-9 * found.norm()).count();
  const MatrixXd translations = orthonormal(found * svd.vectors.rightCols(found.cols() - turning), 0, G);
  MatrixXd rotations = found * svd.vectors.leftCols(turning);
  rotations -= translations * (translations.transpose() * (G * rotations));
  rotations = orthonormal(rotations, 3, G);
  std::vector<FreeMotion> out;
  for (const MatrixXd& part : {translations, rotations})
    for (Index k = 0; k < part.cols(); ++k) {
      const Vector6d c = part.col(k);
      out.push_back({name_of(c, screws.center, screws.length), screws.zeta * c});
    }
  return out;
}

}  // namespace filum::analysis
