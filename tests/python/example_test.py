"""Examples run, as scripts and as notebooks."""

import json
import os
import pathlib
import subprocess
import sys

import filum
import pytest

SOURCE = pathlib.Path(os.environ["FILUM_SOURCE"])
PACKAGE = pathlib.Path(filum.__file__).parent
EXAMPLES = sorted((SOURCE / "python" / "examples").glob("*.py"))
sys.path.insert(0, str(SOURCE / "python" / "tools"))


@pytest.mark.parametrize("script", EXAMPLES, ids=lambda p: p.stem)
def test_notebooks_are_the_scripts(script):
    import make_notebook

    notebook = SOURCE / "python" / "notebooks" / f"{script.stem}.ipynb"
    assert json.loads(notebook.read_text(encoding="utf-8")) == make_notebook.notebook_of(script.read_text(encoding="utf-8")), (
        "run python/tools/make_notebook.py"
    )


def test_notebooks_execute_and_show_models_and_runs(tmp_path):
    """All of them one after the other in one kernel, each with nothing of the one before."""
    pytest.importorskip("ipykernel")
    nbformat = pytest.importorskip("nbformat")
    execute = pytest.importorskip("nbconvert.preprocessors").ExecutePreprocessor(timeout=300, kernel_name="python3")
    model = "import filum as fl\nm = fl.Model()\nball = m.mass(name='ball', mass=1, velocity=(1, 0, 0))\nm"
    cells = [nbformat.v4.new_code_cell(c) for c in (model, "run = m.simulate(end=1, step=0.1)\nrun", "run.show()")]
    for script in EXAMPLES:
        cells.append(nbformat.v4.new_code_cell("%reset -f"))
        cells += nbformat.read(SOURCE / "python" / "notebooks" / f"{script.stem}.ipynb", as_version=4).cells
    for k, cell in enumerate(cells):
        cell["id"] = f"cell-{k}"
    execute.preprocess(nbformat.v4.new_notebook(cells=cells), {"metadata": {"path": tmp_path}})
    assert {p.stem for p in tmp_path.glob("*.png")} == {p.stem for p in EXAMPLES}
    shown = [cell.outputs[-1]["data"].get("text/html", "") for cell in cells[:3]]
    assert "ball" in shown[0] and "of freedom" in shown[0]
    assert all(page.startswith("<iframe") for page in shown[1:]) or not (PACKAGE.parents[1] / "report-template.html").exists()


def test_examples_run_as_scripts(tmp_path):
    done = subprocess.run([sys.executable, SOURCE / "python" / "examples" / "first_rod.py"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "first_rod.png").exists()


def test_all_examples_run_without_jupyter(tmp_path, monkeypatch):
    try:
        import ipykernel  # noqa: F401
        import nbconvert  # noqa: F401
    except ImportError:
        import runpy

        monkeypatch.chdir(tmp_path)
        for script in EXAMPLES:
            runpy.run_path(str(script))
            assert (tmp_path / f"{script.stem}.png").exists()
    else:
        pytest.skip("they run as notebooks")
