/// What one part has announced. Theory: docs/theory/mechanics.md, sec. 3.
#pragma once

#include <filum/mechanics/declaration.hpp>

#include <span>
#include <string>
#include <vector>

namespace filum::mechanics {

/// Written by the first call of Part::declare, compared with the second one, which finds the pattern in place.
class Declaration::Ledger {
 public:
  struct Entry {
    bool is_force;
    ConstraintKind kind;
    Derivatives derivatives;
    bool varies;  ///< with velocity (forces) or time (constraints)
    bool load;    ///< of forces
    int rows;     ///< 0 for forces
    int first_node, node_count;
    int row_block;  ///< of constraints, when the pattern is complete
  };

  explicit Ledger(const Part& part) : part_(&part) {}

  const Part& part() const { return *part_; }
  const std::vector<Entry>& entries() const { return entries_; }
  std::vector<Entry>& entries() { return entries_; }
  std::span<const int> nodes(const Entry& e) const {
    return {nodes_.data() + e.first_node, static_cast<std::size_t>(e.node_count)};
  }
  const linalg::BlockPattern* pattern() const { return pattern_; }
  void start_second_call(const linalg::BlockPattern& pattern) { pattern_ = &pattern; }
  /// Throws when the second call announced less than the first.
  void finish_second_call() const;

  /// Notes an announcement; the second time, checks that it is the same. Returns it.
  const Entry& note(const ConfigurationSpace& space, Entry entry, std::span<const int> nodes, int most);

  /// Whether some entry of this kind (force or constraint) has a property.
  template <class Property>
  bool any(bool is_force, Property&& property) const {
    for (const Entry& e : entries_)
      if (e.is_force == is_force && property(e)) return true;
    return false;
  }
  bool has(bool is_force) const {
    return any(is_force, [](const Entry&) { return true; });
  }
  bool varies(bool is_force) const {
    return any(is_force, [](const Entry& e) { return e.varies; });
  }
  bool is_differenced(bool is_force) const {
    return any(is_force, [](const Entry& e) { return e.derivatives == Derivatives::differences; });
  }

 private:
  [[noreturn]] void refuse(const std::string& reason) const;

  const Part* part_;
  std::vector<Entry> entries_;
  std::vector<int> nodes_;
  const linalg::BlockPattern* pattern_ = nullptr;
  std::size_t next_ = 0;
};

}  // namespace filum::mechanics
