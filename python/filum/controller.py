"""Controllers and events: functions of measurements that are called while a model steps."""

from __future__ import annotations

import contextlib
import copy
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from .errors import ModelError

if TYPE_CHECKING:
    from ._core import State

Measured = dict[str, NDArray[np.float64]]


class Controller:
    """Calls ``update(t, y)`` every ``every``, ``y`` being a dict of arrays: what ``measure`` asks for. What it returns is
    ``output`` until the next sample. Loads, drives and springs of Python use it:

    >>> import filum as fl, numpy as np
    >>> m = fl.Model()
    >>> cart = m.mass(mass=1, position=(1, 0, 0))
    >>> pd = m.control(fl.Controller(every=0.01, measure={"x": (cart, "position"), "v": (cart, "velocity")},
    ...                              update=lambda t, y: -20 * y["x"] - 8 * y["v"], output=np.zeros(3)))
    >>> push = m.load(on=cart, force=lambda t: pd.output)
    >>> bool(abs(m.simulate(end=3, step=0.01)[cart].position[-1, 0, 0]) < 0.01)
    True

    With a ``state``, ``update(t, y, state)`` returns (output, state); every run begins with a copy of the first one, and
    states of simulations that are stepped by hand carry it. An integrator:

    >>> def integrate(t, y, total):
    ...     total = total + 0.01 * y["x"][0]
    ...     return -total, total
    >>> control = fl.Controller(every=0.01, measure={"x": (cart, "position")}, update=integrate, state=0.0)

    every: time between samples; the first is at the start. measure: name -> (where, quantity) as for sensors. output: before
    the first sample. reset: called when a run begins, for what ``update`` keeps elsewhere. In a run, steps end at samples
    and the method restarts after them. One run at a time uses a controller.
    """

    def __init__(
        self,
        every: float,
        update: Callable[..., Any],
        measure: Mapping[str, tuple[Any, str]] | None = None,
        output: Any = 0.0,
        state: Any = None,
        reset: Callable[[], None] | None = None,
        name: str = "",
    ) -> None:
        if not every > 0:
            raise ValueError("every: expected a positive time")
        self.every, self.update, self.measure, self.reset = float(every), update, dict(measure or {}), reset
        self.name = name
        self._is_used = False
        self._first = (output, state)
        self._reset_()

    def _reset_(self) -> None:
        self.output, self.state = copy.deepcopy(self._first)
        self._is_prepared = False

    def _prepare_(self, t: float, y: Measured) -> None:
        """The first sample, ahead of a run: the model is built once more under its output."""
        self._begin_(t, y)
        self._is_prepared = True

    def _begin_(self, t: float, y: Measured) -> None:
        if self._is_prepared:
            self._is_prepared = False
            return
        self._reset_()
        if self.reset is not None:
            self.reset()
        self._sample_(t, y)

    def _sample_(self, t: float, y: Measured) -> None:
        if self._first[1] is None:
            self.output = self.update(t, y)
        else:
            self.output, self.state = self.update(t, y, self.state)

    def _memory_(self) -> tuple[Any, Any]:
        return copy.deepcopy((self.output, self.state))

    def _restore_(self, memory: tuple[Any, Any]) -> None:
        self.output, self.state = copy.deepcopy(memory)


@contextlib.contextmanager
def used_by_a_run(controllers: Sequence[Controller]) -> Iterator[None]:
    """Two runs at once would mix their outputs."""
    if any(c._is_used for c in controllers):
        raise ModelError("the controller is in use by another run; try: a separate model for every thread")
    for c in controllers:
        c._is_used = True
    try:
        yield
    finally:
        for c in controllers:
            c._is_used = False


class Event:
    """Ends a step where ``value(t, y)`` changes sign, ``y`` being what ``measure`` asks for, and continues after it. A
    ball that jumps:

    >>> import filum as fl
    >>> m = fl.Model(gravity=(0, 0, -10))
    >>> ball = m.mass(mass=1, position=(0, 0, 1))
    >>> def jump(state):
    ...     state.v = -0.5 * state.v
    >>> floor = m.watch(fl.Event(lambda t, y: y["x"][2], measure={"x": (ball, "position")}, direction="falling", change=jump))
    >>> run = m.simulate(end=0.8, step=0.01)
    >>> [round(t, 6) for t in floor.times]
    [0.447214]

    direction: 'rising', 'falling' or 'both'. stop: whether the run ends there. change: called with the state, whose v it may
    change within what the constraints allow. times: when it happened in the last run.

    When stepping by hand, a step continues after an event, or ends there if ``stop`` is set: ``sim.stopped_by`` is then its name.
    """

    def __init__(
        self,
        value: Callable[[float, Measured], float],
        measure: Mapping[str, tuple[Any, str]] | None = None,
        *,
        direction: str = "both",
        stop: bool = False,
        change: Callable[["State"], None] | None = None,
        name: str = "",
    ) -> None:
        if direction not in ("rising", "falling", "both"):
            raise ValueError(f"direction: expected 'rising', 'falling' or 'both', found '{direction}'")
        self.value, self.measure, self.direction, self.stop = value, dict(measure or {}), direction, stop
        self.change, self.name = change, name
        self.times: list[float] = []

    def _begin_(self) -> None:
        self.times = []

    def _memory_(self) -> list[float]:
        return list(self.times)

    def _restore_(self, memory: list[float]) -> None:
        self.times = list(memory)

    def _happens_(self, state: "State") -> None:
        self.times.append(state.t)
        if self.change is not None:
            self.change(state)
