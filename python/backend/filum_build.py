"""Builds the package for pip: CMake makes the module, and this puts it into a wheel. Needs nothing but Python, CMake and
what filum is built with. FILUM_BUILD names a build folder to be used instead of a new one, CMAKE_BUILD_PARALLEL_LEVEL the
number of compilers that run at once (all processors)."""

from __future__ import annotations

import base64
import hashlib
import os
import pathlib
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def _project():
    with open(ROOT / "pyproject.toml", "rb") as file:
        return tomllib.load(file)["project"]


def _built(folder: pathlib.Path) -> pathlib.Path:
    """The module, made in this folder."""
    if not (folder / "CMakeCache.txt").exists():
        options = ["TESTS=OFF", "EXAMPLES=OFF", "MPI=OFF", "PYTHON=ON", "NATIVE=OFF", "UNITY=ON", f"PYTHON_EXECUTABLE={sys.executable}"]
        subprocess.run(
            ["cmake", "-S", ROOT, "-B", folder, "-DCMAKE_BUILD_TYPE=Release", *(f"-DFILUM_{option}" for option in options)],
            check=True,
        )
    jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count()))
    subprocess.run(["cmake", "--build", folder, "--target", "filum_python", "--parallel", jobs], check=True)
    return folder / "python" / "filum" / ("_core" + sysconfig.get_config_var("EXT_SUFFIX"))


def _tag() -> str:
    version = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{version}-{version}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def _metadata() -> str:
    project = _project()
    lines = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {project['version']}", f"Summary: {project['description']}"]
    lines += [f"License: {project['license']['text']}", f"Requires-Python: {project['requires-python']}"]
    lines += [f"Requires-Dist: {name}" for name in project["dependencies"]]
    return "\n".join(lines) + "\n"


class _Wheel:
    def __init__(self, file: pathlib.Path) -> None:
        self.zip, self.records = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED), []

    def add(self, name: str, content: bytes) -> None:
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self.records.append(f"{name},sha256={digest},{len(content)}")
        self.zip.writestr(name, content)

    def close(self, info: str) -> None:
        self.zip.writestr(f"{info}/RECORD", "\n".join([*self.records, f"{info}/RECORD,,"]) + "\n")
        self.zip.close()


def _name() -> str:
    project = _project()
    return f"{project['name']}-{project['version']}"


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """What pip asks first; without it, it would build everything to find out."""
    info = pathlib.Path(metadata_directory) / f"{_name()}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(_metadata())
    return info.name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name = _name()
    file = f"{name}-{_tag()}.whl"
    with tempfile.TemporaryDirectory(prefix="filum-build-") as temporary:
        folder = pathlib.Path(os.environ.get("FILUM_BUILD", temporary))
        module = _built(folder)
        wheel = _Wheel(pathlib.Path(wheel_directory) / file)
        wheel.add(f"filum/{module.name}", module.read_bytes())
        sources = {source.name: source for source in (ROOT / "python" / "filum").iterdir() if source.is_file()}
        sources |= {stub.name: stub for stub in (folder / "python" / "filum").glob("*.pyi")}  # links to sources, and what is made of the module
        for name_in_package, source in sorted(sources.items()):
            wheel.add(f"filum/{name_in_package}", source.read_bytes())
        # Bundled if npm could get its packages, now or in an earlier build of the program.
        pages = [f / "report-template.html" for f in (folder, ROOT / "build" / "release")]
        for page in [p for p in pages if p.exists()][:1]:
            wheel.add("filum/report-template.html", page.read_bytes())
    info = f"{name}.dist-info"
    wheel.add(f"{info}/METADATA", _metadata().encode())
    wheel.add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: filum_build\nRoot-Is-Purelib: false\nTag: {_tag()}\n".encode())
    wheel.close(info)
    return file


def get_requires_for_build_wheel(config_settings=None):
    return []


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("the package is built from a checkout: pip install . --no-build-isolation")
