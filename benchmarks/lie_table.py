#!/usr/bin/env python3
"""Tables of lie_benchmark in multiples of the yardstick, or in nanoseconds.

  lie_benchmark --benchmark_repetitions=5 --benchmark_enable_random_interleaving --benchmark_format=json > lie.json
  python3 benchmarks/lie_table.py lie.json [--ns]

The fastest repetition counts: other programs on the machine only ever add time.
"""
import json
import sys


def fastest(path):
    times = {}
    with open(path, encoding="utf-8") as file:
        for run in sorted(json.load(file)["benchmarks"], key=lambda run: run["family_index"]):
            if run["run_type"] == "iteration":
                name = run["run_name"]
                times[name] = min(run["cpu_time"], times.get(name, float("inf")))
    return times


def table(times, angles, unit):
    cells = {tuple(name.split("/")[:2]): time for name, time in times.items()
             if name.endswith("/" + angles) and not name.startswith("yardstick")}
    groups = list(dict.fromkeys(group for group, _ in cells))
    functions = list(dict.fromkeys(function for _, function in cells))
    yield "| angles: " + angles + " | " + " | ".join(groups) + " |"
    yield "|---" * (len(groups) + 1) + "|"
    for function in functions:
        row = (f"{cells[g, function] / unit:.2f}" if (g, function) in cells else "" for g in groups)
        yield "| " + function + " | " + " | ".join(row) + " |"


def main():
    times = fastest(sys.argv[1])
    for name in [name for name in times if name.startswith("yardstick/")]:
        unit = 1.0 if "--ns" in sys.argv else times[name]
        print(f"Yardstick, Eigen's quaternion exponential: {times[name]:.2f} ns\n")
        print("\n".join(table(times, name.split("/")[1], unit)), end="\n\n")


main()
