"""Several processes on one folder: writers that must not disturb each other, and readers that must not fail."""

import glob
import json
import os
import shutil
import signal
import subprocess
import time

import h5py

from campaign import differences, read, results


def start(campaign, *arguments):
    return subprocess.Popen([campaign.options.filum, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def end_of(campaign, process, codes, what):
    try:
        text = process.communicate(timeout=600)[1]
    except subprocess.TimeoutExpired:
        process.kill()
        return campaign.expect(False, f"{what}: no end after ten minutes")
    return campaign.expect(process.returncode in codes, f"{what}: exit code {process.returncode}: {text[-300:]}")


def writers(campaign):
    """run, run --force, resume and studies at once: one writes, the others are told with exit code 2."""
    run = ("run", "pendulum.toml", "-o", "./r", "--quiet", "--no-report")
    campaign.expect_in_order(campaign.filum(*run), [0], "a run that is left alone")
    expected = results("r")
    shutil.rmtree("r")
    for number in range(campaign.options.points or 1000000):
        if not campaign.time_is_left():
            return
        campaign.attempts += 1
        kinds = [campaign.random.choice(["run", "force", "resume", "killed"]) for _ in range(4)]
        commands = {"run": run, "force": run + ("--force",), "killed": run + ("--force",), "resume": ("resume", "./r", "--quiet", "--no-report")}
        processes = [start(campaign, *commands[kind]) for kind in kinds]
        for kind, process in zip(kinds, processes):
            if kind == "killed":
                time.sleep(campaign.random.random() * 0.1)
                process.send_signal(signal.SIGKILL)
        for kind, process in zip(kinds, processes):
            end_of(campaign, process, [-9, 0, 2] if kind == "killed" else [0, 2], f"{kind} among {kinds}")
        again = ("resume", "./r", "--quiet", "--no-report") if os.path.exists("r/checkpoint.h5") else run + ("--force",)
        if campaign.expect_in_order(campaign.filum(*again), [0], f"after {kinds}"):
            other = differences(expected, results("r"))
            campaign.expect(not other, f"after {kinds}: other {other}")
        if campaign.random.random() < 0.3:
            shutil.rmtree("r")
        if number % 5 == 0:
            new_folders(campaign)
            studies(campaign)


def new_folders(campaign):
    """Without -o, every run has a folder of its own."""
    shutil.rmtree("results", ignore_errors=True)
    for process in [start(campaign, "run", "pendulum.toml", "--quiet", "--no-report") for _ in range(4)]:
        end_of(campaign, process, [0], "four runs at once")
    campaign.expect(len(glob.glob("results/*/summary.json")) == 4, f"four runs made {os.listdir('results')}")


def studies(campaign):
    """Two studies in one folder: one runs, one is told."""
    shutil.rmtree("s", ignore_errors=True)
    pair = [start(campaign, "study", "small.toml", "-o", "./s", "--quiet") for _ in range(2)]
    for process in pair:
        end_of(campaign, process, [0, 2], "two studies at once")
    campaign.expect(sorted(p.returncode for p in pair) == [0, 2], "two studies at once: both ran, or none")
    campaign.expect(os.path.exists("s/study.csv"), "two studies at once left no table")


def readers(campaign):
    """Reading with h5py while a run records every step: always readable, never fewer frames than times."""
    while campaign.time_is_left() and (not campaign.options.points or campaign.attempts < campaign.options.points):
        shutil.rmtree("r", ignore_errors=True)
        process = start(campaign, "run", "pendulum.toml", "-o", "./r", "--quiet", "--no-report", "--set", "time.step=1e-5", "--set",
                        "time.end=3", "--set", "time.output_every=step", "--set", "output.vtk=false", "--set", "output.checkpoint_every=0.3")
        frames, since = 0, time.monotonic()
        while process.poll() is None and campaign.time_is_left():
            if not os.path.exists("r/result.h5"):
                continue
            campaign.attempts += 1
            frames = read_once(campaign, frames)
            if campaign.options.points and campaign.attempts >= campaign.options.points:
                break
            if time.monotonic() - since > 0.5 + campaign.random.random() * 3:
                break
        process.send_signal(campaign.random.choice([signal.SIGKILL, signal.SIGINT]))
        process.wait()
        campaign.attempts += 1
        if os.path.exists("r/result.h5"):
            read_once(campaign, frames)


def read_once(campaign, frames):
    try:
        with h5py.File("r/result.h5", "r") as file:
            times = file["time"][:]
            json.loads(file.attrs["facts"])
            campaign.expect(len(times) >= frames, f"{len(times)} frames after {frames}")
            campaign.expect((times[1:] > times[:-1]).all(), "times that do not ascend")
            for name in ("bar/position", "energy/total", "step/newton", "sensors/tip", "joints/hinge/multiplier"):
                data = file[name][:len(times)]
                campaign.expect(len(data) == len(times), f"{name} has {len(data)} frames of {len(times)}")
                campaign.expect((data[1:] != 0).any() or len(data) < 3 or name == "step/newton", f"{name} is empty")
            return len(times)
    except (OSError, KeyError, RuntimeError, ValueError) as trouble:
        campaign.expect(False, f"result.h5 cannot be read: {trouble}")
        return frames
