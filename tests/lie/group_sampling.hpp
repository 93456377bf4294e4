/// Deterministic tangents and elements of every group, and errors measured in the group's own units, for the property
/// suites. Theory: docs/theory/groups.md.
#pragma once

#include <filum/lie/groups.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numbers>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace filum::lie::test {

inline constexpr double pi = std::numbers::pi;
inline constexpr double eps = std::numeric_limits<double>::epsilon();
inline constexpr double infinity = std::numeric_limits<double>::infinity();
/// Where the sweeps towards the pole of T⁻¹ end.
inline constexpr double largest_angle = 2 * pi - 1e-6;
/// Closer to π the sign of the axis drowns in the rounding of the matrix.
inline constexpr double largest_matrix_angle = pi - 1e-14;

using Rng = std::mt19937_64;
using NestedRight = DirectProduct<SO3, DirectProduct<R1, UDQ>>;
using NestedLeft = DirectProduct<S3sdR3, R2>;
using AllGroups = ::testing::Types<R1, R2, R3, SO3, S3, SO3xR3, S3xR3, SE3, S3sdR3, UDQ, NestedLeft, NestedRight>;
using RigidMotions = ::testing::Types<SO3xR3, S3xR3, SE3, S3sdR3, UDQ>;

struct GroupName {
  template <class G>
  static std::string GetName(int) {
    return std::string(G::name);
  }
};

/// Uniform in [0, 1): the standard library's distributions differ between implementations.
inline double uniform(Rng& rng) { return static_cast<double>(rng() >> 11) * 0x1p-53; }

/// A unit vector; every eighth is a coordinate axis.
template <int n>
Eigen::Matrix<double, n, 1> direction(Rng& rng) {
  using Vector = Eigen::Matrix<double, n, 1>;
  if (rng() % 8 == 0) return (rng() % 2 == 0 ? 1 : -1) * Vector::Unit(static_cast<int>(rng() % n));
  for (;;) {
    Vector v;
    for (double& component : v) component = 2 * uniform(rng) - 1;
    const double length = v.norm();
    if (length <= 1 && length > 0.1) return v / length;
  }
}

/// What the suites need to know of a group: tangents of a given angle and length, the units of its coordinates
/// (`turn` for angles, `length` for lengths), the largest angle that log returns, the distance from the group.
template <class G>
struct Traits;

template <int n>
struct Traits<Rn<n>> {
  using Vector = typename Rn<n>::Element;
  static constexpr double log_angle = infinity;
  static Vector tangent(Rng& rng, double /*angle*/, double length) { return length * direction<n>(rng); }
  static Vector tangent_scale(double /*turn*/, double length) { return Vector::Constant(length); }
  static Vector element_scale(double length) { return Vector::Constant(length); }
  static double defect(const Vector&) { return 0; }
};

struct RotationTraits {
  static Eigen::Vector3d tangent(Rng& rng, double angle, double) { return angle * direction<3>(rng); }
  static Eigen::Vector3d tangent_scale(double turn, double) { return Eigen::Vector3d::Constant(turn); }
};

template <>
struct Traits<SO3> : RotationTraits {
  static constexpr double log_angle = largest_matrix_angle;
  static SO3::Element element_scale(double) { return SO3::Element::Ones(); }
  static double defect(const SO3::Element& R) {
    return (R.transpose() * R - Eigen::Matrix3d::Identity()).template lpNorm<Eigen::Infinity>();
  }
};

template <>
struct Traits<S3> : RotationTraits {
  static constexpr double log_angle = largest_angle;
  static S3::Element element_scale(double) { return S3::Element::Ones(); }
  static double defect(const S3::Element& p) { return std::abs(p.squaredNorm() - 1); }
};

struct ScrewTraits {
  using Tangent = Se3Algebra::Tangent;
  static Tangent tangent(Rng& rng, double angle, double length) {
    const Eigen::Vector3d turn = angle * direction<3>(rng);
    return Se3Algebra::stack(turn, length * direction<3>(rng));
  }
  static Tangent tangent_scale(double turn, double length) {
    return Se3Algebra::stack(Eigen::Vector3d::Constant(turn), Eigen::Vector3d::Constant(length));
  }
};

template <>
struct Traits<SE3> : ScrewTraits {
  static constexpr double log_angle = largest_matrix_angle;
  static SE3::Element element_scale(double length) {
    return SE3::join(SO3::Element::Ones(), Eigen::Vector3d::Constant(length));
  }
  static double defect(const SE3::Element& q) { return Traits<SO3>::defect(SE3::rotation(q)); }
};

template <>
struct Traits<S3sdR3> : ScrewTraits {
  static constexpr double log_angle = largest_angle;
  static S3sdR3::Element element_scale(double length) {
    return S3sdR3::from_pose(S3::Element::Ones(), Eigen::Vector3d::Constant(length));
  }
  static double defect(const S3sdR3::Element& q) { return Traits<S3>::defect(S3sdR3::quaternion(q)); }
};

template <>
struct Traits<UDQ> : ScrewTraits {
  static constexpr double log_angle = largest_angle;
  static UDQ::Element element_scale(double length) {
    return UDQ::join(S3::Element::Ones(), S3::Element::Constant(length));
  }
  static double defect(const UDQ::Element& q) {
    const double length = std::max(UDQ::dual(q).norm(), 1e-300);
    return std::max(Traits<S3>::defect(UDQ::quaternion(q)),
                    std::abs(UDQ::quaternion(q).dot(UDQ::dual(q)) / length));
  }
};

