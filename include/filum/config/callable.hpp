/// Functions of a program where a file has formulas: callables of named arguments, bound to the variables of a value.
/// User document: docs/python/README.md, "Functions".
#pragma once

#include <filum/config/problem.hpp>

#include <cstdint>
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

/// One argument of a call at several points: a number, or the numbers of a vector.
struct CallArgument {
  const double* at;    ///< of the first point
  std::size_t size;    ///< 1 for a number
  std::size_t stride;  ///< from one point to the next
};

/// A function that a program gives; any thread may call it. `call` fills `out` with equally many numbers per point.
struct Callable {
  std::string name;            ///< for messages
  Words arguments;             ///< each the name of a variable or of a vector of them
  bool takes_many = false;     ///< one call may be for many points; otherwise every call is for one
  bool returns_rates = false;  ///< of a function of time: values, first and second derivatives, one after the other
  std::function<void(std::size_t points, std::span<const CallArgument> arguments, std::span<double> out)> call = {};
};

/// A callable that takes its arguments out of all variables of a value.
class BoundCallable {
 public:
  static constexpr std::size_t most_arguments = 12;
  /// Throws std::invalid_argument for an argument that is none of the variables.
  BoundCallable(std::shared_ptr<const Callable> callable, const std::vector<std::string>& variables,
                const std::vector<VariableVector>& vectors);

  void operator()(std::span<const double> variables, std::span<double> out) const;
  /// At several points: their variables one point after the other, and so are the numbers.
  void at_points(std::size_t points, std::span<const double> variables, std::span<double> out) const;
  /// Of a function that returns rates: three times as many numbers.
  void with_rates(std::span<const double> variables, std::span<double> out) const;
  bool takes_many() const { return callable_->takes_many; }
  bool returns_rates() const { return callable_->returns_rates; }
  /// No other binding has this number, copies of this one excepted.
  std::uint64_t id() const { return id_; }
  bool uses(std::string_view variable) const;
  bool uses(std::size_t variable) const;
  const std::string& name() const { return callable_->name; }
  bool operator==(const BoundCallable& other) const { return callable_ == other.callable_; }

 private:
  struct Slot {
    std::size_t first, size;
  };
  void call(std::size_t points, std::span<const double> variables, std::span<double> out) const;

  std::uint64_t id_;
  std::shared_ptr<const Callable> callable_;
  std::vector<std::string> variables_;
  std::vector<Slot> slots_;
};

}  // namespace filum::config
