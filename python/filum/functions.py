"""Marks for functions of models: vectorized over points, or with derivatives."""

from __future__ import annotations

from typing import Any, Callable


class vectorized:
    """A force or moment along a beam that is called once for all points: ``s`` and the components are arrays (points,),
    ``position``, ``velocity`` and ``angular_velocity`` arrays (points, 3), ``t`` is a number; it returns (points, 3), or
    three numbers that hold everywhere.

    >>> import filum as fl, numpy as np
    >>> m = fl.Model()
    >>> rod = m.beam(start=(0, 0, 0), end=(1, 0, 0), segments=100, section=fl.circle(radius=5e-3, material=fl.rubber))
    >>> hinge = m.fix(fl.ground, rod.start)
    >>> def wind(t, s, velocity):
    ...     return (0, 0.01 * np.sin(t), 0) - 0.02 * s[:, None] * velocity
    >>> load = m.load(on=rod, force=fl.vectorized(wind))
    """

    _takes_many_ = True

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.__name__: str = getattr(function, "__name__", "function")

    def __call__(self, *arguments: Any) -> Any:
        return self.function(*arguments)


class with_rates:
    """A prescribed motion with its derivatives: the function of t returns value, rate and acceleration, three
    numbers each for a position or rotation. It is called once where another one is differenced, by 15 calls.

    >>> import filum as fl, numpy as np
    >>> m = fl.Model()
    >>> crank = m.body(mass=1, inertia=(1, 1, 1), position=(1, 0, 0))
    >>> hinge = m.revolute(fl.ground, crank, at=(0, 0, 0), axis=(0, 0, 1))
    >>> drive = m.drive(joint=hinge, angle=fl.with_rates(lambda t: (t**2, 2 * t, 2)))
    >>> m.start(step=0.01).state.a[2]
    2.0
    """

    _returns_rates_ = True

    def __init__(self, function: Callable[[float], Any]) -> None:
        self.function = function
        self.__name__: str = getattr(function, "__name__", "function")

    def __call__(self, t: float) -> Any:
        return self.function(t)
