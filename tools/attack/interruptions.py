"""Runs and studies that are killed at single operations on files, or whose disk is full."""

import glob
import os
import shutil

from campaign import differences, read, results, series, write

RUN = ("run", "pendulum.toml", "-o", "./r", "--quiet", "--no-report")
RESUME = ("resume", "./r", "--quiet", "--no-report")
STUDY = ("study", "small.toml", "-o", "./s", "--quiet", "--jobs", "1")
KILLS = ("kill-before", "kill-after", "kill-half")


def fresh(folder):
    """An empty folder with two files of the user's."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder + "/frames")
    write(folder + "/notes.txt", "mine")
    write(folder + "/frames/photo.jpg", "mine")


def is_untouched(folder):
    return read(folder + "/notes.txt") == b"mine" and read(folder + "/frames/photo.jpg") == b"mine"


def leftovers(folder):
    return glob.glob(folder + "/**/.filum-*", recursive=True)


def reference(campaign):
    fresh("r")
    campaign.expect_in_order(campaign.faulty("./r/", *RUN, "--force"), [0], "a run that is left alone")
    return results("r")


def check_what_is_left(campaign, expected, where):
    """A result file that is there can be read, and has the numbers of the run."""
    if not os.path.exists("r/result.h5"):
        return
    try:
        found = series("r/result.h5")
    except (OSError, KeyError, RuntimeError) as trouble:
        campaign.expect(False, f"{where}: result.h5 cannot be read: {trouble}")
        return
    frames, all_frames = len(found["time"]) // 8, len(expected["time"]) // 8
    wrong = []
    for name, data in expected.items():
        if name in found and len(data) % all_frames == 0:  # a series, not an array that does not change
            size = len(data) // all_frames
            if found[name][:frames * size] != data[:frames * size]:
                wrong.append(name)
    campaign.expect(not wrong, f"{where}: fewer or other numbers in {wrong}")


def finish_run(campaign, expected, where):
    """Whatever happened, the same command or `resume` comes to the same end."""
    check_what_is_left(campaign, expected, where)
    again = RESUME if os.path.exists("r/checkpoint.h5") else RUN + ("--force",)
    result = campaign.faulty("./r/", *again)
    if not campaign.expect_in_order(result, [0], f"{where}, then {again[0]}"):
        return
    other = differences(expected, results("r"))
    campaign.expect(not other, f"{where}, then {again[0]}: other {other}")
    campaign.expect(is_untouched("r"), f"{where}: a file of the user's is gone")
    campaign.expect(not leftovers("r"), f"{where}: left {leftovers('r')}")


def kills(campaign):
    """Kills at every operation of a run, of a run that replaces another, and of a run that is resumed."""
    expected = reference(campaign)
    fresh("r")
    count = campaign.operations("./r/", *RUN, "--force")
    replacing = campaign.operations("./r/", *RUN, "--force")
    shutil.copytree("r", "whole")
    print(f"{count} operations in a run, {replacing} in one that replaces another")
    for at in campaign.points(count):
        for mode in KILLS:
            if not campaign.time_is_left():
                return
            campaign.attempts += 1
            fresh("r")
            campaign.faulty("./r/", *RUN, "--force", at=at, mode=mode)
            finish_run(campaign, expected, f"{mode} {at} of a run")
    for at in campaign.points(replacing):
        if not campaign.time_is_left():
            return
        campaign.attempts += 1
        shutil.rmtree("r")
        shutil.copytree("whole", "r")
        campaign.faulty("./r/", *RUN, "--force", at=at, mode="kill-before")
        finish_run(campaign, expected, f"kill-before {at} of a run that replaces another")
    resumed(campaign, expected, count)


def resumed(campaign, expected, count):
    """A run that was killed half-way is resumed, and killed again."""
    fresh("r")
    campaign.faulty("./r/", *RUN, "--force", at=count // 2, mode="kill-before")
    shutil.rmtree("half", ignore_errors=True)
    shutil.copytree("r", "half")
    operations = campaign.operations("./r/", *RESUME)
    for at in campaign.points(operations):
        for mode in KILLS:
            if not campaign.time_is_left():
                return
            campaign.attempts += 1
            shutil.rmtree("r")
            shutil.copytree("half", "r")
            campaign.faulty("./r/", *RESUME, at=at, mode=mode)
            finish_run(campaign, expected, f"{mode} {at} of a run that was resumed")


LONG = """schema = 1
[time]
end = 0.009
step = 1e-4
output_every = 4.35e-6
[output]
checkpoint_every = 0
[[beam]]
name = "rod"
from = [0, 0, 0]
to = [1, 0, 0]
segments = 1400
section = { shape = "circle", radius = 0.01, E = 300, nu = 0.3, rho = 1000 }
"""


def torn(campaign):
    """Kills in the middle of blocks of the index that are larger than a page: those of series with more than 2036 blocks of 64 kB. Other
    readers may fail then; `report` repairs the file for them, and `resume` continues as if nothing had happened. Every attempt continues the
    same run, which was killed before the first such block."""
    write("long.toml", LONG)
    run = ("run", "long.toml", "-o", "./r", "--quiet", "--no-report")
    campaign.expect_in_order(campaign.faulty("./r/", *run), [0], "a long run that is left alone")
    expected, operations = results("r"), int(read("operations.txt").split()[0])
    shutil.rmtree("r")
    campaign.faulty("./r/", *run, at=operations * 24 // 25, mode="kill-before")
    shutil.copytree("r", "half")
    campaign.expect_in_order(campaign.faulty("./r/", *RESUME), [0], "a long run that is resumed")
    count = int(read("operations.txt").split()[1])
    print(f"{count} writes with a journal")
    campaign.expect(count > 0, "no block of the index is larger than a page: the campaign tests nothing")
    for number, at in enumerate(campaign.points(count)):
        if not campaign.time_is_left():
            return
        campaign.attempts += 1
        shutil.rmtree("r")
        shutil.copytree("half", "r")
        torn_once(campaign, expected, at, reports=number % 2 == 1)


def torn_once(campaign, expected, at, reports):
    where = f"torn write {at}"
    killed = campaign.faulty("./r/", *RESUME, at=at, mode="kill-torn")
    if killed.code != -9:  # how many blocks are written depends on time
        campaign.note("over before it was killed")
        return
    try:
        series("r/result.h5")
        campaign.note("readable by others at once")
    except (OSError, KeyError, RuntimeError):
        campaign.note("readable by others after `report` or `resume`")
    if reports:
        campaign.expect_in_order(campaign.filum("report", "r"), [0], f"{where}, then report")
        times = series("r/result.h5")["time"]
        campaign.expect(0 < len(times) <= len(expected["time"]) and times == expected["time"][:len(times)],
                        f"{where}, then report: other times")
    if campaign.expect_in_order(campaign.faulty("./r/", *RESUME), [0], f"{where}, then resume"):
        other = differences(expected, results("r"))
        campaign.expect(not other, f"{where}, then resume: other {other}")
        campaign.expect(not leftovers("r"), f"{where}: left {leftovers('r')}")


def study_state():
    return {path: os.stat(path).st_mtime_ns for path in glob.glob("s/cases/*/summary.json")}


def study_kills(campaign):
    """Kills at operations of a study: it goes on, to the same table, and repeats no run that was complete."""
    campaign.expect_in_order(campaign.faulty("./s/", *STUDY), [0], "a study that is left alone")
    table = read("s/study.csv")
    shutil.rmtree("s")
    count = campaign.operations("./s/", *STUDY)
    print(f"{count} operations in a study")
    for at in campaign.points(count):
        if not campaign.time_is_left():
            return
        campaign.attempts += 1
        where = f"kill-before {at} of a study"
        shutil.rmtree("s", ignore_errors=True)
        campaign.faulty("./s/", *STUDY, at=at, mode="kill-before")
        before = study_state()
        again = campaign.faulty("./s/", *STUDY, "--resume")
        if not campaign.expect_in_order(again, [0], where):
            continue
        campaign.expect(read("s/study.csv") == table, f"{where}: another table")
        after = study_state()
        campaign.expect(all(after[path] == when for path, when in before.items()), f"{where}: a run was repeated")
        campaign.expect(not leftovers("s"), f"{where}: left {leftovers('s')}")


def full_disk(campaign):
    """The disk is full from the n-th operation on, or once: said with exit code 1, and nothing is lost."""
    expected = reference(campaign)
    fresh("r")
    count = campaign.operations("./r/", *RUN, "--force")
    for at in campaign.points(count):
        for mode in ("full", "full-once"):
            if not campaign.time_is_left():
                return
            campaign.attempts += 1
            fresh("r")
            result = campaign.faulty("./r/", *RUN, "--force", at=at, mode=mode)
            campaign.expect_in_order(result, [0, 1, 2], f"{mode} {at}")
            if result.code != 0:
                campaign.expect("o space left" in result.text, f"{mode} {at} does not say what is wrong: {result}")
            else:
                other = differences(expected, results("r"))
                campaign.expect(not other, f"{mode} {at}: exit code 0 and other {other}")
            finish_run(campaign, expected, f"{mode} {at}")
    study_disk(campaign)


def study_disk(campaign):
    campaign.expect_in_order(campaign.faulty("./s/", *STUDY), [0], "a study that is left alone")
    table = read("s/study.csv")
    shutil.rmtree("s")
    count = campaign.operations("./s/", *STUDY)
    for at in campaign.points(count):
        if not campaign.time_is_left():
            return
        campaign.attempts += 1
        shutil.rmtree("s", ignore_errors=True)
        result = campaign.faulty("./s/", *STUDY, at=at, mode="full")
        complete = os.path.exists("s/study.csv") and read("s/study.csv") == table
        campaign.expect_in_order(result, [0] if complete else [1, 2], f"full {at} of a study")
        again = campaign.faulty("./s/", *STUDY, "--resume")
        campaign.expect_in_order(again, [0], f"full {at} of a study, then --resume")
        campaign.expect(read("s/study.csv") == table, f"full {at} of a study, then --resume: another table")
