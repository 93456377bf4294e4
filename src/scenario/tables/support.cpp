/// [[support]]. User document: docs/guide/scenarios.md, "Supports".
#include "table_values.hpp"

#include <filum/model/support.hpp>

namespace filum::scenario {
namespace {

/// ["x", "y", "rz", ...].
struct HeldDirections {
  std::array<bool, 3> position{}, rotation{};
};

const config::Words& direction_words() {
  static const config::Words words{"x", "y", "z", "rx", "ry", "rz"};
  return words;
}

void read_value(config::Reader& reader, const config::Node& node, HeldDirections& value, const std::string& path,
                const Rule&) {
  const config::List* list = reader.list(node, path);
  for (std::size_t i = 0; list && i < list->size(); ++i)
    if (const int k = reader.word((*list)[i], config::element_path(path, i), direction_words()); k >= 0)
      (k < 3 ? value.position : value.rotation)[static_cast<std::size_t>(k % 3)] = true;
}
std::string format_value(const config::Writer& writer, const HeldDirections& value) {
  std::vector<std::string> words;
  for (std::size_t k = 0; k < 6; ++k)
    if ((k < 3 ? value.position : value.rotation)[k % 3]) words.push_back(direction_words()[k]);
  return config::format_value(writer, words);
}

struct SupportTable {
  std::string name;
  Reference on;
  HeldDirections hold;
  Vector3d point = Vector3d::Zero();
};

template <class A>
void fields(A& a, SupportTable& x) {
  a("name", x.name);
  a("on", x.on, required);
  a("hold", x.hold, required);
  a("point", x.point);
}

int order_within(const SupportTable&) { return 0; }

model::Handle add_table(TableContext& c, const SupportTable& t) {
  return c.model().add(model::Support{
      .name = t.name, .on = c.point(t.on, "on", t.point), .position = t.hold.position, .rotation = t.hold.rotation});
}

std::optional<SupportTable> table_of(const model::Model& m, const model::Object& object, SupportTable*) {
  const auto* o = options_of<model::Support>(object);
  if (!o) return {};
  return SupportTable{object.name(), reference_to(m, o->on), {o->position, o->rotation}, o->on.offset};
}

}  // namespace

TableKind support_table() { return table_kind<SupportTable>("support", 22); }

}  // namespace filum::scenario
