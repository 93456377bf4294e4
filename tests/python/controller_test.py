"""Controllers and events."""

import copy
import pickle

import filum as fl
import numpy as np
import pytest


def cart(every=0.05, **options):
    m = fl.Model()
    mass = m.mass(name="cart", mass=1, position=(1, 0, 0))
    seen = []

    def update(t, y):
        seen.append(t)
        return -20 * y["x"] - 8 * y["v"]

    pd = m.control(
        fl.Controller(every, update, {"x": (mass, "position"), "v": (mass, "velocity")}, output=np.zeros(3), **options)
    )
    m.load(on=mass, force=lambda t: pd.output)
    return m, mass, seen


def exact_cart(times, every=0.05):
    """The sampled loop in closed form: a constant force between samples."""
    x, v, out = 1.0, 0.0, []
    for k in range(int(round(times[-1] / every)) + 1):
        f = -20 * x - 8 * v
        for t in times[(times > k * every - 1e-9) & (times < (k + 1) * every - 1e-9)]:
            h = t - k * every
            out.append(x + v * h + 0.5 * f * h**2)
        x, v = x + v * every + 0.5 * f * every**2, v + f * every
    return np.array(out)


@pytest.mark.parametrize(
    "settings",
    [
        dict(step=0.01),
        dict(step=0.01, method="generalized-alpha"),
        dict(step=0.01, method="shakelie"),
        dict(step=0.007),
        dict(step=0.03, method="bliedf"),
        dict(step=0.2, method="half-explicit-rk"),
        dict(step=0.01, method=fl.method("half-explicit-rk", adaptive=True)),
    ],
    ids=str,
)
def test_samples_are_taken_at_their_times_whatever_the_steps_are(settings):
    m, mass, seen = cart()
    run = m.simulate(end=2, output_every=0.1, **settings)
    assert np.allclose(seen, 0.05 * np.arange(len(seen)), atol=1e-9) and len(seen) in (40, 41)
    assert np.abs(run[mass].position[:, 0, 0] - exact_cart(run.time)).max() < 1e-6
    again = m.simulate(end=2, output_every=0.1, **settings)
    assert np.array_equal(run[mass].position, again[mass].position)


def test_a_method_that_keeps_its_step_refuses_samples_between_its_steps():
    m, _, _ = cart()
    with pytest.raises(fl.ModelError, match="shakelie keeps its step.*divides `every`"):
        m.simulate(end=1, step=0.007, method="shakelie")


def test_states_of_controllers_begin_anew_with_every_run():
    m = fl.Model()
    ball = m.mass(mass=1, position=(1, 0, 0))

    def update(t, y, memory):
        memory["count"] += 1
        return -memory["count"], memory

    counter = m.control(fl.Controller(0.1, update, {"x": (ball, "position")}, state={"count": 0}))
    m.load(on=ball, force=lambda t: (counter.output, 0, 0))
    first = m.simulate(end=1, step=0.05)
    assert counter.state == {"count": 11} and counter.output == -11
    assert np.array_equal(first[ball].position, m.simulate(end=1, step=0.05)[ball].position)
    # v = -sum of the outputs, each held for 0.1
    assert first[ball].velocity[-1, 0, 0] == pytest.approx(-0.1 * sum(range(1, 11)), abs=1e-9)


def test_stepping_by_hand_is_the_run():
    m, mass, seen = cart()
    run = m.simulate(end=1, step=0.01, output_every=0.01)
    seen.clear()
    sim = m.start(step=0.01)
    for _ in range(100):
        sim.step()
    assert np.allclose(seen, 0.05 * np.arange(21))
    assert sim.measure(mass, "position") == pytest.approx(run[mass].position[-1, 0], abs=1e-9)


def test_states_carry_what_controllers_remember():
    m = fl.Model()
    ball = m.mass(mass=1, position=(1, 0, 0))

    def integrate(t, y, total):
        total = total + 0.1 * y["x"]
        return -3 * y["x"] - total, total

    pi = m.control(fl.Controller(0.1, integrate, {"x": (ball, "position")}, state=np.zeros(3), output=np.zeros(3)))
    m.load(on=ball, force=lambda t: pi.output)
    sim, other = m.start(step=0.05), m.start(step=0.05)
    for _ in range(7):
        sim.step()
    saved = pickle.dumps(sim.state)
    copied = copy.deepcopy(sim.state)
    for _ in range(9):
        sim.step()
        other.step()  # uses the same controller in between
    end = sim.state
    for state in (pickle.loads(saved), copied):
        sim.state = state
        for _ in range(9):
            sim.step()
        for part in ("t", "q", "v", "a"):
            assert np.array_equal(getattr(sim.state, part), getattr(end, part)), part


