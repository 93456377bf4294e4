"""Docstrings do what they say, and types hold."""

import doctest
import importlib
import inspect
import os
import pathlib
import pkgutil
import re
import subprocess
import sys

import filum
import pytest

SOURCE = pathlib.Path(os.environ["FILUM_SOURCE"])
PACKAGE = pathlib.Path(filum.__file__).parent
MODULES = ["filum", *(f"filum.{m.name}" for m in pkgutil.iter_modules(filum.__path__) if m.name != "_core")]


@pytest.mark.parametrize("module", MODULES)
def test_examples_of_docstrings(module):
    found = importlib.import_module(module)
    assert doctest.testmod(found, optionflags=doctest.NORMALIZE_WHITESPACE).failed == 0


def test_every_method_that_adds_an_object_has_an_example_that_runs():
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    for adder in filum.tables.adders():
        tests = finder.find(adder, f"Model.{adder.__name__}", module=False, globs={})
        assert any(test.examples for test in tests), adder.__name__
        for test in tests:
            assert runner.run(test).failed == 0, adder.__name__


def public(thing):
    return [(name, value) for name, value in vars(thing).items() if not name.startswith("_")]


def test_every_public_name_is_documented():
    for name in filum.__all__:
        thing = getattr(filum, name)
        assert thing.__doc__, name
        if inspect.isclass(thing):
            for method, value in public(thing):
                if callable(value) or isinstance(value, property):
                    assert value.__doc__, f"{name}.{method}"


def test_help_says_units_options_and_frames():
    for method, words in {
        "beam": ("length", "start", "section", "default"),
        "load": ("force per length", "in space", "function of"),
        "revolute": ("hinge", "axis", "angle"),
        "simulate": ("accuracy", "output_every", "max_iterations", "observer"),
        "static": ("arc-length", "regularize"),
    }.items():
        for word in words:
            assert word in getattr(filum.Model, method).__doc__, (method, word)
    for word in ("rho_infinity", "half-explicit-rk", "order 2"):
        assert word in filum.method.__doc__


def blocks(page):
    return re.findall(r"^```python\n(.*?)^```$", (SOURCE / page).read_text(encoding="utf-8"), re.M | re.S)


@pytest.mark.parametrize("page, count", [("README.md", 1), ("docs/python/README.md", 7), ("docs/python/parts.md", 1)])
def test_the_examples_of_a_page_run_as_they_stand(page, count, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = blocks(page)
    assert len(found) >= count
    for block in found:
        exec(compile(block, page, "exec"), {"__name__": "__main__"})


def test_the_guide_has_every_key_of_every_table():
    pages = [(SOURCE / "docs" / "guide" / f"{page}.md").read_text(encoding="utf-8") for page in ("scenarios", "integrators", "statics")]
    code = " ".join(re.findall(r"`([^`\n]*)`", "".join(pages)))
    for table, (_, variants) in {**filum._core.tables(), **filum._core.settings()}.items():
        for key in {key["key"] for _, keys in variants for key in keys}:
            assert re.search(rf"\b{key}\b", code), f"{table}.{key}"


def test_the_reference_is_what_the_docstrings_say(tmp_path):
    page = SOURCE / "docs" / "python" / "reference.md"
    subprocess.run([sys.executable, SOURCE / "python" / "tools" / "make_reference.py", tmp_path / "made.md"], check=True)
    text = page.read_text(encoding="utf-8")
    assert text == (tmp_path / "made.md").read_text(encoding="utf-8"), "run python/tools/make_reference.py"
    for name in filum.__all__:
        assert f"## filum.{name}\n" in text, name


def strict_mypy(folder, *arguments):
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", folder / "cache", *arguments]
    environment = {**os.environ, "MYPYPATH": str(PACKAGE.parent)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=folder)
    return [line for line in done.stdout.splitlines() if ": error:" in line], done.stdout + done.stderr


def test_types_hold(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "use.py").write_text(
        "import filum as fl\n"
        "m = fl.Model(gravity=(0, 0, -9.81))\n"
        "rod = m.beam(start=(0, 0, 0), end=(1, 0, 0), segments=4, section=fl.circle(radius=1e-3, material=fl.steel))\n"
        "m.fix(fl.ground, rod.start)\n"
        "m.load(on=rod.end, force=lambda t: (0, 0, -t))\n"
        "run = m.simulate(end=1.0, step=0.1)\n"
        "x: fl.Handle = rod\n"
        "print(run[rod].position, run.time, fl.lie.S3sdR3.exp(run.time))\n"
        "m.beam(segmnets=3)  # wrong\n"
    )
    # The package as it is installed, with the stub that is made of it, and a script; then the sources themselves.
    errors, output = strict_mypy(tmp_path, "-p", "filum", "-m", "use")
    assert len(errors) == 1 and "segmnets" in errors[0] and "use.py:9" in errors[0], output
    errors, output = strict_mypy(tmp_path, SOURCE / "python" / "filum", *(SOURCE / "python" / "tools").glob("*.py"))
    assert not errors and "Success" in output, output


def test_the_stub_has_what_the_extension_has():
    """Names of _core.pyi and of the module are the same."""
    import ast

    tree = ast.parse((SOURCE / "python" / "filum" / "_core.pyi").read_text(encoding="utf-8"))
    from filum import _core

    for node in tree.body:
        if not isinstance(node, (ast.ClassDef, ast.FunctionDef)) or node.name in ("Group", "RigidMotion"):
            continue
        thing = getattr(_core, node.name)
        members = [n.name for n in getattr(node, "body", []) if isinstance(n, ast.FunctionDef) and isinstance(node, ast.ClassDef)]
        members += [n.target.id for n in getattr(node, "body", []) if isinstance(n, ast.AnnAssign)]
        for member in members:
            assert hasattr(thing, member), f"{node.name}.{member}"
    stubbed = {node.name for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    stubbed |= {node.target.id for node in tree.body if isinstance(node, ast.AnnAssign)}
    assert {name for name in vars(_core) if not name.startswith("_")} <= stubbed
