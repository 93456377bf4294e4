/// All groups a node may live in: the run-time name and the compile-time type. Theory: docs/theory/groups.md.
#pragma once

#include <filum/lie/direct_product.hpp>
#include <filum/lie/group_id.hpp>
#include <filum/lie/rn.hpp>
#include <filum/lie/s3.hpp>
#include <filum/lie/s3sdr3.hpp>
#include <filum/lie/se3.hpp>
#include <filum/lie/so3.hpp>
#include <filum/lie/udq.hpp>

#include <cstdlib>
#include <utility>

namespace filum::lie {

template <class G>
struct GroupTag {
  using type = G;
};

/// Calls f(GroupTag<G>{}) for the group named by id: the only place where a run-time choice becomes a type.
template <class F>
decltype(auto) visit(GroupId id, F&& f) {
  switch (id) {
    case GroupId::R1: return f(GroupTag<R1>{});
    case GroupId::R2: return f(GroupTag<R2>{});
    case GroupId::R3: return f(GroupTag<R3>{});
    case GroupId::SO3: return f(GroupTag<SO3>{});
    case GroupId::S3: return f(GroupTag<S3>{});
    case GroupId::SO3xR3: return f(GroupTag<SO3xR3>{});
    case GroupId::S3xR3: return f(GroupTag<S3xR3>{});
    case GroupId::SE3: return f(GroupTag<SE3>{});
    case GroupId::S3sdR3: return f(GroupTag<S3sdR3>{});
    case GroupId::UDQ: return f(GroupTag<UDQ>{});
  }
  std::abort();
}

/// As `visit`, for ids that are known to name a rigid motion.
template <class F>
decltype(auto) visit_rigid_motion(GroupId id, F&& f) {
  switch (id) {
    case GroupId::SO3xR3: return f(GroupTag<SO3xR3>{});
    case GroupId::S3xR3: return f(GroupTag<S3xR3>{});
    case GroupId::SE3: return f(GroupTag<SE3>{});
    case GroupId::S3sdR3: return f(GroupTag<S3sdR3>{});
    case GroupId::UDQ: return f(GroupTag<UDQ>{});
    default: std::abort();
  }
}

}  // namespace filum::lie
