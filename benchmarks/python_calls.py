"""What a function of Python costs per call in a time step: processor time beyond that of a formula, over the number of calls.

PYTHONPATH=build/release/python python3 benchmarks/python_calls.py
"""

import time

import filum as fl
import numpy as np


def seconds(force, steps=20000):
    m = fl.Model()
    ball = m.mass(mass=1)
    m.load(on=ball, force=force)
    begin = time.process_time()
    m.simulate(end=1, step=1 / steps, output_every=0.5, progress=False)
    return time.process_time() - begin


class Counted:
    def __init__(self):
        self.calls = 0

    def number(self, t):
        self.calls += 1
        return (t, 0.0, 0.0)

    def vector(self, t, velocity):
        self.calls += 1
        return (t, 0.0, 0.0)


cases = {
    "numbers in, a tuple out": (lambda t: (t, 0.0, 0.0), Counted().number, ("t", 0, 0)),
    "numbers in, an array out": (lambda t: np.array([t, 0.0, 0.0]), Counted().number, ("t", 0, 0)),
    "an array in, a tuple out": (lambda t, velocity: (t, 0.0, 0.0), Counted().vector, ("t + 0*vx", 0, 0)),
}
for name, (function, counter, formula) in cases.items():
    seconds(counter)
    calls = counter.__self__.calls
    cost = min(seconds(function) for _ in range(5)) - min(seconds(formula) for _ in range(5))
    print(f"{name}: {1e6 * cost / calls:.2f} microseconds a call, {calls} calls")
