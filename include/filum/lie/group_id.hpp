/// Names of the groups a node may live in, for code that needs none of their formulas. Theory: docs/theory/groups.md.
#pragma once

#include <string_view>

namespace filum::lie {

// GCC takes a scoped enumerator for a shadow of the type of the same name.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
enum class GroupId { R1, R2, R3, SO3, S3, SO3xR3, S3xR3, SE3, S3sdR3, UDQ };
#pragma GCC diagnostic pop

/// A rotation about a fixed point with a translation.
inline bool is_rigid_motion(GroupId id) { return id >= GroupId::SO3xR3; }
/// A rotation about a fixed point and nothing else.
inline bool is_rotation(GroupId id) { return id == GroupId::SO3 || id == GroupId::S3; }
/// A point without orientation.
inline bool is_point(GroupId id) { return id <= GroupId::R3; }
/// A rigid motion whose linear velocity is given in the frame of the body.
inline bool is_semidirect(GroupId id) { return id >= GroupId::SE3; }

std::string_view name(GroupId id);
/// Length of a tangent.
int dim(GroupId id);
/// Length of an element.
int size(GroupId id);

}  // namespace filum::lie
