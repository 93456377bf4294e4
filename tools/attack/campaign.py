"""What all campaigns have in common: running the program, comparing folders, counting."""

import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time

import h5py

HERE = os.path.dirname(os.path.abspath(__file__))

PENDULUM = """schema = 1
title = "pendulum"
gravity = [0, 0, -9.81]
[time]
end = 0.2
step = 0.01
output_every = 0.02
[output]
checkpoint_every = 0
vtk = true
[[body]]
name = "bar"
mass = 1
inertia = [0.001, 0.0834, 0.0834]
position = [0.5, 0, 0]
[[joint]]
name = "hinge"
type = "revolute"
connects = ["ground", "bar"]
at = [0, 0, 0]
axis = [0, 1, 0]
[[sensor]]
name = "angle"
on = "hinge"
quantity = "angle"
[[sensor]]
name = "tip"
on = "bar"
quantity = "position"
"""

STUDY = """schema = 1
scenario = "pendulum.toml"
timing = false
[[vary]]
key = "time.step"
values = [0.02, 0.01, 0.005]
[reference]
set = { "time.step" = 0.0025 }
[convergence]
versus = "time.step"
quantities = ["position"]
[[plot]]
name = "error"
x = "time.step"
y = ["error.position"]
"""


class Result:
    """How a process ended: `code` is negative for signals, and None when it had to be ended."""

    def __init__(self, code, text):
        self.code, self.text = code, text

    def __str__(self):
        return f"exit code {self.code}: {self.text.strip()[-400:]}"


class Campaign:
    """Counts attempts and failures until the time is over; every random number comes from one seed."""

    def __init__(self, options):
        self.options = options
        self.random = random.Random(options.seed)
        self.end = time.monotonic() + options.seconds
        self.attempts, self.failures, self.known = 0, [], {}
        self.folder = os.path.abspath(options.folder)
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        os.chdir(self.folder)
        write("pendulum.toml", PENDULUM)
        write("small.toml", STUDY)

    def time_is_left(self):
        return time.monotonic() < self.end

    def points(self, count):
        """Numbers from 1 to count: a few of them in the short form, otherwise all, in an order without system."""
        numbers = list(range(1, count + 1))
        self.random.shuffle(numbers)
        return numbers[:self.options.points] if self.options.points else numbers

    def library(self, name):
        """A library to preload, compiled when it is first needed."""
        built = os.path.join(self.folder, f"lib{name}.so")
        if not os.path.exists(built):
            subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-fno-builtin", "-o", built, os.path.join(HERE, name + ".c"),
                            "-ldl"], check=True)
        return built

    def filum(self, *arguments, seconds=60, **environment):
        """Runs the program; a hang is an end, too. The limit is processor time, which a busy machine does not change; who sleeps
        is given ten times as long."""
        environment = dict(os.environ, **{key: str(value) for key, value in environment.items()})
        try:
            done = subprocess.run([self.options.filum, *arguments], env=environment, capture_output=True, text=True,
                                  errors="replace", timeout=10 * seconds, check=False,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds)))
            return Result(done.returncode, done.stdout + done.stderr)
        except subprocess.TimeoutExpired as hang:
            return Result(None, f"no end after {10 * seconds} s: {hang.stderr}")

    def faulty(self, folder, *arguments, at=0, mode="", **more):
        """Runs the program with trouble at the n-th operation on files in a folder; 0: with none."""
        count = os.path.join(self.folder, "operations.txt")
        result = self.filum(*arguments, LD_PRELOAD=self.library("faults"), ATTACK_FOLDER=folder, ATTACK_AT=at,
                            ATTACK_MODE=mode, ATTACK_COUNT=count, **more)
        return result

    def operations(self, folder, *arguments):
        """How many operations a process makes that is left alone."""
        result = self.faulty(folder, *arguments)
        self.expect(result.code == 0, f"{arguments}: {result}")
        return int(read("operations.txt").split()[0])

    def expect(self, holds, what):
        """One fact that has to hold; returns whether it does."""
        if not holds:
            self.failures.append(str(what))
            print(f"FAILS  {what}", flush=True)
        return holds

    def expect_in_order(self, result, codes, what):
        """Neither crash nor hang, and one of these exit codes."""
        return self.expect(result.code in codes, f"{what}: {result}")

    def report(self, name):
        print(f"{name}: {self.attempts} attempts, {len(self.failures)} failures")
        for what, count in sorted(self.known.items()):
            print(f"  {count} times: {what}")
        if not self.failures:
            os.chdir("/")
            shutil.rmtree(self.folder, ignore_errors=True)
        return 1 if self.failures else 0

    def note(self, what):
        self.known[what] = self.known.get(what, 0) + 1


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def series(path):
    """Every array of a result file, as bytes; the times first, as readers are told."""
    found = {}
    with h5py.File(path, "r") as file:
        found["time"] = file["time"][:].tobytes()
        file.visititems(lambda name, item: found.__setitem__(name, item[()].tobytes())
                        if isinstance(item, h5py.Dataset) and name != "time" else None)
    return found


def results(folder):
    """Everything that must be equal in equal runs."""
    found = series(os.path.join(folder, "result.h5"))
    for name in ("sensors.csv", "result.pvd", "scenario.toml"):
        path = os.path.join(folder, name)
        found[name] = read(path) if os.path.exists(path) else None
    frames = os.path.join(folder, "frames")
    for name in sorted(os.listdir(frames)) if os.path.isdir(frames) else []:
        found["frames/" + name] = read(os.path.join(frames, name))
    summary = json.loads(read(os.path.join(folder, "summary.json")))
    summary.pop("seconds")
    found["summary.json"] = summary
    return found


def differences(one, other):
    return sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))


def main(campaigns, arguments):
    import argparse
    parser = argparse.ArgumentParser(description="Attacks on filum. Exit code 1: something fell.")
    parser.add_argument("campaign", choices=sorted(campaigns))
    parser.add_argument("--filum", required=True, type=os.path.abspath, help="the program")
    parser.add_argument("--seconds", type=float, default=3600, help="how long (default: an hour)")
    parser.add_argument("--points", type=int, default=0, help="at most this many of each kind: the short form")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", default="attack", help="where it happens; removed before and, if nothing falls, after")
    options = parser.parse_args(arguments)
    campaign = Campaign(options)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # says what it has come to, too
    try:
        campaigns[options.campaign](campaign)
    except KeyboardInterrupt:
        print("interrupted")
    return campaign.report(options.campaign)


if __name__ == "__main__":
    sys.exit("run attack.py")
