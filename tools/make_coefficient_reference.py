#!/usr/bin/env python3
"""Makes tests/lie/coefficient_reference.inc. Theory: docs/theory/groups.md, section 7.

Arguments are exact doubles, values the doubles nearest to the definitions evaluated with at least 50 digits after
cancellation. The arguments crowd at the switches of the series, at π and at 2π.

usage: make_coefficient_reference.py > tests/lie/coefficient_reference.inc     (needs mpmath)
"""

from math import inf, nextafter

from mpmath import acos, atan2, cos, cot, diff, log10, mp, mpf, pi, sin, sqrt

from make_coefficient_series import ANGLE_LIMIT, INVERSE_LIMIT, LOG_LIMIT

mp.dps = 60


def f6_definition(x):
    return (2 - x * cot(x / 2)) / (2 * x**2)


def f8_definition(x):
    return (x * sin(x) + 4 * cos(x) + x**2 - 4) / (4 * sin(x / 2) ** 2 * x**4)


def f9_definition(x):
    w = x * cot(x / 2)
    return (64 - 12 * w + 4 * x**2 * (3 + w) / (cos(x) - 1)) / (8 * x**6)


def check_derivatives():
    for x in (mpf("0.3"), mpf(2), mpf(6)):
        assert abs(diff(f6_definition, x) / x / f8_definition(x) - 1) < mpf("1e-25")
        assert abs(diff(f8_definition, x) / x / f9_definition(x) - 1) < mpf("1e-25")


def digits_for(x):
    """Nine powers of the angle cancel at most."""
    return 70 + (int(-9 * log10(x)) if x < 1 else 0)


def angle_row(x):
    if x == 0:
        third = mpf(1) / 3
        return [1, mpf("0.5"), 1, mpf("-0.5"), third / 2, third / 4, third / 20, third / 4, third / 120, third / 1260]
    with mp.workdps(digits_for(x)):
        x = mpf(x)
        s, c = sin(x), cos(x)
        return [cos(x / 2), sin(x / 2) / x, s / x, (c - 1) / x**2, (x - s) / x**3, (2 - 2 * c - x * s) / x**4,
                (x * (2 + c) - 3 * s) / x**5, f6_definition(x), f8_definition(x), f9_definition(x)]


def log_row(re, im2):
    if im2 == 0:
        return [2 / mpf(re), mpf(0), mpf(1) / 12]
    im = sqrt(mpf(im2))
    with mp.workdps(digits_for(im)):
        im = sqrt(mpf(im2))
        x = 2 * atan2(im, mpf(re))
        return [x / im, x**2, f6_definition(x)]


def f7_row(c):
    with mp.workdps(100):
        return [mpf(2) if c == 1 else 2 * acos(mpf(c)) / sqrt(1 - mpf(c) ** 2)]


def neighbours(x, count):
    """x and the doubles next to it on both sides."""
    below, above, result = x, x, [x]
    for _ in range(count):
        below, above = nextafter(below, -inf), nextafter(above, inf)
        result += [below, above]
    return result


def cluster(centre):
    points = neighbours(float(centre), 3)
    for j in range(1, 16):
        points += [float(centre + mpf(10) ** -j), float(centre - mpf(10) ** -j)]
    return points


def angles():
    turn = 2 * pi
    points = [0.0] + [float(f"1e-{e}") for e in (300, 200, 160, 154, 100, 50, 30, 20)]
    points += [m * 10.0**-e for e in range(1, 17) for m in (1.0, 2.3, 5.1)]
    points += [float(turn * k / 160) for k in range(1, 160)]
    points += cluster(sqrt(ANGLE_LIMIT)) + cluster(sqrt(INVERSE_LIMIT)) + cluster(pi)
    points += [float(turn - m * mpf(10) ** -j) for j in range(16) for m in (1, 3)]
    points += neighbours(float(turn), 3)
    return sorted({x for x in points if x <= float(turn)})


def quaternions():
    turn = 2 * pi
    lengths = [mpf(1), mpf("0.9"), 1 + mpf("1e-9"), mpf("1.3")]
    points = [mpf(10) ** -e for e in (150, 100, 50, 20, 16, 12, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)]
    points += [turn * k / 120 for k in range(1, 120)]
    switch = 2 * mp.atan(sqrt(LOG_LIMIT))
    for centre in (switch, pi):
        points += [centre + sign * mpf(10) ** -j for j in range(1, 17) for sign in (1, -1)]
    points += [turn - mpf(10) ** -j for j in range(1, 14)]
    pairs = [(1.0, 0.0), (0.7, 0.0)]
    for i, x in enumerate(points):
        length = lengths[i % len(lengths)]
        pairs.append((float(length * cos(x / 2)), float((length * sin(x / 2)) ** 2)))
    return pairs


def real_parts():
    points = [1.0, 0.0, 1e-300, -1e-300] + [k / 64 for k in range(-63, 64)]
    points += [1 - 10.0**-j for j in range(1, 16)] + [-1 + 10.0**-j for j in range(1, 16)]
    points += [nextafter(1.0, 0.0), nextafter(-1.0, 0.0)]
    return sorted(set(points))


def print_table(kind, name, rows):
    print(f"constexpr {kind} {name}[] = {{")
    for arguments, values in rows:
        fields = [float(a).hex() for a in arguments] + [repr(float(v)) for v in values]
        print("    {" + ", ".join(fields) + "},")
    print("};\n")


def main():
    check_derivatives()
    print("// Made by tools/make_coefficient_reference.py: do not edit. Theory: docs/theory/groups.md, section 7.\n")
    print_table("AngleReference", "angle_references", [((x,), angle_row(x)) for x in angles()])
    print_table("LogReference", "log_references", [(p, log_row(*p)) for p in quaternions()])
    print_table("RealPartReference", "real_part_references", [((c,), f7_row(c)) for c in real_parts()])


if __name__ == "__main__":
    main()
