"""make_notebook.py SCRIPT NOTEBOOK: an example as a Jupyter notebook, a cell for every '# %%'."""

from __future__ import annotations

import json
import pathlib
import re
import sys


def cell(kind: str, text: str) -> dict[str, object]:
    common: dict[str, object] = {"cell_type": kind, "metadata": {}, "source": text.strip().splitlines(keepends=True)}
    return {**common, "execution_count": None, "outputs": []} if kind == "code" else common


def main(script: str, notebook: str) -> None:
    text = pathlib.Path(script).read_text(encoding="utf-8")
    title, code = re.match(r'"""(.*?)"""\n(.*)', text, re.S).groups()  # type: ignore[union-attr]
    cells = [cell("markdown", "# " + title)]
    first, *rest = re.split(r"^# %% ?", code, flags=re.M)
    cells.append(cell("code", first))
    for part in rest:
        heading, body = part.split("\n", 1)
        cells += [cell("markdown", "## " + heading), cell("code", body)]
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    for k, c in enumerate(cells):
        c["id"] = f"cell-{k}"
    content = {"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    pathlib.Path(notebook).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
