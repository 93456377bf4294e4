"""Stepping by hand, states, groups."""

import copy
import pickle
import threading

import filum as fl
import numpy as np
import pytest
from model_test import cantilever, pendulum


@pytest.mark.parametrize("method", ["rattlie", "shakelie", "generalized-alpha", "bliedf", "radau", "half-explicit-rk"])
def test_steps_by_hand_are_those_of_a_run(method):
    m, bar, _ = pendulum()
    run = m.simulate(end=0.1, step=0.01, method=method, output_every="step")
    sim = m.start(step=0.01, method=method)
    for _ in range(10):
        sim.step()
    assert sim.time == pytest.approx(0.1)
    assert np.abs(sim.measure(bar, "position") - run[bar].position[-1, 0]).max() < 1e-12


@pytest.mark.parametrize("method", ["rattlie", "generalized-alpha", "bliedf", "radau"])
def test_states_continue_bit_for_bit(method):
    m, _ = cantilever()
    sim = m.start(step=1e-3, method=method)
    for _ in range(5):
        sim.step()
    saved = pickle.dumps(sim.state)
    for _ in range(5):
        sim.step()
    end = sim.state
    other = m.start(step=1e-3, method=method)
    other.state = pickle.loads(saved)
    for _ in range(5):
        other.step()
    for part in ("t", "q", "v", "a", "lam"):
        assert np.array_equal(getattr(end, part), getattr(other.state, part)), part


def test_states_can_be_changed_and_copied():
    m = fl.Model()
    ball = m.mass(mass=1)
    sim = m.start(step=0.1)
    state = sim.state
    kept = copy.deepcopy(state)
    state.v = [1, 0, 0]
    sim.state = state
    sim.step()
    assert np.allclose(sim.measure(ball, "position"), [0.1, 0, 0])
    assert np.array_equal(kept.v, [0, 0, 0])
    with pytest.raises(ValueError, match="expected 3 numbers"):
        state.v = [1, 0]
    state.q[0] = 5  # a copy
    assert state.q[0] != 5


def test_what_cannot_be_a_step_or_a_state_is_refused():
    m, _, _ = pendulum()
    sim = m.start(step=0.01)
    for size in (np.inf, np.nan, 0, -1):
        with pytest.raises(ValueError, match="positive, finite time"):
            sim.step(size)
    state = sim.state
    for t in (np.inf, np.nan):
        state.t = t
        with pytest.raises(ValueError, match="its time is not finite"):
            sim.state = state
    state.t = 1e300
    sim.state = state
    with pytest.raises(ValueError, match="lost in rounding"):
        sim.step()
    other, _ = cantilever()
    forged = list(other.start(step=0.01).state.__getstate__())
    forged[7] = (np.nan, *forged[7][1:])
    with pytest.raises(ValueError, match="not the state of a simulation"):
        type(state).__new__(type(state)).__setstate__(tuple(forged))


def test_a_state_that_is_refused_leaves_the_simulation_as_it_was():
    m, _, _ = pendulum()
    sim = m.start(step=0.01)
    sim.step()
    before = sim.state
    forged = list(before.__getstate__())
    forged[5] = [1.0]
    state = type(before).__new__(type(before))
    state.__setstate__(tuple(forged))
    with pytest.raises(ValueError):
        sim.state = state
    sim.step()
    after = sim.state
    sim.state = before
    sim.step()
    assert np.array_equal(sim.state.q, after.q) and np.array_equal(sim.state.v, after.v)


def test_threads_take_turns_with_a_simulation():
    m, _ = cantilever()
    sim = m.start(step=1e-3, method="generalized-alpha")
    raised = []

    def work():
        try:
            for _ in range(10):
                sim.step()
                assert np.isfinite(sim.state.q).all()
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    alone = m.start(step=1e-3, method="generalized-alpha")
    for _ in range(40):
        alone.step()
    assert not raised
    assert np.array_equal(sim.state.q, alone.state.q)


