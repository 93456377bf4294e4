"""Parts that are written in Python."""

import filum as fl
import numpy as np
import pytest
from filum.lie import S3sdR3
from model_test import cantilever


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


class Spring(fl.Part):
    """Pulls two points together."""

    def __init__(self, on, k, length):
        super().__init__(on)
        self.k, self.length = k, length

    def forces(self, t, q, v):
        d = q[:, 0] - q[:, 1]
        r = np.linalg.norm(d, axis=-1, keepdims=True)
        f = -self.k * (r - self.length) * d / r
        return np.stack([f, -f], axis=1)

    def potential_energy(self, t, q):
        return 0.5 * self.k * np.sum((np.linalg.norm(q[:, 0] - q[:, 1], axis=-1) - self.length) ** 2)


class Pull(fl.Part):
    """A force that statics scale with the load factor."""

    load = True

    def forces(self, t, q, v):
        return np.broadcast_to([3.0, 0, 0], q.shape)


def held_ball():
    """A ball between springs along all axes."""
    m = fl.Model(gravity=(0, 0, -10))
    ball = m.mass(name="ball", mass=1)
    for axis in np.eye(3):
        m.spring(fl.ground.at(-axis), ball, stiffness=50, length=0.8)
    return m, ball


def test_own_parts_in_statics_are_those_of_the_library():
    def build(own):
        m, ball = held_ball()
        other = m.mass(mass=1, position=(0, 1, 0))
        m.support(on=other, hold=["x", "y", "z"])
        if own:
            m.add(Spring([[other, ball]], k=50, length=0.9))
            m.add(Pull([ball]))
        else:
            m.spring(other, ball, stiffness=50, length=0.9)
            m.load(on=ball, force=(3, 0, 0))
        return m.static()

    own, library = build(True), build(False)
    assert np.abs(own["ball"].position[-1] - library["ball"].position[-1]).max() < 1e-7
    # With a factor of 0 neither weight nor the own load is there.
    assert np.abs(own["ball"].position[0] - library["ball"].position[0]).max() < 1e-7
    assert np.linalg.norm(own["ball"].position[-1] - own["ball"].position[0]) > 0.1 and own.stable
    assert np.allclose(own.modes(3).omega, library.modes(3).omega, rtol=1e-5)


def test_own_constraints_in_statics():
    class Floor(fl.Part):
        """On an inclined plane."""

        rows = 1

        def constraint(self, t, q):
            return q[:, 0] @ np.array([[0.6], [0], [0.8]])

    m, ball = held_ball()
    m.add(Floor([ball]))
    eq = m.static()
    x = eq[ball].position[-1, 0]
    assert 0.6 * x[0] + 0.8 * x[2] == pytest.approx(0, abs=1e-10)
    # What springs and weight leave over is along the normal.
    pull = sum(-50 * (1 - 0.8 / np.linalg.norm(x + a)) * (x + a) for a in np.eye(3)) + (0, 0, -10)
    assert np.linalg.norm(np.cross(pull, (0.6, 0, 0.8))) < 1e-6 < np.linalg.norm(pull)


class Rail(fl.Part):
    """Moves point masses along x as A sin(w t), which leaves y and z free."""

    rows, time = 1, True
    A, w = 0.3, 40.0

    def constraint(self, t, q):
        return q[:, 0, :1] - self.A * np.sin(self.w * t)


class ExactRail(Rail):
    def constraint_jacobian(self, t, q):
        return np.broadcast_to([1.0, 0, 0], (len(q), 1, 1, 3))

    def constraint_rate(self, t, q):
        return np.full((len(q), 1), -self.A * self.w * np.cos(self.w * t))

    def curvature(self, t, q, v):
        return np.full((len(q), 1), self.A * self.w**2 * np.sin(self.w * t))


@pytest.mark.parametrize("kind", [Rail, ExactRail])
@pytest.mark.parametrize("method", ["rattlie", "generalized-alpha", "half-explicit-rk"])
def test_constraints_that_depend_on_time(kind, method):
    m = fl.Model(gravity=(0, 0, -10))
    ball = m.mass(mass=2, velocity=(12, 0, 0))
    rail = m.add(kind([ball]))
    fl.testing.check_part(m, tolerance=1e-5)
    sim = m.start(step=1e-3, method=method)
    # The force that the constraint needs is mass times the prescribed acceleration.
    while sim.time < 0.1 - 1e-9:
        sim.step()
    state = sim.state
    exact = rail.A * np.array([np.sin(rail.w * state.t), rail.w * np.cos(rail.w * state.t), -rail.w**2 * np.sin(rail.w * state.t)])
    assert state.q[0] == pytest.approx(exact[0], abs=1e-7 if method == "half-explicit-rk" else 1e-9)
    assert state.v[0] == pytest.approx(exact[1], abs=1e-5)
    assert state.a[0] == pytest.approx(exact[2], rel=2e-3)
    assert state.q[2] == pytest.approx(-5 * state.t**2, rel=1e-2)


class Skate(fl.Part):
    """The blade points along the first axis of the body: no velocity along the second one."""

    rows, holonomic = 1, False

    def constraint_jacobian(self, t, q):
        J = np.zeros((len(q), 1, 1, 6))
        J[..., 4] = 1  # in S3sdR3 velocities are those of the body frame
        return J


