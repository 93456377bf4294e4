"""Statics, modes and pages that are killed, interrupted or run out of disk; and how soon Ctrl-C ends anything."""

import os
import shutil
import signal
import subprocess
import time

from campaign import differences, read, series, write
from interruptions import KILLS, fresh, is_untouched, leftovers

ROD = """schema = 1
gravity = [0, 0, -9.81]
[time]
end = 0.1
step = 0.01
[[beam]]
name = "rod"
from = [0, 0, 0]
to = [1, 0, 0]
segments = 4
section = { shape = "circle", radius = 0.02, E = 1e8, nu = 0.3, rho = 1000 }
[[joint]]
type = "fixed"
connects = ["ground", "rod:start"]
[[load]]
name = "shaker"
on = "rod:end"
force = [0, 0, -1]
[[sensor]]
name = "tip"
on = "rod:end"
quantity = "position"
"""

COMMANDS = {
    "static": ("static", "rod.toml", "-o", "./r", "--quiet"),
    "modes": ("modes", "rod.toml", "--at", "static", "--matrices", "--response", "shaker:tip", "-o", "./r", "--quiet"),
    "pages": ("study", "small.toml", "-o", "./r", "--quiet", "--jobs", "1", "--reports"),
}


def contents(folder):
    """Every file but the user's, as what must be equal in equal runs: pages and summaries say how long they took."""
    found = {}
    for where, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(where, name)
            if name == "result.h5":
                found[path] = series(path)
            else:
                found[path] = read(path) if name.endswith((".csv", ".svg", ".mtx", ".npy", ".vtp", ".pvd")) else True
    return found


def commands(campaign):
    """Killed before, after and within every operation on files, or without space on the disk: the same command with --force, or --resume of a
    study, makes the same files, and those of the user stay."""
    write("rod.toml", ROD)
    for name, command in COMMANDS.items():
        fresh("r")
        count = campaign.operations("./r/", *command, "--force")
        expected = contents("r")
        print(f"{count} operations of {name}", flush=True)
        for at in campaign.points(count):
            for mode in KILLS + ("full", "full-once"):
                if not campaign.time_is_left():
                    return
                campaign.attempts += 1
                where = f"{name}, {mode} {at}"
                fresh("r")
                result = campaign.faulty("./r/", *command, "--force", at=at, mode=mode)
                if mode.startswith("full"):
                    check_full_disk(campaign, result, expected, where)
                repeat(campaign, command, expected, where)


def check_full_disk(campaign, result, expected, where):
    campaign.expect_in_order(result, [0, 1, 2], where)
    campaign.expect(result.code == 0 or "o space left" in result.text, f"{where} does not say what is wrong: {result}")
    if result.code == 0:
        other = [name for name in differences(expected, contents("r")) if not (name.endswith("report.html") and "no report page" in result.text)]
        campaign.expect(not other, f"{where}: exit code 0 and other {other}")


def repeat(campaign, command, expected, where):
    again = command + ("--resume" if os.path.exists("r/study.toml") else "--force",)
    if campaign.expect_in_order(campaign.faulty("./r/", *again), [0], f"{where}, then {again[-1]}"):
        other = differences(expected, contents("r"))
        campaign.expect(not other, f"{where}, then {again[-1]}: other {other}")
    campaign.expect(is_untouched("r"), f"{where}: a file of the user's is gone")
    campaign.expect(not leftovers("r"), f"{where}: left {leftovers('r')}")


def bodies(count):
    text = 'schema = 1\n[time]\nend = 0.01\nstep = 0.001\noutput_every = "step"\n[output]\ncheckpoint_every = 0\n'
    for k in range(count):
        text += f'[[body]]\nname = "b{k}"\nmass = 1\ninertia = [0.1, 0.1, 0.1]\nposition = [{k}, 0, 0]\nvelocity = [0, 0, 1]\n'
    return text


def processor_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def ctrl_c(campaign):
    """After Ctrl-C a program ends within a second, of the clock or of processor time, also while thousands of series are written; then `resume` or the same
    command goes on to the same end."""
    write("many.toml", bodies(4000 if not campaign.options.points else 1500))
    write("rod.toml", ROD.replace("segments = 4", "segments = 3000"))
    cases = {"run": ("run", "many.toml", "-o", "./r", "--quiet"), "check": ("check", "many.toml"), "resume": ("resume", "./r", "--quiet"),
             "static": ("static", "rod.toml", "-o", "./r", "--quiet"), "report": ("report", "whole"),
             "modes": ("modes", "rod.toml", "-o", "./r", "--quiet"), "study": ("study", "small.toml", "-o", "./r", "--quiet")}
    campaign.expect_in_order(campaign.filum("run", "many.toml", "-o", "./whole", "--quiet", "--no-report"), [0], "a run that is left alone")
    expected = series("whole/result.h5")
    names = list(cases)
    for number in range(campaign.options.points or 1000000):
        if not campaign.time_is_left():
            return
        campaign.attempts += 1
        name = names[number % 3 % 2] if number % 2 == 0 else campaign.random.choice(names)
        if name != "resume" or not os.path.exists("r/checkpoint.h5"):
            shutil.rmtree("r", ignore_errors=True)
            name = "run" if name == "resume" else name
        with subprocess.Popen([campaign.options.filum, *cases[name]], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            wanted = campaign.random.random() ** 2 * 8
            while process.poll() is None and processor_seconds(process.pid) < wanted:
                time.sleep(0.005)
            before, since = processor_seconds(process.pid) if process.poll() is None else None, time.monotonic()
            process.send_signal(signal.SIGINT)
            _, status, used = os.wait4(process.pid, 0) if before is not None else (0, 0, None)
            process.returncode = os.waitstatus_to_exitcode(status)
        if before is None:
            campaign.note(f"{name}: over before it was interrupted")
            continue
        campaign.expect(process.returncode in (0, 130, -2), f"{name} after {wanted:.2f} s: exit code {process.returncode}")
        more = min(used.ru_utime + used.ru_stime - before, time.monotonic() - since)  # two threads, or a busy machine
        campaign.note(f"{name}: interrupted")
        campaign.expect(more < 1.5, f"{name} after {wanted:.2f} s: went on for {more:.2f} s")
        if name in ("run", "resume") and number % 4 == 0:
            again = cases["resume"] if os.path.exists("r/checkpoint.h5") else cases["run"] + ("--force",)
            if campaign.expect_in_order(campaign.filum(*again, "--no-report"), [0], f"{name}, then {again[0]}"):
                campaign.expect(series("r/result.h5") == expected, f"{name}, then {again[0]}: other numbers")
