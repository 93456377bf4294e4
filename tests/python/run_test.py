"""Results: arrays, files, pages, lifetime."""

import gc
import json
import os
import subprocess
import threading
import weakref

import filum as fl
import numpy as np
import pytest
from model_test import cantilever, pendulum


def test_arrays_are_views_that_outlive_model_and_run():
    m, bar, _ = pendulum()
    run = m.simulate(end=0.5, step=0.01)
    position = run[bar].position
    assert position.base is not None and not position.flags.owndata and not position.flags.writeable
    assert np.shares_memory(position, run[bar].position)
    kept = position.copy()
    gone = weakref.ref(run)
    del m, bar, run
    gc.collect()
    assert gone() is None
    filler = [np.ones(10000) for _ in range(100)]
    assert np.array_equal(position, kept) and len(filler) == 100


def test_threads_change_no_bit_and_functions_of_python_have_one():
    def run(**threads):
        m = fl.Model(gravity=(0, 0, -9.81))
        rods = [
            m.beam(start=(0, y, 0), end=(1, y, 0), segments=40, section=fl.circle(radius=0.01, material=fl.rubber))
            for y in range(8)
        ]
        callers = set()

        def push(t):
            callers.add(threading.get_ident())
            return (0, 0, t)

        for rod in rods:
            m.load(on=rod.end, force=push)
        result = m.simulate(end=2e-3, step=1e-3, method="generalized-alpha", **threads)
        return [result[rod].position[-1] for rod in rods], result.summary["threads"], callers

    one, few, callers = run()
    assert few == 1 and callers == {threading.get_ident()}
    shared, several, callers = run(threads=3)
    assert several == 3 and callers == {threading.get_ident()}
    assert all(np.array_equal(a, b) for a, b in zip(one, shared))
    with pytest.raises(ValueError, match="threads: expected"):
        fl.Model().simulate(end=1, step=1, threads=0)


def test_series_have_names_and_groups():
    m, bar, hinge = pendulum()
    m.sensor(name="angle", on=hinge, quantity="angle")
    run = m.simulate(end=0.1, step=0.01)
    assert np.array_equal(run["bar"].velocity, run.series("bar/velocity"))
    assert run[hinge].multiplier.shape[0] == len(run.time)
    assert list(run.sensors) == ["angle"]
    with pytest.raises(KeyError, match="bar/position"):
        run.series("bar/positon")
    with pytest.raises(AttributeError, match="position"):
        run[bar].positon
    assert run.summary["steps"]["accepted"] == 10


def test_folders_hold_what_memory_holds(tmp_path):
    m, bar, _ = pendulum()
    run = m.simulate(end=0.2, step=0.01, folder=tmp_path / "out")
    again = fl.Run(tmp_path / "out")
    assert again.status == "done"
    for name in run.names:
        assert np.array_equal(run.series(name), again.series(name)), name
    assert os.path.exists(tmp_path / "out" / "scenario.toml")
    with pytest.raises(fl.ModelError):
        m.simulate(end=0.2, step=0.01, folder=tmp_path / "out")
    m.simulate(end=0.2, step=0.01, folder=tmp_path / "out", force=True)


def test_results_of_memory_can_be_saved_later(tmp_path):
    m, rod = cantilever()
    run = m.simulate(end=0.02, step=1e-3, method="generalized-alpha")
    run.save(tmp_path / "later")
    again = fl.Run(tmp_path / "later")
    assert np.array_equal(run[rod].position, again[rod.name].position)
    assert again.summary == run.summary


def test_folders_without_results_are_refused(tmp_path):
    with pytest.raises(fl.FileError, match="result.h5 is missing"):
        fl.Run(tmp_path)


