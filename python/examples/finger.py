"""A soft finger that a tendon bends; the tendon's path along the finger is a Python function."""

import filum as fl
import matplotlib.pyplot as plt
import numpy as np
from filum.lie import S3sdR3


# %% A tendon pulls neighbouring eyelets together with its tension
class Tendon(fl.Part):
    load = True

    def __init__(self, rod, arc_lengths, route, tension):
        super().__init__([[rod.at(a), rod.at(b)] for a, b in zip(arc_lengths, arc_lengths[1:])], name="tendon")
        eyelets = np.array([route(s) for s in arc_lengths])
        self.eyelets = np.stack([eyelets[:-1], eyelets[1:]], axis=1)  # in the section, (elements, 2, 3)
        self.tension = tension

    def pieces(self, q):
        d = np.diff(S3sdR3.act(q, self.eyelets), axis=1)[:, 0]
        return d, np.linalg.norm(d, axis=-1, keepdims=True)

    def forces(self, t, q, v):
        d, length = self.pieces(q)
        pull = self.tension * np.stack([d, -d], axis=1) / length[:, None]
        in_section = np.einsum("enji,enj->eni", S3sdR3.rotation(q), pull)
        return np.concatenate([np.cross(self.eyelets, in_section), in_section], axis=-1)

    def potential_energy(self, t, q):
        return self.tension * np.sum(self.pieces(q)[1])


# %% Three routes: straight, around, and crossing over
L, r = 0.1, 8e-3
routes = {
    "straight": lambda s: (r, 0, 0),
    "helical": lambda s: (r * np.cos(3 * s / L), r * np.sin(3 * s / L), 0),
    "converging": lambda s: (r * (1 - 0.8 * s / L), 0, 0),
}
figure, axes = plt.subplots(1, 2, figsize=(9, 4))
for name, route in routes.items():
    m = fl.Model()
    finger = m.beam(start=(0, 0, 0), end=(0, 0, L), segments=20, section=fl.circle(radius=5e-3, material=fl.rubber))
    m.fix(fl.ground, finger.start)
    m.add(Tendon(finger, np.linspace(0, L, 21), route, tension=6.0))
    line = m.static()[finger].position[-1]
    print(f"{name}: the tip is at", line[-1].round(4))
    axes[0].plot(line[:, 0], line[:, 2], label=name)
    axes[1].plot(line[:, 1], line[:, 2], label=name)
axes[0].set_xlabel("x")
axes[1].set_xlabel("y")
axes[0].legend()
figure.savefig("finger.png", dpi=110)
