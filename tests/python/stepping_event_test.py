"""Events, samples and switches in simulations that are stepped by hand."""

import pickle
import threading
import warnings

import filum as fl
import numpy as np
import pytest


def falling_ball(**options):
    """Reaches the floor at sqrt(0.2), exactly with every method: the motion is a parabola."""
    m = fl.Model(gravity=(0, 0, -10))
    ball = m.mass(mass=1, position=(0, 0, 1))
    floor = fl.Event(lambda t, y: y["x"][2], {"x": (ball, "position")}, name="floor", **options)
    return m, ball, m.watch(floor)


def swing(**options):
    m = fl.Model()
    ball = m.mass(mass=1, position=(1, 0, 0))
    m.spring(fl.ground, ball, stiffness=1, length=0)
    return m, ball, m.watch(fl.Event(lambda t, y: y["x"][0], {"x": (ball, "position")}, **options))


FALL = np.sqrt(0.2)
METHODS = ["rattlie", "generalized-alpha", "bliedf", "radau", "half-explicit-rk"]


@pytest.mark.parametrize("method", METHODS)
def test_an_event_is_located_to_1e_10(method):
    m, ball, floor = falling_ball(stop=True)
    sim = m.start(step=0.05, method=method)
    while not sim.stopped_by:
        sim.step()
    assert sim.stopped_by == "floor" and floor.times == [sim.time]
    assert abs(sim.time - FALL) < 1e-10
    assert abs(sim.measure(ball, "position")[2]) < 1e-9
    sim.step()  # goes on from there
    assert sim.stopped_by is None and sim.time == pytest.approx(FALL + 0.05, abs=1e-10)
    assert floor.times == pytest.approx([FALL], abs=1e-10)


@pytest.mark.parametrize("method", METHODS)
def test_events_are_those_of_a_run(method):
    def jump(state):
        state.v = -0.5 * state.v

    m, ball, floor = falling_ball(direction="falling", change=jump)
    run = m.simulate(end=1, step=0.01, method=method, output_every=0.01)
    times = list(floor.times)
    sim = m.start(step=0.01, method=method)
    assert floor.times == []
    heights = []
    for _ in range(100):
        sim.step()
        heights.append(sim.measure(ball, "position")[2])
    assert len(times) == 2 and floor.times == pytest.approx(times, abs=1e-12)
    assert sim.time == pytest.approx(1, abs=1e-14)  # steps with an event go on to their end
    assert np.abs(run[ball].position[1:, 0, 2] - heights).max() < 1e-9


def test_events_by_hand_have_directions():
    def times(direction):
        m, _, event = swing(direction=direction)
        sim = m.start(step=0.01)
        while sim.time < 7:
            sim.step()
        return event.times

    assert np.allclose(times("both"), [np.pi / 2, 3 * np.pi / 2], atol=1e-4)
    assert np.allclose(times("falling"), [np.pi / 2], atol=1e-4)
    assert np.allclose(times("rising"), [3 * np.pi / 2], atol=1e-4)


@pytest.mark.parametrize("method", [*METHODS, fl.method("radau", adaptive=True), fl.method("half-explicit-rk", adaptive=True)], ids=str)
def test_a_state_from_before_an_event_gives_it_again(method):
    m, _, event = swing()
    sim = m.start(step=0.03, method=method)
    while sim.time < 1:
        sim.step()
    saved = pickle.dumps(sim.state)
    while sim.time < 5:
        sim.step()
    times, end, steps = list(event.times), sim.state, sim.time
    assert len(times) == 2
    other = m.start(step=0.03, method=method)
    for again in (sim, other):
        again.state = pickle.loads(saved)
        assert event.times == []
        while again.time < steps:
            again.step()
        assert event.times == times
        for part in ("t", "q", "v", "a"):
            assert np.array_equal(getattr(again.state, part), getattr(end, part)), part


def test_simulations_that_share_an_event_do_not_mix_its_times():
    m, _, event = swing()
    first, second = m.start(step=0.1), m.start(step=0.1)
    while first.time < 2:
        first.step()
    assert len(event.times) == 1
    second.step()
    assert event.times == []
    first.step()
    assert len(event.times) == 1


