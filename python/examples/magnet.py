"""A user-defined part: magnets that pull balls to the origin, checked before it is used."""

import filum as fl
import matplotlib.pyplot as plt
import numpy as np


# %% The part: all balls in one call, derivatives by differences
class Magnet(fl.Part):
    def __init__(self, on, strength):
        super().__init__(on, name="magnet")
        self.strength = strength

    def forces(self, t, q, v):
        return -self.strength * q / np.linalg.norm(q, axis=-1, keepdims=True) ** 3

    def potential_energy(self, t, q):
        return -self.strength * np.sum(1 / np.linalg.norm(q, axis=-1))


# %% Balls on orbits
m = fl.Model()
balls = [m.mass(mass=1, position=(r, 0, 0), velocity=(0, 1 / np.sqrt(r), 0.3)) for r in (1.0, 1.5, 2.0)]
m.add(Magnet(balls, strength=1.0))
fl.testing.check_part(m, potential=True)
run = m.simulate(end=12, step=0.02)
print(f"energy varies by {np.ptp(run.energy.total):.2g}")

# %% The picture
figure, ax = plt.subplots()
for ball in balls:
    ax.plot(*run[ball].position[:, 0, :2].T)
ax.plot(0, 0, "k*")
ax.set_aspect("equal")
figure.savefig("magnet.png", dpi=110)
