"""Models: objects are added as keyword arguments, which are the keys of scenario files."""

from __future__ import annotations

import copy
import inspect
import os
import tempfile
from typing import Any, Callable, Iterable, Mapping

from . import _core, words
from .controller import Controller
from .part import Part
from .run import Equilibrium, Modes, Run, finished, progress_bar
from .stepping import Simulation

# Python has the word `from` for itself.
_PYTHON_NAMES = {"from": "start", "to": "end"}
_FILE_NAMES = {python: key for key, python in _PYTHON_NAMES.items()}
_METHOD_NAMES = {"fixed": "fix"}


class Point:
    """A place on an object, or in space: what joints, springs, loads and sensors take hold of."""

    __slots__ = ("_model", "_text", "_offset")

    def __init__(self, model: "Model | None", text: str, offset: Any = None) -> None:
        self._model, self._text, self._offset = model, text, offset

    @property
    def _reference_(self) -> str:
        return self._text

    def at(self, point: Iterable[float]) -> "Point":
        """The point (x, y, z) in the frame that the object has here; of the ground: in space.

        >>> ground.at((0, 0, 1))
        <filum.Point ground at (0.0, 0.0, 1.0)>
        """
        x, y, z = (float(c) for c in point)
        return Point(self._model, self._text, (x, y, z))

    def __repr__(self) -> str:
        return f"<filum.Point {self._text}" + (f" at {self._offset}>" if self._offset else ">")


ground = Point(None, "ground")
system = Point(None, "system")


class Handle(Point):
    """An object of a model. ``rod.start``, ``rod.end`` and ``rod.at(s)`` are points of a beam."""

    __slots__ = ("kind", "name")

    def __init__(self, model: "Model", kind: str, name: str) -> None:
        super().__init__(model, name)
        self.kind, self.name = kind, name

    @property
    def start(self) -> Point:
        """The first node of a beam."""
        return Point(self._model, f"{self.name}:start")

    @property
    def end(self) -> Point:
        """The last node of a beam."""
        return Point(self._model, f"{self.name}:end")

    def at(self, *place: Any, s1: Any = None, s2: Any = None) -> Point:
        """``rod.at(s)`` at an arc length, ``body.at((x, y, z))`` in its frame, ``sheet.at(s1, s2)`` on a surface, and
        ``sheet.at(s1=0)`` or ``sheet.at(s2="end")`` for its edges."""
        if s1 is not None or s2 is not None:
            edge, value = ("s1", s1) if s1 is not None else ("s2", s2)
            return Point(self._model, f"{self.name}:{edge}={_coordinate(value)}")
        if len(place) == 1 and not _is_number(place[0]):
            return super().at(place[0])
        return Point(self._model, f"{self.name}@" + ",".join(_coordinate(p) for p in place))

    def __repr__(self) -> str:
        return f"<filum.Handle {self.kind} {self.name}>"

    def __reduce__(self) -> Any:
        return (_unpickled_handle, (self.kind, self.name))


def _unpickled_handle(kind: str, name: str) -> Handle:
    return Handle(None, kind, name)  # type: ignore[arg-type]  # of no model: good for looking results up


def _is_number(x: Any) -> bool:
    return isinstance(x, str) or hasattr(x, "__float__") and not hasattr(x, "__len__")


def _coordinate(x: Any) -> str:
    return x if isinstance(x, str) else repr(float(x))


def method(name: str, **options: Any) -> dict[str, Any]:
    """A time integration method with options, for simulate and start.

    >>> method("generalized-alpha", rho_infinity=0.8)
    {'method': 'generalized-alpha', 'rho_infinity': 0.8}
    """
    return dict(method=name, **options)


