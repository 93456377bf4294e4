"""Shells: surfaces and loads by functions, results, statics, modes, mistakes."""

import filum as fl
import numpy as np
import pytest

STEEL = {"E": 2.1e11, "nu": 0.3, "rho": 7850}


def plate(m, n=6, **keys):
    return m.shell(name="plate", corner=(0, 0, 0), edges=((1, 0, 0), (0, 1, 0)), segments=(n, n), **keys)


def test_a_steel_sheet_of_a_millimetre_sags_as_plates_do():
    m = fl.Model(gravity=(0, 0, -9.81))
    sheet = plate(m, 8, thickness=1e-3, **STEEL)
    m.support(on=sheet.at(s1=0), hold=["z"])
    for edge in ({"s1": "end"}, {"s2": 0}, {"s2": "end"}):
        m.support(on=sheet.at(**edge), hold=["z"])
    m.support(on=sheet.at(0, 0), hold=["x", "y"])
    m.support(on=sheet.at("end", 0), hold=["y"])
    # Small against the thickness: a hundredth of its weight.
    eq = m.static(to=0.01)
    D = STEEL["E"] * 1e-9 / 12 / (1 - 0.3**2)
    w = -eq[sheet].position[-1, 4 * 9 + 4, 2]
    assert w == pytest.approx(0.01 * 0.004062 * STEEL["rho"] * 1e-3 * 9.81 / D, rel=0.05)


def test_results_are_arrays_by_node_and_by_cell():
    m = fl.Model(gravity=(0, 0, -9.81))
    sheet = plate(m, 3, thickness=1e-2, E=1e7, nu=0.3, rho=1000)
    m.fix(fl.ground, sheet.at(s1=0))
    m.sensor(name="corner", on=sheet.at("end", "end"), quantity="position")
    run = m.simulate(end=0.02, step=1e-3, method="generalized-alpha")
    frames = len(run.time)
    assert run[sheet].position.shape == (frames, 16, 3)
    assert run[sheet].strain.shape == run[sheet].stress.shape == (frames, 9, 12)
    assert run[sheet].energy.shape == (frames, 9)
    assert np.array_equal(run.sensors["corner"], run[sheet].position[:, -1])
    assert np.allclose(run.energy.total, run.energy.kinetic + run.energy.potential)


def test_functions_and_formulas_give_the_same_motion():
    def moved(shape, pressure, velocity, rest):
        m = fl.Model()
        tube = m.shell(
            name="tube", map=shape, size=(2 * np.pi, 1), closed="s1", segments=(8, 2), thickness=0.02, E=1e5, nu=0.3,
            rho=100, velocity=velocity, rest_strain1=rest, rest_strain2=(0, 0, 0, 0, 1, 0),
        )
        m.load(on=tube, pressure=pressure)
        return m.simulate(end=0.05, step=1e-3, method="generalized-alpha")[tube].position[-1]

    formulas = moved(("cos(s1)", "sin(s1)", "s2"), "3*t + s2*cos(s1)", (0, "s2", 0), (0, 1, 0, "1 - 0.05*s2", 0, 0))
    functions = moved(
        lambda s1, s2: (np.cos(s1), np.sin(s1), s2),
        lambda t, s1, s2: 3 * t + s2 * np.cos(s1),
        lambda s2: (0, s2, 0),
        lambda s2: (0, 1, 0, 1 - 0.05 * s2, 0, 0),
    )
    assert np.allclose(functions, formulas, atol=1e-9)
    assert np.ptp(np.linalg.norm(formulas[:, :2], axis=1)) > 1e-4


def test_a_laminate_couples_and_its_modes_are_lower_along_the_soft_direction():
    def frequency(angle):
        m = fl.Model()
        layer = {"thickness": 1e-3, "angle": angle, "E1": 1.4e11, "E2": 1e10, "nu12": 0.3, "G12": 5e9, "G13": 5e9,
                 "G23": 3e9, "rho": 1600}
        sheet = plate(m, 6, layers=[layer, layer])
        m.fix(fl.ground, sheet.at(s1=0))
        return m.modes(1).frequency[0]

    # Clamped along s1 = 0, the sheet bends along s1: the square root of 14, but for the Poisson effect.
    assert frequency(0) / frequency(np.pi / 2) == pytest.approx(np.sqrt(14), rel=0.05)


def test_places_on_a_sheet():
    m = fl.Model()
    sheet = plate(m, 2, thickness=0.01, E=1e6, nu=0.3, rho=1000)
    assert repr(sheet.at(s1=0, s2=1)) == repr(sheet.at(0, 1))
    with pytest.raises(TypeError, match="one of s1= and s2="):
        sheet.at(0, s2=1)


def test_mistakes_are_named():
    m = fl.Model()
    with pytest.raises(fl.ModelError, match="thickness"):
        plate(m, E=1e6, nu=0.3, rho=1000)
    with pytest.raises(fl.ModelError, match="no stiffness against K3 of w1"):
        stiffness = np.eye(12)
        stiffness[2, 2] = 0
        plate(m, stiffness=stiffness.tolist(), thickness=0.01, rho=1000)
        m.simulate(end=1, step=1)
