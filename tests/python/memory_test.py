"""Nothing is lost: what is no longer used goes away, and nothing is used after it has gone."""

import gc
import sys
import weakref

import filum as fl
import numpy as np
from model_test import cantilever


class Pull(fl.Part):
    def forces(self, t, q, v):
        return -q


def everything():
    """A model with all kinds of things of Python in it, run in all ways; what should be gone afterwards."""
    m = fl.Model(gravity=(0, 0, -9.81))
    ball = m.mass(name="ball", mass=1, position=(1, 0, 0))

    def force(t, velocity):
        return -0.1 * velocity

    def mine(t, y):
        return np.zeros(3)

    part = m.add(Pull([ball]))
    control = m.control(fl.Controller(0.05, mine, {"x": (ball, "position")}, output=np.zeros(3)))
    event = m.watch(fl.Event(lambda t, y: y["x"][0] + 10, {"x": (ball, "position")}))
    m.load(on=ball, force=force)
    m.load(on=ball, force=lambda t: control.output)
    run = m.simulate(end=0.1, step=0.01, observer=lambda state: True)
    sim = m.start(step=0.01)
    sim.step()
    sim.state = sim.state.copy()
    m.modes(1)
    kept = run[ball].position
    fl.lie.S3sdR3.exp(np.zeros((10, 6)))
    return [weakref.ref(x) for x in (m, run, sim, part, control, event, force, mine)], kept


def test_models_functions_and_parts_go_away():
    gone, kept = everything()
    gc.collect()
    assert [type(ref()).__name__ for ref in gone if ref() is not None] == []
    assert kept.shape == (11, 1, 3) and np.isfinite(kept).all()


def test_functions_are_released_when_something_raises():
    def force(t):
        raise ValueError("mine")

    before = sys.getrefcount(force)
    for _ in range(3):
        m = fl.Model()
        m.load(on=m.mass(mass=1), force=force)
        try:
            m.simulate(end=1, step=0.1)
        except ValueError:
            pass
        del m
    gc.collect()
    assert sys.getrefcount(force) == before


def test_numbers_that_functions_get_and_return_are_released():
    m = fl.Model()
    ball = m.mass(mass=1)
    answer = np.zeros(3)
    m.load(on=ball, force=lambda t, velocity: answer)
    m.add(Pull([ball]))
    before = sys.getrefcount(answer)
    m.simulate(end=1, step=0.01)
    assert sys.getrefcount(answer) == before


def resident_kilobytes():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4


def test_memory_does_not_grow():
    def again():
        everything()
        m, rod = cantilever(16)
        m.static()
        m.simulate(end=0.02, step=1e-3, method="generalized-alpha")

    for _ in range(30):
        again()
    gc.collect()
    before = resident_kilobytes()
    for _ in range(60):
        again()
    gc.collect()
    grown = resident_kilobytes() - before
    assert grown < 1500, f"{grown} kB in 60 rounds"  # a run of these alone has 40 kB of series