def test_exceptions_and_mistakes_of_controllers():
    m = fl.Model()
    ball = m.mass(mass=1)
    m.control(fl.Controller(0.1, lambda t, y: 1 / 0 if t > 0.25 else 0))
    with pytest.raises(ZeroDivisionError):
        m.simulate(end=1, step=0.01)
    m = fl.Model()
    ball = m.mass(mass=1)
    m.control(fl.Controller(0.1, lambda t, y: 0, {"x": (ball, "angle")}))
    with pytest.raises(fl.ModelError, match="^'angle' cannot be measured on a mass; expected"):
        m.simulate(end=1, step=0.01)
    with pytest.raises(ValueError, match="positive time"):
        fl.Controller(0, lambda t, y: 0)
    with pytest.raises(ValueError, match="belongs to another model"):
        fl.Model().control(fl.Controller(0.1, lambda t, y: 0, {"x": (ball, "position")}))
    with pytest.raises(fl.ModelError, match="cannot be written to a file"):
        m.save("never.toml", end=1, step=0.1)
    assert "controller" in m._repr_html_()


def test_two_runs_at_once_do_not_share_a_controller():
    m, _, _ = cart()
    refused = []

    def again(state):
        if not refused:
            with pytest.raises(fl.ModelError, match="in use by another run"):
                m.simulate(end=0.1, step=0.01)
            refused.append(True)

    m.simulate(end=0.1, step=0.01, observer=again)
    assert refused
    m.simulate(end=0.1, step=0.01)


def jumping_ball(restitution=0.5, **options):
    m = fl.Model(gravity=(0, 0, -10))
    ball = m.mass(mass=1, position=(0, 0, 1))

    def jump(state):
        state.v = -restitution * state.v

    floor = fl.Event(lambda t, y: y["x"][2], {"x": (ball, "position")}, direction="falling", change=jump, **options)
    return m, ball, m.watch(floor)


@pytest.mark.parametrize("method", ["rattlie", "generalized-alpha", "half-explicit-rk"])
def test_a_ball_jumps_at_the_right_times(method):
    m, ball, floor = jumping_ball()
    run = m.simulate(end=1.2, step=0.013, method=method, output_every=0.01)
    fall = np.sqrt(0.2)
    exact = fall + np.concatenate([[0], np.cumsum(2 * fall * 0.5 ** np.arange(1, 8))])
    exact = exact[exact < 1.2]
    assert np.abs(np.array(floor.times)[: len(exact)] - exact).max() < 1e-5
    assert run[ball].position[:, 0, 2].min() > -1e-6
    floor_times = list(floor.times)
    m.simulate(end=1.2, step=0.013, method=method, output_every=0.01)
    assert floor.times == floor_times


def test_events_have_directions_and_may_end_the_run():
    def times(**options):
        m = fl.Model()
        ball = m.mass(mass=1, position=(1, 0, 0))
        m.spring(fl.ground, ball, stiffness=1, length=0)
        event = m.watch(fl.Event(lambda t, y: y["x"][0] + 0 * t, {"x": (ball, "position")}, **options))
        run = m.simulate(end=7, step=0.01)
        return np.array(event.times), run

    assert np.allclose(times()[0], [np.pi / 2, 3 * np.pi / 2], atol=1e-4)
    assert np.allclose(times(direction="rising")[0], [3 * np.pi / 2], atol=1e-4)
    found, run = times(stop=True, name="middle")
    assert np.allclose(found, [np.pi / 2], atol=1e-4) and run.time[-1] == pytest.approx(found[0])
    assert "middle" in run.message and run.status == "done"
    with pytest.raises(ValueError, match="direction"):
        fl.Event(lambda t, y: 0, direction="up")


def test_exceptions_of_events_come_out():
    m, _, floor = jumping_ball()
    floor.change = lambda state: {}["missing"]
    with pytest.raises(KeyError, match="missing"):
        m.simulate(end=1, step=0.01)
    floor.value = lambda t, y: "text"
    with pytest.raises(Exception, match="float|cast"):
        m.simulate(end=1, step=0.01)


def test_pickled_models_keep_events_and_controllers():
    m = fl.Model()
    ball = m.mass(mass=1, velocity=(1, 0, 0))
    m.watch(fl.Event(passing, {"x": (ball, "position")}, stop=True))
    again = pickle.loads(pickle.dumps(m))
    assert again.simulate(end=2, step=0.1).time[-1] == pytest.approx(0.5)


def passing(t, y):
    return y["x"][0] - 0.5
