"""Checkpoints and result files that were damaged, or made to do damage."""

import os
import shutil
import subprocess

import h5py
import numpy

from campaign import differences, read, results

RUN = ("run", "pendulum.toml", "-o", "./r", "--quiet", "--no-report")
WEIRD = [float("nan"), float("inf"), -float("inf"), -1.0, 0.5, 1e300, 2.0**53, 2.0**60, 2.0**31, -0.0, 5e-324]


def mutated(random, data, other):
    """The bytes of a file with one kind of damage."""
    data = bytearray(data)
    kind = random.randrange(8)
    place = random.randrange(len(data))
    length = random.choice([1, 2, 8, 64, 512])
    if kind == 0:
        data[place] ^= 1 << random.randrange(8)
    elif kind == 1:
        data[place:place + length] = random.randbytes(len(data[place:place + length]))
    elif kind == 2:
        data[place:place + length] = bytes(len(data[place:place + length]))
    elif kind == 3:
        del data[place:]
    elif kind == 4:
        del data[place:place + length]
    elif kind == 5:
        data[place:place] = random.randbytes(length)
    elif kind == 6:
        data[place:place + length] = b"\xff" * len(data[place:place + length])
    else:
        cut = min(place, len(other))
        data[cut:] = other[cut:]
    return bytes(data)


def save(path, data):
    """With a hole for the zeros at its end: files of killed runs are 50 MB long, of which 30 kB are used."""
    with open(path, "wb") as file:
        file.write(data.rstrip(b"\0"))
        file.truncate(len(data))


def copy(folder, to):
    """Holes stay holes."""
    shutil.rmtree(to, ignore_errors=True)
    subprocess.run(["cp", "-a", "--sparse=always", folder, to], check=True)


def signed(data):
    """The bytes with the checksum that filum puts behind a checkpoint: FNV-1a."""
    state = 0xcbf29ce484222325
    for byte in data:
        state = (state ^ byte) * 0x100000001b3 & 0xffffffffffffffff
    return data + f"filum checkpoint 6, checksum {state:016x}\n".encode()


def unsigned(data):
    return data[:data.rindex(b"filum checkpoint 6, checksum")]


