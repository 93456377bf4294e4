/// Gravity in every group, (B.4) to (B.6). Theory: docs/theory/bodies.md, sec. 2.
#include <filum/linalg/team.hpp>
#include <filum/mechanics/nodes.hpp>
#include <filum/parts/gravity.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace filum::parts {

using lie::skw;

void Gravity::add(const Marker& at, double mass) {
  if (at.node == ground) throw std::invalid_argument("gravity: a mass must be attached to a node, not to the ground");
  if (!(mass > 0) || !std::isfinite(mass)) throw std::invalid_argument("gravity: a mass must be positive");
  masses_.push_back({.mass = mass, .c = at.point, .origin = at.origin, .node = at.node});
}

void Gravity::declare(mechanics::Declaration& declaration) {
  const ConfigurationSpace& space = declaration.space();
  std::stable_sort(masses_.begin(), masses_.end(), [](const Mass& a, const Mass& b) { return a.node < b.node; });
  runs_.clear();
  for (std::size_t k = 0; k < masses_.size(); ++k) {
    Mass& m = masses_[k];
    m.is_off_frame = !m.c.isZero(0);
    m.q_at = space.q_offset(m.node);
    m.v_at = space.v_offset(m.node);
    m.force = declaration.forces<1>({m.node}, {.load = true});
    const lie::GroupId group = space.group(m.node);
    if (runs_.empty() || runs_.back().group != group) runs_.push_back({group, static_cast<int>(k), 0});
    ++runs_.back().count;
  }
}

/// f(GroupTag<G>{}, mass) in order, the group chosen once per run.
template <class F>
void Gravity::for_each_mass(F&& f) const {
  for (const Run& run : runs_)
    lie::visit(run.group, [&]<class G>(lie::GroupTag<G> tag) {
      for (int k = run.first; k < run.first + run.count; ++k) f(tag, masses_[k]);
    });
}

/// The same, shared with the team in use: all masses of a node belong to the chunk of the first one.
template <class F>
void Gravity::for_each_mass_shared(F&& f) const {
  constexpr int masses_of_chunk = 512;
  const auto first_of_node = [&](int k, int end) {
    while (k > 0 && k < end && masses_[k].node == masses_[k - 1].node) ++k;
    return k;
  };
  for (const Run& run : runs_)
    linalg::for_each_chunk(run.count, masses_of_chunk, [&](int from, int to) {
      const int end = run.first + run.count, last = first_of_node(run.first + to, end);
      lie::visit(run.group, [&]<class G>(lie::GroupTag<G> tag) {
        for (int k = first_of_node(run.first + from, end); k < last; ++k) f(tag, masses_[k]);
      });
    });
}

void Gravity::add_forces(double, const VectorXd& q, const VectorXd&, VectorRef f) const {
  for_each_mass_shared([&]<class G>(lie::GroupTag<G>, const Mass& m) {
    if constexpr (requires { &G::rotation; }) {
      const Vector3d g = m.mass * (G::rotation(mechanics::element<G>(q, m.q_at)).transpose() * field_);
      if (m.is_off_frame) f.segment<3>(m.v_at) += m.c.cross(g);
      if constexpr (lie::RigidMotion<G>) f.segment<3>(m.v_at + 3) += G::is_semidirect ? g : Vector3d(m.mass * field_);
    } else {
      f.segment<G::dim>(m.v_at) += m.mass * field_.head<G::dim>();
    }
  });
}

double Gravity::potential_energy(double, const VectorXd& q) const {
  double energy = 0;
  for_each_mass([&]<class G>(lie::GroupTag<G>, const Mass& m) {
    const typename G::Element e = mechanics::element<G>(q, m.q_at);
    if constexpr (lie::RigidMotion<G>) {
      energy -= m.mass * field_.dot(G::act(e, m.c));
    } else if constexpr (requires { &G::rotation; }) {
      energy -= m.mass * field_.dot(m.origin + G::act(e, m.c));
    } else {
      energy -= m.mass * (field_.head<G::dim>().dot(e) + field_.dot(m.c));
    }
  });
  return energy;
}

void Gravity::add_force_derivatives(double, const VectorXd& q, const VectorXd&, double scale_q, double,
                                    NodeMatrix& H) const {
  for_each_mass_shared([&]<class G>(lie::GroupTag<G>, const Mass& m) {
    if constexpr (requires { &G::rotation; }) {
      const Vector3d g = (scale_q * m.mass) * (G::rotation(mechanics::element<G>(q, m.q_at)).transpose() * field_);
      linalg::BlockMap<G::dim, G::dim> block(m.force.blocks()(H, 0, 0));
      if (m.is_off_frame) block.template topLeftCorner<3, 3>() += skw(m.c) * skw(g);
      if constexpr (lie::RigidMotion<G>) {
        if constexpr (G::is_semidirect) block.template bottomLeftCorner<3, 3>() += skw(g);
      }
    }
  });
}

std::shared_ptr<Gravity> add_gravity(SystemBuilder& builder, const Vector3d& field,
                                     std::initializer_list<RigidBody> bodies) {
  const auto gravity = builder.add_part(std::make_shared<Gravity>(field));
  for (const RigidBody& body : bodies) gravity->add(body);
  return gravity;
}

}  // namespace filum::parts
