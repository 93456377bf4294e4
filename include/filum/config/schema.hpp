/// How a struct says which keys it has: `fields(archive, struct)` calls archive(key, member, rule) for each of them,
/// once for reading and writing. User document: docs/guide/scenarios.md.
#pragma once

#include <filum/config/formula.hpp>
#include <filum/config/problem.hpp>

namespace filum::config {

enum class Sign { any, positive, not_negative };

/// What is asked of a value besides its type.
struct Rule {
  bool required = false;
  Sign sign = Sign::any;
  bool may_be_infinite = false;
  bool decides = false;                      ///< which other keys there are
  const char* advice = "";                   ///< what to write when the key is missing
  Variables of = {};                         ///< that a formula may contain
  std::vector<VariableVector> vectors = {};  ///< of these, that a function may take as one argument
};
inline const Rule required{.required = true};
inline const Rule required_decision{.required = true, .decides = true};
inline const Rule positive{.sign = Sign::positive};
inline const Rule not_negative{.sign = Sign::not_negative};
inline const Rule required_positive{.required = true, .sign = Sign::positive};

/// The words of a choice, in the order of its enumerators: specialised by whoever owns the words.
template <class Choice>
const Words& words_of();

template <class Choice>
const std::string& word_of(Choice choice) {
  return words_of<Choice>()[static_cast<std::size_t>(choice)];
}

template <class T, class Archive>
concept Struct = requires(Archive& a, T& x) {
  fields(a, x);
};

}  // namespace filum::config
