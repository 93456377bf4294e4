"""make_stubs.py FOLDER: writes model.pyi, the types of filum.model, whose methods are made of what the library says about
its tables."""

from __future__ import annotations

import inspect
import pathlib
import sys
from typing import Any, Callable, Mapping

HEAD = '''"""Made by make_stubs.py."""

import os
from typing import Any, Callable, Iterable, Literal, Mapping, Sequence, TypeVar, Union

import numpy as np
from numpy.typing import NDArray

from . import _core
from .controller import Controller, Event
from .part import Part
from .points import Handle, Point
from .run import Equilibrium, Modes, Run
from .stepping import Simulation

P = TypeVar("P", bound=Part)
Number = Union[float, str, Callable[..., Any]]
Values = Union[Sequence[Any], Callable[..., Any], Any]
Place = Union[str, Point]
'''

SINGLE = {"bool": "bool", "int": "Union[int, str]", "float": "Union[float, str]", "number": "Number"}


def type_of(key: Mapping[str, Any]) -> str:
    if key["words"] and key["type"] == "word":
        return "Literal[" + ", ".join(repr(word) for word in key["words"]) + "]"
    if key["type"] == "text":
        return "str" if key["key"] in ("name", "color", "quantity") else "Place"
    return SINGLE.get(key["type"], "Values")


def adder(name: str, function: Callable[..., Any], keys: Mapping[str, Mapping[str, Any]], file_names: Mapping[str, str]) -> str:
    arguments = ["self"]
    parameters = inspect.signature(function).parameters
    arguments.append("*partners: Place" if "partners" in parameters else "*")
    for parameter in list(parameters)[1:]:
        if parameter == "partners":
            continue
        key = keys[file_names.get(parameter, parameter)]
        kind = type_of(key)
        # What is required may also be a partner or a part of another way to say it: the library tells.
        arguments.append(f"{parameter}: {kind}" if key["required"] else f"{parameter}: Union[{kind}, None] = ...")
    return f"    def {name}(\n        " + ",\n        ".join(arguments) + ",\n    ) -> Handle: ..."


def plain(name: str, function: Callable[..., Any], indent: str) -> str:
    signature = inspect.signature(function)
    shown = [p.replace(default=...) if p.default is not p.empty else p for p in signature.parameters.values()]
    text = str(signature.replace(parameters=shown)).replace("Ellipsis", "...").replace("'", "")
    return f"{indent}def {name}{text}: ..."


def class_stub(cls: type, made: Mapping[str, str]) -> str:
    base = "" if cls.__base__ is object else f"({cls.__base__.__name__})"
    lines = [f"class {cls.__name__}{base}:"]
    for name, value in vars(cls).items():
        if isinstance(value, property):
            lines += ["    @property", plain(name, value.fget, "    ")]  # type: ignore[arg-type]
        elif name in made:
            lines.append(made[name])
        elif inspect.isfunction(value) and (not name.startswith("_") or name in ("__init__", "__getitem__", "_repr_html_", "_scenario")):
            lines.append(plain(name, value, "    "))
    return "\n".join(lines)


def main(folder: str) -> None:
    from filum import _core, model, tables

    made = {}
    for kind, (_, variants) in _core.tables().items():
        every = {key["key"]: key for _, keys in variants for key in keys}
        for word, _ in [("", None), *variants]:
            name = tables.method_name(kind, word)
            made[name] = adder(name, getattr(model.Model, name), every, tables.FILE_NAMES)
    classes = [class_stub(model.Model, made)]
    own: list[Callable[..., Any]] = [model.method, model.load, model.builtin]
    functions = [plain(f.__name__, f, "") for f in own]
    pathlib.Path(folder, "model.pyi").write_text("\n\n".join([HEAD, *classes, *functions]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
