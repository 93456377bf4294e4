"""Building and running models."""

import inspect
import pickle

import filum as fl
import numpy as np
import pytest
from filum import _core, words


def pendulum(**settings):
    m = fl.Model(gravity=(0, 0, -9.81))
    bar = m.body(name="bar", mass=2, inertia=(0.01, 0.2, 0.2), position=(0.5, 0, 0))
    hinge = m.revolute(fl.ground, bar, name="hinge", at=(0, 0, 0), axis=(0, 1, 0))
    return m, bar, hinge


def cantilever(segments=8):
    m = fl.Model(gravity=(0, 0, -9.81))
    rod = m.beam(start=(0, 0, 0), end=(1, 0, 0), segments=segments, section=fl.circle(radius=5e-3, material=fl.rubber))
    m.fix(fl.ground, rod.start)
    return m, rod


def test_the_first_example_of_the_documentation_runs():
    m = fl.Model(gravity=(0, 0, -9.81))
    rod = m.beam(start=(0, 0, 0), end=(1, 0, 0), segments=32, section=fl.circle(radius=2e-3, material=fl.steel))
    m.fix(fl.ground, rod.start)
    m.load(on=rod.end, force=lambda t: (0, 0, -np.sin(t)))
    m.sensor(name="tip", on=rod.end, quantity="position")
    run = m.simulate(end=0.05, step=1e-3, method="generalized-alpha")
    assert run[rod].position.shape == (len(run.time), 33, 3)
    assert run.sensors["tip"].shape == (len(run.time), 3)
    assert np.array_equal(run.sensors["tip"], run[rod].position[:, -1])
    assert np.allclose(run.energy.total, run.energy.kinetic + run.energy.potential)


def test_every_kind_of_table_is_a_method_and_every_key_a_keyword():
    for kind, (decision, variants) in _core.tables().items():
        method = getattr(fl.Model, kind)
        keys = {key["key"] for _, keys in variants for key in keys}
        named = set(inspect.signature(method).parameters)
        python_names = {"from": "start", "to": "end"}
        assert {python_names.get(key, key) for key in keys} <= named, kind
        for word, own in variants:
            if word:
                assert hasattr(fl.Model, {"fixed": "fix"}.get(word, word.replace("-", "_")))


def test_docstrings_say_what_every_key_means():
    for kind, (_, variants) in _core.tables().items():
        if kind not in words.KINDS:
            continue
        keys = {key["key"] for _, keys in variants for key in keys}
        assert keys == set(words.KINDS[kind][1]), kind
    for table, meanings in words.SETTINGS.items():
        keys = {key["key"] for _, keys in _core.settings()[table][1] for key in keys}
        assert keys == set(meanings), table
    assert "force per length" in fl.Model.load.__doc__
    assert "required" in fl.Model.body.__doc__


def test_wrong_options_are_exceptions_with_the_messages_of_the_program():
    m = fl.Model()
    with pytest.raises(fl.ModelError, match=r"body.*mass.*positive"):
        m.body(mass=-1, inertia=(1, 1, 1))
    with pytest.raises(fl.ModelError, match="did you mean 'inertia'"):
        m.body(mass=1, intertia=(1, 1, 1))
    with pytest.raises(ValueError, match="there is nothing called 'nobody'"):
        m.load(on="nobody", force=(1, 0, 0))
    sensor = m.sensor(on=fl.system, quantity="energy")
    with pytest.raises(ValueError, match=f"'{sensor.name}' is a sensor; expected 'ground'"):
        m.load(on=sensor, force=(1, 0, 0))
    with pytest.raises(TypeError, match="mass.*object"):
        m.body(mass=object(), inertia=(1, 1, 1))
    # What was refused is not there.
    m.body(name="body", mass=1, inertia=(1, 1, 1))
    assert [handle.name for handle in m.objects] == [sensor.name, "body"]


def test_what_is_missing_or_of_the_wrong_kind_is_said():
    m, rod = cantilever()
    for wrong, error, message in [
        (lambda: m.simulate(), fl.ModelError, "time.end: .*missing"),
        (lambda: m.simulate(end=1, methd="rattlie"), TypeError, "'methd'; did you mean 'method'?"),
        (lambda: m.simulate(end=1, rho_infinity=0.8), TypeError, r"try: method=filum.method\('generalized-alpha', rho_infinity="),
        (lambda: m.start(), ValueError, "give step="),
        (lambda: fl.circle(radius=1e-3, material="steel"), TypeError, "such as filum.steel, found 'steel'"),
        (lambda: m.watch(len), TypeError, "expected a filum.Event"),
        (lambda: m.control(len), TypeError, "expected a filum.Controller"),
        (lambda: m.add(len), TypeError, "expected a filum.Part"),
        (lambda: fl.testing.check_part(fl.Part(on=[])), TypeError, "expected the filum.Model that the part was added to"),
        (lambda: fl.sweep(len, {"x": 3}), TypeError, "x: expected a list of values, found 3"),
    ]:
        with pytest.raises(error, match=message):
            wrong()
    run = m.simulate(end=2e-3, step=1e-3, method="generalized-alpha")
    for wrong, error, message in [
        (lambda: run.sensors["tip"], KeyError, r"no sensor 'tip': the run has no sensors, which m.sensor\(...\) adds"),
        (lambda: run["rodd"], KeyError, f"nothing called 'rodd'; expected .*{rod.name}.*energy"),
        (lambda: run.energy["sum"], KeyError, "energy has kinetic, potential, total, not 'sum'"),
        (lambda: run.energy.sum, AttributeError, "energy has kinetic, potential, total, not 'sum'"),
        (lambda: pickle.dumps(run), TypeError, "try: run.save"),
        (lambda: pickle.dumps(m.start(step=1e-3)), TypeError, "try: its state"),
    ]:
        with pytest.raises(error, match=message):
            wrong()


