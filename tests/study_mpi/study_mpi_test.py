#!/usr/bin/env python3
"""Studies under MPI: the same table as on one machine, whatever happens to processes. docs/guide/studies.md, "Many machines".

usage: study_mpi_test.py NAME FILUM MPIEXEC FOLDER

NAME is one of the functions below that stand under "Tests". Exit code 77: this machine cannot do it.
"""

import csv
import glob
import os
import shutil
import signal
import subprocess
import sys
import time

SKIPPED = 77
JOB_SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/slurm/study.sbatch")

# Some of these cases are refused, by the reader or by the method.
TWELVE = """schema = 1
title = "Twelve cases"
scenario = "pendulum"
timing = false
set = { "time.end" = 2, "time.output_every" = 0.25 }
[[vary]]
key = "integrator.method"
values = ["rattlie", "generalized-alpha"]
[[vary]]
key = "time.grid"
values = ["uniform", "random"]
[[vary]]
key = "time.step"
values = ["2^-6", "2^-7", -1]
[reference]
set = { "integrator.method" = "half-explicit-rk", "time.grid" = "uniform", "time.step" = "2^-9" }
[convergence]
versus = "time.step"
quantities = ["configuration", "multiplier"]
"""

# Runs of up to some seconds, with checkpoints often; more often, a busy disk would be all that counts.
SLOW = """schema = 1
title = "Slow cases"
scenario = "pendulum"
timing = false
set = { "time.end" = 40, "time.output_every" = 0.25, "output.checkpoint_every" = 0.2 }
[[vary]]
key = "time.step"
values = ["2^-10", "2^-11", "2^-12", "2^-13", "2^-14"]
[reference]
set = { "time.step" = "2^-15" }
[convergence]
versus = "time.step"
quantities = ["configuration"]
"""

# One of these cases does not end by itself.
ENDLESS = """schema = 1
title = "An endless case"
scenario = "pendulum"
timing = false
set = { "time.step" = 0.01, "time.output_every" = 0.25, "output.checkpoint_every" = 0.02 }
[[vary]]
key = "time.end"
values = [1, 1e7, 2, 3]
"""

# Runs as root and with more ranks than cores; what Open MPI itself leaves behind is not our leak.
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1", PRTE_ALLOW_RUN_AS_ROOT="1",
                   PRTE_ALLOW_RUN_AS_ROOT_CONFIRM="1", PRTE_MCA_rmaps_default_mapping_policy=":oversubscribe",
                   ASAN_OPTIONS="detect_leaks=0")


class Skipped(Exception):
    pass


def expect(holds, message):
    if not holds:
        raise AssertionError(message)


def wait_until(holds, what):
    deadline = time.monotonic() + 240  # of a test that has ten minutes
    while not holds():
        expect(time.monotonic() < deadline, f"waited for {what} for four minutes")
        time.sleep(0.005)


def write(name, text):
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)


def table(folder):
    with open(os.path.join(folder, "study.csv"), "rb") as file:
        return file.read()


