"""pip installs the package offline, into an environment of its own."""

import importlib.util
import os
import pathlib
import subprocess
import sys
import zipfile

import pytest

SOURCE = pathlib.Path(os.environ["FILUM_SOURCE"])


def without_paths():
    return {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}


def test_pip_installs_into_a_virtual_environment_and_uninstalls(tmp_path):
    """From the build folder of the tests, FILUM_BUILD: only the wheel is made. That a clean tree compiles is not part of this."""
    pytest.importorskip("venv")
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", tmp_path / "env"], check=True)
    python = tmp_path / "env" / "bin" / "python"
    if subprocess.run([python, "-c", "import pip"], capture_output=True).returncode != 0:
        pytest.skip("no pip for this interpreter")

    def pip(*arguments):
        quiet = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        return subprocess.run([python, "-m", "pip", *arguments], check=True, env=quiet, capture_output=True, text=True).stdout

    pip("install", "-q", "--no-build-isolation", "--no-index", "--no-deps", SOURCE)
    program = "import filum as fl; m = fl.Model(); b = m.mass(mass=1); print(fl.__file__, m.simulate(end=1, step=0.1).status)"
    said = subprocess.run([python, "-c", program], check=True, capture_output=True, text=True, env=without_paths(), cwd=tmp_path)
    where, status = said.stdout.split()
    assert status == "done" and pathlib.Path(where).is_relative_to(tmp_path)
    pip("uninstall", "-q", "-y", "filum")
    gone = subprocess.run([python, "-c", "import filum"], capture_output=True, text=True, env=without_paths(), cwd=tmp_path)
    assert gone.returncode != 0 and not pathlib.Path(where).exists()


def test_the_wheel_has_every_module_once_and_the_stubs(tmp_path):
    spec = importlib.util.spec_from_file_location("filum_build", SOURCE / "python" / "backend" / "filum_build.py")
    backend = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(backend)
    info = backend.prepare_metadata_for_build_wheel(tmp_path)
    with zipfile.ZipFile(tmp_path / backend.build_wheel(tmp_path)) as wheel:
        names = wheel.namelist()
        metadata = wheel.read(f"{info}/METADATA").decode()
        record = wheel.read(f"{info}/RECORD").decode().splitlines()
    assert len(names) == len(set(names)) == len(record)
    own = {f"filum/{p.name}" for p in (SOURCE / "python" / "filum").iterdir() if p.is_file()}
    assert own <= set(names) and "filum/model.pyi" in names and any(n.startswith("filum/_core.cpython") for n in names)
    assert metadata == (tmp_path / info / "METADATA").read_text() and "Requires-Dist: numpy" in metadata
