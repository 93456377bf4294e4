/// From text to instructions. Operators as in mathematics: -2^2 = -(2^2), 2^3^2 = 2^(3^2), comparisons from the left.
/// User document: docs/guide/scenarios.md, "Numbers".
#include "interpreter.hpp"

#include <filum/config/problem.hpp>

#include <charconv>

namespace filum::config {
namespace {

enum class Kind { number, name, symbol, end };

struct Token {
  Kind kind = Kind::end;
  std::string_view text;
  std::size_t at = 0;
  double value = 0;
};

struct Operator {
  std::string_view text;
  Op op;
  int precedence;
};
constexpr int lowest = 1, of_powers = 6;
constexpr Operator operators[] = {{"||", Op::either, 1},        {"&&", Op::both, 2},    {"<=", Op::less_equal, 3},
                                  {">=", Op::greater_equal, 3}, {"==", Op::equal, 3},   {"!=", Op::not_equal, 3},
                                  {"<", Op::less, 3},           {">", Op::greater, 3},  {"+", Op::add, 4},
                                  {"-", Op::subtract, 4},       {"*", Op::multiply, 5}, {"/", Op::divide, 5},
                                  {"^", Op::power, of_powers}};

const Operator* find_operator(const Token& token) {
  if (token.kind != Kind::symbol) return nullptr;
  const auto found =
      std::find_if(std::begin(operators), std::end(operators), [&](const Operator& o) { return o.text == token.text; });
  return found == std::end(operators) ? nullptr : found;
}

bool is_space(char c) { return std::string_view(" \t\n\r").find(c) != std::string_view::npos; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
std::string in_quotes(std::string_view text) { return "'" + shortened(text) + "'"; }

/// What no formula may contain, in any context.
void refuse_foreign_characters(std::string_view text) {
  constexpr std::size_t longest = 10000;
  if (text.size() > longest) throw FormulaError("a formula must not be longer than 10000 characters", 0);
  if (std::all_of(text.begin(), text.end(), is_space))
    throw FormulaError("expected a number or a formula, found nothing", 0);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (static_cast<unsigned char>(c) >= 128 || c == '"' || (c < ' ' && !is_space(c)))
      throw FormulaError("this character cannot be part of a formula", i);
    if (c != '=') continue;
    const bool after = i > 0 && std::string_view("=<>!").find(text[i - 1]) != std::string_view::npos;
    const bool before = i + 1 < text.size() && text[i + 1] == '=';
    if (!after && !before) throw FormulaError("a formula cannot assign; compare with ==", i);
  }
}

/// Splits the text into numbers, names and symbols.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Token next() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
    Token token{Kind::end, text_.substr(text_.size()), at_, 0};
    if (at_ == text_.size()) return token;
    const char c = text_[at_];
    if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) return number(token);
    std::size_t length = 1;
    if (is_letter(c)) {
      token.kind = Kind::name;
      const auto is_part = [&](std::size_t i) {
        return i < text_.size() && (is_letter(text_[i]) || is_digit(text_[i]));
      };
      // Numbers of sensors: tip.z
      while (is_part(at_ + length) ||
             (at_ + length < text_.size() && text_[at_ + length] == '.' && is_part(at_ + length + 1)))
        ++length;
    } else {
      token.kind = Kind::symbol;
      const std::string_view two = text_.substr(at_, 2);
      for (const Operator& o : operators)
        if (two.size() == 2 && o.text == two) length = 2;
    }
    token.text = text_.substr(at_, length);
    at_ += length;
    return token;
  }

 private:
  Token number(Token token) {
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), token.value);
    token.kind = Kind::number;
    token.text = std::string_view(begin, static_cast<std::size_t>(end - begin));
    at_ += token.text.size();
    // Too small counts as zero; the standard library does not tell it from too large.
    if (error == std::errc::result_out_of_range && token.text.find("e-") == std::string_view::npos &&
        token.text.find("E-") == std::string_view::npos)
      throw FormulaError("the number " + in_quotes(token.text) + " is too large", token.at);
    if (error == std::errc::result_out_of_range) token.value = 0;
    return token;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

class Compiler {
 public:
  Compiler(std::string_view text, const Variables& variables, const Symbols& symbols)
      : lexer_(text), variables_(variables), symbols_(symbols), end_(text.size()) {
    code_.uses.resize(variables.size());
    advance();
  }

  Code result() {
    expression();
    if (token_.kind != Kind::end) refuse_what_follows();
    code_.cost += static_cast<double>(code_.instructions.size());
    for (const Instruction& i : code_.instructions) code_.decides = code_.decides || is_decision(i.op);
    for (const Function& f : code_.functions)
      code_.decides = code_.decides || (f.formula() ? f.formula()->code().decides : f.points().size() > 1);
    if (code_.cost > most_cost)
      throw FormulaError("it takes more than a million operations, including the functions that it calls", 0);
    return std::move(code_);
  }

