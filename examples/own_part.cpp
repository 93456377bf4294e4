// A part of one's own: a magnet that pulls bodies towards the origin with k/r², checked by the library before it is
// used.
#include <filum/integrate/rattlie.hpp>
#include <filum/integrate/run.hpp>
#include <filum/mechanics/consistent_start.hpp>
#include <filum/parts/point_mass.hpp>
#include <filum/testing/part_checks.hpp>

#include <cstdio>

using filum::mechanics::NodeMatrix;
using filum::mechanics::VectorRef;
using filum::mechanics::VectorXd;

class Magnet final : public filum::mechanics::Part {
 public:
  Magnet(int node, double k) : node_(node), k_(k) {}
  std::string name() const override { return "magnet"; }
  void declare(filum::mechanics::Declaration& d) override {
    q_at_ = d.space().q_offset(node_), v_at_ = d.space().v_offset(node_);
    force_ = d.forces<1>({node_});
  }
  void add_forces(double, const VectorXd& q, const VectorXd&, VectorRef f) const override {
    const Eigen::Vector3d x = q.segment<3>(q_at_);
    f.segment<3>(v_at_) -= k_ / std::pow(x.norm(), 3) * x;
  }
  double potential_energy(double, const VectorXd& q) const override { return -k_ / q.segment<3>(q_at_).norm(); }
  void add_force_derivatives(double, const VectorXd& q, const VectorXd&, double scale_q, double,
                             NodeMatrix& H) const override {
    const Eigen::Vector3d x = q.segment<3>(q_at_);
    const double r = x.norm();
    Eigen::Map<Eigen::Matrix3d>(force_.blocks()(H, 0, 0)) -=
        scale_q * k_ / std::pow(r, 3) * (Eigen::Matrix3d::Identity() - 3 * x * x.transpose() / (r * r));
  }

 private:
  int node_, q_at_ = 0, v_at_ = 0;
  double k_;
  filum::mechanics::Force<1> force_ = {};
};

int main() {
  filum::mechanics::SystemBuilder builder;
  const auto ball = filum::parts::add_point_mass(builder, {.mass = 2, .position = {1, 0, 0}, .velocity = {0, 0.8, 0}});
  builder.add_part(std::make_shared<Magnet>(ball.node, 2.0));
  filum::mechanics::State x = builder.start();
  const auto system = builder.build();
  const auto check = filum::checks::check_force_derivatives(*system, x);
  std::printf("%s\n", check.ok ? "the derivatives are right" : check.text.c_str());
  const auto rows = filum::mechanics::make_consistent(*system, x).rows;

  filum::integrate::Rattlie method(*system, {}, rows);
  const double before = system->kinetic_energy(x.q, x.v) + system->potential_energy(x.t, x.q);
  filum::integrate::run(*system, method, x, {.end = 20, .step = 1e-3});
  const double after = system->kinetic_energy(x.q, x.v) + system->potential_energy(x.t, x.q);
  std::printf("energy %.6f at first, %.6f after 20 s\n", before, after);
  return check.ok && std::abs(after - before) < 1e-4 ? 0 : 1;
}
