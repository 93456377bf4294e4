"""Stepping by hand: for control, optimisation and learning."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _core

if TYPE_CHECKING:
    from .model import Model


class Simulation:
    """A run between two steps. States can be copied, pickled and set; a state that comes from a simulation of the same
    model and method continues bit for bit.

    >>> import filum as fl
    >>> m = fl.Model(gravity=(0, 0, -10))
    >>> ball = m.mass(mass=1)
    >>> sim = m.start(step=0.01)
    >>> before = sim.state
    >>> for _ in range(10): sim.step()
    >>> sim.state = before
    >>> sim.time
    0.0
    """

    def __init__(self, scenario: _core.Scenario, model: "Model") -> None:
        self._core = _core.Stepper(scenario)
        self._model = model  # which keeps functions alive

    def step(self, size: float | None = None) -> None:
        """One step of this size; without one, of the size that was given to start, or that an adaptive method proposes.
        It ends earlier at an event with ``stop``, see stopped_by. When it raises an exception, such as StoppedError, the
        simulation is where it was before."""
        if size is not None and not 0 < size < math.inf:
            raise ValueError(f"size: expected a positive, finite time, found {size}")
        self._core.step(size or 0.0)

    @property
    def stopped_by(self) -> str | None:
        """Name of the event with ``stop`` at which the last step ended; None when there was none. The next step
        continues from there.

        >>> import filum as fl
        >>> m = fl.Model(gravity=(0, 0, -10))
        >>> ball = m.mass(mass=1, position=(0, 0, 1))
        >>> floor = m.watch(fl.Event(lambda t, y: y["x"][2], {"x": (ball, "position")}, stop=True, name="floor"))
        >>> sim = m.start(step=0.1)
        >>> while not sim.stopped_by: sim.step()
        >>> sim.stopped_by, round(sim.time, 9)
        ('floor', 0.447213595)
        """
        return self._core.stopped_by

    @property
    def time(self) -> float:
        """Time of the state."""
        return float(self._core.time)

    @property
    def energy(self) -> float:
        """Kinetic and potential."""
        return float(self._core.energy)

    @property
    def state(self) -> _core.State:
        """t, q, v, a = dv/dt and the multipliers lam, complete. A copy: set it to change the simulation."""
        return self._core.state

    @state.setter
    def state(self, state: _core.State) -> None:
        self._core.state = state

    def __reduce__(self) -> Any:
        raise TypeError("a simulation cannot be pickled or copied; try: its state, with a simulation of the same model")

    def measure(self, on: Any, quantity: str) -> NDArray[np.float64]:
        """The reading that a sensor there would give.

        >>> import filum as fl
        >>> m = fl.Model(); ball = m.mass(mass=1, position=(1, 2, 3))
        >>> m.start(step=0.1).measure(ball, "position")
        array([1., 2., 3.])
        """
        return self._core.measure(getattr(on, "_reference_", on), quantity)
