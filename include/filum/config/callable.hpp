/// Functions of a program where a file has formulas: callables of named arguments, bound to the variables of a value.
/// User document: docs/python/README.md, "Functions".
#pragma once

#include <filum/config/problem.hpp>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace filum::config {

/// Several consecutive variables under one name: "position" is x, y and z.
struct VariableVector {
  std::string name;
  std::size_t first, size;
};

/// One argument of a call: a number, or the numbers of a vector.
struct CallArgument {
  const double* at;
  std::size_t size;  ///< 1 for a number
};

/// A function that a program gives. `call` fills `out`, whose size is what is asked of it; any thread may call it.
struct Callable {
  std::string name;  ///< for messages
  Words arguments;   ///< each the name of a variable or of a vector of them
  std::function<void(std::span<const CallArgument> arguments, std::span<double> out)> call;
};

/// A callable that takes its arguments out of all variables of a value.
class BoundCallable {
 public:
  static constexpr std::size_t most_arguments = 12;
  /// Throws std::invalid_argument for an argument that is none of the variables.
  BoundCallable(std::shared_ptr<const Callable> callable, const std::vector<std::string>& variables,
                const std::vector<VariableVector>& vectors);

  void operator()(std::span<const double> variables, std::span<double> out) const;
  bool uses(std::string_view variable) const;
  bool uses(std::size_t variable) const;
  const std::string& name() const { return callable_->name; }
  bool operator==(const BoundCallable& other) const { return callable_ == other.callable_; }

 private:
  struct Slot {
    std::size_t first, size;
  };
  std::shared_ptr<const Callable> callable_;
  std::vector<std::string> variables_;
  std::vector<Slot> slots_;
};

}  // namespace filum::config
