"""Sweeps and studies."""

import csv
import os
import subprocess
import time

import filum as fl
import numpy as np
import pytest

STUDY = """schema = 1
title = "a mass on a spring"
scenario = "oscillator.toml"

[[vary]]
key = "time.step"
values = [0.02, 0.01]

[[measure]]
name = "last"
series = "sensors/x[0]"
take = "last"
"""


def records(table):
    return table.to_dict("records") if hasattr(table, "to_dict") else table


def oscillator(stiffness=4.0, mass=1.0):
    m = fl.Model()
    ball = m.mass(name="ball", mass=mass, position=(1, 0, 0))
    m.spring(fl.ground, ball, stiffness=stiffness, length=0)
    m.sensor(name="x", on=ball, quantity="position")
    return m


def frequency(stiffness, mass):
    if stiffness < 0:
        raise fl.Error("a spring that pushes")
    return {"omega": oscillator(stiffness, mass).modes(1).omega[0], "label": f"k={stiffness}"}


@pytest.mark.parametrize("processes", [False, True])
def test_sweeps_are_tables_of_all_combinations(processes):
    rows = records(fl.sweep(frequency, {"stiffness": [1.0, 4.0], "mass": [1.0, 4.0]}, jobs=2, processes=processes))
    assert [(r["stiffness"], r["mass"]) for r in rows] == [(1, 1), (1, 4), (4, 1), (4, 4)]
    assert np.allclose([r["omega"] for r in rows], [1, 0.5, 2, 1])
    assert rows[0]["label"] == "k=1.0"


def test_cases_that_fail_say_why():
    rows = records(fl.sweep(frequency, {"stiffness": [-1.0, 1.0], "mass": [1.0]}))
    assert rows[0]["error"] == "a spring that pushes" and np.isclose(rows[1]["omega"], 1)
    begun = []
    with pytest.raises(ZeroDivisionError):
        fl.sweep(lambda x: begun.append(x) or time.sleep(0.002) or 1 / x, {"x": range(1000)}, jobs=1)
    assert len(begun) < 500


def test_numbers_need_no_names():
    rows = records(fl.sweep(lambda x: x**2, {"x": [1, 2, 3]}, jobs=1))
    assert [r["result"] for r in rows] == [1, 4, 9]


def test_studies_are_those_of_the_program(tmp_path):
    oscillator().save(tmp_path / "oscillator.toml", end=1, step=0.1)
    (tmp_path / "study.toml").write_text(STUDY)
    rows = records(fl.study(tmp_path / "study.toml", folder=tmp_path / "out"))
    assert [r["time.step"] for r in rows] == [0.02, 0.01]
    assert np.allclose([r["measure.last"] for r in rows], np.cos(2), atol=1e-3)
    subprocess.run(
        [os.environ["FILUM_PROGRAM"], "study", tmp_path / "study.toml", "-o", tmp_path / "program", "--quiet"], check=True
    )
    with open(tmp_path / "program" / "study.csv", newline="") as file:
        for ours, theirs in zip(rows, csv.DictReader(file), strict=True):
            assert ours["measure.last"] == float(theirs["measure.last"])
    assert (tmp_path / "out" / "study.html").exists()
    run = next(iter((tmp_path / "out").rglob("result.h5"))).parent
    assert fl.Run(run)["ball"].position.shape[1:] == (1, 3)


def test_studies_without_a_folder_leave_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    oscillator().save("oscillator.toml", end=1, step=0.1)
    (tmp_path / "study.toml").write_text(STUDY)
    assert len(fl.study("study.toml", jobs=1)) == 2
    assert sorted(p.name for p in tmp_path.iterdir()) == ["oscillator.toml", "study.toml"]


def test_mistakes_in_studies_are_exceptions(tmp_path):
    with pytest.raises(fl.ModelError, match="no-such-study"):
        fl.study("no-such-study")
    (tmp_path / "study.toml").write_text(STUDY.replace("take", "tkae"))
    with pytest.raises(fl.ModelError, match="did you mean 'take'"):
        fl.study(tmp_path / "study.toml")
