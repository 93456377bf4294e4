"""Many runs: sweeps over parameters, and studies."""

from __future__ import annotations

import csv
import itertools
import os
import tempfile
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any, Callable, Mapping, Sequence


_here = threading.local()


def _share_cores() -> None:
    """Called by every thread or process of a sweep: the cores are for other cases."""
    _here.threads = 1


def number_of(threads: int | None) -> int:
    """How many threads a run is told to use; 0: what its size is worth."""
    if threads is None:
        return getattr(_here, "threads", 0)
    if not 1 <= threads <= 1024:
        raise ValueError(f"threads: expected a number from 1 to 1024, found {threads!r}")
    return threads


def sweep(
    build: Callable[..., Any],
    parameters: Mapping[str, Sequence[Any]],
    *,
    jobs: int | None = None,
    processes: bool = False,
) -> Any:
    """Calls ``build(**case)`` for all combinations of the parameters and puts what it returns, a number or a dict of
    numbers, into a table: a pandas.DataFrame if pandas is there, otherwise a list of dicts. Cases run in ``jobs`` threads,
    which is enough for models without functions of Python; with ``processes`` they run in processes of their own, and
    ``build`` must be a function of a module. A case that raises filum.Error has the text in the column "error"; whatever else is
    raised ends the sweep, and so does Ctrl-C once the cases that have begun are done.

    >>> import filum as fl
    >>> def drop(height):
    ...     m = fl.Model(gravity=(0, 0, -10))
    ...     ball = m.mass(mass=1, position=(0, 0, height))
    ...     return {"z": m.simulate(end=0.1, step=0.01)[ball].position[-1, 0, 2]}
    >>> table = sweep(drop, {"height": [1, 2, 3]})
    >>> len(table)
    3
    """
    for name, values in parameters.items():
        if isinstance(values, str) or not hasattr(values, "__iter__"):
            raise TypeError(f"{name}: expected a list of values, found {values!r}")
    cases = [dict(zip(parameters, values)) for values in itertools.product(*parameters.values())]
    pool = ProcessPoolExecutor if processes else ThreadPoolExecutor
    with pool(max_workers=jobs or os.cpu_count(), initializer=_share_cores) as executor:
        try:
            rows = list(executor.map(_Case(build), cases))
        except BaseException:  # Ctrl-C, or a mistake in build: what has not begun does not begin
            executor.shutdown(cancel_futures=True)
            raise
    return _table(rows)


class _Case:
    def __init__(self, build: Callable[..., Any]) -> None:
        self.build = build

    def __call__(self, case: dict[str, Any]) -> dict[str, Any]:
        from .errors import Error

        try:
            result = self.build(**case)
        except Error as error:
            return {**case, "error": str(error)}
        return {**case, **(result if isinstance(result, Mapping) else {"result": result})}


def _table(rows: list[dict[str, Any]]) -> Any:
    try:
        import pandas  # type: ignore[import]
    except ImportError:
        return rows
    return pandas.DataFrame(rows)


def _column(name: str, texts: list[str]) -> list[Any]:
    """Numbers where all are numbers or nothing; hashes of cases may look like numbers, too."""
    if name in ("case", "role", "status", "reason"):
        return texts
    try:
        return [float(text) if text else float("nan") for text in texts]
    except ValueError:
        return texts


def study(
    file_or_name: str | os.PathLike[str],
    *,
    folder: str | os.PathLike[str] | None = None,
    jobs: int = 0,
    short: bool = False,
    force: bool = False,
) -> Any:
    """Runs a study file, or a built-in study by its name, and returns study.csv as a table, as sweep does. ``folder`` keeps
    all results, plots included; ``short`` takes the short form of the study.
    """
    from . import _core

    with tempfile.TemporaryDirectory(prefix="filum-") as temporary:
        where = os.fspath(folder) if folder is not None else os.path.join(temporary, "study")
        _core.run_study(os.fspath(file_or_name), where, jobs, short, force)
        with open(os.path.join(where, "study.csv"), encoding="utf-8", newline="") as file:
            head, *lines = csv.reader(file)
    columns = [_column(name, list(texts)) for name, texts in zip(head, zip(*lines))]
    return _table([dict(zip(head, row)) for row in zip(*columns)])