def test_the_same_bits_through_files_and_program(tmp_path):
    names = ["flying-spaghetti", "heavy-top-fast", "four-bar", "roll-up"]
    known = fl.builtin()
    for name in [n for n in names if n in known]:
        m = fl.load(name)
        m.save(tmp_path / f"{name}.toml")
        step = fl.load(name)._scenario({}).toml().split("\nstep = ")[1].split("\n")[0]
        setting = {"time.end": f"{10 * float(step)}", "time.output_every": '"step"'}
        arguments = [f"--set={key}={value}" for key, value in setting.items()]
        subprocess.run(
            [os.environ["FILUM_PROGRAM"], "run", name, "-o", tmp_path / name, "--quiet", "--no-report", *arguments],
            check=True,
        )
        by_program = fl.Run(tmp_path / name)
        for source in (name, tmp_path / f"{name}.toml"):
            run = fl.load(source, set=setting).simulate()
            for series in by_program.names:
                if series in run.names:
                    assert np.array_equal(run.series(series), by_program.series(series)), (name, series)


def test_a_model_of_python_is_the_same_as_its_file(tmp_path):
    m = fl.Model(gravity=(0, 0, -9.81), title="same")
    rod = m.beam(
        name="rod", start=(0, 0, 0), end=(1, 0, 0), segments=6, section=fl.circle(radius=5e-3, material=fl.rubber),
        damping=dict(time=0.01),
    )
    ball = m.body(name="ball", mass=0.1, inertia=(1e-4, 1e-4, 1e-4), position=(1, 0, 0))
    m.fix(fl.ground, rod.start)
    m.spherical(rod.end, ball, at=(1, 0, 0))
    m.spring(fl.ground.at((2, 0, 0)), ball, stiffness=3, length=0.5)
    m.load(on=rod, force=("0.1*sin(t)", 0, 0))
    settings = dict(end=0.1, step=1e-3, method=fl.method("generalized-alpha", rho_infinity=0.7))
    m.save(tmp_path / "rod.toml", **settings)
    here, there = m.simulate(**settings), fl.load(tmp_path / "rod.toml").simulate()
    for name in here.names:
        assert np.array_equal(here.series(name), there.series(name)), name


def test_functions_cannot_be_saved(tmp_path):
    m, bar, _ = pendulum()
    m.load(on=bar, force=lambda t: (t, 0, 0))
    with pytest.raises(fl.ModelError, match="cannot be written to a file"):
        m.save(tmp_path / "x.toml", end=1, step=0.1)
    m.simulate(end=0.1, step=0.01, folder=tmp_path / "out")
    assert fl.Run(tmp_path / "out").status == "done"


def test_pages_and_plots(tmp_path):
    m, bar, hinge = pendulum()
    m.sensor(name="angle", on=hinge, quantity="angle")
    run = m.simulate(end=0.1, step=0.01)
    for what in ("energy", "constraint", "step", "sensors", "angle", bar, "bar/velocity"):
        assert run.plot(what).lines
    try:
        run.page(tmp_path / "page.html")
    except fl.FileError as error:
        pytest.skip(str(error))
    assert "<iframe" in run._repr_html_()
    assert (tmp_path / "page.html").stat().st_size > 10000
    assert json.dumps(run.summary)


def test_runs_show_themselves_in_words_where_the_page_was_not_built(monkeypatch):
    m = fl.Model()
    m.mass(mass=1)
    run = m.simulate(end=1, step=0.1)

    def missing(*_):
        raise fl.FileError("report-template.html is missing")

    monkeypatch.setattr("filum._core.write_report", missing)
    assert run._repr_html_() == "<pre>&lt;filum.Run: 11 frames, done&gt;\nreport-template.html is missing</pre>"


def test_progress_is_told_and_drawn(capsys):
    told = []
    m, _ = cantilever(32)
    m.simulate(end=0.3, step=1e-3, method="generalized-alpha", progress=lambda *numbers: told.append(numbers))
    assert told and all(start == 0 and 0 <= time <= end == 0.3 for start, time, end, *_ in told)
    draw = fl.run.progress_bar(True)
    draw(0.0, 0.5, 2.0, 1e-3, 2.0, 3.0)
    draw(0.0, 2.0, 2.0, 1e-3, 2.0, 12.0)
    lines = capsys.readouterr().err
    assert "t = 0.5 of 2" in lines and "9 s left" in lines and lines.endswith("\n")
    assert fl.run.progress_bar(False) is None
    with pytest.raises(ZeroDivisionError):
        m.simulate(end=3, step=1e-3, method="generalized-alpha", progress=lambda *numbers: 1 / 0)
