/// Group operations over all nodes. Theory: docs/theory/mechanics.md, sec. 1.
#include <filum/lie/wide_rigid_motion.hpp>
#include <filum/mechanics/configuration_space.hpp>
#include <filum/mechanics/nodes.hpp>

#include <algorithm>
#include <initializer_list>

namespace filum::mechanics {
namespace {

/// Shorter runs of nodes are computed one by one. No multiple of the number of lanes: numbers do not depend on it.
constexpr int fewest_in_packs = 4;

/// packed(Pack, run) for the runs of nodes in `groups`, several nodes at once, and single(GroupTag<G>{}, q_offset,
/// v_offset) for every other node. Shared with the team in use.
template <class Packed, class Single>
void for_each_node_or_pack(const ConfigurationSpace& space, std::initializer_list<lie::GroupId> groups, Packed&& packed,
                           Single&& single) {
  const auto of_node = [&](auto tag, int, int at, int vat) { single(tag, at, vat); };
  for (const ConfigurationSpace::Run& run : space.runs())
    if (run.count >= fewest_in_packs && std::find(groups.begin(), groups.end(), run.group) != groups.end())
      linalg::for_each_chunk(run.count, nodes_of_chunk, [&](int first, int end) {
        linalg::for_each_pack(first, end, [&](const auto& pack) { packed(pack, run); });
      });
    else if (run.count <= nodes_of_chunk)
      for_each_node_of_few(run, of_node);
    else
      linalg::for_each_chunk(run.count, nodes_of_chunk,
                             [&](int first, int end) { for_each_node_of(run, first, end, of_node); });
}

constexpr std::initializer_list<lie::GroupId> poses = {lie::GroupId::S3sdR3};
/// Their tangents are twists.
constexpr std::initializer_list<lie::GroupId> semidirect = {lie::GroupId::S3sdR3, lie::GroupId::SE3, lie::GroupId::UDQ};

}  // namespace

int ConfigurationSpace::add_nodes(lie::GroupId group, int count) {
  const int first = nodes();
  if (runs_.empty() || runs_.back().group != group) runs_.push_back({group, first, 0, size_q_, size_v_});
  runs_.back().count += count;
  for (int k = 0; k < count; ++k) {
    groups_.push_back(group);
    q_offsets_.push_back(size_q_);
    v_offsets_.push_back(size_v_);
    size_q_ += lie::size(group);
    size_v_ += lie::dim(group);
  }
  return first;
}

VectorXd ConfigurationSpace::identity() const {
  VectorXd q(size_q_);
  for_each_node(*this, [&]<class G>(lie::GroupTag<G>, int, int at, int) { element<G>(q, at) = G::identity(); });
  return q;
}

void ConfigurationSpace::advance(const VectorXd& q, double h, const VectorXd& v, VectorXd& out) const {
  for_each_node_or_pack(
      *this, poses,
      [&]<class Pack>(const Pack& pack, const Run& run) {
        const auto twist = typename Pack::Number(h) * lie::wide::read_twist(pack, v.data() + run.v_offset);
        lie::wide::write_pose(pack, lie::wide::advance(lie::wide::read_pose(pack, q.data() + run.q_offset), twist),
                              out.data() + run.q_offset);
      },
      [&]<class G>(lie::GroupTag<G>, int at, int vat) {
        element<G>(out, at) = G::compose(element<G>(q, at), G::exp(h * tangent<G>(v, vat)));
      });
}

void ConfigurationSpace::advance_node(int node, const VectorXd& q, int component, double h, VectorXd& out) const {
  lie::visit(groups_[node], [&]<class G>(lie::GroupTag<G>) {
    const int at = q_offsets_[node];
    element<G>(out, at) = G::compose(element<G>(q, at), G::exp(h * G::Tangent::Unit(component)));
  });
}

void ConfigurationSpace::difference(const VectorXd& q0, const VectorXd& q1, VectorXd& out) const {
  for_each_node(*this, [&]<class G>(lie::GroupTag<G>, int, int at, int vat) {
    tangent<G>(out, vat) = G::log(G::compose(G::inverse(element<G>(q0, at)), element<G>(q1, at)));
  });
}

void ConfigurationSpace::tangent_op_times(double h, const VectorXd& v, const VectorXd& w, VectorXd& out) const {
  for_each_node(*this, [&]<class G>(lie::GroupTag<G>, int, int, int at) {
    tangent<G>(out, at) = G::tangent_op_times(h * tangent<G>(v, at), tangent<G>(w, at));
  });
}

void ConfigurationSpace::tangent_op_T_times(double h, const VectorXd& v, const VectorXd& w, VectorXd& out) const {
  for_each_node(*this, [&]<class G>(lie::GroupTag<G>, int, int, int at) {
    tangent<G>(out, at) = G::tangent_op_T_times(h * tangent<G>(v, at), tangent<G>(w, at));
  });
}

void ConfigurationSpace::tangent_op_inv_times(double h, const VectorXd& v, const VectorXd& w, VectorXd& out) const {
  for_each_node_or_pack(
      *this, semidirect,
      [&]<class Pack>(const Pack& pack, const Run& run) {
        const auto read = [&](const VectorXd& x) { return lie::wide::read_twist(pack, x.data() + run.v_offset); };
        lie::wide::write_twist(pack, lie::wide::tangent_op_inv_times(typename Pack::Number(h) * read(v), read(w)),
                               out.data() + run.v_offset);
      },
      [&]<class G>(lie::GroupTag<G>, int, int at) {
        tangent<G>(out, at) = G::tangent_op_inv_times(h * tangent<G>(v, at), tangent<G>(w, at));
      });
}

void ConfigurationSpace::tangent_op_inv_T_times(double h, const VectorXd& v, const VectorXd& w, VectorXd& out) const {
  for_each_node_or_pack(
      *this, semidirect,
      [&]<class Pack>(const Pack& pack, const Run& run) {
        const auto read = [&](const VectorXd& x) { return lie::wide::read_twist(pack, x.data() + run.v_offset); };
        lie::wide::write_twist(pack, lie::wide::tangent_op_inv_T_times(typename Pack::Number(h) * read(v), read(w)),
                               out.data() + run.v_offset);
      },
      [&]<class G>(lie::GroupTag<G>, int, int at) {
        tangent<G>(out, at) = G::tangent_op_inv_T_times(h * tangent<G>(v, at), tangent<G>(w, at));
      });
}

void ConfigurationSpace::bracket(const VectorXd& v, const VectorXd& w, VectorXd& out) const {
  for_each_node(*this, [&]<class G>(lie::GroupTag<G>, int, int, int at) {
    tangent<G>(out, at) = G::bracket(tangent<G>(v, at), tangent<G>(w, at));
  });
}

void ConfigurationSpace::bracket_T(const VectorXd& v, const VectorXd& w, VectorXd& out) const {
  for_each_node(*this, [&]<class G>(lie::GroupTag<G>, int, int, int at) {
    tangent<G>(out, at) = G::bracket_T(tangent<G>(v, at), tangent<G>(w, at));
  });
}

void ConfigurationSpace::d_tangent_op_inv_times(double h, const VectorXd& v, const VectorXd& w, const VectorXd& u,
                                                VectorXd& out) const {
  for_each_node(*this, [&]<class G>(lie::GroupTag<G>, int, int, int at) {
    const typename G::Jacobian D = G::d_tangent_op_inv_times(h * tangent<G>(v, at), tangent<G>(w, at));
    tangent<G>(out, at) = D * tangent<G>(u, at);
  });
}

}  // namespace filum::mechanics
