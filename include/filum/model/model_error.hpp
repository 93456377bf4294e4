/// What is wrong with a model, object by object. User document: docs/guide/cpp.md.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace filum::model {

/// A mistake in an option of an object, found where the option is looked at.
class OptionError : public std::invalid_argument {
 public:
  OptionError(std::string option_name, const std::string& message)
      : std::invalid_argument(message), option(std::move(option_name)) {}
  std::string option;
};

struct ObjectProblem {
  std::string kind = {}, name = {};  ///< of the object; empty when the model as a whole is meant
  std::string option = {};           ///< empty when the object as a whole is meant
  std::string message = {};
  /// "beam rod, segments: expected ...".
  std::string text() const;
};

/// Everything that is wrong with a model.
class ModelError : public std::invalid_argument {
 public:
  explicit ModelError(std::vector<ObjectProblem> problems);
  /// About the model as a whole.
  explicit ModelError(const std::string& message) : ModelError(std::vector<ObjectProblem>{{.message = message}}) {}
  const std::vector<ObjectProblem>& problems() const { return problems_; }

 private:
  std::vector<ObjectProblem> problems_;
};

}  // namespace filum::model