def test_steps_of_any_size_hit_events_and_begin_a_new_grid():
    m, _, event = swing(stop=True)
    sim = m.start(step=0.1)
    sim.step()
    sim.step(0.25)
    assert sim.time == pytest.approx(0.35, abs=1e-15)
    sim.step(0.1)
    sim.step()
    assert sim.time == pytest.approx(0.55, abs=1e-15)
    sim.step(4)
    assert sim.stopped_by and sim.time == event.times[0] < 4
    with pytest.raises(ValueError, match="positive, finite time"):
        sim.step(0)


def test_an_exception_leaves_the_simulation_where_it_was():
    m, _, floor = falling_ball(direction="falling")
    good, trouble = floor.value, []

    def value(t, y):
        if trouble and t > 0.35:
            raise KeyError("missing")
        return good(t, y)

    floor.value = value
    sim = m.start(step=0.1)
    for _ in range(3):
        sim.step()
    before = sim.state
    trouble.append(True)
    with pytest.raises(KeyError, match="missing"):
        sim.step()
    for part in ("t", "q", "v", "a"):
        assert np.array_equal(getattr(before, part), getattr(sim.state, part)), part
    trouble.clear()
    for _ in range(2):
        sim.step()
    assert floor.times == pytest.approx([FALL], abs=1e-10)


def test_stop_tables_end_steps_too():
    m = fl.Model(gravity=(0, 0, -10))
    ball = m.mass(mass=1, position=(0, 0, 1))
    m.sensor(name="tip", on=ball, quantity="position")
    m.stop(name="below", when="tip.z < 0")
    sim = m.start(step=0.1)
    for _ in range(5):
        sim.step()
    assert "tip.z < 0" in sim.stopped_by and abs(sim.time - FALL) < 1e-10


def test_samples_between_steps_are_taken_at_their_times():
    m = fl.Model()
    ball = m.mass(mass=1)
    seen = []
    clock = m.control(fl.Controller(0.25, lambda t, y: seen.append(t) or len(seen)))
    m.load(on=ball, force=lambda t: (clock.output, 0, 0))
    sim = m.start(step=0.1)
    for k in range(10):
        sim.step()
    assert np.allclose(seen, 0.25 * np.arange(5), atol=1e-12)
    assert sim.measure(ball, "velocity")[0] == pytest.approx(0.25 * (1 + 2 + 3 + 4), abs=1e-12)


def test_a_sample_is_taken_in_the_step_that_ends_at_it():
    m = fl.Model()
    m.mass(mass=1)
    seen = []
    m.control(fl.Controller(0.05, lambda t, y: seen.append(t)))  # 3 * 0.05 is more than 15 * 0.01
    sim = m.start(step=0.01)
    for k in range(1, 101):
        sim.step()
        assert len(seen) == 1 + k // 5, k


def test_a_method_that_keeps_its_step_says_that_it_misses_events():
    m, _, floor = falling_ball()
    sim = m.start(step=0.1, method="shakelie")
    with pytest.warns(RuntimeWarning, match="shakelie cannot end a step"):
        for _ in range(5):
            sim.step()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sim.step()  # once


def test_adaptive_steps_continue_bit_for_bit():
    m, _, _ = swing()
    method = fl.method("half-explicit-rk", adaptive=True)
    sim = m.start(step=1e-3, method=method)
    for _ in range(10):
        sim.step()
    saved = pickle.dumps(sim.state)
    for _ in range(10):
        sim.step()
    other = m.start(step=1e-3, method=method)
    other.state = pickle.loads(saved)
    for _ in range(10):
        other.step()
    assert other.time == sim.time > 0.1 and np.array_equal(other.state.q, sim.state.q)


def test_threads_step_models_of_their_own_with_events():
    found = {}

    def fall(k):
        m, _, floor = falling_ball(stop=True)
        sim = m.start(step=0.01 + 0.001 * k)
        while not sim.stopped_by:
            sim.step()
        found[k] = sim.time

    threads = [threading.Thread(target=fall, args=(k,)) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert np.allclose([found[k] for k in range(6)], FALL, atol=1e-10)
