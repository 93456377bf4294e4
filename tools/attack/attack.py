#!/usr/bin/env python3
"""Campaigns against filum: what they are, and what they found, stands in docs/reliability.md.

usage: attack.py CAMPAIGN --filum build/release/filum [--seconds 3600] [--points N] [--seed N]

Needs a Python with h5py and a C compiler.
"""

import sys

import commands
import concurrency
import interruptions
import memory
import mutations
from campaign import main

CAMPAIGNS = {
    "kills": interruptions.kills,
    "torn": interruptions.torn,
    "study-kills": interruptions.study_kills,
    "full-disk": interruptions.full_disk,
    "matrix": memory.matrix,
    "shifts": memory.shifts,
    "checkpoints": mutations.checkpoints,
    "results": mutations.result_files,
    "commands": commands.commands,
    "ctrl-c": commands.ctrl_c,
    "writers": concurrency.writers,
    "readers": concurrency.readers,
}

if __name__ == "__main__":
    sys.exit(main(CAMPAIGNS, sys.argv[1:]))
