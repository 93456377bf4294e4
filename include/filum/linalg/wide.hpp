/// Several doubles that are computed with at once, one lane per node or segment, and how they are read from and written
/// to plain arrays. Theory: docs/theory/performance.md, "Chains".
#pragma once

#include <algorithm>
#include <utility>

namespace filum::linalg {

/// How many doubles the machine that is compiled for adds in one instruction.
#if defined(__AVX512F__)
inline constexpr int native_lanes = 8;
#elif defined(__AVX__)
inline constexpr int native_lanes = 4;
#else
inline constexpr int native_lanes = 2;
#endif

namespace detail {
template <int n>
struct VectorOf;
template <>
struct VectorOf<2> {
  using type = double __attribute__((vector_size(16)));
};
template <>
struct VectorOf<4> {
  using type = double __attribute__((vector_size(32)));
};
template <>
struct VectorOf<8> {
  using type = double __attribute__((vector_size(64)));
};
}  // namespace detail

/// Lanes never meet, and every lane is treated alike: a number does not depend on the lane it is computed in, nor on n.
template <int n>
struct Wide {
  static constexpr int lanes = n;
  using Lanes = typename detail::VectorOf<n>::type;

  Lanes v;

  Wide() = default;
  Wide(double x) : v(x - Lanes{}) {}
  explicit Wide(const Lanes& x) : v(x) {}

  double operator[](int lane) const { return v[lane]; }

  friend Wide operator+(const Wide& a, const Wide& b) { return Wide(a.v + b.v); }
  friend Wide operator-(const Wide& a, const Wide& b) { return Wide(a.v - b.v); }
  friend Wide operator*(const Wide& a, const Wide& b) { return Wide(a.v * b.v); }
  friend Wide operator/(const Wide& a, const Wide& b) { return Wide(a.v / b.v); }
  friend Wide operator-(const Wide& a) { return Wide(-a.v); }
  /// Whether a < b in every lane; NaN is not.
  friend bool all_less(const Wide& a, const Wide& b) {
    const auto less = a.v < b.v;  // all bits of a lane, or none
    auto all = less[0];
    for (int i = 1; i < n; ++i) all &= less[i];
    return all != 0;
  }
};

/// Up to n consecutive items of an array of structures. Lanes beyond `count` repeat the last item and are not written.
template <int n, bool full>
struct Pack {
  using Number = Wide<n>;
  static constexpr int lanes = n;
  int first, count;

  /// The item of a lane.
  int item(int lane) const { return first + (full ? lane : std::min(lane, count - 1)); }
  bool has(int lane) const { return full || lane < count; }

  /// One number of every item, `stride` doubles apart; `numbers` is that of item 0.
  template <int stride>
  [[gnu::always_inline]] Number read(const double* numbers) const {
    return [&]<int... i>(std::integer_sequence<int, i...>) __attribute__((always_inline)) {
      return Number(typename Number::Lanes{numbers[item(i) * stride]...});
    }
    (std::make_integer_sequence<int, n>());
  }
  template <int stride>
  [[gnu::always_inline]] void write(const Number& x, double* numbers) const {
    for_each_lane([&](int i) { numbers[item(i) * stride] = x[i]; });
  }
  template <int stride>
  [[gnu::always_inline]] void add(const Number& x, double* numbers) const {
    for_each_lane([&](int i) { numbers[item(i) * stride] += x[i]; });
  }

  /// f(lane) for the lanes that count.
  template <class F>
  [[gnu::always_inline]] void for_each_lane(F&& f) const {
    [&]<int... i>(std::integer_sequence<int, i...>) __attribute__((always_inline)) { ((has(i) ? f(i) : void()), ...); }
    (std::make_integer_sequence<int, n>());
  }
};

/// f(Pack) for items first … end − 1. Everything f calls is inlined: what passes between functions in vectors of this
/// width would pass through memory.
template <int n = native_lanes, class F>
[[gnu::flatten]] void for_each_pack(int first, int end, F&& f) {
  for (; first + n <= end; first += n) f(Pack<n, true>{first, n});
  if (first < end) f(Pack<n, false>{first, end - first});
}

}  // namespace filum::linalg
