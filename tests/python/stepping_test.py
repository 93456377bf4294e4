"""Stepping by hand, states, groups, parts."""

import copy
import pickle

import filum as fl
import numpy as np
import pytest
from model_test import cantilever, pendulum


@pytest.mark.parametrize("method", ["rattlie", "shakelie", "generalized-alpha", "bliedf", "half-explicit-rk"])
def test_steps_by_hand_are_those_of_a_run(method):
    m, bar, _ = pendulum()
    run = m.simulate(end=0.1, step=0.01, method=method, output_every="step")
    sim = m.start(step=0.01, method=method)
    for _ in range(10):
        sim.step()
    assert sim.time == pytest.approx(0.1)
    assert np.abs(sim.measure(bar, "position") - run[bar].position[-1, 0]).max() < 1e-12


@pytest.mark.parametrize("method", ["rattlie", "generalized-alpha", "bliedf"])
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


class Magnet(fl.Part):
    """Pulls point masses to the origin with k / r squared."""

    def __init__(self, on, k=1.0):
        super().__init__(on, name="magnet")
        self.k = k

    def forces(self, t, q, v):
        return -self.k * q / np.linalg.norm(q, axis=-1, keepdims=True) ** 3

    def potential_energy(self, t, q):
        return -self.k * np.sum(1 / np.linalg.norm(q, axis=-1))


class ExactMagnet(Magnet):
    def force_derivatives(self, t, q, v):
        r = np.linalg.norm(q[:, 0], axis=-1)[:, None, None]
        x = q[:, 0]
        D = -self.k * (np.eye(3) / r**3 - 3 * x[:, :, None] * x[:, None, :] / r**5)
        D = D[:, None, :, None, :]
        return D, np.zeros_like(D)


@pytest.mark.parametrize("kind", [Magnet, ExactMagnet])
def test_own_forces_pass_the_checks_and_conserve_energy(kind):
    m = fl.Model()
    balls = [m.mass(mass=1, position=(1 + k, 0, 0), velocity=(0, 1, 0)) for k in range(2)]
    m.add(kind(balls))
    fl.testing.check_part(m, potential=True)
    run = m.simulate(end=2, step=0.01)
    assert np.ptp(run.energy.total) < 1e-3
    assert np.ptp(run.energy.potential) > 0.01


def test_wrong_derivatives_are_found():
    class Wrong(ExactMagnet):
        def force_derivatives(self, t, q, v):
            D, zero = super().force_derivatives(t, q, v)
            return 1.01 * D, zero

    m = fl.Model()
    m.add(Wrong([m.mass(mass=1, position=(1, 0, 0))]))
    with pytest.raises(AssertionError, match="D f by q"):
        fl.testing.check_part(m)


class Rod(fl.Part):
    """Holds two point masses at a distance."""

    rows = 1

    def constraint(self, t, q):
        return 0.5 * np.sum((q[:, 0] - q[:, 1]) ** 2, axis=-1, keepdims=True) - 0.5


class ExactRod(Rod):
    def constraint_jacobian(self, t, q):
        d = q[:, 0] - q[:, 1]
        return np.stack([d, -d], axis=1)[:, None]


@pytest.mark.parametrize("kind", [Rod, ExactRod])
def test_own_constraints_are_those_of_the_library(kind):
    def build(own):
        m = fl.Model(gravity=(0, 0, -9.81))
        a = m.mass(name="a", mass=1, velocity=(0, 1, 0))
        b = m.mass(name="b", mass=2, position=(1, 0, 0))
        if own:
            m.add(kind([[a, b]]))
            fl.testing.check_part(m, tolerance=1e-5)
        else:
            m.distance(a, b, points=((0, 0, 0), (0, 0, 0)))
        return m.simulate(end=1, step=0.01)

    own, library = build(True), build(False)
    assert np.abs(own["a"].position - library["a"].position).max() < 1e-6
    assert own.constraint.position.max() < 1e-9


def test_parts_on_frames_of_beams():
    class Follower(fl.Part):
        """A force along the tangent of the last node."""

        def forces(self, t, q, v):
            f = np.zeros_like(v)
            f[..., 5] = -1e-3
            return f

    m, rod = cantilever()
    m.add(Follower([rod.end]))
    n, rod2 = cantilever()
    n.load(on=rod2.end, frame="body", force=(0, 0, -1e-3))
    settings = dict(end=0.05, step=1e-3, method="generalized-alpha")
    assert np.allclose(m.simulate(**settings)[rod].position, n.simulate(**settings)[rod2].position, atol=1e-9)
