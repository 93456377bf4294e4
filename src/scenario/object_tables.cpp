/// References of files to objects, and back. User document: docs/guide/scenarios.md, "Joints".
#include "object_tables.hpp"

#include <charconv>
#include <cmath>

namespace filum::scenario {
namespace {

using model::OptionError;
using model::Place;

class PlaceParser {
 public:
  PlaceParser(const config::Symbols& symbols, const std::string& option, const Reference& reference)
      : symbols_(symbols), option_(option), reference_(reference) {}

  /// After ':' words and edges, after '@' coordinates.
  Place parse(char mark, const std::string& text) const {
    if (mark == ':' && text == "start") return {1, {0}};
    if (mark == ':' && text == "end") return {1, {Place::end}};
    if (mark == ':' && text == "all") return {1, {Place::all}};
    if (mark == ':' && (text.starts_with("s1=") || text.starts_with("s2="))) {
      const double value = coordinate(text.substr(3));
      return text[1] == '1' ? Place{2, {value, Place::all}} : Place{2, {Place::all, value}};
    }
    const std::size_t comma = text.find(',');
    if (mark == ':' && comma == std::string::npos) {
      const std::string name = reference_.substr(0, reference_.find(':'));
      throw OptionError(option_, "expected '" + name + ":start' or '" + name + ":end' on a beam, '" + name +
                                     ":s1=0' or '" + name + ":0,end' on a shell, found '" +
                                     config::shortened(reference_) + "'" + config::suggestion(text, {"start", "end"}));
    }
    if (comma == std::string::npos) return {1, {coordinate(text)}};
    return {2, {coordinate(text.substr(0, comma)), coordinate(text.substr(comma + 1))}};
  }

 private:
  double coordinate(const std::string& text) const {
    if (text == "end") return Place::end;
    try {
      const double value = config::Formula(text, {}, symbols_)();
      if (!(value >= 0))
        throw OptionError(option_, "expected a non-negative arc length, found '" + config::shortened(text) + "'");
      return value;
    } catch (const config::FormulaError& error) {
      throw OptionError(option_, "expected an arc length after '@': " + std::string(error.what()));
    }
  }
  const config::Symbols& symbols_;
  const std::string& option_;
  const Reference& reference_;
};

std::string number_text(double value) {
  if (value == Place::end) return "end";
  char digits[40];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
  return {digits, end};
}

}  // namespace

void TableContext::complain_about(const std::string& name, const Declared& declared, const std::string& option) {
  const auto other = declared.others.find(name);
  if (other == declared.others.end() && !declared.is_complete) return;
  const std::string said = other == declared.others.end() ? "there is nothing called '" + config::shortened(name) + "'"
                                                          : "'" + name + "' is a " + other->second;
  constexpr std::size_t most_words = 1000;
  config::Words words{"ground"};
  for (auto at = declared.partners.begin(); at != declared.partners.end() && words.size() < most_words; ++at)
    words.push_back(*at);
  const std::string word = config::nearest_word(name, words);
  errors_.emplace_back(
      option, said + (word.empty() ? "; expected " + config::alternatives(words) : "; did you mean '" + word + "'?"));
}

model::Point TableContext::point(const Reference& reference, const std::string& option, const Eigen::Vector3d& offset) {
  const model::Point unresolved{.object = model::Point::unresolved};
  if (reference == "ground") return model::ground.at(offset);
  if (reference == "system") return model::whole_system;
  const std::size_t cut = reference.find_first_of(":@");
  const std::string name = reference.substr(0, cut);
  if (!model_.contains(name)) {
    const Declared& declared = declared_();
    if (!declared.partners.contains(name)) complain_about(name, declared, option);
    return unresolved;
  }
  model::Point point = model_.find(name);
  point.offset = offset;
  try {
    if (cut != std::string::npos)
      point.place = PlaceParser(symbols_, option, reference).parse(reference[cut], reference.substr(cut + 1));
  } catch (const OptionError& error) {
    errors_.push_back(error);
    return unresolved;
  }
  return point;
}

Reference reference_to(const model::Model& m, const model::Point& point) {
  if (point.is_ground()) return "ground";
  if (point.object == model::Point::on_system) return "system";
  const std::string& name = m.object({point.model, point.object}).name();
  const Place& p = point.place;
  if (p.is_whole()) return name;
  if (p.count == 1 && std::isnan(p.at[0])) return name + ":all";
  if (p.count == 1)
    return p.at[0] == 0 ? name + ":start" : p.at[0] == Place::end ? name + ":end" : name + "@" + number_text(p.at[0]);
  if (std::isnan(p.at[1])) return name + ":s1=" + number_text(p.at[0]);
  if (std::isnan(p.at[0])) return name + ":s2=" + number_text(p.at[1]);
  return name + "@" + number_text(p.at[0]) + "," + number_text(p.at[1]);
}

}  // namespace filum::scenario