class Model:
    """A mechanical model. Objects are added by methods that are called as the tables of scenario files, and so are their
    keyword arguments; every value that may vary can be a number, a formula in a text, or a function.

    gravity: acceleration in space. parameters, functions: names that formulas know.

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
    ) -> None:
        self._document = _core.Document()
        self._journal: list[tuple[str, tuple[Any, ...]]] = []
        self._parts: list[Part] = []
        self._controllers: list[Controller] = []
        self._record("set", "gravity", gravity)
        if title:
            self._record("set", "title", title)
        if parameters:
            self._record("set", "parameters", dict(parameters))
        if functions:
            self._record("set", "functions", dict(functions))

    # Building --------------------------------------------------------------------------------------------------------
    def _record(self, what: str, *arguments: Any) -> Any:
        result = getattr(self._document, what)(*arguments)
        self._journal.append((what, arguments))
        return result

    def _add(self, kind: str, partners: tuple[Any, ...], options: dict[str, Any]) -> Handle:
        table = {key: value for key, value in options.items() if value is not None}
        if partners:
            table["connects"] = list(partners)
        _check_model(self, table)
        _take_offsets(kind, table)
        table = _file_names(table)
        name = self._record("append", kind, table)
        return Handle(self, kind, name)

    def add(self, part: Part) -> Part:
        """Adds a part that is written in Python, see filum.Part."""
        self._parts.append(part)
        return part

    def control(self, controller: Controller) -> Controller:
        """Adds a controller, see filum.Controller."""
        self._controllers.append(controller)
        return controller

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
        """All objects, in the order in which they are built."""
        return [Handle(self, kind, name) for kind, name in self._document.objects()]

    def copy(self) -> "Model":
        """The same model, to be changed independently."""
        return copy.copy(self)

    def __copy__(self) -> "Model":
        other = Model.__new__(Model)
        other.__setstate__(self.__getstate__())
        return other

    def __getstate__(self) -> dict[str, Any]:
        return {"journal": list(self._journal), "parts": list(self._parts), "controllers": list(self._controllers)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._document = _core.Document()
        self._journal, self._parts, self._controllers = [], state["parts"], state["controllers"]
        for what, arguments in state["journal"]:
            if what in ("load", "parse"):
                self._document = getattr(_core.Document, what)(*arguments)
                self._journal.append((what, arguments))
            else:
                self._record(what, *arguments)

    # Using -----------------------------------------------------------------------------------------------------------
    def _scenario(self, settings: dict[str, Any], needs_time: bool = True) -> Any:
        return self._document.scenario(settings, self._parts, needs_time)

    def save(self, file: str | os.PathLike[str], **settings: Any) -> None:
        """Writes a scenario file with every default filled in; settings are those of simulate. Functions of Python cannot
        be written: give formulas."""
        with open(file, "w", encoding="utf-8") as out:
            out.write(self._scenario(_settings(settings)).toml())

    def describe(self, **settings: Any) -> str:
        """The model in words: objects, degrees of freedom, constraints, start, and, with settings as for simulate, hints
        about step and method."""
        return str(self._scenario(_settings(settings)).describe())

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
        **time: Any,
    ) -> Run:
        settings = _settings(dict(time, method=method, newton=newton))
        scenario = self._scenario(settings)
        watchers = [c.start(scenario) for c in self._controllers]
        if observer is not None:
            watchers.append(observer)
        run = scenario.simulate(
            os.fspath(folder) if folder is not None else "",
            force,
            report,
            _all_of(watchers),
            progress_bar(progress),
        )
        return finished(Run(run))

    def static(
        self,
        *,
        folder: str | os.PathLike[str] | None = None,
        force: bool = False,
        report: bool = True,
        end: float | None = None,
        start: float | None = None,
        **static: Any,
    ) -> Equilibrium:
        settings: dict[str, Any] = {"static": static}
        if end is not None or start is not None:
            length = float(end if end is not None else 1) - float(start or 0)
            settings["time"] = dict(start=start, end=end, step=abs(length) or 1)
        scenario = self._scenario(settings, needs_time=False)
        run = scenario.follow_path(os.fspath(folder) if folder is not None else "", force, report)
        return finished(Equilibrium(run, scenario))

    def modes(
        self,
        count: int = 12,
        *,
        at: str | float = "start",
        undamped: bool = False,
        folder: str | os.PathLike[str] | None = None,
        force: bool = False,
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
        time = None if isinstance(at, str) else float(at)
        if isinstance(at, str) and at not in ("start", "static"):
            raise ValueError(f"at: expected 'start', 'static' or a time, found '{at}'")
        scenario = self._scenario(_settings(settings), needs_time=time is not None)
        where = os.fspath(folder) if folder is not None else ""
        return Modes(scenario.modes(count, undamped, time, at == "static", where, force, False))

    def linearize(self, *, at: str | float = "start", **settings: Any) -> dict[str, Any]:
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
        import numpy as np

        time = None if isinstance(at, str) else float(at)
        scenario = self._scenario(_settings(settings), needs_time=time is not None)
        with tempfile.TemporaryDirectory(prefix="filum-") as folder:
            where = os.path.join(folder, "linear")
            scenario.modes(1, False, time, at == "static", where, False, True)
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
        time.setdefault("end", time.get("start", 0) + 1e6 * float(time.get("step", 1)) if "step" in time else None)
        return Simulation(self._scenario(_settings(dict(time, method=method))))

    # Showing ---------------------------------------------------------------------------------------------------------
    def __repr__(self) -> str:
        n = len(self._document.objects()) + len(self._parts)
        return f"<filum.Model: {n} object{'' if n == 1 else 's'}>"

    def _repr_html_(self) -> str:
        rows: dict[str, list[str]] = {}
        for kind, name in self._document.objects():
            rows.setdefault(kind, []).append(name)
        lines = "".join(f"<tr><td>{kind}</td><td>{', '.join(names)}</td></tr>" for kind, names in rows.items())
        return f"<table><thead><tr><th>kind</th><th>names</th></tr></thead><tbody>{lines}</tbody></table>"


def load(file_or_name: str | os.PathLike[str], set: Mapping[str, Any] | None = None) -> Model:
    """A scenario file, or a built-in scenario by its name; ``set`` changes keys by their paths.

    >>> m = load("flying-spaghetti", set={"time.end": 0.25})
    """
    m = Model.__new__(Model)
    m.__setstate__({"journal": [("load", (os.fspath(file_or_name),))], "parts": [], "controllers": []})
    for key, value in (set or {}).items():
        m.set(key, value)
    return m


def builtin() -> dict[str, str]:
    """The built-in scenarios and their titles.

    >>> builtin()["roll-up"] != ""
    True
    """
    return dict(_core.builtin())


def _all_of(watchers: list[Callable[[Any], bool | None]]) -> Callable[[Any], bool] | None:
    if not watchers:
        return None
    return lambda state: all([watch(state) is not False for watch in watchers])


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
    if rest:
        tables["time"] = rest
    return tables


def _points(value: Any) -> Iterable[Point]:
    if isinstance(value, Point):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _points(item)


def _check_model(model: Model, table: Mapping[str, Any]) -> None:
    for key, value in table.items():
        for point in _points(value):
            if point._model is not None and point._model is not model:
                raise ValueError(f"{key}: {point._text} belongs to another model")


def _take_offsets(kind: str, table: dict[str, Any]) -> None:
    """Points in frames of objects have keys of their own in files."""
    on = table.get("on")
    if isinstance(on, Point) and on._offset is not None:
        table.setdefault("point", on._offset)
    partners = table.get("connects")
    if not isinstance(partners, (list, tuple)) or not any(isinstance(p, Point) and p._offset for p in partners):
        return
    offsets = [getattr(p, "_offset", None) or (0, 0, 0) for p in partners]
    if kind == "joint" and table.get("type") != "distance":
        in_space = [p._offset for p in partners if isinstance(p, Point) and p._text == "ground" and p._offset]
        if not in_space:
            raise ValueError("connects: a joint is held at a point in space: give `at`, or fl.ground.at((x, y, z))")
        table.setdefault("at", in_space[0])
    else:
        table.setdefault("points", offsets)


def _file_names(table: dict[str, Any]) -> dict[str, Any]:
    def renamed(value: Any) -> Any:
        return {_FILE_NAMES.get(k, k): v for k, v in value.items()} if isinstance(value, dict) else value

    return {_FILE_NAMES.get(key, key): renamed(value) for key, value in table.items()}


# The methods that add objects are made of what the library says about its tables. ------------------------------------
def _type_text(key: Mapping[str, Any]) -> str:
    if key["words"]:
        return " | ".join(repr(word) for word in key["words"])
    text: str = key["type"].replace("text", "str")
    if "number" in text:
        text += f" or function of {', '.join(key['variables'])}" if key["variables"] else ""
    return text


def _docstring(kind: str, word: str, keys: list[Mapping[str, Any]]) -> str:
    summary, meanings, example = words.KINDS.get(kind, (f"An object of the kind {kind}.", {}, ""))
    lines = [summary if not word else f"{summary} This one: {word}.", ""]
    for key in keys:
        if word and key["key"] == "type":
            continue
        name = _PYTHON_NAMES.get(key["key"], key["key"])
        default = "required" if key["required"] else f"default {key['default']}" if key["default"] not in ("", '""') else ""
        about = "; ".join(filter(None, [meanings.get(key["key"], ""), default]))
        lines.append(f"    {name} ({_type_text(key)}): {about}")
    if example and not word:
        lines += ["", ">>> import filum as fl; m = fl.Model()", f">>> handle = {example}"]
    return "\n".join(lines)


def _signature(keys: list[Mapping[str, Any]], has_partners: bool, hidden: str) -> inspect.Signature:
    parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)]
    if has_partners:
        parameters.append(inspect.Parameter("partners", inspect.Parameter.VAR_POSITIONAL))
    for key in keys:
        if key["key"] == hidden:
            continue
        name = _PYTHON_NAMES.get(key["key"], key["key"])
        default = inspect.Parameter.empty if key["required"] else None
        parameters.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default))
    return inspect.Signature(parameters, return_annotation=Handle)


def _adder(kind: str, decision: str, word: str, keys: list[Mapping[str, Any]]) -> Callable[..., Handle]:
    has_partners = any(key["key"] == "connects" for key in keys)

    def add(self: Model, *partners: Any, **options: Any) -> Handle:
        if partners and not has_partners:
            raise TypeError(f"{add.__name__}() takes keyword arguments only")
        if word:
            options[decision] = word
        return self._add(kind, partners, options)

    add.__name__ = _METHOD_NAMES.get(word, word.replace("-", "_")) or kind
    add.__qualname__ = f"Model.{add.__name__}"
    add.__doc__ = _docstring(kind, word, keys)
    add.__signature__ = _signature(keys, has_partners, decision if word else "")  # type: ignore[attr-defined]
    return add


def _merged(variants: list[tuple[str, list[Mapping[str, Any]]]]) -> list[Mapping[str, Any]]:
    seen: dict[str, Mapping[str, Any]] = {}
    for _, keys in variants:
        for key in keys:
            seen.setdefault(key["key"], key)
    return list(seen.values())


def _settings_text(table: str) -> str:
    _, variants = _core.settings()[table]
    meanings = words.SETTINGS.get(table, {})
    lines = []
    for key in variants[0][1]:
        default = f"default {key['default']}" if key["default"] not in ("", '""', "0") else ""
        about = "; ".join(filter(None, [meanings.get(key["key"], ""), default]))
        lines.append(f"    {key['key']} ({_type_text(key)}): {about}")
    return "\n".join(lines)


for _kind, (_decision, _variants) in _core.tables().items():
    for _word, _keys in [("", _merged(_variants)), *(v for v in _variants if v[0])]:
        _method = _adder(_kind, _decision, _word, _keys)
        setattr(Model, _method.__name__, _method)

Model.simulate.__doc__ = f"""Runs the model in time. Ctrl-C ends it after the step: the exception has what there is so far as ``run``.

