"""make_reference.py [FILE]: the docstrings of the package on one page, docs/python/reference.md unless told otherwise."""

from __future__ import annotations

import inspect
import pathlib
import sys

import filum


def entry(name: str, thing: object, level: int) -> list[str]:
    try:
        signature = str(inspect.signature(thing))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        signature = ""
    if callable(thing) and len(signature) > 140:
        signature = "(...)"
    text = inspect.cleandoc(getattr(thing, "__doc__", None) or "")
    return ["#" * level + f" {name}", "", "```text", f"{name.split('.')[-1]}{signature}" if callable(thing) else name, "", text, "```", ""]


def main(file: str) -> None:
    lines = ["# Reference", "", "Made from the docstrings by `python/tools/make_reference.py`.", ""]
    for name in filum.__all__:
        thing = getattr(filum, name)
        lines += entry(f"filum.{name}", thing, 2)
        if inspect.isclass(thing) and thing.__module__.startswith("filum.") and not issubclass(thing, Exception):
            for method, value in vars(thing).items():
                if not method.startswith("_") and getattr(value, "__doc__", None):
                    lines += entry(f"{name}.{method}", value.fget if isinstance(value, property) else value, 3)
    pathlib.Path(file).write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    default = pathlib.Path(__file__).resolve().parents[2] / "docs" / "python" / "reference.md"
    main(sys.argv[1] if len(sys.argv) > 1 else str(default))