 private:
  // Reading ----------------------------------------------------------------------------------------------------------

  void advance() { token_ = lexer_.next(); }
  bool is(std::string_view symbol) const { return token_.kind == Kind::symbol && token_.text == symbol; }
  bool accept(std::string_view symbol) {
    if (!is(symbol)) return false;
    advance();
    return true;
  }

  /// One level of nesting; each takes a few frames of the call stack.
  class Level {
   public:
    Level(int& level, const Token& token) : level_(level) {
      constexpr int most = 200;
      if (++level_ > most) throw FormulaError("the formula is nested too deeply: more than 200 levels", token.at);
    }
    ~Level() { --level_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    int& level_;
  };

  /// condition ? a : condition ? b : c
  void expression() {
    const Level level(nesting_, token_);
    std::vector<std::size_t> ends;
    binary(lowest);
    while (is("?")) {
      const std::size_t question = token_.at;
      advance();
      const std::size_t otherwise = emit_jump(Op::jump_if_zero);
      expression();
      if (!is(":")) {
        if (token_.kind != Kind::end) refuse_what_follows();
        throw FormulaError("the formula is not complete: after '?' there is no ':'", question);
      }
      advance();
      ends.push_back(emit_jump(Op::jump));
      --depth_;  // only one of the two values will be there
      land(otherwise);
      binary(lowest);
    }
    for (const std::size_t end : ends) land(end);
  }

  void binary(int least) {
    const Level level(nesting_, token_);
    unary();
    while (const Operator* o = find_operator(token_)) {
      if (o->precedence < least) break;
      advance();
      binary(o->precedence == of_powers ? of_powers : o->precedence + 1);
      emit_two(o->op);
    }
  }

  void unary() {
    if (accept("-")) {
      binary(of_powers);
      emit_one(Op::negate);
    } else if (accept("!")) {
      binary(of_powers);
      emit_one(Op::invert);
    } else if (accept("+")) {
      binary(of_powers);
    } else {
      primary();
    }
  }

  void primary() {
    const Token token = token_;
    switch (token.kind) {
      case Kind::end: throw FormulaError("the formula is not complete", end_);
      case Kind::number: advance(); return push_constant(token.value);
      case Kind::name: advance(); return is("(") ? call(token) : named(token);
      case Kind::symbol: break;
    }
    if (!is("(")) refuse_symbol();
    advance();
    expression();
    close(token.at);
  }

  void close(std::size_t opened) {
    if (token_.kind == Kind::end) throw FormulaError("a parenthesis is missing", opened);
    if (!accept(")")) refuse_what_follows();
  }

  void named(const Token& token) {
    const std::string name(token.text);
    if (const auto found = symbols_.parameters.find(name); found != symbols_.parameters.end())
      return push_constant(found->second);
    if (const auto at = std::find(variables_.begin(), variables_.end(), name); at != variables_.end()) {
      const auto index = static_cast<std::size_t>(at - variables_.begin());
      code_.uses[index] = true;
      return push({Op::variable, static_cast<int>(index), 0});
    }
    if (name == "pi") return push_constant(std::numbers::pi);
    if (name == "e") return push_constant(std::numbers::e);
    if (find_usual(name) || symbols_.functions.contains(name))
      throw FormulaError("'" + name + "' is a function: its arguments go in parentheses, as in " + name + "(...)",
                         token.at);
    throw FormulaError("unknown name " + in_quotes(name), token.at, name);
  }

  static const UsualFunction* find_usual(std::string_view name) {
    const auto found = std::find_if(std::begin(usual_functions), std::end(usual_functions),
                                    [&](const UsualFunction& f) { return f.name == name; });
    return found == std::end(usual_functions) ? nullptr : found;
  }

  void call(const Token& name) {
    if (const auto own = symbols_.functions.find(std::string(name.text)); own != symbols_.functions.end()) {
      arguments(name, 1, 1, [](int) {});
      return emit_call(own->second, name);
    }
    const UsualFunction* usual = find_usual(name.text);
    if (!usual) {
      named(name);  // throws if the name is unknown; otherwise:
      throw FormulaError(in_quotes(name.text) + " is not a function", name.at);
    }
    const int count = arguments(name, usual->least, usual->most, [&](int number) {
      if (number > 1) emit_two(usual->op);
    });
    if (usual->most == 1) emit_one(usual->op);
    if (usual->name == "avg") {
      push_constant(count);
      emit_two(Op::divide);
    }
  }

