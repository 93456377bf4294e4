/// Formulas on top of muParser. User document: docs/guide/scenarios.md, "Numbers".
#include <filum/scenario/expression.hpp>

#include <muParser.h>

#include <algorithm>
#include <cctype>
#include <mutex>
#include <numbers>

namespace filum::scenario {
namespace {

constexpr const char* usual_functions[] = {"sin",  "cos",   "tan",   "asin",  "acos", "atan", "atan2", "sinh",  "cosh",
                                           "tanh", "asinh", "acosh", "atanh", "exp",  "ln",   "log",   "log10", "log2",
                                           "sqrt", "abs",   "sign",  "rint",  "min",  "max",  "sum",   "avg"};

double call_time_function(void* function, double t) { return (*static_cast<const TimeFunction*>(function))(t); }

/// Assignments, several results and strings are things muParser can do and a number cannot be.
void refuse_foreign_syntax(const std::string& text) {
  constexpr std::size_t longest = 10000;
  if (text.size() > longest) throw FormulaError("a formula must not be longer than 10000 characters", 0);
  if (text.find_first_not_of(" \t\n") == std::string::npos)
    throw FormulaError("expected a number or a formula, found nothing", 0);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (static_cast<unsigned char>(c) >= 128 || c == '"' || c == '\0')
      throw FormulaError("this character cannot be part of a formula", static_cast<int>(i));
    if (c != '=') continue;
    const bool after = i > 0 && std::string_view("=<>!").find(text[i - 1]) != std::string_view::npos;
    const bool before = i + 1 < text.size() && text[i + 1] == '=';
    if (!after && !before) throw FormulaError("a formula cannot assign; compare with ==", static_cast<int>(i));
  }
}

FormulaError translated(const mu::ParserError& error, const std::string& text) {
  const int position = std::clamp(error.GetPos(), 0, static_cast<int>(text.size()));
  const std::string token = error.GetToken();
  switch (error.GetCode()) {
    case mu::ecUNASSIGNABLE_TOKEN: {
      const bool is_name =
          !token.empty() && (std::isalpha(static_cast<unsigned char>(token[0])) != 0 || token[0] == '_');
      if (is_name) return {"unknown name '" + token + "'", position, token};
      return {"'" + token + "' makes no sense here", position};
    }
    case mu::ecUNEXPECTED_EOF: return {"the formula is not complete", position};
    case mu::ecMISSING_PARENS: return {"a parenthesis is missing", position};
    case mu::ecTOO_FEW_PARAMS: return {"too few arguments for '" + token + "'", position};
    case mu::ecTOO_MANY_PARAMS: return {"too many arguments for '" + token + "'", position};
    case mu::ecUNEXPECTED_PARENS: return {"unexpected parenthesis", position};
    case mu::ecUNEXPECTED_OPERATOR: return {"unexpected operator '" + token + "'", position};
    default: return {error.GetMsg(), position};
  }
}

}  // namespace

struct Formula::Compiled {
  mu::Parser parser;
  double t = 0, s = 0;
  bool uses_t = false, uses_s = false;
  std::map<std::string, std::shared_ptr<const TimeFunction>> functions;  ///< kept alive for the parser
  std::mutex busy;                                                       ///< variables and stack are the parser's own
};

Formula::Formula(const std::string& text, Variables variables, const Symbols& symbols)
    : text_(text), compiled_(std::make_shared<Compiled>()) {
  refuse_foreign_syntax(text);
  Compiled& c = *compiled_;
  c.functions = symbols.functions;
  try {
    c.parser.DefineConst("pi", std::numbers::pi);
    c.parser.DefineConst("e", std::numbers::e);
    if (variables.t) c.parser.DefineVar("t", &c.t);
    if (variables.s) c.parser.DefineVar("s", &c.s);
    for (const auto& [name, value] : symbols.parameters) c.parser.DefineConst(name, value);
    for (const auto& [name, function] : c.functions)
      c.parser.DefineFunUserData(name, call_time_function, const_cast<TimeFunction*>(function.get()), true);
    c.parser.SetExpr(text);
    c.parser.Eval();
    if (c.parser.GetNumResults() != 1) throw FormulaError("a formula gives one number, but this one gives several", 0);
    for (const auto& [name, address] : c.parser.GetUsedVar()) (name == "t" ? c.uses_t : c.uses_s) = true;
  } catch (const mu::ParserError& error) {
    throw translated(error, text);
  }
}

double Formula::operator()(double t, double s) const {
  Compiled& c = *compiled_;
  const std::lock_guard<std::mutex> lock(c.busy);
  c.t = t;
  c.s = s;
  return c.parser.Eval();
}

bool Formula::uses_t() const { return compiled_->uses_t; }
bool Formula::uses_s() const { return compiled_->uses_s; }

TimeFunction::TimeFunction(std::vector<Point> points) : points_(std::move(points)) {
  const auto by_time = [](const Point& a, const Point& b) { return a.first >= b.first; };
  if (points_.empty()) throw std::invalid_argument("a function needs at least one point");
  if (std::adjacent_find(points_.begin(), points_.end(), by_time) != points_.end())
    throw std::invalid_argument("the times of the points must ascend");
}

double TimeFunction::operator()(double t) const {
  if (formula_) return (*formula_)(t);
  const auto after =
      std::upper_bound(points_.begin(), points_.end(), t, [](double x, const Point& p) { return x < p.first; });
  if (after == points_.begin()) return points_.front().second;
  if (after == points_.end()) return points_.back().second;
  const Point &a = after[-1], &b = *after;
  return a.second + (b.second - a.second) * ((t - a.first) / (b.first - a.first));
}

std::vector<std::string> Symbols::words(Variables variables) const {
  std::vector<std::string> words;  // the user's own first: of two words equally near the first is suggested
  for (const auto& [name, value] : parameters) words.push_back(name);
  for (const auto& [name, function] : functions) words.push_back(name);
  if (variables.t) words.push_back("t");
  if (variables.s) words.push_back("s");
  words.insert(words.end(), {"pi", "e"});
  words.insert(words.end(), std::begin(usual_functions), std::end(usual_functions));
  return words;
}

std::string objection_to_symbol(std::string_view name) {
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  const auto is_part = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  if (name.empty() || !is_letter(name[0]) || !std::all_of(name.begin(), name.end(), is_part) || name.size() > 60)
    return "expected a name made of letters, digits and _, not beginning with a digit";
  for (const std::string_view taken : {"t", "s", "pi", "e", "_pi", "_e"})
    if (name == taken) return "the name '" + std::string(name) + "' has a meaning in formulas already";
  if (std::find(std::begin(usual_functions), std::end(usual_functions), name) != std::end(usual_functions))
    return "the name '" + std::string(name) + "' is a function that formulas know already";
  return {};
}

}  // namespace filum::scenario
