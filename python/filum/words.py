"""What the keys of tables mean, with units and frames: the docstrings of the methods of Model are made of these.

Which keys there are, their defaults and what they are required for comes from the library; a test compares both.
"""

from __future__ import annotations

# A summary, the keys, an example that stands on its own.
KINDS: dict[str, tuple[str, dict[str, str], str]] = {
    "body": (
        "A rigid body.",
        {
            "name": "made up when left out",
            "mass": "mass",
            "inertia": "about the centre of mass in body axes: three moments or a 3 x 3 matrix; mass times length squared",
            "group": "in which configurations are kept; 'auto' chooses",
            "center_of_mass": "in the body frame; length",
            "position": "of the body frame, in space; length",
            "orientation": "quaternion, scalar first, or dict(axis=(x, y, z), angle=a) in radians",
            "angular_velocity": "initial, in the body frame; radians per time; or 'consistent': left to the joints",
            "velocity": "initial, in space; length per time; or 'consistent'",
            "pivot": "fixed point in space, for the groups SO3 and S3",
            "shape": "how it is drawn: dict(box=(x, y, z)), dict(cylinder=(d, d, h)), dict(sphere=d), dict(disk=(d, d, h))",
            "color": "such as '#cc4400'",
        },
        "m.body(mass=2, inertia=(0.1, 0.1, 0.2), position=(0, 0, 1))",
    ),
    "mass": (
        "A point mass.",
        {
            "name": "made up when left out",
            "mass": "mass",
            "position": "initial, in space; length",
            "velocity": "initial, in space; length per time; or 'consistent'",
            "shape": "how it is drawn, as for bodies",
            "color": "such as '#cc4400'",
        },
        "m.mass(mass=0.5, position=(1, 0, 0))",
    ),
    "beam": (
        "A geometrically exact beam: one of start/end, curve, arc, helix, shape or initial gives its line.",
        {
            "name": "made up when left out",
            "model": "'cosserat' (all strains elastic), 'kirchhoff' (no shear) or 'inextensible' (nor extension)",
            "held": "strains that are held instead: bending1 bending2 torsion shear1 shear2 axial",
            "group": "in which nodes are kept",
            "from": "first point of a straight beam, in space; length",
            "to": "last point of a straight beam, in space; length",
            "curve": "point of the line at the arc length s, in space; with length",
            "arc": "dict(start=, tangent=, inward=, radius=, angle=): a part of a circle",
            "helix": "dict(center=, axis=, start=, rise=, turns=): rise per turn",
            "shape": "dict(hanging=True, start=, end=, length=): a chain that hangs between two points",
            "length": "of the line, with curve or initial='rest'",
            "initial": "dict(positions=, orientations=) node by node, or 'rest': the rest shape itself",
            "orientation": "of the first node, with initial='rest'",
            "director": "direction of the first axis of the section at the start, in space",
            "segments": "number of segments of equal length",
            "nodes": "arc lengths of the nodes instead, from 0 on",
            "rest": "stress-free 'initial', as drawn, or 'straight'",
            "rest_curvature": "K* of s in the section; radians per length",
            "rest_strain": "strain of s at rest; (0, 0, 1) is unstretched",
            "section": "circle(), ring() or rectangle() of a material",
            "mass_per_length": "instead of a section, of s; mass per length",
            "inertia_per_length": "about the two axes of the section and the tangent, of s: three numbers or 3 x 3; mass times length",
            "mass_center": "in the section, of s; length",
            "stiffness": "dict(bending=(,), torsion=, shear=(,), axial=) or 6 x 6 in the order K1 K2 K3 G1 G2 G3, of s; "
            "force times length squared, and force",
            "damping": "dict(time=tau) or as stiffness, V in g = C (w - w*) + 2 V dw/dt",
            "angular_velocity": "initial, in the frame of each node, of s; radians per time",
            "velocity": "initial, in the frame of each node, of s; length per time",
            "color": "such as '#cc4400'",
        },
        "m.beam(start=(0, 0, 0), end=(1, 0, 0), segments=8, section=fl.circle(radius=2e-3, material=fl.steel))",
    ),
    "joint": (
        "A joint between two partners: fl.ground, a body, rod.start, rod.end or rod.at(s).",
        {
            "name": "made up when left out",
            "type": "which joint",
            "connects": "the two partners",
            "at": "the point that is held, in space, in the initial position; length",
            "axis": "direction in space, in the initial position",
            "axis2": "second direction, fixed in the second partner",
            "points": "one in the frame of each partner; length",
            "length": "distance of the points; default: the initial one",
            "rows": "'space' or 'body': the frame in which the equations are written",
            "radius": "of the disk; length",
            "joint": "whose coordinate is prescribed",
            "angle": "of time, from the drawn position; radians",
            "displacement": "of time, from the drawn position; length",
            "position": "of time, of the point in space; length",
            "rotation": "of time, rotation vector from the drawn orientation, in space; radians",
        },
        "m.joint(type='spherical', connects=(fl.ground, m.body(mass=1, inertia=(1, 1, 1), position=(0, 0, -1))), at=(0, 0, 0))",
    ),
    "spring": (
        "A spring with damper between two points, or on a joint.",
        {
            "name": "made up when left out",
            "connects": "the two partners, points included: body.at((x, y, z))",
            "points": "of the partners, each in its frame; length",
            "joint": "whose coordinate it acts on, instead of partners",
            "stiffness": "force per length; on an angle moment per radian",
            "damping": "force times time per length",
            "length": "free length; on a joint the coordinate where it is relaxed",
            "force": "instead of stiffness and damping: pull as a function of length, rate and t",
        },
        "m.spring(fl.ground, m.mass(mass=1, position=(1, 0, 0)), stiffness=100, length=0.5)",
    ),
    "load": (
        "A force and a moment on a point, or per length on a whole beam.",
        {
            "name": "made up when left out",
            "on": "a body, body.at((x, y, z)), rod.end, rod.at(s), or rod for all of it",
            "frame": "in which force and moment are given: 'space' or 'body'",
            "point": "where the force acts, in the frame of the body or section; length",
            "force": "of t, s, position, velocity (both in space) and angular_velocity (body frame); force, or force per length",
            "moment": "of the same; force times length, or force",
            "rule": "how a load along a beam is gathered at its nodes: 'trapezoidal', 'integrated' or 'segment-mean'",
            "damping": "the force -damping * velocity per mass, on a whole object; per time",
        },
        "m.load(on=m.mass(mass=1), force=lambda t, velocity: -0.1 * velocity)",
    ),
    "sensor": (
        "A quantity that is recorded with every frame: run.sensors[name].",
        {
            "name": "made up when left out",
            "on": "a body, body.at((x, y, z)), rod.end, rod.at(s), a joint, a spring, or fl.system",
            "point": "where, in the frame of the body or section; length",
            "quantity": "position orientation velocity angular_velocity force moment strain multiplier angle displacement length "
            "tension energy, as far as the object has them",
        },
        "m.sensor(name='tip', on=m.mass(mass=1), quantity='position')",
    ),
    "stop": (
        "Ends a run where a condition on sensors becomes true.",
        {
            "name": "made up when left out",
            "when": "a formula of sensors and t, such as 'tip.z < -0.5'",
        },
        "m.stop(when='t > 0.5')",
    ),
}

SETTINGS: dict[str, dict[str, str]] = {
    "time": {
        "start": "time at which the initial values are meant",
        "end": "time",
        "step": "fixed step, or the first one of an adaptive method; time. Without step and method the program chooses both",
        "accuracy": "relative to the size of the model, where the program chooses; default 1e-3",
        "output_every": "time between frames, or 'step'; default: about 500 frames",
        "grid": "'fixed', or 'random': steps between step/4 and step",
        "seed": "of the random grid",
        "start_from": "'initial', or 'static': the equilibrium under the loads of the start",
    },
    "static": {
        "path": "'load': all loads and gravity times a factor from 0 to `to`; 'time'; 'arc-length'",
        "to": "last factor",
        "at": "time at which loads are taken",
        "critical": "locate limit points and bifurcations on the way",
        "branch": "to follow after a bifurcation",
        "regularize": "hold softly what can move freely",
        "max_steps": "most steps of the path",
    },
}
