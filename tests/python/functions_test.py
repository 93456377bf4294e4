"""Functions of Python in models: loads, drives, springs, properties; errors, interrupts, threads."""

import os
import signal
import threading
import time

import filum as fl
import numpy as np
import pytest
from model_test import cantilever, pendulum


def test_a_load_of_time_is_what_the_formula_is():
    def run(force):
        m, bar, _ = pendulum()
        m.load(on=bar, force=force)
        return m.simulate(end=0.5, step=0.01)["bar"].position

    formula = run((0, 0, "20*sin(3*t)"))
    function = run(lambda t: (0, 0, 20 * np.sin(3 * t)))
    array = run(lambda t: np.array([0, 0, 20 * np.sin(3 * t)]))
    assert np.abs(function - formula).max() < 1e-13
    assert np.array_equal(function, array)


def test_a_load_of_the_motion_sees_vectors_and_numbers():
    def run(force, **options):
        m = fl.Model(gravity=(0, 0, -10))
        ball = m.mass(mass=1, velocity=(1, 0, 0))
        m.load(on=ball, force=force)
        return m.simulate(end=1, step=0.01, **options)[ball].position

    for method in ("rattlie", "generalized-alpha"):
        formula = run(("-vx", "-vy", "-vz"), method=method)
        assert np.abs(run(lambda velocity: -velocity, method=method) - formula).max() < 1e-9
        assert np.abs(run(lambda vx, vz, vy: (-vx, -vy, -vz), method=method) - formula).max() < 1e-9
    with pytest.raises(fl.ModelError, match="the argument 'velocty' of the function .* did you mean 'velocity'"):
        run(lambda velocty: -velocty)


def test_functions_may_have_defaults_and_be_methods():
    class Push:
        def __init__(self, size):
            self.size = size

        def force(self, t, direction=(1, 0, 0)):
            return self.size * np.array(direction)

    m = fl.Model()
    ball = m.mass(mass=1)
    m.load(on=ball, force=Push(2).force)
    assert m.start(step=0.1).state.a[0] == 2


def test_drives_and_springs():
    m, bar, hinge = pendulum()
    m.drive(joint=hinge, angle=lambda t: 0.5 * t**2)
    m.sensor(name="angle", on=hinge, quantity="angle")
    run = m.simulate(end=1, step=0.01)
    assert np.allclose(run.sensors["angle"].ravel(), 0.5 * run.time**2, atol=1e-8)

    def oscillation(**law):
        m = fl.Model()
        ball = m.mass(mass=1, position=(2, 0, 0))
        m.spring(fl.ground, ball, **law)
        return m.simulate(end=1, step=0.01, method="generalized-alpha")[ball].position

    linear = oscillation(stiffness=4, length=1, damping=0.1)
    own = oscillation(force=lambda length, rate: 4 * (length - 1) + 0.1 * rate)
    assert np.abs(linear - own).max() < 1e-8


def test_properties_along_a_beam():
    def tip(**options):
        m = fl.Model(gravity=(0, 0, -9.81))
        rod = m.beam(
            start=(0, 0, 0), end=(1, 0, 0), segments=8, inertia_per_length=(1e-6, 1e-6, 2e-6),
            **{"mass_per_length": 0.1, "stiffness": dict(bending=(1, 1), torsion=1, shear=(1e3, 1e3), axial=1e3), **options},
        )
        m.fix(fl.ground, rod.start)
        return m.static()[rod].position[-1, -1]

    taper = lambda s: 2 - s
    assert np.allclose(tip(mass_per_length="0.1*(2-s)"), tip(mass_per_length=lambda s: 0.1 * taper(s)))
    by_entry = tip(stiffness=dict(bending=("2-s", "2-s"), torsion=1, shear=(1e3, 1e3), axial=1e3))
    whole = tip(stiffness=lambda s: np.diag([taper(s), taper(s), 1, 1e3, 1e3, 1e3]))
    assert np.allclose(by_entry, whole)
    with pytest.raises(fl.ModelError, match="expected a number or a formula, found the function"):
        fl.Model().mass(mass=lambda t: 1)


@pytest.mark.parametrize("result", ["text", 1j, object(), {1: 2}, [object()] * 3])
def test_a_function_that_returns_no_numbers_is_named(result):
    def push(t):
        return result

    m, bar, _ = pendulum()
    m.load(on=bar, force=push)
    with pytest.raises(TypeError, match=r"the function push returned '\w+'; expected numbers"):
        m.simulate(end=0.1, step=0.01)


