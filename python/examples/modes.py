"""Modes of a tuning fork that stands on a soft spring."""

import filum as fl
import matplotlib.pyplot as plt
import numpy as np

# %% Two prongs on a stem
m = fl.Model()
section = fl.rectangle(width=4e-3, height=4e-3, material=fl.steel)
left = m.beam(start=(0, 0, 0), end=(0, 0, 0.1), segments=16, section=section)
right = m.beam(start=(0.02, 0, 0), end=(0.02, 0, 0.1), segments=16, section=section)
bridge = m.body(mass=0.02, inertia=(2e-6, 2e-6, 2e-6), position=(0.01, 0, 0))
m.fix(bridge, left.start)
m.fix(bridge, right.start)
m.spring(fl.ground.at((0.01, 0, -0.05)), bridge, stiffness=500, length=0.05)
modes = m.modes(14)
print(modes)

# %% The picture: the first modes in which the prongs bend
bending = [k for k in range(len(modes)) if modes.frequency[k] > 100][:4]
figure, axes = plt.subplots(1, len(bending), figsize=(10, 3), sharey=True)
for ax, k in zip(axes, bending):
    for prong, x in ((left, 0), (right, 0.02)):
        shape = np.real(modes.shape(prong)[k])
        scale = 0.008 / max(np.abs(modes.shape(p)[k]).max() for p in (left, right))
        z = np.linspace(0, 0.1, 17)
        ax.plot(x + scale * shape[:, 0], z + scale * shape[:, 2])
    ax.set_title(f"{modes.frequency[k]:.0f} per second", fontsize=9)
    ax.set_aspect("equal")
figure.savefig("modes.png", dpi=110)
