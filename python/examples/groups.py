"""The heavy top in several groups: the same motion, errors of different size (paper 004)."""

import filum as fl
import matplotlib.pyplot as plt
import numpy as np

# %% A fast top on a pivot, its configuration in any group
J = np.array([15.234375, 0.46875, 15.234375])


def top(group, step):
    m = fl.Model(gravity=(0, 0, -9.81))
    body = m.body(
        mass=15, inertia=J, group=group, position=(0, 1, 0), angular_velocity=(0, 150, -4.61538), velocity="consistent"
    )
    m.spherical(fl.ground, body, at=(0, 0, 0))
    return m.simulate(end=0.25, step=step, output_every=0.05)[body].position[:, 0]


# %% Errors against a fine solution
groups = ["S3xR3", "SO3xR3", "S3sdR3", "SE3", "UDQ"]
steps = 0.25 / np.array([128, 256, 512])
reference = top("S3sdR3", 0.25 / 8192)
figure, ax = plt.subplots()
for group, mark in zip(groups, "osvd^"):
    errors = [np.abs(top(group, h) - reference).max() for h in steps]
    print(group, errors)
    ax.loglog(steps, errors, mark + "-", label=group)
ax.set_xlabel("step")
ax.set_ylabel("largest error of the position")
ax.legend()
figure.savefig("groups.png", dpi=110)
