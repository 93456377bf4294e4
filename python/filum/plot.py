"""Plots with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .run import Run

_GROUPS = ("energy", "constraint", "step")


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    from matplotlib import pyplot  # type: ignore[import]

    return pyplot.subplots()[1]


def _lines(ax: Any, time: Any, values: Any, label: str) -> None:
    flat = values.reshape(len(time), -1)
    for k in range(flat.shape[1]):
        ax.plot(time, flat[:, k], label=label if flat.shape[1] == 1 else f"{label} {k + 1}")


def draw(run: "Run", what: Any, ax: Any = None) -> Any:
    """See Run.plot."""
    ax = _axes(ax)
    name = getattr(what, "name", what)
    if name in _GROUPS:
        for part in getattr(run, name):
            _lines(ax, run.time, getattr(run, name)[part], part)
        if name == "constraint":
            ax.set_yscale("log")
    elif name == "sensors":
        for sensor, values in run.sensors.items():
            _lines(ax, run.time, values, sensor)
    elif name in run.sensors:
        _lines(ax, run.time, run.sensors[name], name)
    elif name in run.names:
        _lines(ax, run.time, run.series(name), name)
    else:
        _lines(ax, run.time, run[what].position[:, -1], name)
    ax.set_xlabel("time")
    ax.set_title(str(name))
    ax.legend()
    return ax


def shapes(run: "Run", of: Any, frames: Any, ax: Any = None, axes: tuple[int, int] = (0, 2)) -> Any:
    """The line of an object in some frames, seen along the axis that is not among ``axes``."""
    ax = _axes(ax)
    position = run[of].position
    for f in frames:
        ax.plot(position[f, :, axes[0]], position[f, :, axes[1]], label=f"t = {run.time[f]:.3g}")
    ax.set_aspect("equal", adjustable="datalim")
    ax.set_xlabel("xyz"[axes[0]])
    ax.set_ylabel("xyz"[axes[1]])
    return ax
