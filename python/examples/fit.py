"""Young's modulus and density of a strip from frequencies that were measured."""

import filum as fl
import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import least_squares


# %% Frequencies of a clamped strip with a mass at its tip
def frequencies(E, tip_mass, count=5):
    m = fl.Model()
    material = fl.Material(E=E, nu=0.33, rho=2700)
    strip = m.beam(start=(0, 0, 0), end=(0.4, 0, 0), segments=24, section=fl.rectangle(2e-2, 2e-3, material))
    m.fix(fl.ground, strip.start)
    sensor = m.body(mass=tip_mass, inertia=(1e-7, 1e-7, 1e-7), position=(0.4, 0, 0))
    m.fix(strip.end, sensor)
    return m.modes(count).frequency


# %% Measurements with an error of half a percent, and the fit
truth = (6.9e10, 0.012)
measured = frequencies(*truth) * (1 + 0.005 * np.random.default_rng(3).normal(size=5))
fit = least_squares(lambda x: frequencies(1e10 * x[0], 1e-2 * x[1]) / measured - 1, x0=(5, 2), diff_step=1e-4)
E, tip_mass = 1e10 * fit.x[0], 1e-2 * fit.x[1]
print(f"E = {E:.3g} (was {truth[0]:.3g}), tip mass {1e3 * tip_mass:.2f} g (was {1e3 * truth[1]:.2f} g)")
assert abs(E / truth[0] - 1) < 0.03

# %% The picture
figure, ax = plt.subplots()
ax.bar(np.arange(5) - 0.2, measured, 0.4, label="measured")
ax.bar(np.arange(5) + 0.2, frequencies(E, tip_mass), 0.4, label="fitted")
ax.set_xlabel("mode")
ax.set_ylabel("frequency")
ax.legend()
figure.savefig("fit.png", dpi=110)
