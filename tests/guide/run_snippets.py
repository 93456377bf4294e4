#!/usr/bin/env python3
"""Runs the snippets of a page of the user guide, in order, in a separate folder.

usage: run_snippets.py PAGE.md FILUM FOLDER

```toml with '# file: NAME' is written to that file, ```sh and ```python are executed. A first line '# exit code N' is
what a command must end with. A ```toml block that shows only a part of a file follows a comment with the rest,

    <!-- run NAME.toml
    the rest of the file, with a line '...' where the block belongs
    -->

and `filum run NAME.toml` has to accept the whole; likewise `study` or `static`. Other blocks are only read by people.
"""

import os
import re
import shutil
import subprocess
import sys

BLOCK = re.compile(r"(?:^<!-- (run|study|static) (\S+)\n(.*?)^-->\n+)?^```(\w+)\n(.*?)^```$", re.M | re.S)


def write(folder, name, text):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)


def command_of(folder, task, name, rest, language, text):
    """The command that tries a block; nothing where there is nothing to try."""
    if language == "toml":
        named = re.match(r"# file: (\S+)\n", text)
        if named:
            write(folder, named[1], text)
        elif not task:
            raise SystemExit(f"this block is not complete, and no comment has the rest:\n{text}")
        else:
            write(folder, name, re.sub(r"^\.\.\.$", lambda _: text, rest, count=1, flags=re.M))
            return ["filum", task, name, "-o", f"try-{name}"]
    if language == "sh":
        return ["bash", "-e", "-c", text]
    return [sys.executable, "-c", text] if language == "python" else None


def main(page, program, folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    environment = dict(os.environ, PATH=os.path.dirname(program) + os.pathsep + os.environ["PATH"])
    count = 0
    for task, name, rest, language, text in BLOCK.findall(open(page, encoding="utf-8").read()):
        command = command_of(folder, task, name, rest, language, text)
        if not command:
            continue
        wanted = re.match(r"# exit code (\d+)\n", text)
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
        count += 1
        if done.returncode != (int(wanted[1]) if wanted else 0):
            print(f"{page}: exit code {done.returncode} from\n{text}\n{done.stdout}\n{done.stderr}")
            return 1
    print(f"{page}: {count} snippets")
    shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
