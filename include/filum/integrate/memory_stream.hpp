/// Writing and reading an integrator's memory as a flat list of numbers.
#pragma once

#include <Eigen/Core>

#include <span>
#include <stdexcept>
#include <vector>

namespace filum::integrate {

class MemoryWriter {
 public:
  explicit MemoryWriter(std::vector<double>& out) : out_(out) { out_.clear(); }
  MemoryWriter& operator<<(double x) {
    out_.push_back(x);
    return *this;
  }
  MemoryWriter& operator<<(const Eigen::VectorXd& x) {
    out_.insert(out_.end(), x.data(), x.data() + x.size());
    return *this;
  }
  /// Solvers append what they remember themselves.
  template <class T>
  requires requires(const T& x, std::vector<double>& out) { x.save(out); }
  MemoryWriter& operator<<(const T& x) {
    x.save(out_);
    return *this;
  }

 private:
  std::vector<double>& out_;
};

/// Vectors must already have the size they had when written.
class MemoryReader {
 public:
  explicit MemoryReader(std::span<const double> in) : in_(in) {}
  MemoryReader& operator>>(double& x) {
    x = take(1)[0];
    return *this;
  }
  MemoryReader& operator>>(Eigen::VectorXd& x) {
    const auto part = take(static_cast<std::size_t>(x.size()));
    std::copy(part.begin(), part.end(), x.data());
    return *this;
  }
  template <class T>
  requires requires(T& x, std::span<const double>& in) { x.restore(in); }
  MemoryReader& operator>>(T& x) {
    x.restore(in_);
    return *this;
  }
  /// After the last number.
  void finish() const {
    if (!in_.empty())
      throw std::invalid_argument("the integrator's saved memory is too long: it belongs to another system or method");
  }

 private:
  std::span<const double> take(std::size_t count) {
    if (count > in_.size())
      throw std::invalid_argument("the integrator's saved memory is too short: it belongs to another system or method");
    const auto part = in_.first(count);
    in_ = in_.subspan(count);
    return part;
  }
  std::span<const double> in_;
};

}  // namespace filum::integrate
