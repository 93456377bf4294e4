#!/usr/bin/env python3
"""Makes include/filum/lie/coefficient_series.hpp. Theory: docs/theory/groups.md, section 7.

Every function is interpolated in 60 digits at Chebyshev points that include both ends of its interval: the
value at angle zero is exact and the value at the switch is continuous. The degree is the lowest one whose
relative truncation error stays below TRUNCATION, the rounding error of one operation.

usage: make_coefficient_series.py > include/filum/lie/coefficient_series.hpp     (needs mpmath)
"""

from mpmath import atan, binomial, cos, factorial, lu_solve, matrix, mp, mpf, nstr, pi, polyval, sqrt, zeta

mp.dps = 60
TRUNCATION = mpf("1e-16")
# The switches, and what the closed form beyond them loses (measured, relative error).
ANGLE_LIMIT = mpf(9)  # t = x² of the entire functions: f5 1.6e-15; with 4 it would be 5.2e-15
INVERSE_LIMIT = mpf(14)  # t = x² of the functions with a pole at 2π: f9 1.9e-15; with 9 it would be 7.6e-15
LOG_LIMIT = mpf("0.75")  # r = tan²(x/2): f6 1.4e-15; with 0.3 it would be 3.3e-15
POLE = 4 * pi**2


def power_series(coefficient):
    """t ↦ Σ coefficient(k) tᵏ, summed until the terms vanish."""

    def value(t):
        total, k = mpf(0), 0
        while True:
            term = coefficient(k) * t**k
            total += term
            if k > 3 and abs(term) <= mpf(10) ** (2 - mp.dps) * abs(total):
                return total
            k += 1

    return value


def alternating(magnitude):
    return power_series(lambda k: (-1) ** k * mpf(magnitude(k)))


def without_first_pole(m, factor):
    """factor Σ (4π²k² − t)⁻ᵐ over k ≥ 2."""
    return power_series(
        lambda j: factor * binomial(m + j - 1, j) * (zeta(2 * (m + j)) - 1) / POLE ** (m + j))


def first_pole(m, factor):
    return lambda t: factor / (POLE - t) ** m


def nodes(limit, n):
    return [limit * (1 - cos(pi * k / n)) / 2 for k in range(n + 1)]


def samples(limit):
    return [limit * mpf(k) / 97 for k in range(1, 97)]


def interpolate(f, limit, n):
    """Monomial coefficients, constant first, of the interpolant of degree n."""
    x = nodes(limit, n)
    newton = [f(v) for v in x]
    for j in range(1, n + 1):
        for i in range(n, j - 1, -1):
            newton[i] = (newton[i] - newton[i - 1]) / (x[i] - x[i - j])
    poly = [newton[n]]
    for i in range(n - 1, -1, -1):
        poly = [mpf(0)] + poly
        for k in range(len(poly) - 1):
            poly[k] -= x[i] * poly[k + 1]
        poly[0] += newton[i]
    return poly


def shortest(f, limit, scale):
    """The interpolant of lowest degree whose error relative to scale is small enough."""
    for n in range(2, 30):
        poly = interpolate(f, limit, n)
        error = max(abs((polyval(poly[::-1], t) - f(t)) / scale(t)) for t in samples(limit))
        if error < TRUNCATION:
            return poly, error
    raise RuntimeError("no short polynomial")


def shortest_quotient(f, limit):
    """Numerator of degree n−1 and denominator of degree n with constant 1, interpolating f."""
    for n in range(2, 12):
        x = nodes(limit, 2 * n - 1)
        a, b = matrix(2 * n), matrix(2 * n, 1)
        for i, v in enumerate(x):
            fv = f(v)
            for k in range(n):
                a[i, k] = v**k
                a[i, n + k] = -fv * v ** (k + 1)
            b[i] = fv
        s = lu_solve(a, b)
        num, den = [s[k] for k in range(n)], [mpf(1)] + [s[n + k] for k in range(n)]
        error = max(abs(polyval(num[::-1], v) / polyval(den[::-1], v) / f(v) - 1) for v in samples(limit))
        if error < TRUNCATION:
            return num, den, error
    raise RuntimeError("no short quotient")


def double(value):
    return repr(float(value))  # the shortest decimal that reads back as the same double


def table(name, comment, poly):
    lines = [f"/// {comment}", f"inline constexpr std::array<double, {len(poly)}> {name}{{"]
    row = "   "
    for value in poly:
        if len(row) + len(double(value)) > 112:
            lines.append(row)
            row = "   "
        row += f" {double(value)},"
    return "\n".join(lines + [row.rstrip(",") + "};"])


def truncated(formula, error):
    return f"{formula}; truncated at {nstr(error, 1)}"


def arctangent_remainder(r):
    """(1 − arctan(√r)/√r) / (4r)."""
    return power_series(lambda k: (-1) ** k / mpf(4 * (2 * k + 3)))(r) if r < mpf("0.1") \
        else (1 - atan(sqrt(r)) / sqrt(r)) / (4 * r)


def main():
    entire = [
        ("half_cosine", "cos(x/2)", lambda k: 1 / (mpf(4) ** k * factorial(2 * k))),
        ("half_sine", "sin(x/2)/x", lambda k: 1 / (2 * mpf(4) ** k * factorial(2 * k + 1))),
        ("f3", "f3", lambda k: 1 / factorial(2 * k + 3)),
        ("f4", "f4", lambda k: (2 * k + 2) / factorial(2 * k + 4)),
        ("f5", "f5", lambda k: (2 * k + 2) / factorial(2 * k + 5)),
    ]
    tables = []
    for name, formula, magnitude in entire:
        f = alternating(magnitude)
        poly, error = shortest(f, ANGLE_LIMIT, f)
        tables.append(table(name, truncated(f"{formula}, t < angle_limit", error), poly))
    for name, m, factor in [("f6", 1, 2), ("f8", 2, 4), ("f9", 3, 16)]:
        rest, pole = without_first_pole(m, factor), first_pole(m, factor)
        poly, error = shortest(rest, INVERSE_LIMIT, lambda t: rest(t) + pole(t))
        formula = f"{name} − {factor}/(4π² − t)" + ("" if m == 1 else "²³"[m - 2])
        tables.append(table(f"{name}_rest", truncated(f"{formula}, t < inverse_limit", error), poly))
    num, den, error = shortest_quotient(arctangent_remainder, LOG_LIMIT)
    arc = [den[0]] + [den[k + 1] - 4 * num[k] for k in range(len(num))]
    assert min(num + den + arc) > 0  # no cancellation when they are evaluated
    remainder = truncated("numerator of (1 − arctan(√r)/√r)/(4r), r < log_limit", error)
    tables.append(table("log_remainder", remainder, num))
    tables.append(table("log_arctangent", "numerator of arctan(√r)/√r, r < log_limit", arc))
    tables.append(table("log_denominator", "denominator of both", den))
    print(f"""// Polynomials in t = x² and r = tan²(x/2), made by tools/make_coefficient_series.py: do not edit.
// Theory: docs/theory/groups.md, section 7.
#pragma once

#include <array>

// clang-format off

namespace filum::lie::coefficients::series {{

inline constexpr double angle_limit = {double(ANGLE_LIMIT)};
inline constexpr double inverse_limit = {double(INVERSE_LIMIT)};
inline constexpr double log_limit = {double(LOG_LIMIT)};
/// 4π²
inline constexpr double pole = {double(POLE)};

""" + "\n\n".join(tables) + "\n\n}  // namespace filum::lie::coefficients::series")


if __name__ == "__main__":
    main()
