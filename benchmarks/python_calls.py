"""What Python costs: functions per call in a time step, and models without functions against the program.

PYTHONPATH=build/release/python FILUM_PROGRAM=build/release/filum python3 benchmarks/python_calls.py [REPETITIONS]

Processor time, the smallest of alternating repetitions: many short ones find quiet moments of a machine that does other work, too.
"""

import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import filum as fl
import numpy as np

REPETITIONS = int(sys.argv[1]) if len(sys.argv) > 1 else 15
PROGRAM = os.environ.get("FILUM_PROGRAM", "build/release/filum")


def used(who):
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def processor_time(action, who=resource.RUSAGE_SELF):
    begin = used(who)
    action()
    return used(who) - begin


def least(*actions):
    """The smallest time of each, taken in turns."""
    return [min(times) for times in zip(*([action() for action in actions] for _ in range(REPETITIONS)))]


# Calls -------------------------------------------------------------------------------------------------------------------
def seconds(force, steps):
    m = fl.Model()
    ball = m.mass(mass=1)
    m.load(on=ball, force=force)
    return processor_time(lambda: m.simulate(end=1, step=1 / steps, output_every=0.5, progress=False))


class Counted:
    """Counts the calls of a function with the same parameters."""

    def __init__(self):
        self.calls = 0

    def number(self, t):
        self.calls += 1
        return (t, 0.0, 0.0)

    def vector(self, t, velocity):
        self.calls += 1
        return (t, 0.0, 0.0)


def calls():
    cases = {
        "number in, tuple out": (lambda t: (t, 0.0, 0.0), Counted().number, ("t", 0, 0)),
        "number in, array out": (lambda t: np.array([t, 0.0, 0.0]), Counted().number, ("t", 0, 0)),
        "array in, tuple out": (lambda t, velocity: (t, 0.0, 0.0), Counted().vector, ("t + 0*vx", 0, 0)),
        "array in, array out": (lambda t, velocity: t * velocity, Counted().vector, ("t*vx", "t*vy", "t*vz")),
    }
    for name, (function, counter, formula) in cases.items():
        steps = 200_000 if function.__code__.co_argcount == 1 else 20_000  # ten times the calls, for derivatives
        seconds(counter, steps)
        count = counter.__self__.calls
        arguments = (0.5, np.ones(3))[: function.__code__.co_argcount]

        def alone():  # what the function itself takes, called by Python
            return processor_time(lambda: [function(*arguments) for _ in range(count)])

        with_function, with_formula, own = least(lambda: seconds(function, steps), lambda: seconds(formula, steps), alone)
        cost = 1e6 * (with_function - with_formula) / count
        print(f"{name}: {cost:.2f} microseconds a call, {1e6 * own / count:.2f} of them the function's own; {count} calls")


# Models without functions --------------------------------------------------------------------------------------------------
def in_python(scenario, settings, folder):
    m = fl.load(scenario, set=settings)
    return processor_time(lambda: m.simulate(folder=folder, force=True, report=False, progress=False))


def in_the_program(scenario, settings, folder):
    changes = [f"--set={key}={value}" for key, value in settings.items()]
    command = [PROGRAM, "run", scenario, "-o", folder, "--force", "--quiet", "--no-report", *changes]
    return processor_time(lambda: subprocess.run(command, check=True), resource.RUSAGE_CHILDREN)


def against_the_program():
    """Runs of two lengths: their difference has no start in it."""
    if not pathlib.Path(PROGRAM).exists():
        print(f"{PROGRAM} is not there: FILUM_PROGRAM names the program to compare with")
        return
    cases = {
        "roll-up": (8.0, 1e-3),
        "flying-spaghetti": (20.0, 1e-3),
        "four-bar": (20.0, 1e-3),
    }
    with tempfile.TemporaryDirectory() as folder:
        for scenario, (end, step) in cases.items():
            long, short = ({"time.end": e, "time.step": step, "time.output_every": end / 20} for e in (end, end / 20))
            runs = [
                lambda run=run, settings=settings: run(scenario, settings, f"{folder}/{scenario}")
                for run in (in_python, in_the_program)
                for settings in (long, short)
            ]
            python, python_start, program, program_start = least(*runs)
            ours, theirs = python - python_start, program - program_start
            print(f"{scenario}: {ours:.3f} s in Python, {theirs:.3f} s in the program, {100 * (ours / theirs - 1):+.1f} %")


if __name__ == "__main__":
    begin = time.monotonic()
    calls()
    against_the_program()
    print(f"{REPETITIONS} repetitions, {time.monotonic() - begin:.0f} s")
