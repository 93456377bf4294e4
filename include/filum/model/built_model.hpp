/// A model that has become a system with a consistent start. User document: docs/guide/cpp.md.
#pragma once

#include <filum/mechanics/consistent_start.hpp>
#include <filum/model/object.hpp>

#include <memory>
#include <string>
#include <vector>

namespace filum::model {

using mechanics::RowSelection;
using mechanics::System;
using mechanics::VectorXd;

/// Immutable. Copies share everything, and keep the objects alive.
class BuiltModel {
 public:
  struct Data;
  explicit BuiltModel(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

  const System& system() const;
  std::shared_ptr<const System> shared_system() const;
  const State& start() const;
  const mechanics::ConsistencyReport& consistency() const;
  const RowSelection& rows() const { return consistency().rows; }
  /// Decisions of the program: nodes added, groups chosen, joints absorbed.
  const std::vector<std::string>& remarks() const;
  const Objects& objects() const;
  const std::string& title() const;
  const Vector3d& gravity() const;

  /// Where a point is and how its node is turned.
  Vector3d position(const Point& point, const State& x) const;
  Matrix3d rotation(const Point& point, const State& x) const;
  /// A quantity that a sensor at this point could measure. Throws ModelError when there is none of this name.
  VectorXd measure(const Point& point, std::string_view quantity, const State& x) const;

  /// What a run records. `eta`, if given, is read with every frame: the method's η, one number per row.
  Layout layout(const VectorXd* eta = nullptr) const;
  /// "beam spaghetti, node 3 of 9: angular velocity 2" for a component of v.
  std::string velocity_name(int component) const;
  /// Objects, degrees of freedom, constraints and the start in words.
  std::string description() const;

 private:
  std::shared_ptr<const Data> data_;
};

}  // namespace filum::model