@pytest.mark.parametrize("method", ["rattlie", "half-explicit-rk"])
def test_constraints_on_velocities(method):
    # A sleigh whose mass is above the blade goes round in a circle with constant speed.
    m = fl.Model()
    sleigh = m.body(mass=2, inertia=(1, 1, 1), group="S3sdR3", velocity=(1, 0, 0), angular_velocity=(0, 0, 2))
    m.planar(fl.ground, sleigh, at=(0, 0, 0), axis=(0, 0, 1))
    m.add(Skate([sleigh]))
    fl.testing.check_part(m, tolerance=1e-5)
    run = m.simulate(end=1, step=0.005, method=method)
    exact = np.stack([np.sin(2 * run.time) / 2, (1 - np.cos(2 * run.time)) / 2, 0 * run.time], axis=-1)
    assert np.abs(run[sleigh].position[:, 0] - exact).max() < 1e-4
    assert np.ptp(run.energy.total) < 1e-8


class Wheel(fl.Part):
    """Holds a point of a body on a circle about the origin, in whatever group the body is."""

    rows = 1

    def __init__(self, on, radius):
        super().__init__(on)
        self.radius = radius

    def constraint(self, t, q):
        x = S3sdR3.act(q, (0.0, 0.0, self.radius))[:, 0]
        return 0.5 * np.sum(x**2, axis=-1, keepdims=True) - 2 * self.radius**2


@pytest.mark.parametrize("size", [1.0, 1e-2])
def test_differences_know_how_small_and_fast_things_are(size):
    m = fl.Model()
    body = m.body(
        mass=1, inertia=(size**2, size**2, size**2), group="S3sdR3", position=(0, 0, size), angular_velocity=(300, 20, 0),
        velocity="consistent",
    )
    part = m.add(Wheel([body], size))
    state = m.start(step=1e-5).state
    q, v = state.q[None, None], state.v

    def rate(h):  # d/dt of the constraint along the motion
        return part.constraint(0, S3sdR3.compose(q, S3sdR3.exp(h * v)))[0, 0]

    assert abs(rate(1e-6) - rate(-1e-6)) / 2e-6 < 1e-5 * size**2 * 300
    # With the right curvature the second derivative along the motion vanishes.
    h = 1e-5
    ahead, behind = (S3sdR3.compose(q, S3sdR3.exp(s * h * v + 0.5 * h**2 * state.a)) for s in (1, -1))
    second = (part.constraint(0, ahead) - 2 * part.constraint(0, q) + part.constraint(0, behind))[0, 0] / h**2
    assert abs(second) < 2e-3 * (300 * size) ** 2


@pytest.mark.parametrize(
    "attributes, message",
    [
        ({}, "give forces"),
        ({"rows": 1}, r"needs constraint\(t, q\)"),
        ({"constraint": lambda self, t, q: q[:, 0]}, "rows is 0"),
        ({"rows": 1, "holonomic": False}, "need constraint_jacobian"),
        ({"rows": 1, "holonomic": False, "time": True, "constraint_jacobian": lambda self, t, q: q[:, None]}, "need constraint_rate"),
    ],
)
def test_what_is_missing_is_said(attributes, message):
    m = fl.Model()
    m.add(type("Mine", (fl.Part,), attributes)([m.mass(mass=1)]))
    with pytest.raises(ValueError, match="Mine: .*" + message):
        m.start(step=0.1)


def test_wrong_shapes_and_exceptions_are_said():
    class Short(fl.Part):
        def forces(self, t, q, v):
            return np.zeros(2)

    class Raises(fl.Part):
        def forces(self, t, q, v):
            raise KeyError("mine")

    m = fl.Model()
    m.add(Short([m.mass(mass=1)]))
    with pytest.raises(ValueError, match=r"forces returned 2 numbers; expected an array of shape \(1, 1, 3\)"):
        m.simulate(end=1, step=0.1)
    n = fl.Model()
    n.add(Raises([n.mass(mass=1)]))
    with pytest.raises(KeyError, match="mine"):
        n.simulate(end=1, step=0.1)
    with pytest.raises(ValueError, match="belongs to another model"):
        m.add(Short([n.mass(mass=1)]))


def test_parts_and_loads_may_be_compiled_with_numba():
    numba = pytest.importorskip("numba")

    @numba.njit
    def compiled(t, q, v):
        f = np.empty_like(q)
        for e in range(q.shape[0]):
            r = np.sqrt(np.sum(q[e, 0] ** 2))
            f[e, 0] = -q[e, 0] / r**3
        return f

    @numba.njit
    def drag(t, velocity):
        return -0.1 * velocity

    class Compiled(fl.Part):
        forces = staticmethod(compiled)

    def run(part, force):
        m = fl.Model()
        ball = m.mass(mass=1, position=(1, 0, 0), velocity=(0, 1, 0))
        m.add(part([ball]))
        m.load(on=ball, force=force)
        return m.simulate(end=1, step=0.01)[ball].position

    assert np.abs(run(Compiled, drag) - run(Magnet, lambda velocity: -0.1 * velocity)).max() < 1e-9
