/// What the names in joints, loads and sensors mean. User document: docs/guide/scenarios.md, "Joints".
#include "check_scenario.hpp"

#include <filum/scenario/words.hpp>

namespace filum::scenario {

std::optional<double> length_of(const Beam& beam) {
  if (beam.nodes && !beam.nodes->empty()) return beam.nodes->back();
  if (beam.from && beam.to) return (*beam.to - *beam.from).norm();
  return beam.length;
}

Target resolve(const Scenario& scenario, const Reference& reference, std::string& objection) {
  objection.clear();
  if (reference == "ground") return {};
  const std::size_t cut = reference.find_first_of(":@");
  const std::string name = reference.substr(0, cut);
  Words words{"ground"};
  for (std::size_t i = 0; i < scenario.bodies.size(); ++i) {
    words.push_back(scenario.bodies[i].name);
    if (scenario.bodies[i].name != name) continue;
    if (cut != std::string::npos) objection = "'" + name + "' is a body; a place with ':' or '@' is for beams";
    return {Target::Kind::body, static_cast<int>(i), 0};
  }
  for (std::size_t i = 0; i < scenario.beams.size(); ++i) {
    const Beam& beam = scenario.beams[i];
    words.push_back(beam.name);
    if (beam.name != name) continue;
    if (cut == std::string::npos) return {Target::Kind::beam, static_cast<int>(i), 0};
    const std::string place = reference.substr(cut + 1);
    const std::optional<double> length = length_of(beam);
    Target target{Target::Kind::beam_point, static_cast<int>(i), 0};
    if (reference[cut] == ':') {
      if (place == "end")
        target.s = length.value_or(0);
      else if (place != "start")
        objection = "expected '" + name + ":start' or '" + name + ":end', found '" + reference + "'" +
                    suggestion(place, {"start", "end"});
      return target;
    }
    try {
      target.s = Formula(place, {}, scenario.symbols)(0);
      if (!(target.s >= 0) || (length && target.s > *length * (1 + 1e-12)))
        objection = "the beam '" + name + "' has arc lengths from 0 to " + std::to_string(length.value_or(0)) + "; '" +
                    place + "' is not among them";
    } catch (const FormulaError& error) {
      objection = "expected an arc length after '@': " + std::string(error.what());
    }
    return target;
  }
  objection = "there is nothing called '" + name + "'";
  const std::string word = nearest_word(name, words);
  objection += word.empty() ? "; expected " + alternatives(words) : "; did you mean '" + word + "'?";
  return {};
}

}  // namespace filum::scenario