Time:
{_settings_text("time")}
    method: a name, or filum.method(name, option=...); see docs/guide/integrators.md
    newton: dict(atol=, rtol=, max_iterations=) of implicit methods
Files:
    folder: where the files of `filum run` go; default: results stay in memory
    force: replace results that are there
    report: write the page report.html
While it runs:
    progress: True, False, or a function of start, time, end, step, newton and seconds; default: on a terminal
    observer: called with the state after every step; False ends the run

Raises StoppedError when the integration cannot go on.

>>> import filum as fl
>>> m = fl.Model(gravity=(0, 0, -10))
>>> ball = m.mass(mass=1)
>>> run = m.simulate(end=1, step=0.01)
>>> bool(abs(run[ball].position[-1, 0, 2] + 5) < 1e-9)
True
"""

Model.static.__doc__ = f"""Static equilibrium along a path of loads or times. Results are those of a run, whose frames are the points of the path.

{_settings_text("static")}
    start, end: times of a path in time
    folder, force, report: as for simulate

>>> import filum as fl
>>> m = fl.Model(gravity=(0, 0, -10))
>>> ball = m.mass(mass=1, position=(0, 0, -1.5))
>>> spring = m.spring(fl.ground, ball, stiffness=100, length=1)
>>> eq = m.static(regularize=1e-6)
>>> bool(abs(eq[ball].position[-1, 0, 2] + 1.1) < 1e-6)
True
"""
