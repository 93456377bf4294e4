"""Parts written in Python: user-defined forces and constraints."""

from __future__ import annotations

from typing import Any, Iterable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Part:
    """Forces and constraints on nodes of objects. Subclass it, define what applies, and add it with ``m.add(part)``.

    ``on`` is a list of elements: points (``ball``, ``rod.end``), or lists of two to four points. All elements are
    evaluated in one call: q is (elements, nodes, size), v (elements, nodes, dim), in the group of the nodes; a point mass
    has position and velocity, a body or a node of a beam in S3sdR3 (quaternion, position) and (angular velocity, velocity),
    both in its frame. Forces are (elements, nodes, dim), moment first, with power f.v: in S3sdR3 in the frame of the node.
    filum.lie has the operations of the groups.

    >>> import filum as fl
    >>> class Magnet(fl.Part):
    ...     def forces(self, t, q, v):
    ...         return -q / np.linalg.norm(q, axis=-1, keepdims=True) ** 3
    ...     def potential_energy(self, t, q):
    ...         return -np.sum(1 / np.linalg.norm(q, axis=-1))
    >>> m = fl.Model()
    >>> ball = m.mass(mass=1, position=(1, 0, 0), velocity=(0, 1, 0))
    >>> magnet = m.add(Magnet(on=[ball]))
    >>> fl.testing.check_part(m, potential=True)
    """

    velocity: bool = False  #: forces depend on velocities
    time: bool = False  #: constraints depend on time
    load: bool = False  #: forces are loads, which statics scale
    holonomic: bool = True  #: constraints are on positions, not on velocities alone
    rows: int = 0  #: constraints per element

    def __init__(self, on: Iterable[Any], name: str = "") -> None:
        self.on, self.name = list(on), name

    def _elements_(self) -> list[list[str]]:
        return [[p._reference_ for p in (e if isinstance(e, (list, tuple)) else [e])] for e in self.on]

    def forces(self, t: float, q: Array, v: Array) -> Any:
        """(elements, nodes, dim)."""
        raise NotImplementedError

    def potential_energy(self, t: float, q: Array) -> Any:
        """A number: the potential of the conservative part of the forces."""
        raise NotImplementedError

    def force_derivatives(self, t: float, q: Array, v: Array) -> Any:
        """Derivatives by q (along q o exp(h e)) and by v, each (elements, nodes, dim, nodes, dim); left out: differenced."""
        raise NotImplementedError

    def constraint(self, t: float, q: Array) -> Any:
        """(elements, rows): zero where the constraints hold."""
        raise NotImplementedError

    def constraint_jacobian(self, t: float, q: Array) -> Any:
        """(elements, rows, nodes, dim); left out: differenced. Required of constraints on velocities."""
        raise NotImplementedError

    def constraint_rate(self, t: float, q: Array) -> Any:
        """(elements, rows), the derivative by t; left out: differenced."""
        raise NotImplementedError

    def curvature(self, t: float, q: Array, v: Array) -> Any:
        """(elements, rows): d/dt(C v + rate) with constant v; left out: differenced."""
        raise NotImplementedError