def test_exceptions_of_functions_come_out_as_they_are():
    class Mine(Exception):
        pass

    def force(t):
        if t > 0.05:
            raise Mine("here")
        return (0, 0, 0)

    m, bar, _ = pendulum()
    m.load(on=bar, force=force)
    with pytest.raises(Mine, match="here") as caught:
        m.simulate(end=1, step=0.01)
    assert caught.traceback[-1].name == "force"
    with pytest.raises(ValueError, match="returned 2 numbers; expected 3"):
        n, bar, _ = pendulum()
        n.load(on=bar, force=lambda t: (1, 2))
        n.simulate(end=1, step=0.01)
    with pytest.raises(TypeError):
        n, bar, _ = pendulum()
        n.load(on=bar, force=lambda t: None)
        n.simulate(end=1, step=0.01)


def test_observers_see_every_step_and_can_end_the_run():
    m, _, _ = pendulum()
    times = []

    def watch(state):
        times.append(state.t)
        return state.t < 0.295

    run = m.simulate(end=1, step=0.01, observer=watch)
    assert len(times) == 30 and times[-1] == pytest.approx(0.3)
    assert run.time[-1] == pytest.approx(0.3, abs=0.011)
    with pytest.raises(ZeroDivisionError):
        m.simulate(end=1, step=0.01, observer=lambda state: 1 / 0)


def test_interrupts_end_a_run_in_order(tmp_path):
    m, _ = cantilever(64)
    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt) as caught:
        m.simulate(end=1e5, step=1e-4, method="generalized-alpha", output_every=1.0, folder=tmp_path / "out")
    timer.cancel()
    assert fl.Run(tmp_path / "out").status == "interrupted"
    assert caught.value.run is not None


def test_other_threads_run_while_a_model_steps():
    m, _ = cantilever(32)
    ticks = []

    def tick():
        for _ in range(10):
            ticks.append(time.monotonic())
            time.sleep(1e-3)
        os.kill(os.getpid(), signal.SIGINT)  # a run that kept other threads out would never end

    thread = threading.Thread(target=tick)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        m.simulate(end=1e5, step=1e-3, method="generalized-alpha", output_every=1.0)
    thread.join()
    assert len(ticks) == 10


def test_simulations_in_threads_are_those_of_one_thread():
    def run(k):
        m = fl.Model(gravity=(0, 0, -9.81))
        rod = m.beam(start=(0, 0, 0), end=(1, 0, 0), segments=4, section=fl.circle(radius=5e-3, material=fl.rubber))
        m.fix(fl.ground, rod.start)
        m.load(on=rod.end, force=lambda t: (0, k * np.sin(t), 0))
        return m.simulate(end=0.05, step=1e-3, method="generalized-alpha")[rod].position

    alone = [run(k) for k in range(4)]
    table = fl.sweep(lambda k: {"last": run(k)[-1].tobytes()}, {"k": range(4)}, jobs=4)
    rows = table.to_dict("records") if hasattr(table, "to_dict") else table
    for k, row in enumerate(rows):
        assert row["last"] == alone[k][-1].tobytes()


def test_one_model_runs_in_threads_at_once():
    m, bar, _ = pendulum()
    m.load(on=bar, force=lambda t: (np.cos(t), 0, 0))
    alone = m.simulate(end=0.5, step=0.005)["bar"].position
    results = [None] * 4

    def work(k):
        results[k] = m.simulate(end=0.5, step=0.005)["bar"].position

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert all(np.array_equal(alone, r) for r in results)


class Counted:
    """A function of t that counts its calls."""

    def __init__(self, function):
        self.function, self.calls = function, 0

    def __call__(self, t):
        self.calls += 1
        return self.function(t)


def calls_per_step(function, mark=lambda f: f, **settings):
    def count(steps):
        m, bar, hinge = pendulum()
        counted = Counted(function)
        m.drive(joint=hinge, angle=mark(counted))
        m.simulate(end=0.001 * steps, step=0.001, output_every=0.01, **settings)
        return counted.calls

    return (count(60) - count(20)) / 40


@pytest.mark.parametrize("method", ["rattlie", "generalized-alpha"])
def test_drives_are_differenced_once_per_time(method):
    # Newton's iterations, rates and accelerations at one time share the 15 calls of a difference.
    assert calls_per_step(lambda t: 0.5 * t**2, method=method) <= 20
    assert calls_per_step(lambda t: (0.5 * t**2, t, 1), fl.with_rates, method=method) <= 2


def test_motions_with_rates_are_exact():
    def run(angle, **place):
        m, bar, hinge = pendulum()
        m.drive(joint=hinge, angle=angle)
        return m.simulate(end=0.5, step=0.01)

    formula = run("sin(3*t)^2")
    rates = run(fl.with_rates(lambda t: (np.sin(3 * t) ** 2, 3 * np.sin(6 * t), 18 * np.cos(6 * t))))
    plain = run(lambda t: np.sin(3 * t) ** 2)
    assert np.abs(rates["bar"].velocity - formula["bar"].velocity).max() < 1e-12
    assert np.abs(plain["bar"].velocity - formula["bar"].velocity).max() < 1e-9
    assert np.abs(rates["hinge"].multiplier - formula["hinge"].multiplier).max() < 1e-9


