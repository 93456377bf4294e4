/// The configuration space of an object, or the wish that the program chooses. Theory: docs/theory/joints.md, sec. 10.
#pragma once

#include <filum/lie/group_id.hpp>

#include <optional>

namespace filum::model {

/// A group, or the one that suits the object.
struct GroupChoice {
  std::optional<lie::GroupId> group = lie::GroupId::S3sdR3;  ///< empty: automatic
  GroupChoice() = default;
  GroupChoice(lie::GroupId id) : group(id) {}  // NOLINT: a group is a choice
  static GroupChoice automatic() {
    GroupChoice choice;
    choice.group.reset();
    return choice;
  }
  bool is_automatic() const { return !group.has_value(); }
};

}  // namespace filum::model
