#!/usr/bin/env python3
"""Compares two builds by the instructions that one step of a beam takes, counted by callgrind: time is noise, these are not.

    benchmarks/compare_instructions.py build/before build/after --method rattlie --model kirchhoff --segments 64

Both folders hold benchmarks/beam_benchmark. Valgrind 3.19 knows AVX2 but not AVX-512, so build them with
-DFILUM_NATIVE=OFF -DCMAKE_CXX_FLAGS=-march=x86-64-v3 -DFILUM_BENCHMARKS=ON. What is common to a short and a long run, such as
the start, is subtracted. Instructions are counted where they are executed: inlined functions count for their callers.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

STEPS = (20, 60)
GROUPS = [  # the first that a function belongs to
    ("segments of the beam", r"filum::parts::|Beam::|5filum5parts|5filum6linalg4Pack"),
    ("nodes: exp, T⁻¹, T⁻ᵀ", r"ConfigurationSpace|for_each_node_or_pack|filum::lie::"),
    ("saddle-point solver", r"filum::linalg::(?!Newton|Wide|Pack)"),
    ("mechanics", r"filum::mechanics::"),
    ("integrator and Newton", r"filum::integrate::|filum::linalg::Newton"),
    ("vectors", r"Eigen::|mem(set|cpy|move|cmp)"),
    ("other", r""),
]
# Above a threshold glibc copies with one instruction that repeats itself, which valgrind counts byte by byte.
PLAIN_COPIES = "glibc.cpu.x86_rep_movsb_threshold=1000000000:glibc.cpu.x86_rep_stosb_threshold=1000000000"


def group_of(function):
    return next(name for name, pattern in GROUPS if re.search(pattern, function))


def count(program, case, steps):
    """Instructions by group of a run of so many steps."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "callgrind.out"
        run = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", str(program), "--steps", str(steps), *case],
            env={**os.environ, "GLIBC_TUNABLES": PLAIN_COPIES}, capture_output=True, text=True)
        if run.returncode != 0:
            hint = " (compiled for AVX-512? see above)" if "unhandled instruction" in run.stderr else ""
            sys.exit(f"{program}: stopped under callgrind{hint}\n{run.stderr[-800:]}")
        text = subprocess.run(["callgrind_annotate", "--threshold=100", "--auto=no", str(out)],
                              capture_output=True, text=True, check=True).stdout
    counts = dict.fromkeys((name for name, _ in GROUPS), 0)
    for line in text.splitlines():
        if entry := re.match(r"\s*([\d,]+) \([ \d.]+%\)\s+\S+?:(.*)", line):
            counts[group_of(entry[2])] += int(entry[1].replace(",", ""))
    return counts


def per_segment(folder, arguments):
    program = pathlib.Path(folder) / "benchmarks" / "beam_benchmark"
    if not program.exists():
        sys.exit(f"{program} is missing: ninja -C {folder} beam_benchmark")
    case = [arguments.method, arguments.model, str(arguments.segments)]
    short, long = (count(program, case, steps) for steps in STEPS)
    return {name: (long[name] - short[name]) / (STEPS[1] - STEPS[0]) / arguments.segments for name in long}


def main():
    parser = argparse.ArgumentParser(description="Instructions per segment and step of two builds")
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--method", default="rattlie", help="rattlie, shakelie, half-explicit-rk, generalized-alpha, bliedf")
    parser.add_argument("--model", default="kirchhoff", choices=["cosserat", "kirchhoff", "inextensible"])
    parser.add_argument("--segments", type=int, default=64)
    arguments = parser.parse_args()
    before, after = (per_segment(folder, arguments) for folder in (arguments.before, arguments.after))
    print(f"{arguments.method}, {arguments.model}, {arguments.segments} segments: instructions per segment and step")
    print(f"{'':28s} {'before':>8s} {'after':>8s} {'ratio':>6s}")
    rows = [*before, "sum"]
    before["sum"], after["sum"] = sum(before.values()), sum(after.values())
    for name in rows:
        ratio = f"{after[name] / before[name]:6.2f}" if before[name] > 0 else ""
        print(f"{name:28s} {before[name]:8.0f} {after[name]:8.0f} {ratio:>6s}")


if __name__ == "__main__":
    main()
