#pragma once
/// Newton's tolerances in tests.

#include <filum/linalg/newton.hpp>

namespace filum::test {

/// The same absolute and relative tolerance.
constexpr linalg::NewtonOptions within(double tolerance) { return {.atol = tolerance, .rtol = tolerance}; }

}  // namespace filum::test