def test_points_of_other_models_are_refused():
    _, bar, _ = pendulum()
    with pytest.raises(ValueError, match="belongs to another model"):
        fl.Model().load(on=bar, force=(1, 0, 0))


def test_models_can_be_added_to_after_they_have_run():
    m, bar, _ = pendulum()
    alone = m.simulate(end=0.1, step=0.01)
    m.load(on=bar, force=(0, 0, 9.81 * 2))
    held = m.simulate(end=0.1, step=0.01)
    assert np.abs(held[bar].position - held[bar].position[0]).max() < 1e-9
    assert np.abs(alone[bar].position - held[bar].position).max() > 1e-3


def test_the_order_in_which_objects_are_added_does_not_change_a_bit():
    def build(order):
        m = fl.Model(gravity=(0, 0, -9.81))
        adders = {
            "a": lambda: m.body(name="a", mass=1, inertia=(1, 1, 1), position=(1, 0, 0)),
            "s": lambda: m.sensor(name="s", on="a", quantity="position"),
            "j": lambda: m.spherical(fl.ground, m["a"], name="j", at=(0, 0, 0)),
        }
        for name in order:
            adders[name]()
        return m.simulate(end=0.5, step=0.01)

    first, second = build("asj"), build("ajs")
    assert np.array_equal(first["a"].position, second["a"].position)


def test_points_in_frames_of_bodies():
    m = fl.Model()
    body = m.body(mass=1, inertia=(1, 1, 1))
    m.load(on=body.at((0, 0, 1)), force=(1, 0, 0))
    sim = m.start(step=0.01)
    assert np.allclose(sim.state.a, [0, 1, 0, 1, 0, 0])
    spring = m.spring(fl.ground.at((3, 0, 0)), body.at((1, 0, 0)), stiffness=1)
    m.sensor(name="length", on=spring, quantity="length")
    assert m.start(step=0.01).measure(spring, "length") == pytest.approx(2)


def test_formulas_parameters_and_functions_work_as_in_files():
    m = fl.Model(parameters={"m": 2}, functions={"g": "3*t"})
    ball = m.mass(mass="m", position=("m/2", 0, 0))
    m.load(on=ball, force=("g(t)", 0, 0))
    run = m.simulate(end=1, step=0.01)
    assert run[ball].position[-1, 0, 0] == pytest.approx(1 + 1.5 / 6, abs=1e-4)


def test_pickled_models_run_alike():
    m = fl.load("flying-spaghetti", set={"time.end": 0.1})
    again = pickle.loads(pickle.dumps(m))
    name = "spaghetti"
    assert np.array_equal(m.simulate()[name].position, again.simulate()[name].position)


def test_statics_and_modes():
    m, rod = cantilever()
    eq = m.static()
    assert eq.stable and eq.factor[-1] == 1
    modes = eq.modes(4)
    assert len(modes) == 4 and np.all(np.diff(modes.frequency) >= 0)
    assert modes.shape(rod).shape == (4, 9, 3)
    heavy = m.modes(2, at="static")
    assert np.allclose(heavy.frequency, modes.frequency[:2])


def test_turning_about_a_line_of_points_is_no_mode():
    m = fl.Model(gravity=(0, 0, -10))
    ball = m.mass(mass=1)
    for axis in np.eye(3):
        m.spring(fl.ground.at(-axis), ball, stiffness=50, length=0.8)
    other = m.mass(mass=1, position=(0, 1, 0))
    m.support(on=other, hold=["x", "y", "z"])
    m.spring(other, ball, stiffness=50, length=0.9)
    lin = m.linearize(at="static")
    K = lin["K"][:3, :3]  # the other one is held
    assert np.allclose(m.static().modes(3).omega, np.sqrt(np.linalg.eigvalsh(K)), rtol=1e-9)


def test_a_cantilever_vibrates_as_euler_says():
    m = fl.Model()
    rod = m.beam(start=(0, 0, 0), end=(1, 0, 0), segments=32, section=fl.circle(radius=2e-3, material=fl.steel))
    m.fix(fl.ground, rod.start)
    E, rho, r = fl.steel.E, fl.steel.rho, 2e-3
    omega = 1.87510407**2 * np.sqrt(E * r**2 / 4 / rho)
    assert m.modes(2).omega[0] == pytest.approx(omega, rel=2e-3)


def test_a_run_that_stops_raises_with_what_there_is():
    m, bar, _ = pendulum()
    m.load(on=bar, force=("1/(0.05 - t)", 0, "t > 0.05 ? sqrt(-1) : 0"))
    with pytest.raises(fl.StoppedError) as caught:
        m.simulate(end=1, step=0.01)
    assert "t = 0.0" in str(caught.value)
    assert caught.value.run.time[-1] <= 0.06


def test_models_describe_themselves():
    m, _, _ = pendulum()
    text = m.describe(end=1, step=0.01)
    assert "bar" in text and "hinge" in text
    page = m._repr_html_()
    assert "<td>body</td><td>bar</td>" in page and "of freedom" in page
