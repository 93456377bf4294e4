"""Models: objects are added as keyword arguments, which are the keys of scenario files."""

from __future__ import annotations

import copy
import difflib
import os
import tempfile
from html import escape
from typing import Any, Callable, Iterable, Mapping, TypeVar

import numpy as np
from numpy.typing import NDArray

from . import _core, tables
from .controller import Controller, Event, used_by_a_run
from .errors import Error, ModelError
from .part import Part
from .points import Handle, check_model, take_offsets
from .run import Equilibrium, Modes, Run, finished, progress_bar
from .stepping import Simulation
from .sweep import number_of

P = TypeVar("P", bound=Part)


def method(name: str, **options: Any) -> dict[str, Any]:
    return dict(method=name, **options)


class Model:
    """A mechanical model. Every table of a scenario file is a method that adds an object, every key a keyword argument;
    a value that may vary is a number, a formula in a string, or a function.

    gravity: acceleration in space. units: 'SI', or names such as dict(length='mm', mass='t', time='s', force='N'), for the
    axes of plots; nothing is converted. parameters, functions: names for use in formulas.

    >>> import filum as fl
    >>> m = fl.Model(gravity=(0, 0, -9.81))
    >>> ball = m.mass(mass=1, position=(0, 0, 1))
    >>> m
    <filum.Model: 1 object>
    """

    def __init__(
        self,
        gravity: Iterable[float] = (0, 0, 0),
        title: str = "",
        parameters: Mapping[str, Any] | None = None,
        functions: Mapping[str, Any] | None = None,
        units: str | Mapping[str, str] | None = None,
    ) -> None:
        self._document = _core.Document()
        self._journal: list[tuple[str, tuple[Any, ...]]] = []
        self._held: list[Any] = []  # keeps alive what the document borrows
        self._parts: list[Part] = []
        self._controllers: list[Controller] = []
        self._events: list[Event] = []
        self._record("set", "gravity", gravity)
        if title:
            self._record("set", "title", title)
        if units:
            self._record("set", "units", dict(units) if isinstance(units, Mapping) else units)
        if parameters:
            self._record("set", "parameters", dict(parameters))
        if functions:
            self._record("set", "functions", dict(functions))

    # Building --------------------------------------------------------------------------------------------------------
    def _record(self, what: str, *arguments: Any) -> Any:
        held = () if what == "change" else (self._held,)
        result = getattr(self._document, what)(*arguments, *held)
        self._journal.append((what, arguments))
        return result

    def _add(self, kind: str, partners: tuple[Any, ...], options: dict[str, Any]) -> Handle:
        table = {key: value for key, value in options.items() if value is not None}
        if partners:
            table["connects"] = list(partners)
        check_model(self, table)
        take_offsets(kind, table)
        name = self._record("append", kind, tables.file_names(table))
        return Handle(self, kind, name)

    def add(self, part: P) -> P:
        """Adds a part written in Python, see filum.Part.

        >>> import filum as fl
        >>> class Pull(fl.Part):
        ...     def forces(self, t, q, v):
        ...         return -q
        >>> m = fl.Model()
        >>> pull = m.add(Pull(on=[m.mass(mass=1, position=(1, 0, 0))]))
        >>> m.start(step=0.1).state.a
        array([-1.,  0.,  0.])
        """
        _expect(part, Part)
        check_model(self, {"on": part.on})
        self._parts.append(part)
        return part

    def control(self, controller: Controller) -> Controller:
        """Adds a controller, see filum.Controller.

        >>> import filum as fl
        >>> m = fl.Model()
        >>> clock = m.control(fl.Controller(every=0.5, update=lambda t, y: t))
        >>> ball = m.mass(mass=1)
        >>> load = m.load(on=ball, force=lambda t: (clock.output, 0, 0))
        >>> float(m.simulate(end=1, step=0.1)[ball].velocity[-1, 0, 0].round(12))
        0.25
        """
        _expect(controller, Controller)
        check_model(self, controller.measure)
        self._controllers.append(controller)
        return controller

    def watch(self, event: Event) -> Event:
        """Adds an event, see filum.Event.

        >>> import filum as fl
        >>> m = fl.Model()
        >>> ball = m.mass(mass=1, velocity=(1, 0, 0))
        >>> wall = m.watch(fl.Event(lambda t, y: y["x"][0] - 0.25, {"x": (ball, "position")}, stop=True))
        >>> round(float(m.simulate(end=1, step=0.1).time[-1]), 9)
        0.25
        """
        _expect(event, Event)
        check_model(self, event.measure)
        self._events.append(event)
        return event

    def set(self, key: str, value: Any) -> None:
        """Changes a key by its path in the file, as ``--set`` does.

        >>> m = load("roll-up"); m.set("time.end", 0.5)
        """
        text = value if isinstance(value, str) else repr(value).replace("(", "[").replace(")", "]").replace("'", '"')
        self._record("change", f"{key}={text}")

    def __getitem__(self, name: str) -> Handle:
        """The object of this name.

        >>> load("flying-spaghetti")["spaghetti"]
        <filum.Handle beam spaghetti>
        """
        for kind, known in self._document.objects():
            if known == name:
                return Handle(self, kind, name)
        raise KeyError(f"there is nothing called '{name}' in this model")

    @property
    def objects(self) -> list[Handle]:
        """All objects, in the order in which they are built.

        >>> load("four-bar").objects[0].kind
        'body'
        """
        return [Handle(self, kind, name) for kind, name in self._document.objects()]

    def copy(self) -> "Model":
        """The same model, to be changed independently.

        >>> m = Model(); other = m.copy(); ball = other.mass(mass=1)
        >>> m, other
        (<filum.Model: 0 objects>, <filum.Model: 1 object>)
        """
        return copy.copy(self)

    def __copy__(self) -> "Model":
        other = Model.__new__(Model)
        other.__setstate__(self.__getstate__())
        return other

    def __getstate__(self) -> dict[str, Any]:
        own = {"parts": list(self._parts), "controllers": list(self._controllers), "events": list(self._events)}
        return {"journal": list(self._journal), **own}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._document = _core.Document()
        self._journal, self._held, self._parts = [], [], state["parts"]
        self._controllers, self._events = state["controllers"], state["events"]
        for what, arguments in state["journal"]:
            if what in ("load", "parse"):
                self._document = getattr(_core.Document, what)(*arguments)
                self._journal.append((what, arguments))
            else:
                self._record(what, *arguments)

    # Using -----------------------------------------------------------------------------------------------------------
    def _scenario(self, settings: dict[str, Any], needs_time: bool = True) -> _core.Scenario:
        for controller in self._controllers:
            controller._reset_()
        return self._made(settings, needs_time)

    def _made(self, settings: dict[str, Any], needs_time: bool) -> _core.Scenario:
        if needs_time:
            settings.setdefault("time", {})  # of which keys are missing then
        watchers = [*self._controllers, *self._events]
        return self._document.scenario(settings, self._parts, watchers, self._held, needs_time)

    def _scenario_of_run(self, settings: dict[str, Any]) -> _core.Scenario:
        """The start is that under the first outputs of the controllers, which look at the start."""
        scenario = self._scenario(settings)
        if self._controllers:
            scenario.prepare_controllers()
            scenario = self._made(settings, True)
        return scenario

    def save(self, file: str | os.PathLike[str], **settings: Any) -> None:
        """Writes a scenario file with every default filled in; settings are those of simulate. Functions, parts,
        controllers and events of Python cannot be written: give formulas.

        >>> m = Model(gravity=(0, 0, -9.81)); ball = m.mass(mass=1)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     m.save(f"{folder}/ball.toml", end=1, step=0.01)
        ...     load(f"{folder}/ball.toml")
        <filum.Model: 1 object>
        """
        if self._parts or self._controllers or self._events:
            raise ModelError("parts, controllers and events of Python cannot be written to a file")
        text = self._scenario(_settings(settings)).toml()
        with open(file, "w", encoding="utf-8") as out:
            out.write(text)

    def describe(self, **settings: Any) -> str:
        """The model in words: objects, degrees of freedom, constraints, start, and, with settings as for simulate, hints
        about step and method.

        >>> m = Model(); ball = m.mass(mass=1)
        >>> "1 node" in m.describe(end=1, step=0.1)
        True
        """
        return self._scenario(_settings(settings)).describe()

    def simulate(
        self,
        *,
        method: str | Mapping[str, Any] | None = None,
        newton: Mapping[str, Any] | None = None,
        folder: str | os.PathLike[str] | None = None,
        force: bool = False,
        report: bool = True,
        progress: bool | Callable[..., None] | None = None,
        observer: Callable[[_core.State], bool | None] | None = None,
        threads: int | None = None,
        **time: Any,
    ) -> Run:
        where, count = os.fspath(folder) if folder is not None else "", number_of(threads)
        with used_by_a_run(self._controllers):
            scenario = self._scenario_of_run(_settings(dict(time, method=method, newton=newton)))
            run = scenario.simulate(where, force, report, observer, progress_bar(progress), count)
        return finished(Run(run))

    def static(
        self,
        *,
        folder: str | os.PathLike[str] | None = None,
        force: bool = False,
        report: bool = True,
        end: float | None = None,
        start: float | None = None,
        threads: int | None = None,
        **static: Any,
    ) -> Equilibrium:
        settings: dict[str, Any] = {"static": static}
        if end is not None or start is not None:
            length = float(end if end is not None else 1) - float(start or 0)
            settings["time"] = dict(start=start, end=end, step=abs(length) or 1)
        scenario = self._scenario(settings, needs_time=False)
        run = scenario.follow_path(os.fspath(folder) if folder is not None else "", force, report, number_of(threads))
        return finished(Equilibrium(run, scenario, self))

    def modes(
        self,
        count: int = 12,
        *,
        at: str | float = "start",
        undamped: bool = False,
        folder: str | os.PathLike[str] | None = None,
        force: bool = False,
        threads: int | None = None,
        **settings: Any,
    ) -> Modes:
        """The slowest modes of small motions about the start, at="static": about equilibrium, or about the state that a
        run reaches at a time (with settings as for simulate).

        >>> import filum as fl
        >>> m = fl.Model()
        >>> ball = m.mass(mass=4, position=(1, 0, 0))
        >>> spring = m.spring(fl.ground, ball, stiffness=16, length=1)
        >>> round(m.modes().omega[-1], 6)
        2.0
        """
        time = _time_of(at)
        scenario = self._scenario(_settings(settings), needs_time=time is not None)
        where = os.fspath(folder) if folder is not None else ""
        return Modes(scenario.modes(count, undamped, time, at == "static", where, force, False, number_of(threads)))

    def linearize(self, *, at: str | float = "start", **settings: Any) -> dict[str, NDArray[np.float64]]:
        """Small motions about a state, as modes: M z'' + D z' + K z + C' l = 0 with C z = 0, what loads and sensors
        see of them (forces, outputs_by_q, ...), and the state space state_A to state_D between both: a dict of arrays by the
        names of docs/guide/modes.md.

        >>> import filum as fl
        >>> m = fl.Model()
        >>> ball = m.mass(mass=4, position=(1, 0, 0))
        >>> spring = m.spring(fl.ground, ball, stiffness=16, length=1)
        >>> lin = m.linearize()
        >>> float(lin["M"][0, 0]), float(lin["K"][0, 0])
        (4.0, 16.0)
        """
        time = _time_of(at)
        scenario = self._scenario(_settings(settings), needs_time=time is not None)
        with tempfile.TemporaryDirectory(prefix="filum-") as folder:
            where = os.path.join(folder, "linear")
            scenario.modes(1, False, time, at == "static", where, False, True, number_of(None))
            files = sorted(os.listdir(os.path.join(where, "linear")))
            return {f[:-4]: np.load(os.path.join(where, "linear", f)) for f in files if f.endswith(".npy")}

    def start(self, *, method: str | Mapping[str, Any] | None = None, **time: Any) -> Simulation:
        """A run that is stepped by hand; settings are those of simulate, and ``end`` may be left out.

        >>> import filum as fl
        >>> m = fl.Model(gravity=(0, 0, -10))
        >>> ball = m.mass(mass=1)
        >>> sim = m.start(step=0.01)
        >>> sim.step(); sim.time
        0.01
        """
        if time.get("step") is not None:
            time.setdefault("end", time.get("start", 0) + 1e6 * float(time["step"]))
        elif not any(what in ("load", "change") for what, _ in self._journal):
            raise ValueError("stepping by hand needs a step: give step=..., and a method if you like")
        return Simulation(self._scenario(_settings(dict(time, method=method))), self)

    # Showing ---------------------------------------------------------------------------------------------------------
    def __repr__(self) -> str:
        n = len(self._document.objects()) + len(self._parts) + len(self._controllers) + len(self._events)
        return f"<filum.Model: {n} object{'' if n == 1 else 's'}>"

    def _repr_html_(self) -> str:
        rows: dict[str, list[str]] = {}
        for kind, name in self._document.objects():
            rows.setdefault(kind, []).append(escape(name))
        own: list[Part | Controller | Event] = [*self._parts, *self._controllers, *self._events]
        for thing in own:
            kind = "part" if isinstance(thing, Part) else type(thing).__name__.lower()
            rows.setdefault(kind, []).append(escape(thing.name or type(thing).__name__))
        lines = "".join(f"<tr><td>{kind}</td><td>{', '.join(names)}</td></tr>" for kind, names in rows.items())
        try:
            words = self._scenario({}, needs_time=False).words()
        except Error as error:  # not complete yet
            words = str(error)
        table = f"<table><thead><tr><th>kind</th><th>names</th></tr></thead><tbody>{lines}</tbody></table>"
        return f"{table}<pre>{escape(words)}</pre>"


