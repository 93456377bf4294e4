"""Docstrings do what they say, type stubs hold, examples run."""

import doctest
import importlib
import os
import pathlib
import subprocess
import sys

import filum
import pytest

SOURCE = pathlib.Path(os.environ["FILUM_SOURCE"])
MODULES = ["filum", *(f"filum.{m}" for m in ("controller", "lie", "model", "part", "run", "sections", "stepping", "sweep", "testing"))]


@pytest.mark.parametrize("module", MODULES)
def test_examples_of_docstrings(module):
    found = importlib.import_module(module)
    assert doctest.testmod(found, optionflags=doctest.NORMALIZE_WHITESPACE).failed == 0


def test_every_public_name_is_documented():
    for name in filum.__all__:
        thing = getattr(filum, name)
        assert thing.__doc__, name
    for name, method in vars(filum.Model).items():
        if not name.startswith("_"):
            assert method.__doc__, name


@pytest.mark.parametrize("script", sorted((SOURCE / "python" / "examples").glob("*.py")), ids=lambda p: p.stem)
def test_examples_run(script, tmp_path):
    done = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert list(tmp_path.glob("*.png")), "an example draws a picture"


def test_examples_are_notebooks_that_execute(tmp_path):
    nbconvert = pytest.importorskip("nbconvert.preprocessors")
    pytest.importorskip("ipykernel")
    import nbformat

    for name in ("first_rod", "magnet"):
        notebook = tmp_path / f"{name}.ipynb"
        script = SOURCE / "python" / "examples" / f"{name}.py"
        subprocess.run([sys.executable, SOURCE / "python" / "tools" / "make_notebook.py", script, notebook], check=True)
        cells = nbformat.read(notebook, as_version=4)
        nbconvert.ExecutePreprocessor(timeout=300, kernel_name="python3").preprocess(cells, {"metadata": {"path": tmp_path}})
        assert (tmp_path / f"{name}.png").exists()


def test_the_reference_has_every_public_name():
    text = (SOURCE / "docs" / "python" / "reference.md").read_text(encoding="utf-8")
    for name in filum.__all__:
        assert f"## filum.{name}\n" in text, name


def test_types_hold(tmp_path):
    pytest.importorskip("mypy")
    package = pathlib.Path(filum.__file__).parent
    script = tmp_path / "use.py"
    script.write_text(
        "import filum as fl\n"
        "m = fl.Model(gravity=(0, 0, -9.81))\n"
        "rod = m.beam(start=(0, 0, 0), end=(1, 0, 0), segments=4, section=fl.circle(radius=1e-3, material=fl.steel))\n"
        "m.fix(fl.ground, rod.start)\n"
        "m.load(on=rod.end, force=lambda t: (0, 0, -t))\n"
        "run = m.simulate(end=1.0, step=0.1)\n"
        "x: fl.Handle = rod\n"
        "print(run[rod].position, run.time)\n"
        "m.beam(segmnets=3)  # wrong\n"
    )
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", script]
    environment = {**os.environ, "MYPYPATH": str(package.parent)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path)
    errors = [line for line in done.stdout.splitlines() if ": error:" in line]
    assert len(errors) == 1 and "segmnets" in errors[0] and "use.py:9" in errors[0], done.stdout + done.stderr
