"""Rigid bodies, beams, shells and joints on Lie groups: build a model, run it, look at it.

>>> import filum as fl
>>> m = fl.Model(gravity=(0, 0, -9.81))
>>> rod = m.beam(start=(0, 0, 0), end=(1, 0, 0), segments=8, section=fl.circle(radius=5e-3, material=fl.rubber))
>>> hinge = m.fix(fl.ground, rod.start)
>>> run = m.simulate(end=0.1, step=1e-3, method="generalized-alpha")
>>> run[rod].position.shape
(101, 9, 3)

Units are yours: any consistent set. Velocities are those of the frame of the node, positions those of space.
"""

from . import lie, testing
from ._core import State
from ._core import version as __version__
from .controller import Controller, Event
from .errors import Error, FileError, ModelError, NoEquilibrium, NoModes, StoppedError
from .functions import vectorized, with_rates
from .model import Model, builtin, load, method
from .part import Part
from .points import Handle, Point, ground, system
from .run import Equilibrium, Modes, Run
from .sections import Material, aluminium, circle, nylon, rectangle, ring, rubber, steel
from .stepping import Simulation
from .sweep import study, sweep

__all__ = [
    "Controller",
    "Equilibrium",
    "Error",
    "Event",
    "FileError",
    "Handle",
    "Material",
    "Model",
    "ModelError",
    "Modes",
    "NoEquilibrium",
    "NoModes",
    "Part",
    "Point",
    "Run",
    "Simulation",
    "State",
    "StoppedError",
    "aluminium",
    "builtin",
    "circle",
    "ground",
    "lie",
    "load",
    "method",
    "nylon",
    "rectangle",
    "ring",
    "rubber",
    "steel",
    "study",
    "sweep",
    "system",
    "testing",
    "vectorized",
    "with_rates",
]