def load(file_or_name: str | os.PathLike[str], set: Mapping[str, Any] | None = None) -> Model:
    """A scenario file, or a built-in scenario by its name; ``set`` changes keys by their paths.

    >>> m = load("flying-spaghetti", set={"time.end": 0.25})
    """
    m = Model.__new__(Model)
    m.__setstate__({"journal": [("load", (os.fspath(file_or_name),))], "parts": [], "controllers": [], "events": []})
    for key, value in (set or {}).items():
        m.set(key, value)
    return m


def builtin() -> dict[str, str]:
    """The built-in scenarios and their titles.

    >>> builtin()["roll-up"] != ""
    True
    """
    return dict(_core.builtin())


def _expect(thing: Any, kind: type) -> None:
    if not isinstance(thing, kind):
        raise TypeError(f"expected a filum.{kind.__name__}, found {thing!r}")


def _time_of(at: str | float) -> float | None:
    if not isinstance(at, str):
        return float(at)
    if at not in ("start", "static"):
        raise ValueError(f"at: expected 'start', 'static' or a time, found '{at}'")
    return None


def _settings(given: Mapping[str, Any]) -> dict[str, Any]:
    """Keyword arguments as tables of a file."""
    tables: dict[str, Any] = {}
    rest = {key: value for key, value in given.items() if value is not None}
    chosen = rest.pop("method", None)
    if chosen is not None:
        tables["integrator"] = dict(method=chosen) if isinstance(chosen, str) else dict(chosen)
    for name in ("newton", "output", "static"):
        if name in rest:
            tables[name] = dict(rest.pop(name))
    for key in rest:
        _expect_setting(key)
    if rest:
        tables["time"] = rest
    return tables