def test_a_function_cannot_use_the_simulation_that_calls_it():
    m, bar, _ = pendulum()
    uses = {"step": lambda sim: sim.step(), "state": lambda sim: sim.state, "set": lambda sim: setattr(sim, "state", start)}
    use = []
    m.load(on=bar, force=lambda t: (0, 0, 0 * len([f(sim) for f in use])))
    sim = m.start(step=0.01)
    start = sim.state
    for f in uses.values():
        use[:] = [f]
        with pytest.raises(RuntimeError, match="uses the simulation that is calling it"):
            sim.step()
    use.clear()
    sim.step()
    assert sim.time == pytest.approx(0.01)


def test_changed_states_are_moved_onto_the_constraints_or_refused():
    m, bar, hinge = pendulum()
    sim = m.start(step=0.01)
    sim.step()
    before, state = sim.state, sim.state
    state.q = state.q + 1e-7 * np.arange(len(state.q))  # a little off
    sim.state = state
    assert abs(np.linalg.norm(sim.measure(bar, "position")) - 0.5) < 1e-9
    assert abs(np.linalg.norm(sim.measure(bar, "orientation")) - 1) < 1e-14
    for part, change, message in [
        ("q", lambda q: 1.5 * q, "quaternions have length 1"),
        ("q", lambda q: np.nan * q, "not in the groups"),
        ("q", lambda q: q + np.eye(len(q))[-1], "hinge"),
        ("v", lambda v: v + 1, "hinge"),
    ]:
        state = before.copy()
        setattr(state, part, change(getattr(state, part)))
        now = sim.state
        with pytest.raises(ValueError, match=f"the state cannot be set: .*{message}"):
            sim.state = state
        assert np.array_equal(sim.state.q, now.q) and np.array_equal(sim.state.v, now.v)
    turned = before.copy()
    turned.v = 3 * turned.v
    sim.state = turned
    assert np.abs(sim.state.v - 3 * before.v).max() < 1e-12


def test_measurements_by_hand_are_those_of_sensors():
    m, bar, hinge = pendulum()
    sim = m.start(step=0.01)
    sim.step()
    kinetic, potential, total = sim.measure(fl.system, "energy")
    assert kinetic + potential == total == pytest.approx(sim.energy) and kinetic > 0
    assert sim.measure(hinge, "angle").shape == (1,)
    with pytest.raises(fl.ModelError, match="the ground does not move"):
        sim.measure(fl.ground, "position")
    with pytest.raises(fl.ModelError, match="body bar: 'positon' cannot be measured on a body; expected 'position'"):
        sim.measure(bar, "positon")
    with pytest.raises(fl.ModelError, match="'position' cannot be measured on the system; expected 'energy'"):
        sim.measure(fl.system, "position")


def test_groups_work_on_arrays():
    rng = np.random.default_rng(2)
    for name in fl.lie.__all__:
        G = getattr(fl.lie, name)
        v, w = 0.5 * rng.normal(size=(2, 4, 3, G.dim))
        q = G.exp(v)
        assert np.allclose(G.log(q), v), name
        assert np.allclose(G.compose(q, G.inverse(q)), G.identity())
        T = G.tangent_op(v)
        assert np.allclose(np.einsum("...ij,...j", T, w), G.tangent_op_times(v, w))
        assert np.allclose(np.einsum("...ij,...jk", T, G.tangent_op_inv(v)), np.eye(G.dim))
        assert np.allclose(np.einsum("...ij,...j", G.hat(v), w), G.bracket(v, w))
        h = 1e-6
        D = np.stack(
            [(G.tangent_op_inv_times(v + h * e, w) - G.tangent_op_inv_times(v - h * e, w)) / (2 * h) for e in np.eye(G.dim)], -1
        )
        assert np.allclose(D, G.d_tangent_op_inv_times(v, w), atol=1e-8), name
        assert np.allclose(G.compose(q[0, 0], q), np.stack([[G.compose(q[0, 0], x) for x in row] for row in q]))
    assert fl.lie.SO3.identity().shape == (3, 3)
    with pytest.raises(ValueError, match="expected an array of shape"):
        fl.lie.S3.exp([1, 2])
