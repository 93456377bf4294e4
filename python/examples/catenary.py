"""A thin cable hangs between two points: statics against the catenary."""

import filum as fl
import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import brentq

# %% A cable that is drawn hanging and settles under its weight
span, length = 1.0, 1.5
m = fl.Model(gravity=(0, 0, -9.81))
cable = m.beam(
    shape=dict(hanging=True, start=(0, 0, 0), end=(span, 0, 0), length=length),
    segments=48,
    section=fl.circle(radius=1e-3, material=fl.rubber),
    rest="straight",
    model="kirchhoff",
)
m.spherical(fl.ground.at((0, 0, 0)), cable.start)
m.spherical(fl.ground.at((span, 0, 0)), cable.end)
eq = m.static(regularize=1e-9)
x, _, z = eq[cable].position[-1].T

# %% The catenary of the same length: 2 a sinh(span / 2a) = length
a = brentq(lambda a: 2 * a * np.sinh(span / (2 * a)) - length, 0.05, 10)
exact = a * np.cosh((x - span / 2) / a) - a * np.cosh(span / (2 * a))
print(f"{len(eq.factor)} points of the path; largest distance from the catenary {np.abs(z - exact).max():.2g}")

# %% The picture
figure, ax = plt.subplots()
ax.plot(x, exact, label="catenary")
ax.plot(x, z, ".", label="beam")
ax.set_aspect("equal")
ax.legend()
figure.savefig("catenary.png", dpi=110)
