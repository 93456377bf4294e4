"""pip installs the package offline, into an environment of its own."""

import os
import pathlib
import subprocess
import sys

import pytest


def test_pip_installs_into_a_virtual_environment(tmp_path):
    pytest.importorskip("venv")
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", tmp_path / "env"], check=True)
    python = tmp_path / "env" / "bin" / "python"
    if subprocess.run([python, "-c", "import pip"], capture_output=True).returncode != 0:
        pytest.skip("no pip for this interpreter")
    # The build folder of the tests is there already: only the wheel is made.
    subprocess.run(
        [python, "-m", "pip", "install", "-q", "--no-build-isolation", "--no-index", "--no-deps", os.environ["FILUM_SOURCE"]],
        check=True,
        env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"},
    )
    program = "import filum as fl; m = fl.Model(); b = m.mass(mass=1); print(fl.__file__, m.simulate(end=1, step=0.1).status)"
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    said = subprocess.run([python, "-c", program], check=True, capture_output=True, text=True, env=environment, cwd=tmp_path)
    where, status = said.stdout.split()
    assert status == "done" and pathlib.Path(where).is_relative_to(tmp_path)
