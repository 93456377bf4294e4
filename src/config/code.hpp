/// Compiled formulas: instructions for a machine with a stack. User document: docs/guide/scenarios.md, "Numbers".
#pragma once

#include <filum/config/formula.hpp>

#include <cstdint>

namespace filum::config {

enum class Op : std::uint8_t {
  constant,
  variable,
  jump,
  jump_if_zero,
  call,
  // One operand.
  negate,
  invert,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  asinh,
  acosh,
  atanh,
  exp,
  ln,
  log10,
  log2,
  sqrt,
  abs,
  sign,
  rint,
  // Two operands.
  add,
  subtract,
  multiply,
  divide,
  power,
  atan2,
  min,
  max,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  both,
  either,
};

/// Whether a formula is smooth on either side of some value of the operands, but not across.
inline bool is_decision(Op op) {
  switch (op) {
    case Op::abs:
    case Op::sign:
    case Op::rint:
    case Op::min:
    case Op::max:
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal: return true;
    default: return false;
  }
}

struct Instruction {
  Op op = Op::constant;
  int index = 0;     ///< of the variable, of the function, of the instruction to go to
  double value = 0;  ///< of the constant
};

/// What an evaluation may ask of the machine it runs on; more is refused when the formula is compiled.
inline constexpr int most_depth = 256;    ///< numbers on the stack: 27 kB of gradients
inline constexpr int most_levels = 64;    ///< functions that call functions
inline constexpr double most_cost = 1e6;  ///< instructions, those of called functions included: about 10 ms

struct Code {
  std::vector<Instruction> instructions;
  std::vector<Function> functions;  ///< that it calls
  std::vector<bool> uses;           ///< for every variable
  int depth = 0;                    ///< of the stack, that of called functions included
  int levels = 0;
  double cost = 0;
  bool decides = false;  ///< somewhere, called functions included
};

/// Throws FormulaError.
Code compiled(std::string_view text, const Variables& variables, const Symbols& symbols);

/// The names in a formula, in order; as far as it can be read when it has mistakes.
std::vector<std::string> names_in(std::string_view text);

/// The functions that every formula knows.
struct UsualFunction {
  std::string_view name;
  Op op;
  int least = 1, most = 1;  ///< arguments; two of more than two are taken at a time
};
inline constexpr int any_number = 1 << 30;
inline constexpr UsualFunction usual_functions[] = {{"sin", Op::sin},
                                                    {"cos", Op::cos},
                                                    {"tan", Op::tan},
                                                    {"asin", Op::asin},
                                                    {"acos", Op::acos},
                                                    {"atan", Op::atan},
                                                    {"atan2", Op::atan2, 2, 2},
                                                    {"sinh", Op::sinh},
                                                    {"cosh", Op::cosh},
                                                    {"tanh", Op::tanh},
                                                    {"asinh", Op::asinh},
                                                    {"acosh", Op::acosh},
                                                    {"atanh", Op::atanh},
                                                    {"exp", Op::exp},
                                                    {"ln", Op::ln},
                                                    {"log", Op::ln},
                                                    {"log10", Op::log10},
                                                    {"log2", Op::log2},
                                                    {"sqrt", Op::sqrt},
                                                    {"abs", Op::abs},
                                                    {"sign", Op::sign},
                                                    {"rint", Op::rint},
                                                    {"min", Op::min, 1, any_number},
                                                    {"max", Op::max, 1, any_number},
                                                    {"sum", Op::add, 1, any_number},
                                                    {"avg", Op::add, 1, any_number}};

}  // namespace filum::config
