/// How a system is built: nodes, inertias, initial values and parts are added in any order, then it is built.
/// Theory: docs/theory/mechanics.md, sec. 3.
#pragma once

#include <filum/mechanics/declaration.hpp>
#include <filum/mechanics/state.hpp>
#include <filum/mechanics/system.hpp>

#include <memory>
#include <typeindex>
#include <unordered_map>
#include <vector>

namespace filum::mechanics {

/// After `build` only start() and space() may be used; everything else throws std::logic_error.
class SystemBuilder {
 public:
  SystemBuilder();

  /// Appends nodes without inertia, at the identity and at rest, and returns the number of the first.
  int add_nodes(lie::GroupId group, int count = 1);
  /// Adds to the constant inertia of a node: a dim × dim symmetric matrix for its derivative vector. It may be
  /// singular; then methods that need its inverse refuse the system.
  void add_inertia(int node, const Eigen::MatrixXd& M);
  /// Inertia of a rigid body whose centre of mass c (body frame) is off the node of a direct product: M(q) varies.
  void add_offset_inertia(int node, double mass, const Eigen::Matrix3d& inertia_about_node, const Eigen::Vector3d& c);

  /// Initial t, q and v; they grow with the nodes. After build() a and lambda have their sizes, too.
  State& start() { return start_; }
  const State& start() const { return start_; }
  const ConfigurationSpace& space() const { return system_->space(); }

  /// Takes a part and returns it. A part belongs to one system.
  template <class P>
  std::shared_ptr<P> add_part(std::shared_ptr<P> part) {
    take(part);
    return part;
  }
  /// The part of this type, made when first asked for: like elements are evaluated in one call.
  template <class P>
  std::shared_ptr<P> shared_part() {
    check_open();
    std::shared_ptr<Part>& part = shared_[typeid(P)];
    if (!part) part = add_part(std::make_shared<P>());
    return std::static_pointer_cast<P>(part);
  }
  const std::vector<std::shared_ptr<Part>>& parts() const { return parts_; }

  /// Fixes the pattern, hands out the final handles and checks at start() that every part does what it announced and
  /// nothing else. Throws std::invalid_argument for a node without inertia or with one that is not symmetric and
  /// finite, std::logic_error for a part that broke the contract. The builder is used up.
  std::shared_ptr<const System> build();

 private:
  using Ledgers = std::vector<Declaration::Ledger>;
  void take(std::shared_ptr<Part> part);
  void check_open() const;
  void lay_out(Ledgers& ledgers);
  void declare(Ledgers& ledgers);
  void connect(const Ledgers& ledgers);

  std::shared_ptr<System> system_;
  bool built_ = false;
  std::vector<std::shared_ptr<Part>> parts_;
  std::unordered_map<std::type_index, std::shared_ptr<Part>> shared_;
  std::vector<Eigen::MatrixXd> inertias_;  ///< by node
  State start_;
};

}  // namespace filum::mechanics