def interrupted(campaign):
    """A run that was killed half-way, and what it comes to."""
    campaign.expect_in_order(campaign.faulty("./r/", *RUN), [0], "a run that is left alone")
    expected, last = results("r"), read("r/checkpoint.h5")
    shutil.rmtree("r")
    count = campaign.operations("./r/", *RUN)
    shutil.rmtree("r")
    campaign.faulty("./r/", *RUN, at=count // 2, mode="kill-before")
    copy("r", "half")
    return expected, last


def restore():
    copy("half", "r")


def checkpoints(campaign):
    """Damage of any kind is found and said with exit code 2; forged ones neither crash nor hang."""
    last = interrupted(campaign)[1]
    good = read("half/checkpoint.h5")
    limit = campaign.options.points or 1000000
    for number in range(limit):
        if not campaign.time_is_left():
            return
        campaign.attempts += 1
        restore()
        if number % 4 == 3:
            forged(campaign)
            continue
        data = mutated(campaign.random, good, last)
        if data in (good, last):
            continue
        save("r/checkpoint.h5", data)
        result = campaign.faulty("./r/", "resume", "./r", "--quiet", "--no-report")
        campaign.expect_in_order(result, [2], f"damaged checkpoint {number}")
        campaign.note("damaged, refused")
        campaign.expect(read("r/result.h5") == read("half/result.h5"), f"damaged checkpoint {number}: result.h5 changed")


def forge(random, path):
    """Changes something through HDF5 itself; returns what."""
    with h5py.File(path, "r+") as file:
        name = random.choice(["q", "v", "a", "lambda", "memory", "numbers"])
        kind = random.randrange(7)
        values = file[name][:]
        if kind <= 2 and len(values):
            values[random.randrange(len(values))] = random.choice(WEIRD)
            file[name][...] = values
        elif kind == 3:
            del file[name]
            file[name] = numpy.concatenate([values, values])[:max(0, len(values) + random.choice([-1, 1]))]
        elif kind == 4:
            del file[name]
            file.create_dataset(name, shape=(1 << 40,), chunks=(1 << 20,), dtype="f8", compression="gzip")
        elif kind == 5:
            attribute = random.choice(["filum", "scenario", "method", "format"])
            del file.attrs[attribute]
            file.attrs[attribute] = random.choice([["a", "b", "c"] * 100, 7.0, numpy.zeros(1000)])
        else:
            del file[name]
            file[name] = random.choice(["text", 1, numpy.zeros((0, 3)), numpy.array([1 + 2j])])
        return f"{name}, kind {kind}"


def forged(campaign):
    """Forged values may be taken, if they could be those of a run; anything else is refused."""
    save("r/checkpoint.h5", unsigned(read("half/checkpoint.h5")))
    what = forge(campaign.random, "r/checkpoint.h5")
    save("r/checkpoint.h5", signed(read("r/checkpoint.h5")))
    result = campaign.faulty("./r/", "resume", "./r", "--quiet", "--no-report")
    campaign.expect_in_order(result, [0, 2, 3], f"forged checkpoint: {what}")
    campaign.note("forged, " + {0: "taken", 2: "refused", 3: "stopped"}.get(result.code, "crash"))


def hostile(random, path):
    """Changes a result file through HDF5; returns what."""
    with h5py.File(path, "r+", libver="latest") as file:
        names = []
        file.visititems(lambda name, item: names.append(name) if isinstance(item, h5py.Dataset) else None)
        name = random.choice(names)
        kind = random.randrange(10)
        shape = file[name].shape
        if kind == 0:
            attribute = random.choice(["facts", "filum", "method", "scenario"])
            del file.attrs[attribute]
            file.attrs[attribute] = ["{}"] * random.choice([1, 2, 1000])
        elif kind == 1:
            del file[name]
            file.create_dataset(name, shape=(shape[0], 0) + shape[2:], dtype="f8")
        elif kind == 2:
            del file[name]
            file.create_dataset(name, shape=(1 << 50,) + shape[1:], chunks=(1,) * len(shape), dtype="f8")
        elif kind == 3:
            del file[name]
            file[name] = h5py.ExternalLink("/etc/passwd", "/")
        elif kind == 4:
            del file[name]
            file[name] = h5py.SoftLink("/" + name)
        elif kind == 5:
            del file[name]
            file[name] = numpy.zeros((shape[0],), dtype=[("a", "f8"), ("b", "S5")])
        elif kind == 6:
            del file[name]
            layout = h5py.VirtualLayout(shape=shape, dtype="f8")
            layout[...] = h5py.VirtualSource("elsewhere.h5", "x", shape=shape)
            file.create_virtual_dataset(name, layout)
        elif kind == 7:
            del file[name]
            file.create_dataset(name, data=numpy.zeros((max(0, shape[0] - 3),) + shape[1:]))
        elif kind == 8:
            del file[name]
            file[name] = "text"
        else:
            facts = file.attrs["facts"]
            place = random.randrange(len(facts))
            file.attrs["facts"] = facts[:place] + random.choice(['"', "9" * 30, "[", "-1", "1e999", "}"]) + facts[place + 1:]
        return f"{name}, kind {kind}"


def result_files(campaign):
    """`report` and `resume` on damaged and hostile result files: refused with exit code 2, or right."""
    expected, _ = interrupted(campaign)
    good = read("half/result.h5")
    other = random_file(campaign)
    for number in range(campaign.options.points or 1000000):
        if not campaign.time_is_left():
            return
        campaign.attempts += 1
        restore()
        if number % 2:
            what = hostile(campaign.random, "r/result.h5")
        else:
            what = f"damage {number}"
            save("r/result.h5", mutated(campaign.random, good.rstrip(b"\0"), other) + bytes(len(good) - len(good.rstrip(b"\0"))))
        copy("r", "copy")
        campaign.expect_in_order(campaign.filum("report", "copy"), [0, 2], f"report, {what}")
        result = campaign.faulty("./r/", "resume", "./r", "--quiet", "--no-report")
        campaign.expect_in_order(result, [0, 2], f"resume, {what}")
        if result.code == 0:
            found = results("r")
            found = {name: found.get(name) for name in expected}
            campaign.expect(not differences(expected, found), f"resume, {what}: exit code 0 and other {differences(expected, found)}")
        campaign.note("resume: refused" if result.code == 2 else "resume: the same numbers")


def random_file(campaign):
    """The result file of another run."""
    campaign.faulty("./o/", "run", "pendulum.toml", "-o", "./o", "--quiet", "--no-report", "--set", "time.step=0.005")
    data = read("o/result.h5")
    shutil.rmtree("o")
    return data
