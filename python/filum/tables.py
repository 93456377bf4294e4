"""What the library says about its tables, as methods, signatures and docstrings."""

from __future__ import annotations

import inspect
from typing import Any, Callable, Iterator

from . import _core, words
from .points import Handle

Key = dict[str, Any]

# Python has the word `from` for itself.
PYTHON_NAMES = {"from": "start", "to": "end"}
FILE_NAMES = {python: key for key, python in PYTHON_NAMES.items()}
METHOD_NAMES = {"fixed": "fix"}


def file_names(table: dict[str, Any]) -> dict[str, Any]:
    """Keyword arguments as keys of files."""

    def renamed(value: Any) -> Any:
        return {FILE_NAMES.get(k, k): v for k, v in value.items()} if isinstance(value, dict) else value

    return {FILE_NAMES.get(key, key): renamed(value) for key, value in table.items()}


def method_name(kind: str, word: str) -> str:
    """How the method is called that adds an object of this kind, and of this type of it."""
    return METHOD_NAMES.get(word, word.replace("-", "_")) or kind


def _type_text(key: Key) -> str:
    if key["words"]:
        return " | ".join(repr(word) for word in key["words"])
    text: str = key["type"].replace("text", "str")
    if "number" in text:
        text += f" or function of {', '.join(key['variables'])}" if key["variables"] else ""
    return text


def _key_line(key: Key, meaning: str, *, silent: tuple[str, ...] = ("", '""')) -> str:
    name = PYTHON_NAMES.get(key["key"], key["key"])
    default = "required" if key["required"] else f"default {key['default']}" if key["default"] not in silent else ""
    return f"    {name} ({_type_text(key)}): " + "; ".join(filter(None, [meaning, default]))


def _docstring(kind: str, word: str, keys: list[Key]) -> str:
    summary, meanings, example = words.KINDS.get(kind, (f"An object of the kind {kind}.", {}, ""))
    if word in words.JOINTS:
        summary, example = words.JOINTS[word]
    lines = [summary, ""]
    lines += [_key_line(key, meanings.get(key["key"], "")) for key in keys if not (word and key["key"] == "type")]
    if example:
        *before, last = example.split("; ")
        lines += ["", ">>> import filum as fl; m = fl.Model()", *(f">>> {line}" for line in before), f">>> handle = {last}"]
    return "\n".join(lines)


def _signature(keys: list[Key], has_partners: bool, hidden: str) -> inspect.Signature:
    parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)]
    if has_partners:
        parameters.append(inspect.Parameter("partners", inspect.Parameter.VAR_POSITIONAL))
    for key in keys:
        if key["key"] == hidden:
            continue
        name = PYTHON_NAMES.get(key["key"], key["key"])
        default = inspect.Parameter.empty if key["required"] else None
        parameters.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default))
    return inspect.Signature(parameters, return_annotation=Handle)


def _adder(kind: str, decision: str, word: str, keys: list[Key]) -> Callable[..., Handle]:
    has_partners = any(key["key"] == "connects" for key in keys)

    def add(self: Any, *partners: Any, **options: Any) -> Handle:
        if partners and not has_partners:
            raise TypeError(f"{add.__name__}() takes keyword arguments only")
        if word:
            options[decision] = word
        handle: Handle = self._add(kind, partners, options)
        return handle

    add.__name__ = method_name(kind, word)
    add.__qualname__ = f"Model.{add.__name__}"
    add.__module__ = "filum.model"
    add.__doc__ = _docstring(kind, word, keys)
    add.__signature__ = _signature(keys, has_partners, decision if word else "")  # type: ignore[attr-defined]
    return add


def _merged(variants: list[tuple[str, list[Key]]]) -> list[Key]:
    seen: dict[str, Key] = {}
    for _, keys in variants:
        for key in keys:
            seen.setdefault(key["key"], key)
    return list(seen.values())


def adders() -> Iterator[Callable[..., Handle]]:
    """A function for every kind of table, and one for every type of joint."""
    for kind, (decision, variants) in _core.tables().items():
        for word, keys in [("", _merged(variants)), *(v for v in variants if v[0])]:
            yield _adder(kind, decision, word, keys)


def settings_text(table: str) -> str:
    """The keys of a table of settings, a line each."""
    _, variants = _core.settings()[table]
    meanings = words.SETTINGS[table]
    return "\n".join(_key_line(key, meanings[key["key"]], silent=("", '""', "0")) for key in variants[0][1])


def methods_text() -> str:
    """All methods with their options."""
    decision, variants = _core.settings()["integrator"]
    lines = []
    for word, keys in variants:
        lines.append(f"{word}: {words.METHODS[word]}")
        lines += [_key_line(key, words.SETTINGS["integrator"][key["key"]]) for key in keys if key["key"] != decision]
    return "\n".join(lines)
