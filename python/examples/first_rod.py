"""A rubber rod is clamped at one end and pushed sideways by a force that is a Python function."""

import filum as fl
import matplotlib.pyplot as plt
import numpy as np
from filum import plot

# %% The model
m = fl.Model(gravity=(0, 0, -9.81))
rod = m.beam(start=(0, 0, 0), end=(0.5, 0, 0), segments=16, section=fl.circle(radius=1e-2, material=fl.rubber))
m.fix(fl.ground, rod.start)
m.load(on=rod.end, force=lambda t: (0, 0.5 * np.sin(10 * t), 0))
m.sensor(name="tip", on=rod.end, quantity="position")

# %% The run
run = m.simulate(end=0.5, step=2e-3, method="generalized-alpha")
print(run, "tip at the end:", run.sensors["tip"][-1])

# %% The picture
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5))
plot.shapes(run, rod, range(0, len(run.time), len(run.time) // 8), ax=left)
run.plot("energy", ax=right)
figure.tight_layout()
figure.savefig("first_rod.png", dpi=110)
