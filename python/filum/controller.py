"""Controllers: sampled functions of measurements whose output is held between samples."""

from __future__ import annotations

from typing import Any, Callable, Mapping

import numpy as np


class Controller:
    """Calls ``update(t, y)`` every ``every``, ``y`` being a dict of what ``measure`` asks for, and holds what it returns
    as ``output`` until the next sample. Loads, drives and springs of Python use it:

    >>> import filum as fl
    >>> m = fl.Model()
    >>> cart = m.mass(mass=1, position=(1, 0, 0))
    >>> pd = m.control(fl.Controller(every=0.01, measure={"x": (cart, "position"), "v": (cart, "velocity")},
    ...                              update=lambda t, y: -20 * y["x"] - 8 * y["v"], output=np.zeros(3)))
    >>> push = m.load(on=cart, force=lambda t: pd.output)
    >>> bool(abs(m.simulate(end=3, step=0.01)[cart].position[-1, 0, 0]) < 0.01)
    True

    Samples are taken at the end of the first step that reaches them: choose a step that divides ``every``. State of your
    own is whatever ``update`` keeps; ``reset`` is called when a run begins.
    """

    def __init__(
        self,
        every: float,
        update: Callable[[float, dict[str, np.ndarray]], Any],
        measure: Mapping[str, tuple[Any, str]] | None = None,
        output: Any = 0.0,
        reset: Callable[[], None] | None = None,
    ) -> None:
        if not every > 0:
            raise ValueError("every: expected a positive time")
        self.every, self.update, self.measure, self.reset = every, update, dict(measure or {}), reset
        self.initial = self.output = output

    def start(self, scenario: Any) -> Callable[[Any], bool | None]:
        """For a run of this scenario: what to call after every step."""
        self.output = self.initial
        if self.reset is not None:
            self.reset()
        samples = 0
        origin: float | None = None

        def sample(state: Any) -> None:
            y = {name: scenario.measure(getattr(on, "_reference_", on), quantity, state) for name, (on, quantity) in self.measure.items()}
            self.output = self.update(state.t, y)

        first = scenario.initial()
        origin = first.t
        sample(first)

        def after_step(state: Any) -> None:
            nonlocal samples
            done = int((state.t - origin) / self.every + 1e-9)
            if done > samples:
                samples = done
                sample(state)

        return after_step
