"""A net of ten by ten beams, tied together where they cross, falls between four corners."""

import filum as fl
import matplotlib.pyplot as plt
import numpy as np

# %% The net
n = 10
m = fl.Model(gravity=(0, 0, -9.81))
rope = dict(segments=n - 1, section=fl.circle(radius=5e-3, material=fl.rubber), damping=dict(time=0.02))
grid = np.linspace(0, 1, n)
along = [m.beam(start=(0, y, 0), end=(1, y, 0), **rope) for y in grid]
across = [m.beam(start=(x, 0, 0), end=(x, 1, 0), **rope) for x in grid]
for i, x in enumerate(grid):
    for j, y in enumerate(grid):
        m.spherical(along[j].at(x), across[i].at(y), at=(x, y, 0))
for corner in (along[0].start, along[0].end, along[-1].start, along[-1].end):
    m.spherical(fl.ground, corner)
run = m.simulate(end=0.4, step=0.01, method="generalized-alpha", output_every=0.01)

# %% The picture
ax = plt.figure(figsize=(6, 5)).add_subplot(projection="3d")
for beam in along + across:
    ax.plot(*run[beam].position[-1].T, color="tab:blue")
print("lowest point", min(run[b].position[-1, :, 2].min() for b in along))
ax.figure.savefig("net.png", dpi=110)
