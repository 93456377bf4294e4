/// The run-time names of the groups lead to the right types. Theory: docs/theory/groups.md.
#include <filum/lie/groups.hpp>

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace filum::lie {
namespace {

static_assert(ActsOnPoints<R3> && ActsOnPoints<SO3> && ActsOnPoints<S3>);
static_assert(!ActsOnPoints<R1> && !ActsOnPoints<R2> && !ActsOnPoints<DirectProduct<S3sdR3, R2>>);
static_assert(RigidMotion<SO3xR3> && RigidMotion<S3xR3> && RigidMotion<SE3> && RigidMotion<S3sdR3> && RigidMotion<UDQ>);
static_assert(!RigidMotion<SO3> && !RigidMotion<S3> && !RigidMotion<R3>);

constexpr std::array all_ids{GroupId::R1,     GroupId::R2,    GroupId::R3,  GroupId::SO3,    GroupId::S3,
                             GroupId::SO3xR3, GroupId::S3xR3, GroupId::SE3, GroupId::S3sdR3, GroupId::UDQ};

TEST(Groups, NamesDimensionsAndSizesAreThoseOfTheGroups) {
  struct Row {
    GroupId id;
    std::string_view name;
    int dim, size;
  };
  const std::array rows{Row{GroupId::R1, "R1", 1, 1},         Row{GroupId::R2, "R2", 2, 2},
                        Row{GroupId::R3, "R3", 3, 3},         Row{GroupId::SO3, "SO3", 3, 9},
                        Row{GroupId::S3, "S3", 3, 4},         Row{GroupId::SO3xR3, "SO3xR3", 6, 12},
                        Row{GroupId::S3xR3, "S3xR3", 6, 7},   Row{GroupId::SE3, "SE3", 6, 12},
                        Row{GroupId::S3sdR3, "S3sdR3", 6, 7}, Row{GroupId::UDQ, "UDQ", 6, 8}};
  static_assert(rows.size() == all_ids.size());
  for (const Row& row : rows) {
    EXPECT_EQ(name(row.id), row.name);
    EXPECT_EQ(dim(row.id), row.dim) << row.name;
    EXPECT_EQ(size(row.id), row.size) << row.name;
  }
}

TEST(Groups, NamesAreDistinct) {
  std::set<std::string_view> names;
  for (const GroupId id : all_ids) names.insert(name(id));
  EXPECT_EQ(names.size(), all_ids.size());
}

TEST(Groups, VisitGivesTheGroupOfThatName) {
  visit(GroupId::S3sdR3, []<class G>(GroupTag<G>) { EXPECT_TRUE((std::is_same_v<G, S3sdR3>)); });
  visit(GroupId::R2, []<class G>(GroupTag<G>) { EXPECT_TRUE((std::is_same_v<G, R2>)); });
  const auto identity_size = [](GroupId id) {
    return visit(id, []<class G>(GroupTag<G>) { return static_cast<int>(G::identity().size()); });
  };
  for (const GroupId id : all_ids) EXPECT_EQ(identity_size(id), size(id)) << name(id);
}

TEST(Groups, VisitPassesReferencesThrough) {
  int target = 0;
  visit(GroupId::SE3, [&]<class G>(GroupTag<G>) -> int& { return target; }) = 3;
  EXPECT_EQ(target, 3);
}

TEST(Groups, RigidMotionsAreThoseOfTheConcept) {
  for (const GroupId id : all_ids) {
    const bool expected = visit(id, []<class G>(GroupTag<G>) { return RigidMotion<G>; });
    EXPECT_EQ(is_rigid_motion(id), expected) << name(id);
    if (!expected) continue;
    EXPECT_EQ(visit_rigid_motion(id, []<class G>(GroupTag<G>) { return G::name; }), name(id));
  }
}

TEST(Groups, ProductsNestWithFlatElements) {
  using Nested = DirectProduct<SO3, DirectProduct<R1, UDQ>>;
  EXPECT_EQ(Nested::name, "SO3xR1xUDQ");
  EXPECT_EQ(Nested::dim, 3 + 1 + 6);
  EXPECT_EQ(Nested::size, 9 + 1 + 8);
  const Nested::Element q = Nested::identity();
  EXPECT_EQ(Eigen::Map<const Eigen::Matrix3d>(q.data()), Eigen::Matrix3d::Identity());
  EXPECT_EQ(q[9], 0);
  EXPECT_EQ(q.tail<8>(), UDQ::identity());
}

}  // namespace
}  // namespace filum::lie
