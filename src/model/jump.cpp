/// Looking for jumps: many pieces, and the steep ones divided until nothing but a jump can be steep. User document:
/// docs/guide/scenarios.md, "Drives".
#include "jump.hpp"

#include <filum/model/model_error.hpp>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace filum::model {
namespace {

constexpr int pieces = 512;

class JumpSearch {
 public:
  JumpSearch(const OfTime& f, double from, double to, double same) : f_(f), from_(from), to_(to), same_(same) {}

  std::optional<Break> run() {
    std::vector<double> t(pieces + 1), x(pieces + 1);
    for (int k = 0; k <= pieces; ++k) {
      const auto i = static_cast<std::size_t>(k);
      t[i] = k == pieces ? to_ : from_ + (to_ - from_) * k / pieces;
      x[i] = value(t[i]);
      if (!std::isfinite(x[i])) return Break{t[i], x[i], x[i]};
    }
    const auto [least, most] = std::minmax_element(x.begin(), x.end());
    // Over short times a motion may be as small as its rounding errors.
    tolerance_ = std::max(1e-6 * (*most - *least), 1e-12 * std::max(std::abs(*most), std::abs(*least)));
    for (std::size_t i = 0; i + 1 < t.size(); ++i)
      if (const auto found = divided(t[i], x[i], t[i + 1], x[i + 1])) return found;
    return {};
  }

 private:
  /// Without derivatives, which may cost more than the value.
  double value(double t) const { return f_.number() ? f_.number()->value(std::span(&t, 1)) : f_(t).value; }

  /// The steeper half again and again: what is continuous becomes flat.
  std::optional<Break> divided(double a, double f_a, double b, double f_b) const {
    const double narrow = 1e-13 * std::max({to_ - from_, std::abs(from_), std::abs(to_)});
    while (std::abs(f_b - f_a) > tolerance_) {
      const double middle = 0.5 * (a + b), f_m = value(middle);
      if (!std::isfinite(f_m)) return Break{middle, f_m, f_m};
      if (b - a <= narrow || !(a < middle && middle < b)) {
        const double turns = same_ > 0 ? (f_b - f_a) / same_ : 0.5;
        if (std::abs(turns - std::round(turns)) < 1e-6) return {};
        return Break{b, f_a, f_b};
      }
      if (std::abs(f_m - f_a) > std::abs(f_b - f_m))
        b = middle, f_b = f_m;
      else
        a = middle, f_a = f_m;
    }
    return {};
  }

  const OfTime& f_;
  double from_, to_, same_, tolerance_ = 0;
};

}  // namespace

std::optional<Break> find_break(const OfTime& f, double from, double to, double same) {
  if (f.number() && f.number()->is_constant()) return {};
  return JumpSearch(f, from, to, same).run();
}

void require_continuous(const OfTime& f, const std::string& option, double from, double to, double same) {
  const auto found = find_break(f, from, to, same);
  if (!found) return;
  std::ostringstream text;
  if (!std::isfinite(found->before))
    text << "the prescribed motion is not a number at t = " << found->t;
  else
    text << "the prescribed motion jumps from " << found->before << " to " << found->after << " at t = " << found->t
         << "; try: a function that gets there within a few steps";
  throw OptionError(option, text.str());
}

}  // namespace filum::model
