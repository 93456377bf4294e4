/// A mechanical model as people build it: named objects given as plain options, with handles. User document:
/// docs/guide/cpp.md.
#pragma once

#include <filum/model/built_model.hpp>
#include <filum/model/object.hpp>

#include <concepts>
#include <memory>
#include <string>
#include <string_view>

namespace filum::model {

struct ModelOptions {
  std::string title = {};
  Vector3d gravity = Vector3d::Zero();
  Units units = {};  ///< of the numbers, shown with results
};

/// Options of a kind of object: a struct with a name, and `make_object` in its namespace.
template <class Options>
concept ObjectOptions = requires(const Options& options) {
  { options.name } -> std::convertible_to<std::string>;
  { make_object(options) } -> std::convertible_to<std::unique_ptr<Object>>;
};

/// given: initial velocities have to agree with joints and drives. fitted: they are a guess, and the nearest that agree
/// are taken; statics does not ask for more.
enum class StartVelocities { given, fitted };

/// Objects are added, then the model is built, once; copies of a model are the same model.
class Model {
 public:
  explicit Model(ModelOptions options = {});

  /// Takes an object. An empty name is replaced by a generated one: "beam-1". Throws ModelError for impossible options,
  /// a name that is taken, a point of another model, and a model that has been built.
  template <ObjectOptions Options>
  Handle add(const Options& options) {
    return add_object(make_object(options), options.name);
  }
  Handle add_object(std::unique_ptr<Object> object, const std::string& name);

  const ModelOptions& options() const;
  int size() const;
  const Object& object(Handle handle) const;
  const Object& object(int number) const;
  /// Throws ModelError, with the nearest name, when there is none of this name.
  Handle find(std::string_view name) const;
  /// The same without an exception: a handle without object.
  bool contains(std::string_view name) const;

  /// Everything that can be checked before the system is made. Throws ModelError.
  void check() const;
  /// Makes the system and a consistent start at time `start`. A second call gives the same; another time is refused,
  /// and so are given velocities where they had to be fitted. Throws ModelError.
  const BuiltModel& build(double start = 0, StartVelocities velocities = StartVelocities::given);
  bool is_built() const;

 private:
  struct Data;
  void check_point(const Object& object, const std::string& option, const Point& point) const;
  std::shared_ptr<Data> data_;
};

}  // namespace filum::model