@pytest.mark.parametrize("mark", [False, True])
def test_positions_are_driven_by_functions_of_three_numbers(mark):
    def along(t):
        x, v, a = (0.1 * np.sin(2 * t), 0.1 * t, 0), (0.2 * np.cos(2 * t), 0.1, 0), (-0.4 * np.sin(2 * t), 0, 0)
        return (x, v, a) if mark else x

    m = fl.Model()
    body = m.body(mass=1, inertia=(1, 1, 1), velocity="consistent")
    m.drive(fl.ground, body, position=fl.with_rates(along) if mark else along)
    run = m.simulate(end=0.5, step=0.01)
    exact = np.stack([0.1 * np.sin(2 * run.time), 0.1 * run.time, 0 * run.time], axis=-1)
    assert np.abs(run[body].position[:, 0] - exact).max() < 1e-10


def test_functions_that_take_all_points_at_once_are_those_of_each_point():
    def run(force, rule="trapezoidal", **options):
        m, rod = cantilever()
        m.load(on=rod, force=force, rule=rule, **options)
        return m.simulate(end=0.005, step=1e-3, method="generalized-alpha")[rod].position

    def one(t, s, velocity):
        return (0.01 * s, 0.02 * np.sin(50 * t), 0) - 0.05 * s * velocity

    def many(t, s, velocity):
        assert s.ndim == 1 and velocity.shape == (len(s), 3) and isinstance(t, float)
        return np.stack([0.01 * s, 0 * s + 0.02 * np.sin(50 * t), 0 * s], axis=-1) - 0.05 * s[:, None] * velocity

    for rule in ("trapezoidal", "integrated", "segment-mean"):
        assert np.abs(run(one, rule) - run(fl.vectorized(many), rule)).max() < 1e-12
    assert np.array_equal(run(lambda t: (0, t, 0)), run(fl.vectorized(lambda t: (0, t, 0))))
    both = run(one, moment=lambda s: (0, 1e-3 * s, 0))
    assert np.abs(both - run(fl.vectorized(many), moment=fl.vectorized(lambda s: s[:, None] * (0, 1e-3, 0)))).max() < 1e-12
    with pytest.raises(ValueError, match=r"returned 18 numbers; expected an array of shape \(9, 3\)"):
        run(fl.vectorized(lambda s: np.zeros((9, 2))))


def test_one_call_is_enough_for_all_points():
    def calls(mark):
        m, rod = cantilever(32)
        counted = Counted(lambda t: (0, 0.1 * t, 0))
        m.load(on=rod, force=mark(counted))
        m.simulate(end=0.01, step=1e-3, method="generalized-alpha", output_every=0.01)
        return counted.calls

    assert calls(fl.vectorized) < 0.15 * calls(lambda f: f)


def test_matrices_along_a_beam_are_asked_for_once_per_place():
    seen = []

    def stiffness(s):
        seen.append(s)
        return np.diag([1.0, 1, 1, 1e3, 1e3, 1e3])

    m = fl.Model()
    m.beam(start=(0, 0, 0), end=(1, 0, 0), segments=8, mass_per_length=0.1, inertia_per_length=(1e-6, 1e-6, 2e-6), stiffness=stiffness)
    seen.clear()
    m.start(step=1e-4)
    assert len(seen) <= 5 * len(set(seen))


def test_interrupts_end_statics_and_studies(tmp_path):
    def interrupted(work):
        timer = threading.Timer(0.4, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        began = time.monotonic()
        with pytest.raises(KeyboardInterrupt) as caught:
            work()
        timer.cancel()
        assert time.monotonic() - began < 20
        return caught.value

    m, rod = cantilever(400)
    m.load(on=rod.end, force=(0, 0.05, 0))
    error = interrupted(lambda: [m.static(path="arc-length", to=1000, max_steps=100000) for _ in range(1000)])
    assert len(error.run.series("factor")) > 0
    study = tmp_path / "long.toml"
    study.write_text(
        'schema = 1\ntitle = "long"\nscenario = "flying-spaghetti"\nset = { "time.end" = 1000 }\n'
        '[[vary]]\nkey = "time.step"\nvalues = [1e-3, 2e-3]\n[[measure]]\nname = "e"\nseries = "energy/total"\ntake = "last"\n'
    )
    interrupted(lambda: fl.study(study, folder=tmp_path / "long"))
