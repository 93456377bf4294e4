/// How tables of a file become objects of a model, and back. One file of `tables/` per kind of table. How to add one:
/// docs/how-to-add-an-object.md.
#pragma once

#include <filum/config/describe.hpp>
#include <filum/config/reader.hpp>
#include <filum/config/writer.hpp>
#include <filum/model/model.hpp>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace filum::scenario {

using config::not_negative;
using config::positive;
using config::required;
using config::required_decision;
using config::required_positive;
using config::Rule;

/// "ground", "system", "NAME", "ROD:start", "ROD:end", "ROD:all", "ROD@3.5"; on surfaces "SHEET:s1=0", "SHEET:0,end",
/// "SHEET@1,2".
using Reference = std::string;

/// What a file declares, as far as the table that is being added is concerned.
struct Declared {
  std::set<std::string> partners;             ///< names that it may refer to
  std::map<std::string, std::string> others;  ///< kinds of all other names: what comes later, such as sensors
  bool is_complete = true;                    ///< false when some tables could not be read at all
};

/// What tables need to become objects.
class TableContext {
 public:
  /// Called only where a name is not found.
  using Names = std::function<const Declared&()>;
  TableContext(model::Model& model, const config::Symbols& symbols, Names declared)
      : model_(model), symbols_(symbols), declared_(std::move(declared)) {}
  model::Model& model() { return model_; }
  const config::Symbols& symbols() const { return symbols_; }
  /// An unresolved point, and a complaint at `option`, when the reference means nothing; without the complaint when it
  /// means an object that has a mistake itself.
  model::Point point(const Reference& reference, const std::string& option,
                     const Eigen::Vector3d& offset = Eigen::Vector3d::Zero());
  /// Complaints since the last call.
  std::vector<model::OptionError> take_errors() { return std::exchange(errors_, {}); }

 private:
  void complain_about(const std::string& name, const Declared& declared, const std::string& option);

  model::Model& model_;
  const config::Symbols& symbols_;
  Names declared_;
  std::vector<model::OptionError> errors_;
};

/// The reverse: the name of a point in a file.
Reference reference_to(const model::Model& model, const model::Point& point);

/// A table that has been read and waits to become an object.
struct PendingObject {
  int order;         ///< objects that others refer to come first
  std::string kind;  ///< "beam"
  std::string path;  ///< "beam.rod"
  std::string name;
  std::function<model::Handle(TableContext&)> add;
};

/// A kind of table.
struct TableKind {
  std::string key;  ///< "beam"
  int order = 0;    ///< in which tables are read and objects are added
  std::function<void(config::Reader&, std::vector<PendingObject>&)> read;
  /// The table of an object; nothing when it is not of this kind. Throws OptionError for what no file can say.
  std::function<std::optional<std::string>(const model::Model&, const model::Object&)> write;
  /// Which keys it has.
  std::function<void(config::Describer&)> describe;
};

/// All of them, by order. Made by CMake from the files of `tables/`.
const std::vector<TableKind>& table_kinds();

/// A table struct T has `name`, fields(), `int order(const T&)`, `Handle add_table(TableContext&, const T&)` and
/// `std::optional<T> table_of(const Model&, const Object&, T*)`.
template <class T>
TableKind table_kind(const std::string& key, int order) {
  return {
      .key = key,
      .order = order,
      .read =
          [key, order](config::Reader& reader, std::vector<PendingObject>& pending) {
            std::vector<T> tables;
            reader(key.c_str(), tables);
            for (std::size_t i = 0; i < tables.size(); ++i) {
              const T& table = tables[i];
              const bool named = !table.name.empty() && table.name.size() < 100;
              pending.push_back({order + order_within(table), key, key + "." + (named ? table.name : std::to_string(i)),
                                 table.name, [table](TableContext& c) { return add_table(c, table); }});
            }
          },
      .write = [key](const model::Model& model, const model::Object& object) -> std::optional<std::string> {
        std::optional<T> table = table_of(model, object, static_cast<T*>(nullptr));
        if (!table) return {};
        config::Writer writer;
        fields(writer, *table);
        return "\n[[" + key + "]]\n" + writer.text();
      },
      .describe =
          [](config::Describer& describer) {
            T table;
            fields(describer, table);
          }};
}

/// Numbers that a file can say, or OptionError.
template <class T>
auto written(const T& value, const char* option) {
  auto numbers = value.numbers();
  if (!numbers) throw model::OptionError(option, "a C++ function cannot be written to a file");
  return *numbers;
}

}  // namespace filum::scenario
