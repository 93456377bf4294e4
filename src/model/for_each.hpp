/// Asking all objects, and collecting what they complain about.
#pragma once

#include <filum/model/object.hpp>

namespace filum::model {

/// Calls f(object, number) for all objects; what they throw is collected and thrown at the end.
template <class F>
void for_each(const Objects& objects, F&& f) {
  std::vector<ObjectProblem> problems;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    Object& object = *objects[i];
    const auto note = [&](const std::string& option, const char* message) {
      problems.push_back({std::string(object.kind()), object.name(), option, message});
    };
    try {
      f(object, static_cast<int>(i));
    } catch (const OptionError& error) {
      note(error.option, error.what());
    } catch (const std::invalid_argument& error) {
      note("", error.what());
    }
  }
  if (!problems.empty()) throw ModelError(std::move(problems));
}

}  // namespace filum::model