template <class A, class B>
struct Traits<DirectProduct<A, B>> {
  using G = DirectProduct<A, B>;
  using Tangent = typename G::Tangent;
  using Element = typename G::Element;
  static constexpr double log_angle = std::min(Traits<A>::log_angle, Traits<B>::log_angle);
  static Tangent tangent(Rng& rng, double angle, double length) {
    const typename A::Tangent a = Traits<A>::tangent(rng, angle, length);
    return G::stack(a, Traits<B>::tangent(rng, angle, length));
  }
  static Tangent tangent_scale(double turn, double length) {
    return G::stack(Traits<A>::tangent_scale(turn, length), Traits<B>::tangent_scale(turn, length));
  }
  static Element element_scale(double length) {
    return G::join(Traits<A>::element_scale(length), Traits<B>::element_scale(length));
  }
  static double defect(const Element& q) {
    return std::max(Traits<A>::defect(G::first(q)), Traits<B>::defect(G::second(q)));
  }
};
template <>
struct Traits<SO3xR3> : Traits<DirectProduct<SO3, R3>> {};
template <>
struct Traits<S3xR3> : Traits<DirectProduct<S3, R3>> {};

/// Every decade from 1e-16, ordinary angles, both sides of π to the last digits, then towards 2π.
inline std::vector<double> angles(double largest = largest_angle) {
  std::vector<double> all{0, 0.5, 1, 2, 3, pi, 4, 5, 6};
  for (int k = 1; k <= 16; ++k) all.push_back(std::pow(10.0, -k));
  for (int k = 1; k <= 15; ++k) all.insert(all.end(), {pi - std::pow(10.0, -k), pi + std::pow(10.0, -k)});
  for (int k = 1; k <= 6; ++k) all.push_back(2 * pi - std::pow(10.0, -k));
  std::erase_if(all, [=](double angle) { return angle > largest; });
  return all;
}

/// A tangent v of the given angle and length, and a companion w of angle 1 and the same length. `unit` is the length
/// in which errors are measured: `length`, or 1 where that is zero.
template <class G>
struct Sample {
  double angle, length, unit;
  typename G::Tangent v, w;
};

template <class G>
std::vector<Sample<G>> samples(double largest, std::uint64_t seed = 1) {
  Rng rng(seed);
  std::vector<Sample<G>> all;
  for (const double angle : angles(largest)) {
    for (const double length : {0.0, 1e-3, 1.0, 1e3}) {
      for (int repeat = 0; repeat < 3; ++repeat) {
        const double unit = length == 0 ? 1 : length;
        const typename G::Tangent v = Traits<G>::tangent(rng, angle, length);
        all.push_back({angle, length, unit, v, Traits<G>::tangent(rng, 1, unit)});
      }
    }
  }
  return all;
}

/// max |aᵢ − bᵢ| / scaleᵢ; NaN if any entry is.
inline double error(const Eigen::VectorXd& a, const Eigen::VectorXd& b, const Eigen::VectorXd& scale) {
  return ((a - b).array() / scale.array()).abs().maxCoeff<Eigen::PropagateNaN>();
}

inline double largest_entry(const Eigen::MatrixXd& m) { return m.cwiseAbs().maxCoeff<Eigen::PropagateNaN>(); }

template <class G>
double tangent_error(const typename G::Tangent& a, const typename G::Tangent& b, double unit, double turn = 1) {
  return error(a, b, Traits<G>::tangent_scale(turn, unit));
}

template <class G>
double element_error(const typename G::Element& a, const typename G::Element& b, double unit) {
  return error(a.reshaped(), b.reshaped(), Traits<G>::element_scale(unit).reshaped());
}

/// An operator in dimensionless coordinates: S⁻¹ J S with the units S of the tangent.
template <class G>
Eigen::MatrixXd dimensionless(const Eigen::MatrixXd& J, double unit) {
  const Eigen::VectorXd s = Traits<G>::tangent_scale(1, unit);
  return s.cwiseInverse().asDiagonal() * J * s.asDiagonal();
}

/// f'(0) by central differences of fourth order.
inline Eigen::VectorXd derivative(double h, const std::function<Eigen::VectorXd(double)>& f) {
  return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
}

/// ‖T⁻¹‖ near the pole at 2π, up to a constant.
inline double pole(double angle) { return 1 + 2 * pi / std::abs(2 * pi - angle); }

/// The largest error of a sweep and where it was; NaN is the largest of all.
class Worst {
 public:
  void see(double error, double angle = 0, double length = 0) {
    if (std::isnan(value_) || error <= value_) return;
    value_ = error;
    angle_ = angle;
    length_ = length;
  }
  void expect_below(double bound) const {
    std::ostringstream number;
    number << value_;
    ::testing::Test::RecordProperty("worst", number.str());
    EXPECT_LE(value_, bound) << "at angle " << angle_ << ", 2π − " << 2 * pi - angle_ << ", length " << length_;
  }

 private:
  double value_ = 0, angle_ = 0, length_ = 0;
};

}  // namespace filum::lie::test
