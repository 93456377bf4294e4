/// What the groups say about themselves, by their run-time name. Theory: docs/theory/groups.md.
#include <filum/lie/groups.hpp>

namespace filum::lie {

std::string_view name(GroupId id) {
  return visit(id, []<class G>(GroupTag<G>) { return G::name; });
}
int dim(GroupId id) {
  return visit(id, []<class G>(GroupTag<G>) { return G::dim; });
}
int size(GroupId id) {
  return visit(id, []<class G>(GroupTag<G>) { return G::size; });
}

}  // namespace filum::lie