  /// Compiles the arguments in parentheses, calls `after` with the number of each, and returns how many there are.
  template <class After>
  int arguments(const Token& name, int least, int most, const After& after) {
    const std::size_t opened = token_.at;
    advance();
    int count = 0;
    if (!is(")")) {
      do {
        if (count == most) throw FormulaError("too many arguments for " + in_quotes(name.text), token_.at);
        expression();
        after(++count);
      } while (accept(","));
    }
    if (count < least && is(")")) throw FormulaError("too few arguments for " + in_quotes(name.text), token_.at);
    close(opened);
    return count;
  }

  [[noreturn]] void refuse_symbol() const {
    if (is("(") || is(")")) throw FormulaError("unexpected parenthesis", token_.at);
    if (find_operator(token_)) throw FormulaError("unexpected operator " + in_quotes(token_.text), token_.at);
    throw FormulaError(in_quotes(token_.text) + " makes no sense here", token_.at);
  }

  /// A value is complete, and what follows cannot continue it.
  [[noreturn]] void refuse_what_follows() const {
    if (token_.kind != Kind::symbol)
      throw FormulaError("an operator is missing before " + in_quotes(token_.text), token_.at);
    if (is(",") && nesting_ == 0)
      throw FormulaError("a formula gives one number, but this one gives several", token_.at);
    refuse_symbol();
  }

  // Writing ----------------------------------------------------------------------------------------------------------

  void push(const Instruction& instruction) {
    code_.instructions.push_back(instruction);
    grow(1);
  }
  void push_constant(double value) { push({Op::constant, 0, value}); }

  /// Room for `more` numbers than are on the stack now.
  void need(int more) {
    code_.depth = std::max(code_.depth, depth_ + more);
    if (code_.depth > most_depth) throw FormulaError("the formula is nested too deeply", token_.at);
  }
  void grow(int more) {
    need(more);
    depth_ += more;
  }

  /// Whether the last `count` instructions are constants with no jump target among them.
  bool are_constants(std::size_t count) const {
    const auto& list = code_.instructions;
    return list.size() >= landed_ + count && std::all_of(list.end() - static_cast<std::ptrdiff_t>(count), list.end(),
                                                         [](const Instruction& i) { return i.op == Op::constant; });
  }
  double pop_constant() {
    const double value = code_.instructions.back().value;
    code_.instructions.pop_back();
    --depth_;
    return value;
  }

  void emit_one(Op op) {
    if (are_constants(1)) return push_constant(applied(op, pop_constant()));
    code_.instructions.push_back({op, 0, 0});
  }

  void emit_two(Op op) {
    if (are_constants(2)) {
      const double b = pop_constant(), a = pop_constant();
      return push_constant(applied(op, a, b));
    }
    code_.instructions.push_back({op, 0, 0});
    --depth_;
  }

  void emit_call(const Function& function, const Token& name) {
    if (const Formula* formula = function.formula()) {
      const Code& called = formula->code();
      need(called.depth - 1);  // its first number takes the place of the argument
      code_.levels = std::max(code_.levels, called.levels + 1);
      code_.cost += called.cost;
      if (code_.levels > most_levels) throw FormulaError("functions call each other more than 64 levels deep", name.at);
    }
    code_.instructions.push_back({Op::call, static_cast<int>(code_.functions.size()), 0});
    code_.functions.push_back(function);
  }

  std::size_t emit_jump(Op op) {
    code_.instructions.push_back({op, 0, 0});
    if (op == Op::jump_if_zero) --depth_;
    return code_.instructions.size() - 1;
  }
  void land(std::size_t jump) {
    landed_ = code_.instructions.size();
    code_.instructions[jump].index = static_cast<int>(landed_);
  }

  Lexer lexer_;
  Token token_;
  const Variables& variables_;
  const Symbols& symbols_;
  std::size_t end_;
  Code code_;
  int nesting_ = 0, depth_ = 0;
  std::size_t landed_ = 0;  ///< where the last jump so far ends
};

}  // namespace

Code compiled(std::string_view text, const Variables& variables, const Symbols& symbols) {
  refuse_foreign_characters(text);
  return Compiler(text, variables, symbols).result();
}

std::vector<std::string> names_in(std::string_view text) {
  std::vector<std::string> names;
  Lexer lexer(text);
  try {
    for (Token token = lexer.next(); token.kind != Kind::end; token = lexer.next())
      if (token.kind == Kind::name) names.emplace_back(token.text);
  } catch (const FormulaError&) {  // said when the formula is compiled
  }
  return names;
}

}  // namespace filum::config
