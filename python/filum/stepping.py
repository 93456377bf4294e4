"""Stepping by hand: for control, optimisation and learning."""

from __future__ import annotations

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
        Raises StoppedError, and the state is then the last good one."""
        self._core.step(size or 0.0)

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

    def measure(self, on: Any, quantity: str) -> NDArray[np.float64]:
        """What a sensor there would say.

        >>> import filum as fl
        >>> m = fl.Model(); ball = m.mass(mass=1, position=(1, 2, 3))
        >>> m.start(step=0.1).measure(ball, "position")
        array([1., 2., 3.])
        """
        return self._core.measure(getattr(on, "_reference_", on), quantity)