def _expect_setting(key: str) -> None:
    """Refuses keyword arguments that are no settings of a run."""
    known = [entry["key"] for entry in _core.settings()["time"][1][0][1]]
    if key in known:
        return
    for word, keys in _core.settings()["integrator"][1]:
        if key in [entry["key"] for entry in keys]:
            raise TypeError(f"'{key}' is an option of a method; try: method=filum.method('{word}', {key}=...)")
    others = ["method", "newton", "folder", "force", "report", "progress", "observer", "threads"]
    near = difflib.get_close_matches(key, [*known, *others], 1)
    raise TypeError(f"unexpected keyword argument '{key}'" + (f"; did you mean '{near[0]}'?" if near else ""))


for _adder in tables.adders():
    setattr(Model, _adder.__name__, _adder)

method.__doc__ = f"""A time integration method with options, for simulate and start; an option of `adaptive` methods is a tolerance.

{tables.methods_text()}

>>> method("generalized-alpha", rho_infinity=0.8)
{{'method': 'generalized-alpha', 'rho_infinity': 0.8}}
"""

Model.simulate.__doc__ = f"""Runs the model in time. Ctrl-C ends it after the step: the exception has what there is so far as ``run``.

Time:
{tables.settings_text("time")}
    method: a name, or filum.method(name, option=...)
Newton's method of implicit methods, newton=dict(...):
{tables.settings_text("newton")}
Files:
    folder: where the files of `filum run` go; default: results stay in memory
    force: replace results that are there
    report: write the page report.html
    output: dict of
{tables.settings_text("output")}
While it runs:
    progress: True, False, or a function of start, time, end, step, newton and seconds; default: on a terminal and in Jupyter
    observer: called with the state after every step; False ends the run
    threads: how many share the work, with the same numbers; default: one for a small model, up to one per core for a large
        one, and one in a sweep. Functions of Python are called by one thread

Raises StoppedError when the integration cannot continue.

>>> import filum as fl
>>> m = fl.Model(gravity=(0, 0, -10))
>>> ball = m.mass(mass=1)
>>> run = m.simulate(end=1, step=0.01)
>>> bool(abs(run[ball].position[-1, 0, 2] + 5) < 1e-9)
True
"""

Model.static.__doc__ = f"""Static equilibrium along a path of loads or times. Results are those of a run, whose frames are the points of the path.

{tables.settings_text("static")}
    start, end: times of a path in time
    folder, force, report, threads: as for simulate

>>> import filum as fl
>>> m = fl.Model(gravity=(0, 0, -10))
>>> ball = m.mass(mass=1, position=(0, 0, -1.5))
>>> spring = m.spring(fl.ground, ball, stiffness=100, length=1)
>>> eq = m.static(regularize=1e-6)
>>> bool(abs(eq[ball].position[-1, 0, 2] + 1.1) < 1e-6)
True
"""
