#!/usr/bin/env python3
"""Runs the snippets of a page of the user guide, in order, in a folder of its own.

usage: run_snippets.py PAGE.md FILUM FOLDER

```toml with '# file: NAME' is written to that file, ```sh and ```python are executed. A first line '# exit code N' is
what a command must end with. Other blocks are only read by people.
"""

import os
import re
import shutil
import subprocess
import sys


def main(page, program, folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    environment = dict(os.environ, PATH=os.path.dirname(program) + os.pathsep + os.environ["PATH"])
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", open(page, encoding="utf-8").read(), re.M | re.S)
    count = 0
    for language, text in blocks:
        if language == "toml":
            name = re.match(r"# file: (\S+)\n", text)
            if name:
                with open(os.path.join(folder, name[1]), "w", encoding="utf-8") as file:
                    file.write(text)
            continue
        if language not in ("sh", "python"):
            continue
        wanted = re.match(r"# exit code (\d+)\n", text)
        command = ["bash", "-e", "-c", text] if language == "sh" else [sys.executable, "-c", text]
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
