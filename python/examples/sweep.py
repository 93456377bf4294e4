"""A sweep to a table: the tip of a cantilever for several radii and materials."""

import filum as fl
import matplotlib.pyplot as plt


# %% One case
def cantilever(radius, material):
    m = fl.Model(gravity=(0, 0, -9.81))
    rod = m.beam(start=(0, 0, 0), end=(1, 0, 0), segments=16, section=fl.circle(radius, getattr(fl, material)))
    m.fix(fl.ground, rod.start)
    eq = m.static()
    return {"sag": -eq[rod].position[-1, -1, 2], "frequency": eq.modes(1).frequency[0]}


# %% All of them
table = fl.sweep(cantilever, {"radius": [2e-3, 4e-3, 6e-3, 8e-3], "material": ["steel", "aluminium", "nylon"]}, jobs=2)
print(table)

# %% The picture
figure, ax = plt.subplots()
for material, rows in table.groupby("material"):
    ax.loglog(rows["radius"], rows["sag"], "o-", label=material)
ax.set_xlabel("radius")
ax.set_ylabel("sag")
ax.legend()
figure.savefig("sweep.png", dpi=110)
