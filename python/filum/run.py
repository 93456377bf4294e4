"""Results: series as arrays without copies, which stay valid as long as they are used."""

from __future__ import annotations

import html
import json
import os
import sys
import tempfile
import webbrowser
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Callable, TypeVar

import numpy as np
from numpy.typing import NDArray

from . import _core
from .errors import FileError, StoppedError
from .sweep import number_of

if TYPE_CHECKING:
    from .model import Model

Array = NDArray[np.float64]


class Group:
    """Series that belong together: ``run.energy.total``, ``run[rod].position``."""

    def __init__(self, run: "Run", what: str, names: dict[str, str]) -> None:
        self._run, self._what, self._names = run, what, names

    def __getattr__(self, name: str) -> Array:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._run.series(self._names[name])
        except KeyError:
            raise AttributeError(f"{self._what} has {', '.join(self._names) or 'no series'}, not '{name}'") from None

    def __getitem__(self, name: str) -> Array:
        if name not in self._names:
            raise KeyError(f"{self._what} has {', '.join(self._names) or 'no series'}, not '{name}'")
        return self._run.series(self._names[name])

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._names]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __repr__(self) -> str:
        return f"<{self._what}: {', '.join(self._names)}>"


class Sensors(Mapping[str, Array]):
    """Series of sensors by their names."""

    def __init__(self, run: "Run") -> None:
        self._run = run
        self._names = [name.split("/", 1)[1] for name in run.names if name.startswith("sensors/")]

    def __getitem__(self, name: Any) -> Array:
        known = getattr(name, "name", name)
        if known not in self._names:
            there = f"has the sensors {', '.join(self._names)}" if self._names else "has no sensors, which m.sensor(...) adds"
            raise KeyError(f"there is no sensor '{known}': the run {there}")
        return self._run.series(f"sensors/{known}")

    def __getattr__(self, name: str) -> Array:
        hint = f"; try: sensors['{name}']" if name in self.__dict__.get("_names", ()) else ""
        raise AttributeError(f"'Sensors' object has no attribute '{name}'{hint}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class Run:
    """The results of a run, in memory or in a folder.

    ``run[rod].position`` is (frames, nodes, 3) in space, ``orientation`` (frames, nodes, 4) quaternions with the scalar
    first, ``velocity`` (frames, nodes, 6) angular and linear velocity as the group of the object has them. Arrays are
    views that cannot be written to; they stay valid when the run is gone.

    >>> import filum as fl
    >>> m = fl.Model(gravity=(0, 0, -10))
    >>> ball = m.mass(name="ball", mass=1)
    >>> run = m.simulate(end=1, step=0.1)
    >>> run["ball"].position.shape, run.time[-1], run.status
    ((11, 1, 3), 1.0, 'done')
    """

    def __init__(self, source: "str | os.PathLike[str] | _core.StoredRun") -> None:
        self._core = source if isinstance(source, _core.StoredRun) else _core.StoredRun(os.fspath(source))
        self.names: list[str] = self._core.names
        self._temporary: Any = None

    def series(self, name: str) -> Array:
        """A series by its name in result.h5, such as "rod/position"; the first index is the frame."""
        return self._core.series(name)

    def _group(self, prefix: str, what: str) -> Group:
        found = {}
        for name in self.names:
            if name.startswith(prefix + "/"):
                found[name[len(prefix) + 1 :].replace("/", "_")] = name
            elif f"/{prefix}/" in name:
                found.setdefault(name.split(f"/{prefix}/", 1)[1].replace("/", "_"), name)
        if not found:
            known = dict.fromkeys(name.split("/")[1 if name.startswith("joints/") else 0] for name in self.names)
            raise KeyError(f"the run has nothing called '{prefix}'; expected {', '.join(known)}, or one of run.names")
        return Group(self, what, found)

    def __getitem__(self, key: Any) -> Any:
        """The series of an object (a handle or its name), or one series by its full name."""
        name = getattr(key, "name", key)
        if not isinstance(name, str):
            raise TypeError("expected an object of the model or a name")
        if name in self.names:
            return self.series(name)
        if "sensors/" + name in self.names and getattr(key, "kind", "") == "sensor":
            return self.series("sensors/" + name)
        return self._group(name, name)

    @property
    def time(self) -> Array:
        """Times of the frames."""
        return self.series("time")

    @property
    def energy(self) -> Group:
        """kinetic, potential and total, one number per frame."""
        return self._group("energy", "energy")

    @property
    def constraint(self) -> Group:
        """Largest violation of the constraints: position and velocity."""
        return self._group("constraint", "constraint")

    @property
    def step(self) -> Group:
        """size, newton and rejected: how the steps went between frames."""
        return self._group("step", "step")

    @property
    def sensors(self) -> Sensors:
        """Series of sensors by their names."""
        return Sensors(self)

    @property
    def summary(self) -> dict[str, Any]:
        """What summary.json says: steps, Newton iterations, seconds, energy, last state."""
        summary: dict[str, Any] = json.loads(self._core.summary) if self._core.summary else {}
        return summary

    @property
    def status(self) -> str:
        """'done', 'stopped' or 'interrupted'."""
        return str(self.summary.get("status", self._core.outcome))

    @property
    def message(self) -> str:
        """Why the run ended early, and what to try."""
        return str(self._core.message or self.summary.get("message", ""))

    @property
    def final(self) -> _core.State:
        """The last state, complete with accelerations and multipliers; of runs in memory."""
        return self._core.final

    @property
    def folder(self) -> str:
        """Where the files are; empty when there are none."""
        return self._core.folder

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Writes result.h5 and summary.json into a new folder, for other programs and for filum.Run(folder)."""
        self._core.write(os.fspath(folder))

    def page(self, file: str | os.PathLike[str]) -> None:
        """Writes the report page, which works without filum and without a network."""
        beside = os.path.join(os.path.dirname(__file__), "report-template.html")
        _core.write_report(os.fspath(file), [self._files()], beside)

    def _files(self) -> str:
        """A folder with the files of the run, for as long as the run lives."""
        if not self.folder:
            self._temporary = tempfile.TemporaryDirectory(prefix="filum-")
            self._core.write(os.path.join(self._temporary.name, "run"))
        return self.folder

    def show(self) -> Any:
        """The motion in three dimensions: inline in Jupyter, otherwise in the browser."""
        if _in_notebook():
            from IPython.display import HTML  # type: ignore[import]

            return HTML(self._repr_html_())
        file = os.path.join(self._files(), "report.html")
        self.page(file)
        webbrowser.open("file://" + os.path.abspath(file))
        return None

    def _repr_html_(self, height: int = 560) -> str:
        file = os.path.join(self._files(), "report.html")
        try:
            self.page(file)
        except FileError as error:  # a build without the page
            return f"<pre>{html.escape(repr(self))}\n{html.escape(str(error))}</pre>"
        with open(file, encoding="utf-8") as page:
            text = html.escape(page.read(), quote=True)
        return f'<iframe srcdoc="{text}" style="width:100%;height:{height}px;border:0"></iframe>'

    def plot(self, what: Any = "energy", ax: Any = None) -> Any:
        """Draws with matplotlib, and returns the axes: "energy", "constraint", "step", "sensors", the name of a sensor or
        series, or an object, of which it draws the path of the last node.

        >>> import filum as fl
        >>> m = fl.Model(); ball = m.mass(mass=1, velocity=(1, 0, 0))
        >>> axes = m.simulate(end=1, step=0.1).plot("energy")
        """
        from . import plot

        return plot.draw(self, what, ax)

    def __reduce__(self) -> Any:
        raise TypeError("a run cannot be pickled or copied; try: run.save(folder) and filum.Run(folder), or the arrays you need")

    def __repr__(self) -> str:
        n = len(self.time)
        return f"<filum.{type(self).__name__}: {n} frame{'' if n == 1 else 's'}, {self.status}>"


class Equilibrium(Run):
    """A path of equilibria: a run whose frames are its points, and its last point."""

    def __init__(self, source: _core.StoredRun, scenario: _core.Scenario, model: "Model") -> None:
        super().__init__(source)
        self._scenario, self._model = scenario, model  # which keeps functions alive

    @property
    def factor(self) -> Array:
        """Load factors of the points of the path."""
        return self.series("factor")

    @property
    def state(self) -> _core.State:
        """The last point."""
        return self.final

    @property
    def stable(self) -> bool:
        """Whether the last point is a minimum of the energy."""
        return bool(self.summary["static"]["stable"])

    @property
    def critical(self) -> list[dict[str, Any]]:
        """Limit points and bifurcations on the way: dicts with factor and kind."""
        return list(self.summary["static"]["critical"])

    def modes(self, count: int = 12, *, undamped: bool = False) -> "Modes":
        """The slowest modes of small motions about the equilibrium under the loads of the start.

        >>> import filum as fl
        >>> m = fl.Model()
        >>> ball = m.mass(mass=4, position=(1, 0, 0))
        >>> spring = m.spring(fl.ground, ball, stiffness=16, length=1)
        >>> round(m.static(regularize=1e-6).modes().omega[-1], 4)
        2.0
        """
        if abs(float(self.factor[-1]) - 1) > 1e-12:
            raise ValueError("modes are about an equilibrium with all loads: expected a path that ends at the factor 1")
        return Modes(self._scenario.modes(count, undamped, None, True, "", False, False, number_of(None)))


class Modes:
    """Modes in ascending order.

    omega: radians per time, of complex pairs the modulus. frequency: oscillations per time. damping: share of critical.
    kind: 'rigid', 'vibration' or 'unstable'. eigenvalue: complex numbers.
    """

    def __init__(self, core: _core.Modes) -> None:
        self._core = core
        self.omega: Array = core.omega
        self.frequency: Array = core.frequency
        self.damping: Array = core.damping
        self.eigenvalue: NDArray[np.complex128] = core.eigenvalue
        self.kind: list[str] = core.kind
        self.remark: str = core.remark
        self.folder: str = core.folder

    def shape(self, of: Any, what: str = "position") -> NDArray[Any]:
        """Displacements ("position") or small rotations ("rotation") of the nodes of an object, in space: (modes, nodes, 3).
        Complex when some shape is."""
        name = f"{getattr(of, 'name', of)}/{what}"
        real = self._core.shape(name)
        if name + "_imaginary" in self._core.shape_names():
            return np.asarray(real + 1j * self._core.shape(name + "_imaginary"))
        return np.asarray(real)

    def __len__(self) -> int:
        return len(self.omega)

    def __repr__(self) -> str:
        return "<filum.Modes: " + ", ".join(f"{f:.5g}" for f in self.frequency) + ">"


R = TypeVar("R", bound=Run)


def finished(run: R) -> R:
    """The run, unless it stopped."""
    if run.status == "stopped":
        raise StoppedError(run.message, run)
    return run


def progress_bar(progress: bool | Callable[..., None] | None) -> Callable[..., None] | None:
    if callable(progress):
        return progress
    if progress is False or (progress is None and not sys.stderr.isatty() and not _in_notebook()):
        return None

    def show(start: float, time: float, end: float, step: float, newton: float, seconds: float) -> None:
        if seconds < 1:
            return
        share = (time - start) / (end - start)
        left = seconds * (1 - share) / share if share > 0 else float("nan")
        bar = ("#" * int(30 * share)).ljust(30)
        sys.stderr.write(f"\r[{bar}] t = {time:.4g} of {end:.4g}, step {step:.3g}, {left:.0f} s left ")
        if share >= 1:
            sys.stderr.write("\n")
        sys.stderr.flush()

    return show


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    return shell is not None and getattr(shell.get_ipython(), "kernel", None) is not None
