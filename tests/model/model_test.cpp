/// Objects, handles and names of a model, and what misuse says. User document: docs/guide/cpp.md.
#include <filum/model/beam.hpp>
#include <filum/model/body.hpp>
#include <filum/model/joint.hpp>
#include <filum/model/load.hpp>
#include <filum/model/model.hpp>
#include <filum/model/sensor.hpp>
#include <filum/model/spring.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace filum::model {
namespace {

using testing::HasSubstr;

Beam rod(const std::string& name = {}) {
  return {.name = name,
          .shape = Line{{0, 0, 0}, {2, 0, 0}},
          .segments = 4,
          .section = circle({.radius = 0.02, .material = steel})};
}
Body box(const std::string& name = {}) { return {.name = name, .mass = 2, .inertia = Matrix3d(Matrix3d::Identity())}; }

template <class F>
std::string refusal(F&& f) {
  try {
    f();
    return "nothing was refused";
  } catch (const ModelError& error) {
    return error.what();
  }
}

TEST(Model, MakesUpNamesWhereTheyAreMissing) {
  Model model;
  const Handle first = model.add(rod()), named = model.add(rod("beam-3")), second = model.add(rod()),
               third = model.add(rod());
  EXPECT_EQ(model.object(first).name(), "beam-1");
  EXPECT_EQ(model.object(named).name(), "beam-3");
  EXPECT_EQ(model.object(second).name(), "beam-4") << "beam-3 is taken";
  EXPECT_EQ(model.object(third).name(), "beam-5");
  EXPECT_EQ(model.find("beam-4").number(), second.number());
}

TEST(Model, RefusesNamesThatAreTakenReservedOrOdd) {
  Model model;
  model.add(rod("rod"));
  EXPECT_THAT(refusal([&] { model.add(box("rod")); }), HasSubstr("the name 'rod' is taken"));
  EXPECT_THAT(refusal([&] { model.add(box("ground")); }), HasSubstr("is reserved"));
  EXPECT_THAT(refusal([&] { model.add(box("a b")); }), HasSubstr("a name is made of"));
  EXPECT_THAT(refusal([&] { model.find("rot"); }), HasSubstr("there is nothing called 'rot'; did you mean 'rod'?"));
}

TEST(Model, RefusesPointsOfAnotherModel) {
  Model one, other;
  const Handle a = one.add(rod()), b = other.add(box());
  EXPECT_THAT(refusal([&] { one.add(Joint{.first = a.end(), .second = b}); }),
              HasSubstr("joint, connects[1]: the point belongs to another model"));
  EXPECT_THAT(refusal([&] { one.object(b); }), HasSubstr("another model"));
}

TEST(Model, RefusesPlacesThatAnObjectDoesNotHave) {
  Model model;
  const Handle beam = model.add(rod("rod")), body = model.add(box("box"));
  EXPECT_THAT(refusal([&] { model.add(Joint{.second = beam.at(2.5)}); }),
              HasSubstr("has arc lengths from 0 to 2; 2.5 is not among them"));
  EXPECT_THAT(refusal([&] { model.add(Joint{.second = body.end()}); }), HasSubstr("'box' is a body"));
  EXPECT_THAT(refusal([&] { model.add(Joint{.second = beam}); }), HasSubstr("expected a place on the beam"));
  EXPECT_THAT(refusal([&] { model.add(Load{.on = ground}); }), HasSubstr("a load on the ground does nothing"));
}

TEST(Model, CannotBeAddedToOnceItIsBuilt) {
  Model model;
  model.add(box());
  model.build();
  EXPECT_THAT(refusal([&] { model.add(box()); }), HasSubstr("the model has been built"));
  EXPECT_THAT(refusal([&] { model.build(3); }), HasSubstr("another time"));
  EXPECT_EQ(&model.build(), &model.build());
}

TEST(Model, ReportsAllImpossibleObjectsTogether) {
  Model model;
  model.add(Body{.name = "a", .mass = -1, .inertia = Matrix3d(Matrix3d::Identity())});
  model.add(Body{.name = "b", .mass = 1, .inertia = Matrix3d(Vector3d(1, 1, 9).asDiagonal())});
  const std::string text = refusal([&] { model.build(); });
  EXPECT_THAT(text, HasSubstr("body a"));
  EXPECT_THAT(text, HasSubstr("body b"));
}

TEST(Model, GravityKnowsEveryObjectByItself) {
  Model model({.gravity = {0, 0, -10}});
  model.add(box());
  const Handle beam = model.add(rod());
  const BuiltModel& built = model.build();
  VectorXd f(built.system().size_v());
  built.system().forces(0, built.start().q, built.start().v, f);
  const double rod_mass = steel.rho * M_PI * 0.02 * 0.02 * 2;
  Vector3d total = f.segment<3>(3);
  for (int i = 0; i < 5; ++i) total += built.rotation(beam.at(0.5 * i), built.start()) * f.segment<3>(6 + 6 * i + 3);
  EXPECT_NEAR(total[2], -10 * (2 + rod_mass), 1e-9);
}

TEST(Model, LoadsBetweenNodesAreSharedAndInsertNoNode) {
  Model model;
  const Handle beam = model.add(rod());
  model.add(Load{.on = beam.at(0.7), .force = {0, 0, 5}});
  const BuiltModel& built = model.build();
  EXPECT_EQ(built.system().space().nodes(), 5);
  VectorXd f(built.system().size_v());
  built.system().forces(0, built.start().q, built.start().v, f);
  const Matrix3d R = built.rotation(beam.start(), built.start());
  EXPECT_NEAR((R * f.segment<3>(6 + 3))[2], 5 * 0.6, 1e-9);
  EXPECT_NEAR((R * f.segment<3>(12 + 3))[2], 5 * 0.4, 1e-9);
}

TEST(Model, JointsAndSensorsMakeNodes) {
  Model model;
  const Handle beam = model.add(rod());
  model.add(Joint{.second = beam.at(0.7)});
  model.add(Sensor{.on = beam.at(1.1)});
  EXPECT_EQ(model.build().system().space().nodes(), 7);
  EXPECT_THAT(model.build().remarks(),
              testing::ElementsAre(HasSubstr("a node was added at s = 0.7"), HasSubstr("s = 1.1")));
}

TEST(Model, DragIsOneLineAndTakesPowerOutOfTheMotion) {
  Model model;
  const Handle body = model.add(Body{.mass = 2, .inertia = Matrix3d(Matrix3d::Identity()), .velocity = {3, 0, 0}});
  model.add(Load{.on = body,
                 .force = LoadVector::differentiable([](const auto& m) { return (m.velocity * (-0.5)).eval(); })});
  const BuiltModel& built = model.build();
  EXPECT_TRUE(built.system().forces_depend_on_velocity());
  VectorXd f(6);
  built.system().forces(0, built.start().q, built.start().v, f);
  EXPECT_NEAR(f.dot(built.start().v), -0.5 * 9, 1e-14);
}

TEST(Model, NonlinearSpringsMeasureTheirTension) {
  Model model;
  const Handle body = model.add(Body{.mass = 1, .inertia = Matrix3d(Matrix3d::Identity()), .position = {2, 0, 0}});
  const Handle spring = model.add(Spring{
      .second = body,
      .force = parts::SpringLaw::differentiable([](auto l, auto, double) { return 3.0 * (l - 1.0) * (l - 1.0); })});
  const BuiltModel& built = model.build();
  EXPECT_NEAR(built.measure(spring, "tension", built.start())[0], 3, 1e-14);
  EXPECT_NEAR(built.measure(spring, "length", built.start())[0], 2, 1e-14);
}

TEST(Model, TheWholeSystemIsMeasuredAndTheGroundIsNot) {
  Model model;
  const Handle body =
      model.add(Body{.name = "box", .mass = 2, .inertia = Matrix3d(Matrix3d::Identity()), .velocity = {3, 0, 0}});
  const BuiltModel& built = model.build();
  EXPECT_NEAR(built.measure(whole_system, "energy", built.start())[2], 9, 1e-14);
  EXPECT_THROW(built.measure(ground, "position", built.start()), ModelError);
  EXPECT_THAT(refusal([&] { built.measure(body, "positon", built.start()); }),
              HasSubstr("body box: 'positon' cannot be measured on a body; expected 'position'"));
}

TEST(Model, SensorsSayWhatCanBeMeasured) {
  Model model;
  const Handle body = model.add(box("box"));
  EXPECT_THAT(
      refusal([&] { model.add(Sensor{.name = "s", .on = body, .quantity = "strain"}); }),
      HasSubstr("sensor s, quantity: 'strain' cannot be measured on a body; expected 'position', 'orientation'"));
}

TEST(Model, TheHandleOutlivesNothingItNeeds) {
  std::unique_ptr<BuiltModel> kept;
  Handle beam;
  {
    Model model;
    beam = model.add(rod());
    kept = std::make_unique<BuiltModel>(model.build());
  }
  EXPECT_NEAR(kept->position(beam.end(), kept->start())[0], 2, 1e-14);
}

}  // namespace
}  // namespace filum::model
