/// Callables bound to variables. User document: docs/python/README.md, "Functions".
#include <filum/config/callable.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <stdexcept>

namespace filum::config {
namespace {

std::uint64_t next_id() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace

BoundCallable::BoundCallable(std::shared_ptr<const Callable> callable, const std::vector<std::string>& variables,
                             const std::vector<VariableVector>& vectors)
    : id_(next_id()), callable_(std::move(callable)), variables_(variables) {
  const Words& wanted = callable_->arguments;
  if (wanted.size() > most_arguments) throw std::invalid_argument("the function has too many arguments");
  for (const std::string& name : wanted) {
    const auto single = std::find(variables.begin(), variables.end(), name);
    const auto several =
        std::find_if(vectors.begin(), vectors.end(), [&](const VariableVector& v) { return v.name == name; });
    if (single != variables.end()) {
      slots_.push_back({static_cast<std::size_t>(single - variables.begin()), 1});
    } else if (several != vectors.end()) {
      slots_.push_back({several->first, several->size});
    } else {
      Words known = variables;
      for (const VariableVector& v : vectors) known.push_back(v.name);
      const std::string hint = suggestion(name, known);
      throw std::invalid_argument("the argument '" + name + "' of the function " + callable_->name +
                                  " is unknown here" + (hint.empty() ? "; expected " + alternatives(known) : hint));
    }
  }
}

void BoundCallable::call(std::size_t points, std::span<const double> variables, std::span<double> out) const {
  std::array<CallArgument, most_arguments> arguments;
  const std::size_t stride = variables.size() / points;
  for (std::size_t i = 0; i < slots_.size(); ++i)
    arguments[i] = {variables.data() + slots_[i].first, slots_[i].size, stride};
  callable_->call(points, std::span(arguments).first(slots_.size()), out);
}

void BoundCallable::operator()(std::span<const double> variables, std::span<double> out) const {
  if (!callable_->returns_rates) return call(1, variables, out);
  std::vector<double> all(3 * out.size());
  call(1, variables, all);
  std::copy_n(all.begin(), out.size(), out.begin());
}

void BoundCallable::at_points(std::size_t points, std::span<const double> variables, std::span<double> out) const {
  if (callable_->takes_many) return call(points, variables, out);
  const std::size_t in = variables.size() / points, n = out.size() / points;
  for (std::size_t k = 0; k < points; ++k) (*this)(variables.subspan(k * in, in), out.subspan(k * n, n));
}

void BoundCallable::with_rates(std::span<const double> variables, std::span<double> out) const {
  call(1, variables, out);
}

bool BoundCallable::uses(std::size_t variable) const {
  return std::any_of(slots_.begin(), slots_.end(),
                     [&](const Slot& s) { return s.first <= variable && variable < s.first + s.size; });
}

bool BoundCallable::uses(std::string_view variable) const {
  const auto at = std::find(variables_.begin(), variables_.end(), variable);
  return at != variables_.end() && uses(static_cast<std::size_t>(at - variables_.begin()));
}

}  // namespace filum::config
