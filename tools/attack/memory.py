"""Equal input, equal bits: wherever memory lies, however often a run was interrupted."""

import shutil

from campaign import PENDULUM, differences, read, results, write

NET = """schema = 1
gravity = [0, 0, -9.81]
[time]
end = 0.03125
step = "2^-10"
output_every = "2^-7"
[output]
checkpoint_every = 0
"""

BEAM = """[[beam]]
name = "{name}"
model = "kirchhoff"
from = {start}
to = {end}
segments = 4
mass_per_length = 1
inertia_per_length = [0.01, 0.01, 0.02]
stiffness = {{ bending = [5, 5], torsion = 5, shear = [1e3, 1e3], axial = 1e3 }}
damping = {{ bending = [0.05, 0.05], torsion = 0.05, shear = [1, 1], axial = 1 }}
"""

LOOP = """schema = 1
[time]
end = 0.2
step = 0.01
output_every = 0.02
[output]
checkpoint_every = 0
"""


def net():
    """Four beams in a square with a cross: a graph for the sparse solver."""
    text = NET
    for k in range(2):
        text += BEAM.format(name=f"x{k}", start=f"[0, {2 * k}, 0]", end=f"[2, {2 * k}, 0]")
        text += BEAM.format(name=f"y{k}", start=f"[{2 * k}, 0, 0]", end=f"[{2 * k}, 2, 0]")
    for i in range(2):
        for j in range(2):
            text += f'[[joint]]\ntype = "spherical"\nconnects = ["x{i}@{2 * j}", "y{j}@{2 * i}"]\n'
    text += '[[joint]]\ntype = "spherical"\nconnects = ["ground", "x0:start"]\n'
    return text + '[[sensor]]\nname = "mid"\non = "x1@1"\nquantity = "position"\n'


def loop():
    """A four-bar linkage in motion."""
    text = LOOP
    for name, x, z, length in (("crank", 0, 0.5, 1), ("coupler", 1, 1, 2), ("rocker", 2, 0.6, 1)):
        spin = "[0, 1, 0]" if name == "crank" else '"consistent"'
        text += f'[[body]]\nname = "{name}"\nmass = {length}\ninertia = [0.1, 0.4, 0.4]\nposition = [{x}, 0, {z}]\n'
        text += f'velocity = "consistent"\nangular_velocity = {spin}\n'
    for at, pair in (("0, 0, 0", '"ground", "crank"'), ("0, 0, 1", '"crank", "coupler"'), ("2, 0, 1.2", '"coupler", "rocker"'),
                     ("2, 0, 0", '"ground", "rocker"')):
        text += f'[[joint]]\ntype = "revolute"\nconnects = [{pair}]\nat = [{at}]\naxis = [0, 1, 0]\n'
    return text


METHODS = ['method="rattlie"', 'method="rattlie", adaptive=true', 'method="rattlie", multipliers="interpolated"', 'method="shakelie"',
           'method="generalized-alpha"', 'method="generalized-alpha", formulation="index-3"', 'method="generalized-alpha", adaptive=true',
           'method="generalized-alpha", matrix="kept"', 'method="bliedf"', 'method="bliedf", steps=1', 'method="bliedf", adaptive=true',
           'method="radau"', 'method="radau", adaptive=true', 'method="half-explicit-rk"', 'method="half-explicit-rk", order=3',
           'method="half-explicit-rk", adaptive=true', 'method="munthe-kaas-rk"', 'method="auto"']


def scenarios():
    write("net.toml", net())
    write("loop.toml", loop())
    write("pendulum.toml", PENDULUM.replace("vtk = true", "vtk = false"))
    return ["pendulum.toml", "net.toml", "loop.toml"]


def matrix(campaign):
    """Resume equals no interruption, for every method, solver and grid; twice killed."""
    pairs = [(s, m, g) for s in scenarios() for m in METHODS for g in ("fixed", "random")]
    campaign.random.shuffle(pairs)
    for scenario, method, grid in pairs[:campaign.options.points or None]:
        if not campaign.time_is_left():
            return
        run = ("run", scenario, "-o", "./r", "--quiet", "--no-report", "--set", "integrator={" + method + "}", "--set", "time.grid=" + grid)
        shutil.rmtree("r", ignore_errors=True)
        whole = campaign.faulty("./r/", *run)
        if whole.code == 2:
            campaign.note("cannot be combined")
            continue
        campaign.attempts += 1
        what = f"{scenario}, {method}, {grid} grid"
        if not campaign.expect_in_order(whole, [0, 3], what):
            continue
        campaign.note("stopped" if whole.code else "done")
        expected, count = results("r"), int(read("operations.txt").split()[0])
        shutil.rmtree("r")
        campaign.faulty("./r/", *run, at=campaign.random.randrange(count // 3, count), mode="kill-before")
        campaign.faulty("./r/", "resume", "./r", "--quiet", "--no-report", at=campaign.random.randrange(5, 100), mode="kill-after")
        again = campaign.faulty("./r/", "resume", "./r", "--quiet", "--no-report")
        if campaign.expect_in_order(again, [whole.code], what + ", resumed"):
            other = differences(expected, results("r"))
            campaign.expect(not other, f"{what}, resumed: other {other}")


def shifts(campaign):
    """The same bits with every allocation moved, and in folders with names of any length."""
    cases = [(s, m) for s in scenarios() for m in METHODS]
    campaign.random.shuffle(cases)
    for scenario, method in cases[:campaign.options.points or None]:
        expected = None
        for shift in (None, 0, 8, 16, 24, 32, 40):
            if not campaign.time_is_left():
                return
            folder = "f" * campaign.random.randrange(1, 60)
            shutil.rmtree(folder, ignore_errors=True)
            environment = {} if shift is None else {"LD_PRELOAD": campaign.library("shifts"), "ATTACK_SHIFT": shift}
            result = campaign.filum("run", scenario, "-o", folder, "--quiet", "--no-report", "--set", "output.checkpoint_every=30",
                                    "--set", "integrator={" + method + "}", **environment)
            if result.code == 2:
                break
            campaign.attempts += 1
            what = f"{scenario}, {method}, moved by {shift}"
            if not campaign.expect_in_order(result, [0, 3], what):
                break
            found = results(folder)
            expected = expected or found
            campaign.expect(not differences(expected, found), f"{what}: other {differences(expected, found)}")
            shutil.rmtree(folder)
