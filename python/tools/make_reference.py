"""make_reference.py [FILE]: the docstrings of the package on one page, docs/python/reference.md unless told otherwise."""

from __future__ import annotations

import inspect
import pathlib
import re
import sys

import filum


def block(name: str, level: int, head: str, text: str) -> list[str]:
    return ["#" * level + f" {name}", "", "```text", head, "", text, "```", ""]


def attribute(owner: type, name: str, value: object) -> list[str]:
    """A value of a class with its comment '#: ...'."""
    comment = re.search(rf"^    {name}\b.*#: (.*)$", inspect.getsource(owner), re.M)
    return block(f"{owner.__name__}.{name}", 3, f"{name} = {value!r}", comment[1] if comment else "")


def entry(name: str, thing: object, level: int, text: str) -> list[str]:
    try:
        signature = str(inspect.signature(thing))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        signature = ""
    if callable(thing) and len(signature) > 140:
        signature = "(...)"
    return block(name, level, f"{name.split('.')[-1]}{signature}" if callable(thing) else name, inspect.cleandoc(text))


def member(owner: type, name: str, value: object) -> list[str]:
    if isinstance(value, (bool, int, float, str)):
        return attribute(owner, name, value)
    thing = value.fget if isinstance(value, property) else value
    return entry(f"{owner.__name__}.{name}", thing, 3, value.__doc__ or "")


def main(file: str) -> None:
    lines = ["# Reference", "", "Made from the docstrings by `python/tools/make_reference.py`.", ""]
    for name in filum.__all__:
        thing = getattr(filum, name)
        lines += entry(f"filum.{name}", thing, 2, thing.__doc__ or "")
        if inspect.isclass(thing) and thing.__module__.startswith("filum.") and not issubclass(thing, Exception):
            for method, value in vars(thing).items():
                if not method.startswith("_") and getattr(value, "__doc__", None):
                    lines += member(thing, method, value)
    pathlib.Path(file).write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    default = pathlib.Path(__file__).resolve().parents[2] / "docs" / "python" / "reference.md"
    main(sys.argv[1] if len(sys.argv) > 1 else str(default))
