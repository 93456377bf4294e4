/// Deterministic tangents and elements of every group, and errors measured in the group's own units, by type. Theory:
/// docs/theory/groups.md.
#pragma once

#include <filum/lie/groups.hpp>

#include <gtest/gtest.h>
#include <lie/sampling.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace filum::lie::test {

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
    return std::max(Traits<S3>::defect(UDQ::quaternion(q)), std::abs(UDQ::quaternion(q).dot(UDQ::dual(q)) / length));
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

/// A tangent v of the given angle and length, and a companion w of angle 1 and the same length. `unit` is the length
/// in which errors are measured: `length`, or 1 where that is zero.
template <class G>
struct TypedSample {
  double angle, length, unit;
  typename G::Tangent v, w;
};

template <class G>
std::vector<TypedSample<G>> typed_samples(double largest, std::uint64_t seed = 1) {
  Rng rng(seed);
  std::vector<TypedSample<G>> all;
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

}  // namespace filum::lie::test