def rows(folder):
    with open(os.path.join(folder, "study.csv"), encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def ranks(number):
    return [MPIEXEC, "-n", str(number)]


STARTED = []


def start(command):
    STARTED.append(subprocess.Popen(command, env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE, text=True))
    return STARTED[-1]


def end_of(process):
    out, err = process.communicate(timeout=500)
    return process.returncode, out + err


def run(command):
    return end_of(start(command))


def run_well(command):
    code, text = run(command)
    expect(code == 0, f"exit code {code} from {' '.join(command)}\n{text}")
    return text


def processes(*words):
    """Our processes in this folder, by the words of their command lines."""
    found = []
    for entry in glob.glob("/proc/[0-9]*"):
        try:
            with open(entry + "/cmdline", "rb") as file:
                arguments = file.read().decode(errors="replace").split("\0")
            if os.readlink(entry + "/cwd") == os.getcwd() and arguments[0] == FILUM and all(
                    any(word in a for a in arguments) for word in words):
                found.append(int(os.path.basename(entry)))
        except OSError:
            pass
    return found


def rank_of(process):
    with open(f"/proc/{process}/environ", "rb") as file:
        for entry in file.read().split(b"\0"):
            if entry.startswith(b"OMPI_COMM_WORLD_RANK="):
                return int(entry.split(b"=")[1])
    raise Skipped("the processes of this MPI do not know their ranks")


def files(pattern):
    return len(glob.glob(pattern))


# Tests


def same_table_with_any_number_of_threads_and_ranks():
    write("study.toml", TWELVE)
    study = [FILUM, "study", "study.toml", "--quiet", "-o"]
    run_well(study + ["one", "--jobs", "1"])
    statuses = sorted({row["status"] for row in rows("one")})
    expect(statuses == ["done", "refused"], f"found {statuses}")
    ways = {"two": (study, ["--jobs", "2"]), "isolated": (study, ["--isolate"])}
    for n in (1, 2, 4):
        ways[f"ranks-{n}"] = (ranks(n) + study, [])
    ways["ranks-2-jobs-2"] = (ranks(2) + study, ["--jobs", "2"])
    for name, (command, more) in ways.items():
        expect(run_well(command + [name] + more) == "", f"{name} is not quiet")
        expect(table(name) == table("one"), f"{name}/study.csv differs from one/study.csv")
        expect(not glob.glob(name + "/cases/.seen*"), f"{name} has a file that ranks leave behind")


def kill_half_way(study, victim, is_under_way, what):
    """Starts the study, and kills one of its processes as soon as it is under way. False when it was over before that."""
    process = start(study)
    wait_until(lambda: process.poll() is not None or is_under_way(), what)
    if victim == "mpirun":
        process.kill()
    else:
        rank = next((p for p in processes("study", "--resume") if rank_of(p) == 1), None)
        if rank:  # otherwise the study is over
            os.kill(rank, signal.SIGKILL)
    code, text = end_of(process)
    wait_until(lambda: not processes("killed"), "the end of the ranks and of their runs")
    if os.path.exists("killed/study.csv"):
        return False
    expect(code != 0, f"{victim} was killed, and nobody has noticed\n{text}")
    return True


def killed_twice_and_resumed_gives_the_same_table():
    write("study.toml", SLOW)
    run_well([FILUM, "study", "study.toml", "--quiet", "-o", "whole"])
    study = ranks(3) + [FILUM, "study", "study.toml", "--quiet", "-o", "killed"]
    while not (kill_half_way(study, "mpirun", lambda: files("killed/cases/*/checkpoint.h5") > 0, "a checkpoint") and
               kill_half_way(study + ["--resume"], "a rank", lambda: processes("resume", "killed/cases"), "a run that is resumed")):
        shutil.rmtree("killed")  # the machine was busy, and the study over before it was killed
    run_well(study + ["--resume"])
    expect(table("killed") == table("whole"), "killed/study.csv differs from whole/study.csv")


def wait_for_the_endless_run(folder):
    """The other runs are over, and have ended."""
    wait_until(lambda: files(folder + "/cases/*/summary.json") == 3, "the other cases")
    wait_until(lambda: len(processes("run", folder + "/cases")) == 1, "the end of their processes")


def a_run_that_crashes_is_a_row():
    write("study.toml", ENDLESS)
    process = start(ranks(2) + [FILUM, "study", "study.toml", "-o", "crash"])
    wait_for_the_endless_run("crash")
    os.kill(processes("run", "crash/cases")[0], signal.SIGSEGV)
    code, text = end_of(process)
    expect(code == 1, f"exit code {code}\n{text}")
    expect("1 run has failed" in text and "to try again: the same command with -o" in text, text)
    found = [(row["time.end"], row["status"], row["reason"]) for row in rows("crash")]
    expect([f[1] for f in found] == ["done", "failed", "done", "done"], f"found {found}")
    expect("signal 11" in found[1][2], f"found {found[1]}")


def an_interruption_of_any_rank_ends_all_in_order():
    write("study.toml", ENDLESS)
    for rank in (0, 2):
        folder = f"rank-{rank}"
        process = start(ranks(3) + [FILUM, "study", "study.toml", "-o", folder])
        wait_for_the_endless_run(folder)
        os.kill(next(p for p in processes("study", folder) if rank_of(p) == rank), signal.SIGINT)
        code, text = end_of(process)
        expect(code == 130, f"exit code {code}\n{text}")
        expect("to continue: the same command with -o" in text, text)
        expect([row["status"] for row in rows(folder)] == ["done", "missing", "done", "done"], rows(folder))
        expect(files(folder + "/cases/*/checkpoint.h5") >= 1, "there is no checkpoint")
        expect(not processes("run", folder), "a run goes on")
    for kind in (signal.SIGINT, signal.SIGTERM):
        folder = f"mpirun-{kind.name}"
        process = start(ranks(2) + [FILUM, "study", "study.toml", "-o", folder])
        wait_for_the_endless_run(folder)
        process.send_signal(kind)
        code, text = end_of(process)
        expect(code != 0, "mpirun is content")
        wait_until(lambda: not processes(folder), "the end of the ranks and of their runs")
        # How long mpirun waits before it kills is its own affair: what it leaves is to be complete, or not there.
        if os.path.exists(folder + "/study.csv"):
            expect([row["status"] for row in rows(folder)] == ["done", "missing", "done", "done"], rows(folder))


def the_job_script_for_slurm_runs_and_goes_on():
    write("study.toml", TWELVE)
    run_well([FILUM, "study", "study.toml", "--quiet", "-o", "one"])
    os.makedirs("bin")
    os.symlink(FILUM, "bin/filum")
    write("bin/srun", f'#!/bin/sh\n[ "$1" = --mpi=pmix ] && shift && exec {MPIEXEC} -n 2 "$@"\n')
    os.chmod("bin/srun", 0o755)
    ENVIRONMENT["PATH"] = os.path.abspath("bin") + os.pathsep + ENVIRONMENT["PATH"]
    # What Slurm tells a batch script is no sign of ranks.
    ENVIRONMENT.update(SLURM_PROCID="0", SLURM_NTASKS="2", SLURM_JOB_ID="1")
    for _ in ("first", "again"):
        run_well(["bash", JOB_SCRIPT, "study.toml", "job"])
        expect(table("job") == table("one"), "job/study.csv differs from one/study.csv")


def wrong_input_is_told_once():
    write("study.toml", TWELVE)
    os.makedirs("taken")
    write("taken/study.toml", "")
    write("wrong.toml", 'schema = 1\nscenario = "pendulum"\nvarry = 1\n')
    for arguments, message in ((["study.toml", "-o", "taken"], "the folder already contains a study"),
                               (["wrong.toml", "-o", "new"], "varry"),
                               (["missing.toml", "-o", "new"], "there is no such file"),
                               (["study.toml", "--hurry"], "there is no option '--hurry'"),
                               ([], "STUDY or --all is required")):
        code, text = run(ranks(3) + [FILUM, "study"] + arguments)
        expect(code == 2, f"exit code {code}\n{text}")
        expect(text.count(message) == 1, f"expected once: {message}\n{text}")
        expect("MPI_ABORT" not in text, text)
    expect(not os.path.exists("new"), "a study that cannot be read has made its folder")


def a_folder_that_ranks_do_not_share_is_refused():
    write("study.toml", TWELVE)
    os.makedirs("apart")
    write("elsewhere.sh", 'mount -t tmpfs tmpfs "$1" && shift && exec "$@"\n')
    elsewhere = ["unshare", "--mount", "bash", "elsewhere.sh", os.path.abspath("apart")]
    try:
        if run(elsewhere + ["true"])[0] != 0:
            raise Skipped("mounting is not permitted here")
    except FileNotFoundError as missing:
        raise Skipped("unshare is missing") from missing
    study = [FILUM, "study", "study.toml", "-o", "apart"]
    code, text = run(ranks(1) + study + [":", "-n", "2"] + elsewhere + study)
    expect(code == 2, f"exit code {code}\n{text}")
    told = f"not writable on {os.uname().nodename};"
    expect(text.count(told) == 1, f"expected once: {told}\n{text}")
    expect(not glob.glob("apart/cases/*"), "a run has begun")


def processes_that_cannot_talk_do_not_repeat_the_study():
    write("study.toml", TWELVE)
    alone = "MPI does not connect them" if MPIEXEC else "this filum was built without MPI"
    for rank, told in ((0, alone), (1, "if it was started alone, unset PMI_RANK")):
        # What the mpiexec of another MPI leaves in the environment.
        environment = dict(ENVIRONMENT, PMI_RANK=str(rank), PMI_SIZE="2")
        done = subprocess.run([FILUM, "study", "study.toml", "-o", "alone"], env=environment, capture_output=True,
                              text=True, timeout=120, check=False)
        expect(done.returncode == 2, f"rank {rank}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
        expect(told in done.stderr, done.stderr)
    expect(not os.path.exists("alone"), "the study has begun")


def a_broken_module_is_named():
    write("study.toml", TWELVE)
    os.makedirs("bin")
    shutil.copy(FILUM, "bin/filum")
    write("bin/filum-mpi.so", "no library")
    code, text = run(ranks(1) + ["bin/filum", "study", "study.toml", "-o", "broken"])
    expect(code == 0, f"one process needs no MPI: exit code {code}\n{text}")
    code, text = run(ranks(2) + ["bin/filum", "study", "study.toml", "-o", "broken"])
    expect(code == 2, f"exit code {code}\n{text}")
    expect("filum-mpi.so, which connects processes, cannot be loaded" in text, text)


if __name__ == "__main__":
    name, FILUM, MPIEXEC, folder = sys.argv[1:]
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    os.chdir(folder)
    try:
        globals()[name]()
    except Skipped as reason:
        print(f"skipped: {reason}")
        sys.exit(SKIPPED)
    except AssertionError as failure:
        print(failure)
        sys.exit(1)
    finally:
        for process in STARTED:
            process.kill()
    os.chdir("/")
    shutil.rmtree(folder)
