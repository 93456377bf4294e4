"""Checks of parts that are written in Python."""

from __future__ import annotations

from typing import Any


def check_part(model: Any, *, tolerance: float = 1e-6, potential: bool = False, states: int = 3) -> None:
    """Compares everything the parts of a model say about their derivatives with differences, at random states; with
    ``potential`` also whether all forces are those of the energy. Raises AssertionError with both values.

    >>> import filum as fl
    >>> m = fl.Model(); ball = m.mass(mass=1)
    >>> check_part(m)
    """
    from . import _core
    from .model import Model

    if not isinstance(model, Model):
        raise TypeError(f"expected the filum.Model that the part was added to, found {model!r}")
    scenario = model._scenario({}, needs_time=False)
    for seed in range(1, states + 1):
        text = _core.check_system(scenario, seed, tolerance, potential)
        if text:
            raise AssertionError(text)
