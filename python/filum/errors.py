"""What can go wrong. The messages are those of the program: what happened, where, and what to try."""

from __future__ import annotations

from typing import Any


class Error(Exception):
    """Everything that filum raises."""


class ModelError(Error, ValueError):
    """A wrong model, option or file; the text names object and key."""


class NoEquilibrium(ModelError):
    """There is no equilibrium: something can move freely."""


class NoModes(Error):
    """Modes do not exist or were not found."""


class StoppedError(Error):
    """An integration or a path that could not continue. ``run`` has everything up to the last good step."""

    run: Any = None

    def __init__(self, message: str, run: Any = None) -> None:
        super().__init__(message)
        self.run = run


class FileError(Error, OSError):
    """A file that cannot be read or written, or is not of the expected kind."""
