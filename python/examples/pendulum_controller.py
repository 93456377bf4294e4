"""A controller with a sample time holds a pendulum on a cart upright."""

import filum as fl
import matplotlib.pyplot as plt
import numpy as np

# %% Cart, pendulum, and an initial tilt
tilt, l = 0.1, 0.5
m = fl.Model(gravity=(0, 0, -9.81))
cart = m.body(name="cart", mass=1, inertia=(0.01, 0.01, 0.01), shape=dict(box=(0.3, 0.2, 0.1)))
pole = m.body(
    name="pole",
    mass=0.2,
    inertia=(0.02, 0.02, 1e-4),
    position=(l * np.sin(tilt), 0, l * np.cos(tilt)),
    orientation=dict(axis=(0, 1, 0), angle=tilt),
)
rail = m.prismatic(fl.ground, cart, at=(0, 0, 0), axis=(1, 0, 0))
hinge = m.revolute(cart, pole, at=(0, 0, 0), axis=(0, 1, 0))
m.sensor(name="angle", on=hinge, quantity="angle")
m.sensor(name="cart", on=cart, quantity="position")

# %% Feedback of position and velocity, 50 times a second
gains = np.array([-2.0, -3.5, -45.0, -9.0])


def update(t, y):
    angle = tilt + y["angle"][0]
    return -gains @ [y["x"][0], y["v"][0], angle, y["w"][1]]


balance = m.control(
    fl.Controller(
        every=0.02,
        update=update,
        measure={"x": (cart, "position"), "v": (cart, "velocity"), "angle": (hinge, "angle"), "w": (pole, "angular_velocity")},
    )
)
m.load(on=cart, force=lambda t: (balance.output, 0, 0))
run = m.simulate(end=4, step=0.005)
angle = tilt + run.sensors["angle"].ravel()
print(f"angle {angle[0]:.3f} at first, {angle[-1]:.2g} at the end")
assert abs(angle[-1]) < 0.02

# %% The picture
figure, ax = plt.subplots()
ax.plot(run.time, angle, label="angle")
ax.plot(run.time, run.sensors["cart"][:, 0], label="cart")
ax.set_xlabel("time")
ax.legend()
figure.savefig("pendulum_controller.png", dpi=110)
