/// Texts of what is wrong with a model. User document: docs/guide/cpp.md.
#include <filum/model/model_error.hpp>

namespace filum::model {
namespace {

std::string all_texts(const std::vector<ObjectProblem>& problems) {
  std::string text;
  for (const ObjectProblem& p : problems) text += (text.empty() ? "" : "\n") + p.text();
  return text;
}

}  // namespace

std::string ObjectProblem::text() const {
  std::string text = kind;
  if (!name.empty()) text += (text.empty() ? "" : " ") + name;
  if (!option.empty()) text += (text.empty() ? "" : ", ") + option;
  return text.empty() ? message : text + ": " + message;
}

ModelError::ModelError(std::vector<ObjectProblem> problems)
    : std::invalid_argument(all_texts(problems)), problems_(std::move(problems)) {}

}  // namespace filum::model
